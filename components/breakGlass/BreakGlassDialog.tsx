import { Button, Input, Modal } from 'antd';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useOwnCall } from '../../hooks/useOwnCall';
import { breakGlassBody, maxReasonLength, minReasonLength } from '../../lib/breakGlass/schema';
import type { User } from '../../lib/session/schema';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './BreakGlassDialog.module.css';

interface BreakGlassDialogProps {
  user: Pick<User, 'site' | 'units'>;
  onClose: () => void;
}

const empty = { reason: '' };
/** A reason of several lines is sent as one. */
const bodyOf = ({ reason }: typeof empty) => ({ reason: reason.replace(/\s+/g, ' ') });

/**
 * Asks for a reason, and says what emergency access means, before every unit of the site is opened. The reason stays if
 * it is refused.
 */
export function BreakGlassDialog({ user, onClose }: BreakGlassDialogProps) {
  const breakGlass = useOwnCall('breakGlass');
  const { refresh } = useCurrentUser();
  return (
    <Modal
      title="Emergency access"
      open
      width={560}
      closable={false}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <div className="stack">
        <ul className={styles.facts}>
          <li>
            For 60 minutes you can view every patient of {user.site.name}, not only those of your own units. There you
            can acknowledge alerts; you cannot change anything else.
          </li>
          <li>
            Administrators are notified at once with your name and your reason. Every view of a patient is audited.
          </li>
          <li>It ends by itself, or earlier if you end it.</li>
        </ul>
        <SchemaForm
          schema={breakGlassBody}
          initial={empty}
          bodyOf={bodyOf}
          send={async (body) => {
            try {
              await breakGlass({ body });
            } catch (problem) {
              // It may be open already, from another tab.
              await refresh();
              throw problem;
            }
            onClose();
          }}
          done="opened"
          submitLabel="Open all units for 60 minutes"
          actions={<Button onClick={onClose}>Cancel</Button>}
        >
          <FormField
            name="reason"
            label="Reason"
            hint={`At least ${minReasonLength} characters. Do not name a patient here.`}
          >
            <Input.TextArea rows={3} maxLength={maxReasonLength} autoFocus />
          </FormField>
        </SchemaForm>
      </div>
    </Modal>
  );
}

import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { userTypeLabels } from '../../lib/session/userTypes';
import { newInvitation, type SecretLink } from '../../lib/users/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { AdminField, TypeField } from './RoleFields';
import { SecretLinkBox } from './SecretLinkBox';
import { UnitsField, type Unit } from './UnitsField';

interface InviteDrawerProps {
  units: readonly Unit[];
  timeZone: string;
  onClose: () => void;
}

const empty = { email: '', type: 'nurse', isAdmin: false, unitIds: [] };

/** Invites a user. The link is shown only once, so the drawer stays open until it is closed. */
export function InviteDrawer({ units, timeZone, onClose }: InviteDrawerProps) {
  const invite = useCall('invite');
  const [made, setMade] = useState<{ title: string; link: SecretLink } | null>(null);
  return (
    <FormDrawer title="Invite user" onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status">
          {made === null ? null : <SecretLinkBox title={made.title} link={made.link} timeZone={timeZone} />}
        </div>
        <SchemaForm
          schema={newInvitation}
          initial={empty}
          send={async (body) => {
            const link = await invite({ body });
            setMade({ title: `Invitation for ${body.email} as ${userTypeLabels[body.type]}`, link });
          }}
          done="invited"
          submitLabel="Create invitation"
          isEmptiedWhenSent
        >
          <FormField name="email" label="E-mail" type="email" />
          <TypeField />
          <AdminField />
          <UnitsField units={units} />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

import { Checkbox } from 'antd';
import { useCall } from '../../hooks/useCall';
import { listedSender, type ListedSender } from '../../lib/interfaces/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';

interface SenderDrawerProps {
  sender: ListedSender;
  onClose: () => void;
}

const typedSettings = listedSender.pick({ zeroIsNoSignal: true, quarantineIsAccepted: true });

/** What an administrator says of a sender that its messages do not. */
export function SenderDrawer({ sender, onClose }: SenderDrawerProps) {
  const change = useCall('changeSender');
  const { id, name, zeroIsNoSignal, quarantineIsAccepted } = sender;
  return (
    <FormDrawer title={`Settings of ${name}`} onClose={onClose}>
      <div className={styles.drawer}>
        <SchemaForm
          schema={typedSettings}
          initial={{ zeroIsNoSignal, quarantineIsAccepted }}
          send={async (typed) => {
            const body = {
              ...(typed.zeroIsNoSignal === zeroIsNoSignal ? {} : { zeroIsNoSignal: typed.zeroIsNoSignal }),
              ...(typed.quarantineIsAccepted === quarantineIsAccepted
                ? {}
                : { quarantineIsAccepted: typed.quarantineIsAccepted }),
            };
            if (Object.keys(body).length > 0) {
              await change({ params: { id }, body });
            }
            onClose();
          }}
          refusalText={({ message }) => `Not saved. ${message}`}
          submitLabel="Save"
          isEmptiedWhenSent
        >
          <FormField
            name="zeroIsNoSignal"
            label="Heart rate of 0"
            hint="Only if its documentation says so of a lead that is off. A real asystole then raises no alert here."
            valuePropName="checked"
            isOptional
          >
            <Checkbox>Means that there is no signal, not asystole</Checkbox>
          </FormField>
          <FormField
            name="quarantineIsAccepted"
            label="Messages in quarantine"
            hint="For a gateway that stops at AE, or sends the same message again and again. They stay in quarantine."
            valuePropName="checked"
            isOptional
          >
            <Checkbox>Are answered AA instead of AE</Checkbox>
          </FormField>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

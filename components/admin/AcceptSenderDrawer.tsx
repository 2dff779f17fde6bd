import { Checkbox, Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { newSender, type ListedUnknownSender } from '../../lib/interfaces/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { SeenList } from './SeenList';

interface AcceptSenderDrawerProps {
  sender: ListedUnknownSender;
  /** Called with the id that it has from now on. */
  onAccepted: (id: number) => void;
  onClose: () => void;
}

const typedSender = newSender.omit({ unknownId: true });

const knownByWords = { certificate: 'Its certificate', address: 'Its address' } as const;
type KnownBy = keyof typeof knownByWords;
const knownByChoices = (['certificate', 'address'] as const).map((value) => ({ value, label: knownByWords[value] }));

/** Accepts an unknown sender into the site of the user. */
export function AcceptSenderDrawer({ sender, onAccepted, onClose }: AcceptSenderDrawerProps) {
  const accept = useCall('acceptSender');
  const { certificate } = sender;
  const usual: KnownBy = certificate === null ? 'address' : 'certificate';
  const [knownBy, setKnownBy] = useState<KnownBy>(usual);
  return (
    <FormDrawer title="Accept sender" onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Next come the questions that its messages leave open. Until a second person has confirmed the answers, all its
          values are quarantined. Only a trial sender can send to trial patients.
        </p>
        <SeenList seen={sender.seen} />
        <SchemaForm
          schema={typedSender}
          initial={{ name: '', knownBy: usual, address: sender.address, isTrial: false }}
          bodyOf={({ knownBy: typed, ...body }) => ({
            ...body,
            address: typed === 'certificate' ? null : body.address,
          })}
          onTyped={(typed) => {
            setKnownBy(typed.knownBy);
          }}
          send={async (body) => {
            const { id } = await accept({ body: { ...body, unknownId: sender.id } });
            onAccepted(id);
            onClose();
          }}
          done="accepted"
          submitLabel="Accept sender"
          isEmptiedWhenSent
        >
          <FormField name="name" label="Name" hint="The gateway or central station, as screens show it" />
          {certificate === null ? null : (
            <FormField
              name="knownBy"
              label="Known by"
              hint={
                knownBy === 'certificate'
                  ? `${certificate}. From any address, whatever its MSH-3 and MSH-4.`
                  : 'Its address, MSH-3 and MSH-4. Other machines at that address can send as it does.'
              }
            >
              <Segmented options={knownByChoices} />
            </FormField>
          )}
          {knownBy === 'certificate' ? null : (
            <FormField name="address" label="Address" hint="Or the network of its machines, such as 10.1.2.0/24" />
          )}
          <FormField
            name="isTrial"
            label="Trial sender"
            hint="Its messages may be training, test or demo. To end the trial, revoke it and accept it again."
            valuePropName="checked"
            isOptional
          >
            <Checkbox>Reaches trial patients only</Checkbox>
          </FormField>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

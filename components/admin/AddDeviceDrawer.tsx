import { Drawer } from 'antd';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useCall } from '../../hooks/useCall';
import { newDevice } from '../../lib/devices/schema';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import styles from './admin.module.css';
import { TokenBox } from './TokenBox';
import { useAct } from '../ui/useAct';

/** A new device. The drawer stays open until it is closed, because the token is shown in it this once. */
export function AddDeviceDrawer({ onClose }: { onClose: () => void }) {
  const add = useCall('addDevice');
  const { isWaiting, failure, carryOut } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [seconds, setSeconds] = useState('');
  const [days, setDays] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  const submit = async (): Promise<void> => {
    const parsed = newDevice.safeParse({
      name,
      expectedEveryMs: seconds.trim() === '' ? undefined : Math.round(Number(seconds) * 1_000),
      expiresInDays: days.trim() === '' ? undefined : Number(days),
    });
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success) {
      await carryOut(async () => {
        setToken((await add({ body: parsed.data })).token);
      });
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <Drawer title="Add device" size={480} open onClose={onClose} mask={{ closable: false }}>
      {token === null ? (
        <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
          <FormFailure>{failure === null ? null : `Not added. ${failure.message}`}</FormFailure>
          <TextField
            label="Name"
            hint="As it stands beside its values"
            autoFocus
            required
            value={name}
            onChange={setName}
            error={errors.name}
          />
          <TextField
            label="Seconds between two values"
            hint="Empty: the kind of value decides, 1 s on a monitor"
            isOptional
            inputMode="decimal"
            value={seconds}
            onChange={setSeconds}
            error={errors.expectedEveryMs}
          />
          <TextField
            label="Token ends after days"
            hint="Empty: it ends when somebody revokes it"
            isOptional
            inputMode="numeric"
            value={days}
            onChange={setDays}
            error={errors.expiresInDays}
          />
          <SubmitButton isWaiting={isWaiting}>Add device</SubmitButton>
        </form>
      ) : (
        <TokenBox token={token} />
      )}
    </Drawer>
  );
}

import { Button, Drawer } from 'antd';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useDeviceActs, useRefused } from '../../hooks/useDevices';
import { deviceAssignment, type ListedDevice } from '../../lib/devices/schema';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import styles from './admin.module.css';
import { AdminSkeleton } from './AdminSkeleton';
import { assignedText } from './DevicesTable';
import { TokenBox } from './TokenBox';
import { useAct } from './useAct';

interface DeviceDrawerProps {
  /** As the list shows it now. */
  device: ListedDevice;
  user: User;
  onClose: () => void;
}

/** Everything that this user may do with one device. It stays open, because a new token is shown in it. */
export function DeviceDrawer({ device, user, onClose }: DeviceDrawerProps) {
  const [said, setSaid] = useState('');
  return (
    <Drawer title={device.name} size={480} open onClose={onClose} mask={{ closable: false }}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        {user.may.includes('assignDevices') ? <Assignment device={device} onSaid={setSaid} /> : null}
        {user.may.includes('manageDevices') ? <Token device={device} onSaid={setSaid} /> : null}
        <Refused id={device.id} timeZone={user.site.timeZone} />
      </div>
    </Drawer>
  );
}

interface PartProps {
  device: ListedDevice;
  onSaid: (text: string) => void;
}

function Assignment({ device, onSaid }: PartProps) {
  const { assign, unassign } = useDeviceActs();
  const { isWaiting, failure, carryOut } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const [mrn, setMrn] = useState('');
  const [dateOfBirth, setDateOfBirth] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  const submit = async (): Promise<void> => {
    const parsed = deviceAssignment.safeParse({ mrn, dateOfBirth });
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success && (await carryOut(() => assign(device.id, parsed.data)))) {
      setMrn('');
      setDateOfBirth('');
      onSaid('Assigned.');
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  const end = async (): Promise<void> => {
    if (await carryOut(() => unassign(device.id))) {
      onSaid('The assignment has ended.');
    }
  };
  return (
    <section aria-labelledby="assignment">
      <h2 id="assignment">Patient</h2>
      <p className={styles.text}>Assigned to: {assignedText(device)}</p>
      {device.patient === null ? null : (
        <ConfirmButton label="End the assignment" question="End the assignment of this device?" onConfirm={() => void end()} />
      )}
      <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
        <FormFailure>{failure === null ? null : `Nothing was changed. ${failure.message}`}</FormFailure>
        <TextField label="MRN" hint="From the wristband" required value={mrn} onChange={setMrn} error={errors.mrn} />
        <TextField label="Date of birth" type="date" required value={dateOfBirth} onChange={setDateOfBirth} error={errors.dateOfBirth} />
        <SubmitButton isWaiting={isWaiting}>Assign to this patient</SubmitButton>
      </form>
    </section>
  );
}

function Token({ device, onSaid }: PartProps) {
  const { renew, revoke } = useDeviceActs();
  const { failure, carryOut } = useAct();
  const [token, setToken] = useState<string | null>(null);
  const make = (): void => {
    void carryOut(async () => {
      setToken((await renew(device.id, undefined)).token);
    });
  };
  const end = async (): Promise<void> => {
    if (await carryOut(() => revoke(device.id))) {
      setToken(null);
      onSaid(`${device.name} can send nothing any more.`);
    }
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">Token</h2>
      <p className={styles.text}>A new token makes the one before worthless. It ends when somebody revokes it.</p>
      <FormFailure>{failure === null ? null : `Nothing was changed. ${failure.message}`}</FormFailure>
      <ConfirmButton label="New token" question="Make the token that the device has worthless?" onConfirm={make} />
      {token === null ? null : <TokenBox token={token} />}
      {device.revokedAt === null ? (
        <ConfirmButton label="Revoke" question={`Keep ${device.name} from sending?`} onConfirm={() => void end()} />
      ) : null}
    </section>
  );
}

function Refused({ id, timeZone }: { id: number; timeZone: string }) {
  const [page, setPage] = useState(1);
  const answer = useRefused(id, page);
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">Refused samples</h2>
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<AdminSkeleton label="Refused samples are loading" rows={2} />}
        empty={() => <p className={styles.text}>Nothing that it sent was refused in the last 30 days.</p>}
        timeZone={timeZone}
      >
        {({ items, total }) => (
          <>
            <ul>
              {items.map((item) => (
                <li key={item.id}>
                  {formatDayAndTime(Date.parse(item.receivedAt), timeZone)}: {item.reason} {item.kind ?? ''}{' '}
                  {item.mrnEnd === null ? '' : `MRN …${item.mrnEnd}`} <span className={styles.quiet}>{item.code}</span>
                </li>
              ))}
            </ul>
            {page * 50 < total ? (
              <Button
                onClick={() => {
                  setPage(page + 1);
                }}
              >
                Older
              </Button>
            ) : null}
          </>
        )}
      </AsyncView>
    </section>
  );
}

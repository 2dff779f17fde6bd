import { Button, Drawer } from 'antd';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { quarantinePageSize } from '../../lib/devices/quarantinePageSize';
import { deviceAssignment, devicePatch, type ListedDevice } from '../../lib/devices/schema';
import type { User } from '../../lib/session/schema';
import { dayOf } from '../../lib/time/dayOf';
import { formatDate, formatDayAndTime, formatTime } from '../../lib/time/formatTime';
import { startOfDay } from '../../lib/time/startOfDay';
import { can } from '../../lib/session/can';
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
import { useAct } from '../ui/useAct';

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
        {can(user, 'assignDevices') ? <Assignment device={device} onSaid={setSaid} /> : null}
        {can(user, 'manageDevices') ? (
          <>
            <Settings device={device} timeZone={user.site.timeZone} onSaid={setSaid} />
            <Token device={device} timeZone={user.site.timeZone} onSaid={setSaid} />
          </>
        ) : null}
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
  const assign = useCall('assignDevice');
  const unassign = useCall('unassignDevice');
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
    if (parsed.success && (await carryOut(() => assign({ params: { id: device.id }, body: parsed.data })))) {
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
    if (await carryOut(() => unassign({ params: { id: device.id } }))) {
      onSaid('The assignment has ended.');
    }
  };
  return (
    <section aria-labelledby="assignment">
      <h2 id="assignment">Patient</h2>
      <p className={styles.text}>Assigned to: {assignedText(device)}</p>
      {device.patient === null ? null : (
        <ConfirmButton
          label="End the assignment"
          question="End the assignment of this device?"
          onConfirm={() => void end()}
        />
      )}
      <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
        <FormFailure>{failure === null ? null : `Nothing was changed. ${failure.message}`}</FormFailure>
        <TextField label="MRN" hint="From the wristband" required value={mrn} onChange={setMrn} error={errors.mrn} />
        <TextField
          label="Date of birth"
          type="date"
          required
          value={dateOfBirth}
          onChange={setDateOfBirth}
          error={errors.dateOfBirth}
        />
        <SubmitButton isWaiting={isWaiting}>Assign to this patient</SubmitButton>
      </form>
    </section>
  );
}

/** What is typed, as text. A token's end is a whole day of the site. */
function typedOf({ name, expectedEveryMs, expiresAt }: ListedDevice, timeZone: string) {
  return {
    name,
    seconds: expectedEveryMs === null ? '' : String(expectedEveryMs / 1_000),
    lastDay: expiresAt === null ? '' : dayOf(Date.parse(expiresAt) - 1, timeZone),
  };
}

/**
 * The name, the interval and the end of the token. Only what was changed is sent, so that nothing else is overwritten.
 */
function Settings({ device, timeZone, onSaid }: PartProps & { timeZone: string }) {
  const change = useCall('changeDevice');
  const { isWaiting, failure, carryOut } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(() => typedOf(device, timeZone));
  const [typed, setTyped] = useState(shown);
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors, failure]);
  const submit = async (): Promise<void> => {
    const { name, seconds, lastDay } = typed;
    const parsed = devicePatch.safeParse({
      ...(name === shown.name ? {} : { name }),
      ...(seconds === shown.seconds
        ? {}
        : { expectedEveryMs: seconds.trim() === '' ? null : Math.round(Number(seconds) * 1_000) }),
      ...(lastDay === shown.lastDay
        ? {}
        : { expiresAt: lastDay === '' ? null : new Date(startOfDay(lastDay, timeZone, 1)).toISOString() }),
    });
    onSaid('');
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success && (await carryOut(() => change({ params: { id: device.id }, body: parsed.data })))) {
      setShown(typed);
      onSaid('Saved.');
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  const field = (of: keyof typeof typed) => (value: string) => {
    setTyped((before) => ({ ...before, [of]: value }));
  };
  const wrong = { ...failure?.fields, ...errors };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <form ref={form} method="post" noValidate className={styles.form} onSubmit={onSubmit}>
        <FormFailure>{failure === null ? null : `Not saved. ${failure.message}`}</FormFailure>
        <TextField
          label="Name"
          hint="As it stands beside its values"
          required
          value={typed.name}
          onChange={field('name')}
          error={wrong.name}
        />
        <TextField
          label="Seconds between two values"
          hint="Empty: the kind of value decides, 1 s on a monitor"
          isOptional
          inputMode="decimal"
          value={typed.seconds}
          onChange={field('seconds')}
          error={wrong.expectedEveryMs}
        />
        <TextField
          label="Last day of its token"
          hint="Empty: it ends when somebody revokes it"
          type="date"
          isOptional
          value={typed.lastDay}
          onChange={field('lastDay')}
          error={wrong.expiresAt}
        />
        <SubmitButton isWaiting={isWaiting}>Save</SubmitButton>
      </form>
    </section>
  );
}

function Token({ device, timeZone, onSaid }: PartProps & { timeZone: string }) {
  const renew = useCall('renewDeviceToken');
  const revoke = useCall('revokeDevice');
  const { failure, carryOut } = useAct();
  const [token, setToken] = useState<string | null>(null);
  const make = (): void => {
    void carryOut(async () => {
      setToken((await renew({ params: { id: device.id }, body: {} })).token);
    });
  };
  const end = async (): Promise<void> => {
    if (await carryOut(() => revoke({ params: { id: device.id } }))) {
      setToken(null);
      onSaid(`${device.name} can send nothing any more.`);
    }
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">Token</h2>
      <p className={styles.text}>
        A new token makes the one before worthless.{' '}
        {device.expiresAt === null
          ? 'It ends when somebody revokes it.'
          : `It ends when that one does: ${formatDate(Date.parse(device.expiresAt), timeZone)}, ${formatTime(Date.parse(device.expiresAt), timeZone)}.`}
      </p>
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
  const answer = useRead('listRefused', { params: { id }, query: { page } });
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
            {total > quarantinePageSize ? (
              <div className={styles.acts}>
                <Button
                  disabled={page === 1}
                  onClick={() => {
                    setPage(page - 1);
                  }}
                >
                  Newer
                </Button>
                <Button
                  disabled={page * quarantinePageSize >= total}
                  onClick={() => {
                    setPage(page + 1);
                  }}
                >
                  Older
                </Button>
              </div>
            ) : null}
          </>
        )}
      </AsyncView>
    </section>
  );
}

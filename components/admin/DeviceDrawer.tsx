import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { quarantinePageSize } from '../../lib/devices/quarantinePageSize';
import { deviceAssignment, devicePatch, type ListedDevice } from '../../lib/devices/schema';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import type { User } from '../../lib/session/schema';
import { dayOf } from '../../lib/time/dayOf';
import { formatDate, formatDayAndTime, formatTime } from '../../lib/time/formatTime';
import { startOfDay } from '../../lib/time/startOfDay';
import { can } from '../../lib/session/can';
import { TakeOff } from '../ui/TakeOff';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { dayHints, DayPicker } from '../ui/DayPicker';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { assignedText } from './DevicesTable';
import { UnitsField } from './UnitsField';
import { TokenBox } from './TokenBox';
import { useAction } from '../ui/useAction';

interface DeviceDrawerProps {
  /** As the list shows it now. */
  device: ListedDevice;
  user: User;
  onClose: () => void;
}

/** All that this user may do with one device. It stays open, because it shows a new token. */
export function DeviceDrawer({ device, user, onClose }: DeviceDrawerProps) {
  const [said, setSaid] = useState('');
  return (
    <FormDrawer title={device.name} onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        {can(user, 'assignDevices') ? <Assignment device={device} site={user.site} onSaid={setSaid} /> : null}
        {can(user, 'manageDevices') ? (
          <>
            <Settings device={device} site={user.site} onSaid={setSaid} />
            {device.sender === null ? (
              <>
                <Gateway device={device} timeZone={user.site.timeZone} onSaid={setSaid} />
                <Token device={device} timeZone={user.site.timeZone} onSaid={setSaid} />
              </>
            ) : null}
          </>
        ) : null}
        <Refused id={device.id} timeZone={user.site.timeZone} />
      </div>
    </FormDrawer>
  );
}

interface PartProps {
  device: ListedDevice;
  onSaid: (text: string) => void;
}

function Assignment({ device, site, onSaid }: PartProps & { site: User['site'] }) {
  const [openedAt] = useState(() => Date.now());
  const today = dayOf(useNow(openedAt), site.timeZone);
  const assign = useCall('assignDevice');
  return (
    <section aria-labelledby="assignment">
      <h2 id="assignment">Patient</h2>
      <p className={styles.text}>Assigned to: {assignedText(device)}</p>
      {device.sender !== null ? (
        <p className={styles.text}>
          This does not decide whose values they are: the patient in the messages does. Correct a wrong patient at the
          monitor. Of two devices for one patient the assigned one is shown.
        </p>
      ) : null}
      {device.patient === null ? null : (
        <TakeOff
          device={device}
          question="End the assignment of this device?"
          onDone={() => onSaid('The assignment has ended.')}
        />
      )}
      <div>
        <SchemaForm
          schema={deviceAssignment.extend({ dateOfBirth: dateOfBirthText(site.dateOrder, today) })}
          initial={{ mrn: '', dateOfBirth: '' }}
          send={async (body) => {
            await assign({ params: { id: device.id }, body });
            onSaid('Assigned.');
          }}
          done="changed"
          submitLabel="Assign to this patient"
          isEmptiedWhenSent
        >
          <FormField name="mrn" label="MRN" hint="From the wristband" />
          <DateOfBirthField site={site} today={today} />
        </SchemaForm>
      </div>
    </section>
  );
}

/** Returns a device's settings as the fields contain them, as text. A token ends with a whole day of the site. */
function typedOf({ name, expectedEveryMs, expiresAt }: ListedDevice, timeZone: string) {
  return {
    name,
    expectedEveryMs: expectedEveryMs === null ? '' : String(expectedEveryMs / 1_000),
    expiresAt: expiresAt === null ? '' : dayOf(Date.parse(expiresAt) - 1, timeZone),
  };
}

/** The name, the interval and the end of the token. Sends only what was changed, and so overwrites nothing else. */
function Settings({ device, site, onSaid }: PartProps & { site: User['site'] }) {
  const { timeZone } = site;
  const change = useCall('changeDevice');
  const [initial] = useState(() => typedOf(device, timeZone));
  const [saved, setSaved] = useState(initial);
  const changesOf = ({ name, expectedEveryMs: seconds, expiresAt: lastDay }: typeof initial) => ({
    ...(name === saved.name ? {} : { name }),
    ...(seconds === saved.expectedEveryMs
      ? {}
      : { expectedEveryMs: seconds.trim() === '' ? null : Math.round(Number(seconds) * 1_000) }),
    ...(lastDay === saved.expiresAt
      ? {}
      : { expiresAt: lastDay === '' ? null : new Date(startOfDay(lastDay, timeZone, 1)).toISOString() }),
  });
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <div>
        <SchemaForm
          schema={devicePatch}
          initial={initial}
          bodyOf={changesOf}
          send={async (body, typed) => {
            onSaid('');
            await change({ params: { id: device.id }, body });
            setSaved(typed);
            onSaid('Saved.');
          }}
          submitLabel="Save"
        >
          <FormField name="name" label="Name" hint="Shown beside its values" />
          <FormField
            name="expectedEveryMs"
            label="Seconds between two values"
            hint="Empty: by the kind of value, 1 s on a monitor"
            isOptional
            inputMode="decimal"
          />
          {device.sender === null ? (
            <FormField
              name="expiresAt"
              label="Last day of its token"
              hint={`${dayHints[site.dateOrder]}. Empty: until it is revoked`}
              isOptional
            >
              <DayPicker site={site} />
            </FormField>
          ) : null}
        </SchemaForm>
      </div>
    </section>
  );
}

/** The units for whose patients a device sends. Two users save the same. */
function Gateway({ device, timeZone, onSaid }: PartProps & { timeZone: string }) {
  const units = useRead('listUnits', {}).data?.items ?? [];
  const change = useCall('changeDevice');
  const { unitIds, proposedUnitIds, until } = device.gateway;
  const isProposed = proposedUnitIds.length > 0;
  return (
    <section aria-labelledby="gateway">
      <h2 id="gateway">Gateway</h2>
      <p className={styles.text}>
        A device sends for its assigned patient. A gateway sends for all patients of its units, with the date of birth.
        {until === null
          ? ''
          : ` To be confirmed: sends for any patient until ${formatDate(Date.parse(until), timeZone)}.`}
        {isProposed ? ' Proposed: a second person confirms the same units.' : ''}
      </p>
      <SchemaForm
        schema={devicePatch.pick({ unitIds: true })}
        initial={{ unitIds: isProposed ? proposedUnitIds : unitIds }}
        send={async (body) => {
          await change({ params: { id: device.id }, body });
          onSaid('Saved.');
        }}
        submitLabel={isProposed ? 'Confirm units' : 'Propose units'}
      >
        <UnitsField units={units} hint="None: not a gateway." />
      </SchemaForm>
    </section>
  );
}

function Token({ device, timeZone, onSaid }: PartProps & { timeZone: string }) {
  const renew = useCall('renewDeviceToken');
  const revoke = useCall('revokeDevice');
  const { failure, carryOut } = useAction();
  const [token, setToken] = useState<string | null>(null);
  const endsAt = device.expiresAt === null ? null : Date.parse(device.expiresAt);
  const make = (): void => {
    void carryOut(async () => {
      setToken((await renew({ params: { id: device.id }, body: {} })).token);
    });
  };
  const end = async (): Promise<void> => {
    if (await carryOut(() => revoke({ params: { id: device.id } }))) {
      setToken(null);
      onSaid(`${device.name} can no longer send values.`);
    }
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">Token</h2>
      <p className={styles.text}>
        A new token replaces the old one.{' '}
        {endsAt === null
          ? 'It is valid until it is revoked.'
          : `It is valid until ${formatDate(endsAt, timeZone)}, ${formatTime(endsAt, timeZone)}.`}
      </p>
      <FormFailure failure={failure} done="changed" />
      <ConfirmButton
        label="New token"
        question="Replace the token? The device needs the new one to send."
        onConfirm={make}
      />
      {token === null ? null : <TokenBox token={token} />}
      {device.revokedAt === null ? (
        <ConfirmButton
          label="Revoke"
          question={`Revoke the token of ${device.name}? It can no longer send values.`}
          onConfirm={() => void end()}
        />
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
        skeleton={<ListSkeleton label="Refused samples are loading" rows={2} />}
        empty={() => <p className={styles.text}>No refused samples in the last 30 days.</p>}
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
              <Pages current={page} pageSize={quarantinePageSize} total={total} onPage={setPage} />
            ) : null}
          </>
        )}
      </AsyncView>
    </section>
  );
}

import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { HeldValues as Held } from '../../lib/patients/heldCalls';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { formatClock } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import styles from './care.module.css';
import type { ReleaseDrawerProps } from './ReleaseDrawer';

const ReleaseDrawer = onDemand<ReleaseDrawerProps>(async () => (await import('./ReleaseDrawer')).ReleaseDrawer);

/** Says that values of a bed are held, or who released them. `now`: epoch milliseconds. */
function heldWords({ bed, since, until, releasedBy }: Held, now: number, timeZone: string): string {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const clock = (at: number): string => formatClock(at, now, timeZone);
  const monitor = `Values from the monitor of bed ${bed}`;
  if (releasedBy !== null) {
    return `${monitor} count from ${clock(from)} on, released by ${releasedBy}.`;
  }
  return now <= to
    ? `${monitor} have been held since ${clock(from)}: the bed has just changed.`
    : `${monitor} from ${clock(from)} to ${clock(to)} are held: the bed had just changed.`;
}

interface HeldValuesProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  initialNow: number;
  /** Whether the user may release them. */
  canRelease: boolean;
}

/** Says that values of the patient's bed are held because the bed has just changed, with the way to release them. */
export function HeldValues({ patient, user, initialNow, canRelease }: HeldValuesProps) {
  const now = useNow(initialNow);
  const { data } = useRead('listHeldValues', { params: { id: patient.id } }, { everyMs: 10_000 });
  const takeBack = useCall('takeBackRelease');
  const { failure, carryOut } = useAction();
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Held | null>(null);
  const items = data?.patientId === patient.id ? data.items : [];
  const endRelease = (since: string): Promise<boolean> =>
    carryOut(
      () => takeBack({ params: { id: patient.id }, body: { since } }),
      () => place.current?.focus(),
    );
  return (
    <div ref={place} tabIndex={-1}>
      {items.map((held) => (
        <div key={held.since} className={styles.held}>
          <span role="status">{heldWords(held, now, user.site.timeZone)}</span>
          {!canRelease ? null : held.releasedBy === null ? (
            <Button onClick={() => setOpened(held)}>Release values</Button>
          ) : (
            <ConfirmButton
              label="Take back"
              name="Take back the release"
              placement="bottom"
              question="Is this monitor not on this patient? All released values are withdrawn for good."
              onConfirm={() => void endRelease(held.since)}
            />
          )}
        </div>
      ))}
      <FormFailure failure={failure} done="taken back" />
      {opened === null ? null : (
        <ReleaseDrawer held={opened} patient={patient} user={user} now={initialNow} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}

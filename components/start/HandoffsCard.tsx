import Link from 'next/link';
import { useRead } from '../../hooks/useRead';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { OpenActions } from '../handoffs/OpenActions';
import { Icon } from '../ui/Icon';
import { PatientName } from '../ui/PatientName';
import styles from './StartScreen.module.css';

const everyMs = 15_000;

interface HandoffsCardProps {
  user: User;
  /** All active patients that the user sees. */
  patients: readonly Patient[];
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
}

/** What handoffs leave a user to do: how many wait to be received, and the actions that are theirs. */
export function HandoffsCard({ user, patients, now }: HandoffsCardProps) {
  const { data, refresh } = useRead('readOwnHandoffs', {}, { everyMs });
  // Without a patient’s name under it an action cannot be done; the owner of each is the user.
  const actions = (data?.actions ?? []).flatMap((action) => {
    const patient = patients.find(({ id }) => id === action.patientId);
    return patient === undefined ? [] : [{ ...action, owner: null, patient }];
  });
  return (
    <section className={styles.card} aria-labelledby="handoffs">
      <h2 id="handoffs">Handoffs</h2>
      <p className={styles.number}>{data?.waiting ?? '–'}</p>
      <p className={styles.quiet}>
        {data === undefined
          ? 'Not known at the moment'
          : data.waiting === 1
            ? 'waits for you to receive it.'
            : 'wait for you to receive them.'}
      </p>
      {actions.length === 0 ? null : <h3>Your actions</h3>}
      <OpenActions
        label="Your actions"
        actions={actions}
        now={now}
        timeZone={user.site.timeZone}
        userId={user.id}
        canFinish={can(user, 'writeNotes')}
        about={({ patient }) => (
          <>
            <PatientName patient={patient} />, MRN {patient.mrn}
          </>
        )}
        onChanged={refresh}
      />
      <Link href={paths.handovers} prefetch={false} className={styles.way}>
        <Icon name="handoffs" />
        Open the handoffs
      </Link>
    </section>
  );
}

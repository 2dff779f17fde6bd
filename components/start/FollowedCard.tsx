import type { Followed } from '../../hooks/useFollowed';
import { useHeld } from '../../hooks/useHeld';
import type { Patient } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { FollowedRow } from './FollowedRow';
import styles from './StartScreen.module.css';

interface FollowedCardProps {
  followed: Followed;
  /** All active patients that the user sees. */
  patients: readonly Patient[];
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
  timeZone: string;
}

/** What is new about the patients whom the user follows, newest first. It holds still under the pointer. */
export function FollowedCard({ followed: { isKnown, items }, patients, now, timeZone }: FollowedCardProps) {
  const { shown, handlers } = useHeld(items);
  const rows = shown.flatMap((news) => {
    const patient = patients.find(({ id }) => id === news.patientId);
    return patient === undefined ? [] : [{ news, patient }];
  });
  return (
    <section className={`${styles.card} ${styles.wide}`} aria-labelledby="followed" {...handlers}>
      <h2 id="followed">Patients you follow</h2>
      {rows.length === 0 ? (
        <p className={styles.quiet}>
          {isKnown
            ? 'You follow no patient. “Follow”, beside a patient’s name, shows here what is new about them.'
            : 'Not known at the moment'}
        </p>
      ) : (
        <ul className={styles.followed}>
          {rows.map(({ news, patient }) => (
            <FollowedRow key={patient.id} news={news} patient={patient} now={now} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </section>
  );
}

import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import type { Followed } from '../../hooks/useFollowed';
import { useHeld } from '../../hooks/useHeld';
import { useServerLost } from '../../hooks/useServerLost';
import type { FollowedPatient, FollowSeen } from '../../lib/follows/schema';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { Age } from '../ui/Age';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import { patientName } from '../ui/PatientName';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import styles from './StartScreen.module.css';

interface FollowedRowProps {
  news: FollowedPatient;
  patient: Patient;
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
  timeZone: string;
}

/**
 * What is new about one patient, with the way to it. What was pressed stays in its place while the card holds still: a
 * second press meets no other patient.
 */
function FollowedRow({ news, patient, now, timeZone }: FollowedRowProps) {
  const { notes, alerts, handoff } = news;
  const markSeen = useCall('markFollowedSeen');
  const follow = useCall('followPatient');
  const unfollow = useCall('unfollowPatient');
  const { failure, isWaiting, carryOut } = useAction();
  const isLost = useServerLost() !== null;
  const [seen, setSeen] = useState<string | null>(null);
  const [isEnded, setIsEnded] = useState(false);
  const params = { id: patient.id };
  const ofAlerts: FollowSeen = alerts === null ? {} : { alertId: alerts.lastId };
  const ofHandoff: FollowSeen = handoff === null ? {} : { handoff: { id: handoff.id, result: handoff.result } };
  const all = { ...ofAlerts, ...ofHandoff };
  const isSeen = seen === JSON.stringify(all);
  const name = patientName(patient);
  const lineOf = (words: string, at: string, href: string, opened?: FollowSeen): ReactNode => (
    <Link
      href={href}
      prefetch={false}
      className={styles.way}
      onClick={() => {
        if (opened !== undefined) {
          // What could not be stored stays new.
          markSeen({ params, body: opened }).catch(() => undefined);
        }
      }}
    >
      <span>
        {words}, <Age since={Date.parse(at)} now={now} timeZone={timeZone} /> ago
      </span>
    </Link>
  );
  const page = paths.patientDetails([patient.id]);
  return (
    <li className={styles.one} aria-label={`${name}, MRN ${patient.mrn}`}>
      <p className={styles.lead}>
        {name}, MRN {patient.mrn}
      </p>
      <div className={isSeen || isEnded ? styles.past : undefined}>
        {notes === null
          ? null
          : lineOf(notes.count === 1 ? '1 unread note' : `${notes.count} unread notes`, notes.at, page)}
        {alerts === null
          ? null
          : lineOf(alerts.count === 1 ? '1 new alert' : `${alerts.count} new alerts`, alerts.at, page, ofAlerts)}
        {handoff === null
          ? null
          : lineOf(`Handoff ${handoff.result}`, handoff.at, paths.patientHandoffs(patient.id), ofHandoff)}
        {notes === null && alerts === null && handoff === null ? <p className={styles.quiet}>Nothing new</p> : null}
      </div>
      <div className={styles.acts} aria-busy={isWaiting}>
        {alerts === null && handoff === null ? null : (
          <NativeButton
            aria-disabled={isLost || isSeen}
            onClick={() => {
              if (!isLost && !isSeen) {
                void carryOut(
                  () => markSeen({ params, body: all }),
                  () => setSeen(JSON.stringify(all)),
                );
              }
            }}
          >
            Seen<span className="visually-hidden"> what is new about {name}</span>
          </NativeButton>
        )}
        <NativeButton
          look="text"
          aria-disabled={isLost}
          onClick={() => {
            if (!isLost) {
              void carryOut(
                () => (isEnded ? follow : unfollow)({ params }),
                () => setIsEnded(!isEnded),
              );
            }
          }}
        >
          {isEnded ? 'Follow again' : 'Stop following'}
          <span className="visually-hidden"> {name}</span>
        </NativeButton>
      </div>
      {failure === null ? null : <FormFailure>{notDone('saved', failure)}</FormFailure>}
    </li>
  );
}

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

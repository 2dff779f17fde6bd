import Link from 'next/link';
import { useNotedSamples, useShownValues } from '../../hooks/PageValuesProvider';
import { useFollowed } from '../../hooks/useFollowed';
import { useNow } from '../../hooks/useNow';
import { useOwnNotes } from '../../hooks/useOwnNotes';
import { usePatients } from '../../hooks/usePatients';
import { canHold } from '../../lib/assignments/canHold';
import { groupByReporting } from '../../lib/patients/groupByReporting';
import { ownCountQuery, dashboardQuery } from '../../lib/patients/dashboardQuery';
import { paths } from '../../lib/paths';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { AlertsCard } from './AlertsCard';
import { ConfirmationsCard } from './ConfirmationsCard';
import { AsyncView } from '../ui/AsyncView';
import { Icon } from '../ui/Icon';
import { VitalLabel } from '../ui/VitalLabel';
import { HandoffsCard } from './HandoffsCard';
import { FollowedCard } from './FollowedCard';
import { MentionsCard } from './MentionsCard';
import { NotesCard } from './NotesCard';
import { ReportsCard } from './ReportsCard';
import { ListSkeleton } from '../ui/ListSkeleton';
import styles from './StartScreen.module.css';
import { Waiting } from './Waiting';

interface StartScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** All active patients, as of the first paint. */
  firstPage: PatientsPage;
  /** The user's own patients, as of the first paint. Only their number is shown. */
  myPage: PatientsPage;
}

/** The start page of a signed-in user: how many patients there are, what waits, and links to the other pages. */
export function StartScreen({ user, now, firstPage, myPage }: StartScreenProps) {
  useShownValues();
  const answer = usePatients({ ...dashboardQuery, text: '' }, firstPage);
  const mine = usePatients({ ...ownCountQuery, text: '' }, myPage).data?.total;
  return (
    <div className={styles.screen}>
      <h1>{user.site.name}</h1>
      <AsyncView
        answer={answer}
        isEmpty={() => false}
        skeleton={<ListSkeleton label="Patients are loading" />}
        empty={() => null}
        timeZone={user.site.timeZone}
      >
        {(page) => <Summary page={page} mine={mine} user={user} initialNow={now} />}
      </AsyncView>
    </div>
  );
}

interface SummaryProps {
  page: PatientsPage;
  /** The number of the user's own patients in this shift; undefined while unknown. */
  mine: number | undefined;
  user: User;
  initialNow: number;
}

function Summary({ page: { items, total }, mine, user, initialNow }: SummaryProps) {
  const now = useNow(initialNow);
  const groups = groupByReporting(items, now);
  const notes = useOwnNotes(user);
  const followed = useFollowed(user);
  const { timeZone } = user.site;
  useNotedSamples(items);
  return (
    <div className={styles.groups}>
      <div className={styles.cards}>
        {can(user, 'readAlerts') ? <AlertsCard rulesAreOn={user.site.rulesAreOn} /> : null}
        {/* Users whose role cannot be assigned to patients have none of their own. */}
        {canHold('nurse', user, user.units[0]?.id ?? 0) ? <Mine count={mine} /> : null}
        <section className={styles.card} aria-labelledby="site-patients">
          <h2 id="site-patients">Patients of your site</h2>
          <p className={styles.number}>{total}</p>
          <p className={styles.quiet}>All active patients of {user.site.name} that you may see.</p>
          <Link href={paths.patients} prefetch={false} className={styles.way}>
            <Icon name="patients" />
            Open the list
          </Link>
        </section>
        <section className={styles.card} aria-labelledby="waiting">
          <h2 id="waiting">Waiting for you</h2>
          <Waiting groups={groups} total={total} canAdd={can(user, 'writePatients')} />
        </section>
        <section className={styles.card} aria-labelledby="latest">
          <h2 id="latest">Latest values</h2>
          <p className={styles.number}>{groups.reporting.length}</p>
          <p className={styles.quiet}>
            {groups.reporting.length === 1 ? 'patient reports' : 'patients report'} <VitalLabel kind="spo2" />, lowest
            first.
          </p>
          <Link href={paths.dashboard} prefetch={false} className={styles.way}>
            <Icon name="dashboard" />
            Open the dashboard
          </Link>
        </section>
        {can(user, 'readNotes') ? <NotesCard notes={notes} patients={items} now={now} timeZone={timeZone} /> : null}
      </div>
      <div className={styles.lists}>
        {can(user, 'confirmUsers') ? <ConfirmationsCard /> : null}
        {can(user, 'readNotes') ? (
          <>
            <HandoffsCard user={user} patients={items} now={now} />
            <MentionsCard notes={notes} patients={items} now={now} timeZone={timeZone} />
          </>
        ) : null}
        {can(user, 'readReports') ? <ReportsCard timeZone={timeZone} /> : null}
        {can(user, 'readNotes') ? (
          <FollowedCard followed={followed} patients={items} now={now} timeZone={timeZone} />
        ) : null}
      </div>
    </div>
  );
}

function Mine({ count }: { count: number | undefined }) {
  return (
    <section className={styles.card} aria-labelledby="my-patients">
      <h2 id="my-patients">Your patients</h2>
      <p className={styles.number}>{count ?? '–'}</p>
      <p className={styles.quiet}>
        {count === 0
          ? 'No patients are assigned to you in this shift.'
          : 'Assigned to you in this shift, as nurse or buddy.'}
      </p>
      <Link href={count === 0 ? paths.assignments : paths.myPatients} prefetch={false} className={styles.way}>
        <Icon name={count === 0 ? 'assignments' : 'patients'} />
        {count === 0 ? 'See assignments' : 'Open your patients'}
      </Link>
    </section>
  );
}

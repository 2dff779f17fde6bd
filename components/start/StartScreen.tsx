import Link from 'next/link';
import { useState } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useNotedSamples, useShownValues } from '../../hooks/PageValuesProvider';
import { useCall } from '../../hooks/useCall';
import { useFollowed } from '../../hooks/useFollowed';
import { useNow } from '../../hooks/useNow';
import { useOwnNotes } from '../../hooks/useOwnNotes';
import { usePatients } from '../../hooks/usePatients';
import { useRead } from '../../hooks/useRead';
import { awaitedAlerts, awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { canHold } from '../../lib/assignments/canHold';
import { paths } from '../../lib/paths';
import { ownCountQuery, dashboardQuery } from '../../lib/patients/dashboardQuery';
import { groupByReporting } from '../../lib/patients/groupByReporting';
import type { PatientsPage, Patient } from '../../lib/patients/schema';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import type { Confirmation } from '../../lib/users/schema';
import { OpenActions } from '../handoffs/OpenActions';
import { AsyncView } from '../ui/AsyncView';
import { FormFailure } from '../ui/FormFailure';
import { Icon } from '../ui/Icon';
import { ListSkeleton } from '../ui/ListSkeleton';
import { NativeButton } from '../ui/NativeButton';
import { PatientName } from '../ui/PatientName';
import { PriorityShape } from '../ui/PriorityShape';
import { VitalLabel } from '../ui/VitalLabel';
import { useAction } from '../ui/useAction';
import { FollowedCard } from './FollowedCard';
import { MentionsCard } from './MentionsCard';
import { NotesCard } from './NotesCard';
import styles from './StartScreen.module.css';
import { Waiting } from './Waiting';

/** Named on the card; the page of reports has the others. */
const mostNamed = 4;

/** What has become of the user's issue reports since they last looked, and what waits for a user who manages them. */
function ReportsCard({ timeZone }: { timeZone: string }) {
  const { data } = useRead('readReportNews', {}, { everyMs: 15_000 });
  const { items = [], toTriage = 0, assigned = 0 } = data ?? {};
  const waiting = [
    ...(toTriage === 0 ? [] : [`${toTriage} to triage`]),
    ...(assigned === 0 ? [] : [`${assigned} assigned to you`]),
  ];
  return (
    <section className={styles.card} aria-labelledby="reports">
      <h2 id="reports">Your issue reports</h2>
      <p className={styles.number}>{data === undefined ? '–' : items.length}</p>
      <p className={styles.quiet}>
        {data === undefined
          ? 'Not known at the moment'
          : `${items.length === 0 ? 'No news of your reports.' : 'with news since you last looked.'} ${
              waiting.length === 0 ? '' : `${waiting.join(', ')}.`
            }`}
      </p>
      {items.slice(0, mostNamed).map(({ id, title, status, changedAt }) => (
        <Link key={id} href={paths.report(id)} prefetch={false} className={styles.way}>
          {title}: {reportStatuses[status]}, {formatDayAndTime(Date.parse(changedAt), timeZone)}
        </Link>
      ))}
      <Link
        href={paths.reports(items.length > mostNamed ? { mine: 'true', status: 'all' } : {})}
        prefetch={false}
        className={styles.way}
      >
        <Icon name="report" />
        Open the reports
      </Link>
    </section>
  );
}

const everyMs = 15_000;

interface HandoffsCardProps {
  user: User;
  /** All active patients that the user sees. */
  patients: readonly Patient[];
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
}

/** What handoffs leave a user to do: how many wait to be received, and the actions that are theirs. */
function HandoffsCard({ user, patients, now }: HandoffsCardProps) {
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

/** The accounts that wait for somebody else's confirmation; nothing while there are none. */
function ConfirmationsCard() {
  const items = useRead('listConfirmations', {}, { everyMs: 15_000 }).data?.items ?? [];
  return items.length === 0 ? null : (
    <section className={styles.card} aria-labelledby="confirmations">
      <h2 id="confirmations">Accounts to confirm</h2>
      <p className={styles.quiet}>
        An administrator opened them. They may do nothing until a ward lead, a physician or another administrator
        confirms that the right person has them.
      </p>
      {items.map((item) => (
        <ConfirmationRow key={item.id} item={item} />
      ))}
    </section>
  );
}

function ConfirmationRow({ item: { id, name, type, isAdmin, openedBy, mayConfirm } }: { item: Confirmation }) {
  const confirmUser = useCall('confirmUser');
  const { failure, isWaiting, carryOut } = useAction();
  const [isAsked, setIsAsked] = useState(false);
  const role = `${userTypeLabels[type]}${isAdmin ? ', administrator' : ''}`;
  return (
    <div className={styles.one}>
      <p className={styles.lead}>{name}</p>
      <p className={styles.quiet}>
        {role}
        {openedBy === null ? '' : `, opened by ${openedBy}`}
      </p>
      {isAsked ? <p>Confirm only if {name} asked you for it and chose the password.</p> : null}
      <FormFailure failure={failure} done="confirmed" />
      {!mayConfirm ? (
        <p className={styles.quiet}>You opened it, so somebody else confirms it.</p>
      ) : (
        <div className={styles.acts}>
          {isAsked ? (
            <>
              <NativeButton
                look="primary"
                aria-disabled={isWaiting}
                onClick={() => void carryOut(() => confirmUser({ params: { id } }))}
              >
                Yes, confirm
              </NativeButton>
              <NativeButton onClick={() => setIsAsked(false)}>Cancel</NativeButton>
            </>
          ) : (
            <NativeButton onClick={() => setIsAsked(true)}>Confirm {name}</NativeButton>
          )}
        </div>
      )}
    </div>
  );
}

/** How many alerts no one has accepted: the first card, because it cannot wait. */
function AlertsCard({ rulesAreOn }: { rulesAreOn: boolean }) {
  const { items, isOld } = useAlertStrip();
  const { count, worst } = awaitedAlerts(items ?? []);
  const isKnown = items !== undefined && !isOld;
  const text = count > 0 || rulesAreOn ? awaitedText(count) : rulesOffText;
  return (
    <section className={styles.card} aria-labelledby="start-alerts">
      <h2 id="start-alerts">Alerts</h2>
      <p className={`${styles.number} ${styles.awaited}`}>
        {worst === null || isOld ? null : <PriorityShape priority={worst} size={32} />}
        {isKnown ? count : '–'}
      </p>
      <p className={styles.quiet}>{isKnown ? text : 'Not known at the moment'}</p>
      <Link href={paths.dashboard} prefetch={false} className={styles.way}>
        <Icon name="dashboard" />
        Open the alerts
      </Link>
    </section>
  );
}

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
    <div className="stack">
      <h1>{user.site.name}</h1>
      <AsyncView answer={answer} skeleton={<ListSkeleton label="Patients are loading" />} timeZone={user.site.timeZone}>
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

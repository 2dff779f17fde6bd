import Link from 'next/link';
import { useRouter } from 'next/router';
import { useMemo, useState, useEffect, useRef } from 'react';
import { useShownValues } from '../../hooks/PageValuesProvider';
import { useFreeze } from '../../hooks/useFreeze';
import { usePatients } from '../../hooks/usePatients';
import { useSparks } from '../../hooks/useSparks';
import { readStoredText, storeText } from '../../hooks/useStoredText';
import type { AlertsPage } from '../../lib/alerts/schema';
import { paths } from '../../lib/paths';
import type { PatientsPage } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { OpenAlerts } from '../alerts/OpenAlerts';
import { AsyncView, FailureNotice } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { ListSkeleton } from '../ui/ListSkeleton';
import { NativeButton } from '../ui/NativeButton';
import { DashboardFilter } from './DashboardFilter';
import styles from './DashboardScreen.module.css';
import { LatestValues } from './LatestValues';
import { SymptomsToday } from './SymptomsToday';
import { dashboardListing, dashboardPath, wholeDashboard, readDashboardView, type DashboardView } from './dashboardUrl';

const keyOf = (userId: number): string => `wardlight-dashboard-${userId}`;

/**
 * Returns the view that the address of the dashboard holds, and the function that changes it. Opens the view that the
 * user left if the address names none.
 */
function useDashboardView(userId: number): [DashboardView, (view: DashboardView) => void] {
  const router = useRouter();
  const view = readDashboardView(router.query);
  const isDone = useRef(false);
  useEffect(() => {
    const left = readDashboardView(Object.fromEntries(new URLSearchParams(readStoredText(keyOf(userId)) ?? '')));
    if (!isDone.current && Object.keys(router.query).length === 0 && dashboardPath(left) !== paths.dashboard) {
      void router.replace(dashboardPath(left), undefined, { shallow: true, scroll: false });
    }
    isDone.current = true;
  }, [router, userId]);
  const show = (wanted: DashboardView): void => {
    const address = dashboardPath(wanted);
    storeText(keyOf(userId), address.split('?')[1] ?? '');
    void router.replace(address, undefined, { shallow: true, scroll: false });
  };
  return [view, show];
}

interface DashboardScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** The patients that the address names, as of the first paint. */
  firstPage: PatientsPage;
  /** Null: the user may not read alerts. */
  firstAlerts: AlertsPage | null;
}

/**
 * The page that a shift opens with: every open alert, then the newest values of the patients that the user chose. All
 * of it holds still while a user points at it, because one list moves the other.
 */
export function DashboardScreen({ user, now, firstPage, firstAlerts }: DashboardScreenProps) {
  useShownValues();
  const [view, show] = useDashboardView(user.id);
  const response = usePatients({ ...dashboardListing(view), text: '' }, firstPage);
  const { frozen, renew, handlers } = useFreeze();
  const isAll = dashboardPath(view) === paths.dashboard;
  // The options of the filters stay while another response is awaited.
  const [last, setLast] = useState(response.data ?? firstPage);
  if (response.data !== undefined && response.data !== last) {
    setLast(response.data);
  }
  const { items } = last;
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const sparks = useSparks(ids).data?.byPatient;
  const values = useMemo(
    () => ({ patients: new Map(items.map((patient) => [patient.id, patient])), sparks }),
    [items, sparks],
  );
  const { timeZone } = user.site;
  const filter = (
    <DashboardFilter view={view} onView={show} units={last.units} beds={last.beds} total={response.data?.total} />
  );
  return (
    <div className="stack">
      <h1 className="visually-hidden">Dashboard</h1>
      <div {...handlers} className={styles.layout} data-tour="alerts">
        {firstAlerts === null ? null : (
          <OpenAlerts
            user={user}
            firstAlerts={firstAlerts}
            values={values}
            freeze={{ frozen, renew }}
            initialNow={now}
          />
        )}
        <AsyncView
          answer={response}
          isEmpty={(page) => page.items.length === 0}
          skeleton={<ListSkeleton label="Patients are loading" />}
          empty={() => (
            <div>
              {isAll ? null : filter}
              <NoPatients user={user} isAll={isAll} isMine={view.mine} onShowAll={() => show(wholeDashboard)} />
            </div>
          )}
          timeZone={timeZone}
          isFailureShownOutside
        >
          {(page) => (
            <LatestValues
              key={dashboardPath(view)}
              patients={page.items}
              sparks={sparks}
              total={page.total}
              frozen={frozen}
              onShowNow={renew}
              filter={filter}
              initialNow={now}
              timeZone={timeZone}
            />
          )}
        </AsyncView>
        <SymptomsToday view={view} frozen={frozen} timeZone={timeZone} />
      </div>
      <FailureNotice answer={response} timeZone={timeZone} />
    </div>
  );
}

interface NoPatientsProps {
  user: User;
  isAll: boolean;
  isMine: boolean;
  onShowAll: () => void;
}

/** What to do next if the dashboard has no patient. */
function NoPatients({ user, isAll, isMine, onShowAll }: NoPatientsProps) {
  return isAll ? (
    <EmptyState title="No patients yet.">
      <p>
        <Link href={paths.patients} prefetch={false}>
          Go to Patients
        </Link>{' '}
        to add the first one.
      </p>
    </EmptyState>
  ) : (
    <EmptyState title={isMine ? 'No patient here is assigned to you in this shift.' : 'No patients.'}>
      {isMine && can(user, 'readAssignments') ? (
        <Link href={paths.assignments} prefetch={false}>
          See assignments
        </Link>
      ) : null}
      <NativeButton onClick={onShowAll}>Show all patients</NativeButton>
    </EmptyState>
  );
}

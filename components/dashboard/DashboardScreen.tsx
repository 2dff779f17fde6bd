import Link from 'next/link';
import { useState } from 'react';
import { useShownValues } from '../../hooks/PageValuesProvider';
import { usePatients } from '../../hooks/usePatients';
import { paths } from '../../lib/paths';
import type { AlertsPage } from '../../lib/alerts/schema';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { OpenAlerts } from '../alerts/OpenAlerts';
import { ListSkeleton } from '../ui/ListSkeleton';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { NativeButton } from '../ui/NativeButton';
import { DashboardFilter } from './DashboardFilter';
import styles from './DashboardScreen.module.css';
import { dashboardListing, dashboardPath, wholeDashboard } from './dashboardUrl';
import { LatestValues } from './LatestValues';
import { useDashboardView } from './useDashboardView';

interface DashboardScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** The patients that the address names, as of the first paint. */
  firstPage: PatientsPage;
  /** Null: the user may not read alerts. */
  firstAlerts: AlertsPage | null;
}

/** The page that a shift opens with. */
export function DashboardScreen({ user, now, firstPage, firstAlerts }: DashboardScreenProps) {
  useShownValues();
  const [view, show] = useDashboardView(user.id);
  const response = usePatients({ ...dashboardListing(view), text: '' }, firstPage);
  const isAll = dashboardPath(view) === paths.dashboard;
  // The options of the filters stay while another response is awaited.
  const [last, setLast] = useState(response.data ?? firstPage);
  if (response.data !== undefined && response.data !== last) {
    setLast(response.data);
  }
  const wayToAll = (
    <NativeButton
      onClick={() => {
        show(wholeDashboard);
      }}
    >
      Show all patients
    </NativeButton>
  );
  return (
    <div className={styles.screen}>
      <h1>Dashboard</h1>
      <DashboardFilter view={view} onView={show} units={last.units} beds={last.beds} total={response.data?.total} />
      <div className={styles.screen} data-tour="alerts">
        {firstAlerts === null ? null : (
          <OpenAlerts
            user={user}
            patients={(response.data ?? last).items}
            firstAlerts={firstAlerts}
            initialNow={now}
            wayToAll={isAll ? null : wayToAll}
          />
        )}
        <AsyncView
          answer={response}
          isEmpty={({ items }) => items.length === 0}
          skeleton={<ListSkeleton label="Patients are loading" />}
          empty={() =>
            isAll ? (
              <EmptyState title="No patients yet.">
                <p>
                  <Link href={paths.patients} prefetch={false}>
                    Go to Patients
                  </Link>{' '}
                  to add the first one.
                </p>
              </EmptyState>
            ) : (
              <EmptyState title={view.mine ? 'No patient here is assigned to you in this shift.' : 'No patients.'}>
                {view.mine && can(user, 'readAssignments') ? (
                  <Link href={paths.assignments} prefetch={false}>
                    See assignments
                  </Link>
                ) : null}
                {wayToAll}
              </EmptyState>
            )
          }
          timeZone={user.site.timeZone}
        >
          {({ items, total }) => (
            <LatestValues
              key={dashboardPath(view)}
              patients={items}
              total={total}
              initialNow={now}
              timeZone={user.site.timeZone}
            />
          )}
        </AsyncView>
      </div>
    </div>
  );
}

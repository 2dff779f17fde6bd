import Link from 'next/link';
import { usePatients } from '../../hooks/usePatients';
import { everybody } from '../../lib/patients/listing';
import { paths } from '../../lib/paths';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { PatientsSkeleton } from '../patients/PatientsSkeleton';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import styles from './DashboardScreen.module.css';
import { LatestValues } from './LatestValues';

interface DashboardScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** Everybody who is watched, as of the first paint. */
  firstPage: PatientsPage;
}

/** The page that a shift opens with. */
export function DashboardScreen({ user, now, firstPage }: DashboardScreenProps) {
  const answer = usePatients({ ...everybody, text: '' }, firstPage);
  return (
    <div className={styles.screen}>
      <h1>Dashboard</h1>
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<PatientsSkeleton />}
        empty={() => (
          <EmptyState title="No patients yet.">
            <p>
              <Link href={paths.patients} prefetch={false}>
                Go to Patients
              </Link>{' '}
              to add the first one.
            </p>
          </EmptyState>
        )}
        timeZone={user.site.timeZone}
      >
        {({ items, total }) => <LatestValues patients={items} total={total} initialNow={now} timeZone={user.site.timeZone} />}
      </AsyncView>
    </div>
  );
}

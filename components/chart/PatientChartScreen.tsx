import Link from 'next/link';
import { useChart } from '../../hooks/useChart';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { usePatient } from '../../hooks/usePatient';
import { isGone } from '../../lib/api/failureCause';
import type { Patient } from '../../lib/patients/schema';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { PrintButton } from '../ui/PrintButton';
import styles from './PatientChartScreen.module.css';
import { PrintedChart } from './PrintedChart';

interface PatientChartScreenProps {
  /** As the page came; null: the address names no patient whom this user may see. */
  patient: Patient | null;
  user: User;
  /** The server's time then, epoch milliseconds. */
  now: number;
}

/** One patient's whole chart to read and to print. The caller keys it by the patient's id. */
export function PatientChartScreen({ patient, user, now }: PatientChartScreenProps) {
  return patient === null ? (
    <div className={styles.screen}>
      <h1 className={styles.title}>Patient chart</h1>
      <p role="alert">
        You cannot see this patient, or the address names none.{' '}
        <Link href={paths.patients}>Choose a patient in the list</Link>.
      </p>
    </div>
  ) : (
    <OneChart patient={patient} user={user} now={now} />
  );
}

function OneChart({ patient: first, user, now: initialNow }: PatientChartScreenProps & { patient: Patient }) {
  const now = useNow(initialNow);
  const response = useChart(first.id);
  const { data: patient = first } = usePatient(first.id, first);
  const limits = useRead('getLimits', { params: { id: first.id } });
  const { data, error, refresh } = response;
  const isMissing = error !== undefined && isGone(error);
  return (
    <div className={styles.screen} data-chart={first.id}>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>Patient chart</h1>
        <Link className={styles.back} href={paths.patientDetails([first.id])} prefetch={false}>
          Patient details
        </Link>
        {data === undefined || isMissing ? null : <PrintButton />}
      </div>
      {isMissing ? (
        <p role="status">You cannot see the chart of this patient any more.</p>
      ) : (
        <AsyncView
          answer={{ ...response, refresh: () => void refresh() }}
          isEmpty={({ patientId }) => patientId !== first.id}
          skeleton={<ListSkeleton label="The chart is loading" rows={8} />}
          empty={() => <ListSkeleton label="The chart is loading" rows={8} />}
          timeZone={user.site.timeZone}
        >
          {(chart) => (
            <PrintedChart
              chart={chart}
              limits={limits.data ?? null}
              patient={patient}
              user={user}
              now={now}
              asOf={response.asOf ?? initialNow}
            />
          )}
        </AsyncView>
      )}
    </div>
  );
}

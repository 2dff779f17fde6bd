import Link from 'next/link';
import { keptInCharts } from '../../hooks/keptTexts';
import { useChart } from '../../hooks/useChart';
import { isGone } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import type { CareDrawerProps } from '../care/careDrawer';
import { AsyncView } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity } from '../ui/PatientName';
import styles from './chart.module.css';
import { ChartSections } from './ChartSections';

/**
 * A patient's chart beside the page, with two identifiers always in view. The caller keys it by the patient's id; the
 * chart of another patient is never shown in it.
 */
export function ChartDrawer(props: CareDrawerProps) {
  const { patient, user, onClose } = props;
  const response = useChart(patient.id);
  const { error, refresh } = response;
  return (
    <FormDrawer
      title={`Patient chart: ${patientIdentity(patient)}`}
      size={720}
      onClose={() => {
        keptInCharts.keep(user.id, patient.id, null);
        onClose();
      }}
    >
      <div className={styles.chart} data-chart={patient.id}>
        {error !== undefined && isGone(error) ? (
          <p role="status">You cannot see the chart of this patient any more.</p>
        ) : (
          <AsyncView
            answer={response}
            isEmpty={({ patientId }) => patientId !== patient.id}
            skeleton={<ListSkeleton label="The chart is loading" rows={8} />}
            empty={() => <ListSkeleton label="The chart is loading" rows={8} />}
            timeZone={user.site.timeZone}
          >
            {(chart) => (
              <>
                <p>
                  <Link className={styles.print} href={paths.patientChart(patient.id)} prefetch={false}>
                    Print this chart
                  </Link>
                </p>
                <ChartSections {...props} chart={chart} onWritten={() => void refresh()} />
              </>
            )}
          </AsyncView>
        )}
      </div>
    </FormDrawer>
  );
}

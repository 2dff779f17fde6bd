import { Button } from 'antd';
import { useRead } from '../../hooks/useRead';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import type { NewSymptomReport } from '../../lib/symptoms/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ReportText } from './ReportText';
import styles from './SymptomsDrawer.module.css';

interface ReportConflictProps {
  patientId: number;
  reportedAt: string;
  typed: NewSymptomReport;
  timeZone: string;
  /** Called when the typed one shall be a report of its own. */
  onOwn: () => void;
}

/** The report that is stored for the same moment beside the typed one. */
export function ReportConflict({ patientId, reportedAt, typed, timeZone, onOwn }: ReportConflictProps) {
  const at = Date.parse(reportedAt);
  const query = { from: reportedAt, to: new Date(at + 1).toISOString(), page: 1, pageSize: 25 };
  const stored = useRead('listSymptomReports', { params: { id: patientId }, query }).data?.items ?? [];
  return (
    <section className={styles.conflict} aria-label="Two reports of one moment">
      <p>
        <strong>Stored for {formatDayAndTime(at, timeZone)}:</strong>
      </p>
      {stored.map((report) => (
        <p key={report.id}>
          <ReportText report={report} />
        </p>
      ))}
      <p>
        <strong>Typed:</strong>
      </p>
      <p>
        <ReportText report={{ ...typed, redFlags: redFlagsOf(typed.answers, typed.redFlags) }} />
      </p>
      <Button onClick={onOwn}>Keep both: the typed one as a new report</Button>
    </section>
  );
}

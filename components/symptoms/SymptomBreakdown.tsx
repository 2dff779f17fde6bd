import type { ReadState } from '../../hooks/readState';
import { useServerLost } from '../../hooks/useServerLost';
import type { Patient } from '../../lib/patients/schema';
import { cellCodes } from '../../lib/symptoms/severity';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { cellWords } from '../../lib/symptoms/words';
import type { ChartRange } from '../../lib/vitals/chartRanges';
import { AsyncView } from '../ui/AsyncView';
import { LastReport } from './LastReport';
import { ReportList } from './ReportList';
import { StripTable } from './StripTable';
import { SymptomStrip } from './SymptomStrip';
import styles from './SymptomStrip.module.css';

interface SymptomBreakdownProps {
  symptoms: ReadState<SymptomStripResponse>;
  patient: Patient;
  patientName: string;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  onRange: (range: ChartRange) => void;
  /** Whether the user may mark a report as entered in error. */
  canMark: boolean;
  /** Called after a report was marked. */
  onChanged: () => void;
}

/** What one patient reported over the time of the charts above: the strip, its table, and each report. */
export function SymptomBreakdown(props: SymptomBreakdownProps) {
  const { symptoms, patient, patientName, now, timeZone, onRange, canMark, onChanged } = props;
  const isLost = useServerLost() !== null;
  const hasOpenFlag = patient.alerts.some(
    ({ parameter, priority, condition }) => parameter === 'symptoms' && priority === 'high' && condition === 'active',
  );
  return (
    <section className={styles.section} aria-label={`Symptoms of ${patientName}`}>
      <h3 className={styles.heading}>
        Symptoms<span className="visually-hidden"> of {patientName}</span>
      </h3>
      <AsyncView
        answer={symptoms}
        isEmpty={(strip) =>
          strip.rows.length === 0 && strip.columns.every(({ reports, unreadable }) => reports + unreadable === 0)
        }
        skeleton={<p className={styles.none}>Symptoms are loading</p>}
        empty={() => (
          <LastReport
            reportedAt={patient.symptoms?.reportedAt ?? null}
            now={now}
            timeZone={timeZone}
            onRange={onRange}
          />
        )}
        timeZone={timeZone}
      >
        {(strip) => (
          <div data-not-live={isLost ? '' : undefined}>
            <SymptomStrip strip={strip} patientName={patientName} timeZone={timeZone} hasOpenFlag={hasOpenFlag} />
            <Key hasUnreadable={strip.columns.some(({ unreadable }) => unreadable > 0)} />
            <StripTable strip={strip} name={`Symptoms of ${patientName}`} timeZone={timeZone} />
          </div>
        )}
      </AsyncView>
      {/* Also without a strip: a check-in of readings alone is in none, and may be of another person. */}
      {symptoms.data === undefined ? null : (
        <div data-not-live={isLost ? '' : undefined}>
          <ReportList
            patient={patient}
            canMark={canMark}
            onChanged={onChanged}
            strip={symptoms.data}
            timeZone={timeZone}
          />
        </div>
      )}
    </section>
  );
}

function Key({ hasUnreadable }: { hasUnreadable: boolean }) {
  const codes = cellCodes.filter((code) => hasUnreadable || code !== '?');
  return (
    <ul className={styles.key} aria-label="Key">
      {codes.toReversed().map((code) => (
        <li key={code}>
          <span className={styles.swatch} data-step={code} aria-hidden="true">
            {code === 'u' || code === '.' ? null : code}
          </span>
          {cellWords[code]}
        </li>
      ))}
    </ul>
  );
}

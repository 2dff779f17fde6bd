import type { ReadState } from '../../hooks/readState';
import { useServerLost } from '../../hooks/useServerLost';
import type { Patient } from '../../lib/patients/schema';
import { cellCodes } from '../../lib/symptoms/severity';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { cellWords } from '../../lib/symptoms/words';
import { AsyncView } from '../ui/AsyncView';
import { ReportList } from './ReportList';
import { StripTable } from './StripTable';
import { SymptomStrip } from './SymptomStrip';
import styles from './SymptomStrip.module.css';

interface SymptomBreakdownProps {
  symptoms: ReadState<SymptomStripResponse>;
  patient: Patient;
  patientName: string;
  timeZone: string;
}

/** What one patient reported over the time of the charts above: the strip, its table, and each report. */
export function SymptomBreakdown({ symptoms, patient, patientName, timeZone }: SymptomBreakdownProps) {
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
        isEmpty={(strip) => strip.rows.length === 0 && strip.columns.every(({ reports }) => reports === 0)}
        skeleton={<p className={styles.none}>Symptoms are loading</p>}
        empty={() => <p className={styles.none}>No symptom report in this time. That does not mean no symptoms.</p>}
        timeZone={timeZone}
      >
        {(strip) => (
          <div data-not-live={isLost ? '' : undefined}>
            <SymptomStrip strip={strip} patientName={patientName} timeZone={timeZone} hasOpenFlag={hasOpenFlag} />
            <Key />
            <StripTable strip={strip} name={`Symptoms of ${patientName}`} timeZone={timeZone} />
            <ReportList patientId={patient.id} strip={strip} timeZone={timeZone} />
          </div>
        )}
      </AsyncView>
    </section>
  );
}

function Key() {
  return (
    <ul className={styles.key} aria-label="Key">
      {cellCodes.toReversed().map((code) => (
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

import { useNow } from '../../hooks/useNow';
import { useTodayFrom } from '../../hooks/useTodayFrom';
import type { Patient } from '../../lib/patients/schema';
import { symptoms } from '../../lib/symptoms/symptoms';
import { markTexts, SymptomGlyph } from './SymptomMark';
import styles from './SymptomMark.module.css';

interface SymptomCellProps {
  patient: Pick<Patient, 'symptoms'>;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
  timeZone: string;
}

/** The newest report of one patient: the worst symptom, how severe it is, how old that is, and a red flag. */
export function SymptomCell({ patient: { symptoms: summary }, initialNow, timeZone }: SymptomCellProps) {
  const now = useNow(initialNow);
  const todayFrom = useTodayFrom(now, timeZone);
  if (summary === null) {
    return <span className={styles.none}>no report</span>;
  }
  const { glyph, step, title, age, isToday } = markTexts(summary, now, todayFrom, timeZone);
  const { worst, redFlags, breathlessness, unreadable } = summary;
  const named = worst === null && breathlessness !== null && breathlessness > 0 ? 'dyspnoea' : worst?.symptom;
  const unknown = unreadable ? 'Cannot be read' : '';
  return (
    <span className={styles.cell} title={title} data-old={isToday ? undefined : ''}>
      <SymptomGlyph glyph={glyph} step={isToday ? step : null} />
      <span className="visually-hidden">{title}</span>
      <span className={styles.worst} aria-hidden="true">
        {redFlags.length > 0 ? 'Red flag' : named === undefined || worst?.grade === 0 ? unknown : symptoms[named].label}
      </span>
      <span className={styles.age}>
        <time dateTime={summary.reportedAt}>{age}</time>
        <span className="visually-hidden"> old</span>
      </span>
    </span>
  );
}

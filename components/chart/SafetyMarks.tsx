import { useChartSummary } from '../../hooks/useChart';
import { allergyWords, codeStatusWords } from '../../lib/chart/entryWords';
import type { ChartSummary } from '../../lib/chart/schema';
import styles from './SafetyMarks.module.css';

/**
 * Code status and allergies beside a patient's name: framed if they change what is done, quiet if nothing is recorded.
 * They have no colour of alarms, and say nothing until they are known.
 */
export function SafetyMarks({ patientId }: { patientId: number }) {
  const { data } = useChartSummary(patientId);
  const known = data?.patientId === patientId ? data : undefined;
  return (
    <>
      <CodeStatus known={known} />
      <Allergies known={known} />
    </>
  );
}

interface MarkProps {
  /** Undefined: not known, which is not the same as not recorded. */
  known: ChartSummary | undefined;
}

function CodeStatus({ known }: MarkProps) {
  if (known?.codeStatus == null) {
    return (
      <span className={styles.quiet}>
        {known === undefined ? 'Code status not loaded' : 'Code status not recorded'}
      </span>
    );
  }
  const { value } = known.codeStatus;
  const words = codeStatusWords(value);
  return value.status === 'full' ? (
    <span className={styles.quiet}>Code status: {words.toLowerCase()}</span>
  ) : (
    <strong className={styles.mark} data-shape="square" title={`Code status: ${words}`}>
      <span className="visually-hidden">Code status: </span>
      <span className={styles.words}>{words}</span>
    </strong>
  );
}

function Allergies({ known }: MarkProps) {
  if (known === undefined) {
    return <span className={styles.quiet}>Allergies not loaded</span>;
  }
  const named = known.allergies.flatMap(({ value }) => (value.is === 'allergy' ? [value] : []));
  if (named.length === 0) {
    return (
      <span className={styles.quiet}>
        {known.allergies.length === 0 ? 'Allergies not asked' : 'No known allergies'}
      </span>
    );
  }
  const count = named.length === 1 ? 'Allergy' : `${named.length} allergies`;
  return (
    <strong
      className={styles.mark}
      data-shape="diamond"
      title={`${count}: ${named.map((allergy) => allergyWords(allergy)).join('; ')}`}
    >
      <span className={styles.words}>
        {count}: {named.map(({ substance }) => substance).join(', ')}
      </span>
    </strong>
  );
}

import { memo, useMemo } from 'react';
import { readSpark, sparkExtremes, type SparkKind, type SparkMinute } from '../../lib/vitals/spark';
import { sparkShape, sparkSize, type SparkContext } from '../../lib/vitals/sparkShape';
import styles from './SparkLine.module.css';

interface SparkLineProps extends SparkContext {
  kind: SparkKind;
  /** The minutes as the response has them; undefined if there are none, or while they are not known. */
  text: string | undefined;
  /** How many minutes have passed since they were the newest. */
  minutesOld: number;
}

/**
 * The last hour of a value in the size of a word, without chart code. Renders again only when something in it is new.
 * It takes its room before there is anything to draw, so that a row never moves.
 */
export const SparkLine = memo(function SparkLine({
  kind,
  text = '',
  minutesOld,
  expectedEveryMs,
  isSpot,
}: SparkLineProps) {
  const minutes = useMemo(() => readSpark(text), [text]);
  const { line, doubt, beyond } = useMemo(
    () => sparkShape(minutes, kind, { expectedEveryMs, isSpot }),
    [minutes, kind, expectedEveryMs, isSpot],
  );
  const shown = isSpot ? styles.spots : styles.line;
  const range = rangeText(minutes.slice(minutesOld));
  return (
    <span className={styles.spark} data-kind={kind} title={range === '' ? undefined : `Last hour: ${range}`}>
      <svg
        width={sparkSize.width}
        height={sparkSize.height}
        viewBox={`${minutesOld} 0 ${sparkSize.width} ${sparkSize.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {line === '' ? null : <path className={shown} d={line} />}
        {doubt === '' ? null : <path className={`${shown} ${styles.doubt}`} d={doubt} />}
        {beyond === '' ? null : <path className={styles.beyond} d={beyond} />}
      </svg>
      {range === '' ? null : <span className="visually-hidden">, last hour {range}</span>}
    </span>
  );
});

/** Returns "91 to 97", and whether some of it is uncertain. */
function rangeText(minutes: readonly SparkMinute[]): string {
  const extremes = sparkExtremes(minutes);
  if (extremes === null) {
    return '';
  }
  const { low, high } = extremes;
  const isDoubtful = minutes.some((minute) => minute !== null && minute !== 'no signal' && minute.isDoubtful);
  return `${low === high ? low : `${low} to ${high}`}${isDoubtful ? ', in part uncertain' : ''}`;
}

import { memo } from 'react';
import { readSpark, sparkExtremes, type SparkKind } from '../../lib/vitals/spark';
import { sparkShape, sparkSize, type SparkContext } from '../../lib/vitals/sparkShape';
import styles from './SparkLine.module.css';

interface SparkLineProps extends SparkContext {
  kind: SparkKind;
  /** The minutes as they came; undefined while they are not known, and where there are none. */
  text: string | undefined;
  /** How many minutes have passed since they were the newest. */
  minutesOld: number;
}

/**
 * The last hour of a value in the size of a word: no chart code, drawn again only when something of it is new. It takes its
 * room before there is anything to draw, so that a row never moves.
 */
export const SparkLine = memo(function SparkLine({ kind, text = '', minutesOld, expectedEveryMs, isSpot }: SparkLineProps) {
  const { line, doubt, beyond } = sparkShape(text, kind, { expectedEveryMs, isSpot });
  const shown = isSpot ? styles.spots : styles.line;
  const range = rangeText(text, minutesOld);
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

/** "91 to 97", of what is still drawn. */
function rangeText(text: string, minutesOld: number): string {
  const extremes = sparkExtremes(readSpark(text).slice(minutesOld));
  if (extremes === null) {
    return '';
  }
  const { low, high } = extremes;
  return low === high ? `${low}` : `${low} to ${high}`;
}

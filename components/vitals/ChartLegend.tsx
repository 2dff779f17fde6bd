import { formatAge } from '../../lib/time/formatTime';
import type { PlotLine } from './plotModel';
import styles from './VitalCharts.module.css';

/** What the marks of the charts mean: only those that are drawn now. */
export function ChartLegend({ lines }: { lines: readonly PlotLine[] }) {
  const bucketMs = Math.max(0, ...lines.map((line) => line.bucketMs));
  const points = lines.flatMap(({ runs }) => runs.flat());
  const hasTyped = points.some(({ isManual }) => isManual === true);
  const hasDoubt = points.some(({ quality }) => quality === 'questionable');
  const hasLate = points.some(({ receivedAt }) => receivedAt !== undefined);
  const hasInvalid = lines.some(({ invalidAt }) => invalidAt.length > 0);
  return (
    <ul className={styles.legend}>
      {bucketMs > 0 ? (
        <li>
          <svg width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
            <path d="M0 3l12-3 12 3v6l-12 3L0 9z" fill="currentColor" opacity="0.3" />
            <path d="M0 6h24" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          Last value of each {formatAge(bucketMs)}, from lowest to highest
        </li>
      ) : null}
      {hasDoubt ? (
        <li>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          Signal uncertain
        </li>
      ) : null}
      {hasTyped ? (
        <li>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 .8L11.2 6 6 11.2.8 6z" fill="currentColor" />
          </svg>
          Typed in
        </li>
      ) : null}
      {hasLate ? (
        <li>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 3.2V6h2.4M10 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0" fill="none" stroke="currentColor" />
          </svg>
          Arrived late
        </li>
      ) : null}
      {hasInvalid ? (
        <li>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M2 4v8M6 4v8M10 4v8" stroke="currentColor" strokeWidth="1.5" />
          </svg>
          No signal, nothing drawn
        </li>
      ) : null}
      <li>
        <svg width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
          <path d="M0 12L12 0M8 12L20 0M16 12l8-8" stroke="currentColor" strokeWidth="1" />
        </svg>
        Nothing measured
      </li>
    </ul>
  );
}

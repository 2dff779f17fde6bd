import { VitalLabel } from '../ui/VitalLabel';
import { seriesLooks, type ChartedKind, type MarkerShape } from './seriesLook';
import styles from './VitalChart.module.css';

const outlines = {
  circle: 'M12 6m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  square: 'M8.4 2.4h7.2v7.2h-7.2z',
  triangle: 'M12 1.2l4.4 8h-8.8z',
} as const satisfies Record<MarkerShape, string>;

/** How a series is drawn, beside its name. */
export function SeriesMark({ kind }: { kind: ChartedKind }) {
  const { colorVariable, shape, dash } = seriesLooks[kind];
  const color = `var(${colorVariable})`;
  return (
    <span className={styles.mark} style={{ color }}>
      <svg width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
        <path d="M0 6h24" stroke="currentColor" strokeWidth="1.5" strokeDasharray={dash.join(' ')} />
        <path d={outlines[shape]} fill="currentColor" />
      </svg>
      <span>
        <VitalLabel kind={kind} />
      </span>
    </span>
  );
}

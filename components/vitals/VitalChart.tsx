import { memo, useId, useMemo } from 'react';
import { chartAxis, type ChartQuantity } from '../../lib/vitals/chartAxis';
import { chartGaps, type ChartWindow } from '../../lib/vitals/chartGaps';
import { extremesOf } from '../../lib/vitals/chartLine';
import { chartSummary } from '../../lib/vitals/chartSummary';
import { ChartTable } from './ChartTable';
import type { PlotLine, PlotModel } from './plotModel';
import { PointablePlot } from './PointablePlot';
import { SeriesMark } from './SeriesMark';
import styles from './VitalChart.module.css';

interface VitalChartProps {
  quantity: ChartQuantity;
  /** All of the chart's lines, empty or not. */
  lines: readonly PlotLine[];
  window: ChartWindow;
  timeZone: string;
  /** The patient's name, for users of screen readers. */
  patientName: string;
  /** CSS pixels of the drawing. */
  height: number;
  /** Called with the time over which the user dragged. */
  onSelect: (selected: ChartWindow) => void;
  onDoubleClick: () => void;
}

const facts = {
  spo2: { name: 'Oxygen saturation', unit: '%' },
  rate: { name: 'Heart rate', unit: '/min' },
} as const satisfies Record<ChartQuantity, { name: string; unit: string }>;

/**
 * One quantity of one patient over time: the drawing, its summary in words, and its table. Memoised, because the page
 * around it renders several times a poll and an open table is long.
 */
export const VitalChart = memo(function VitalChart({
  quantity,
  lines,
  window,
  timeZone,
  patientName,
  height,
  onSelect,
  onDoubleClick,
}: VitalChartProps) {
  const titleId = useId();
  const { name, unit } = facts[quantity];
  const { model, summary } = useMemo(() => {
    const gaps = chartGaps(lines, window);
    const made: PlotModel = { lines, gaps, window, axis: chartAxis(quantity, extremesOf(lines)), timeZone };
    return { model: made, summary: chartSummary(lines, gaps, window, timeZone) };
  }, [quantity, lines, window, timeZone]);
  const drawn = lines.filter(({ runs }) => runs.length > 0);
  const title = `${name} of ${patientName}`;
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption className={styles.caption}>
        <h3 id={titleId}>
          {name}
          <span className="visually-hidden"> of {patientName}</span>
        </h3>
        <span className={styles.unit}>{unit}</span>
        {drawn.map(({ kind }) => (
          <SeriesMark key={kind} kind={kind} />
        ))}
        {model.axis.changed ? (
          <span className={styles.axisChanged}>
            Axis changed: {model.axis.min} to {model.axis.max}
          </span>
        ) : null}
      </figcaption>
      <PointablePlot
        model={model}
        summary={`${title}. ${summary}`}
        height={height}
        onSelect={onSelect}
        onDoubleClick={onDoubleClick}
      />
      <ChartTable lines={lines} name={title} unit={unit} timeZone={timeZone} />
    </figure>
  );
});

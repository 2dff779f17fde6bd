import { memo, useId, useMemo } from 'react';
import type { ChartMarks } from '../../lib/alerts/chartMarksSchema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { alertExtremes, alertsOfChart } from '../../lib/vitals/chartAlerts';
import { chartAxis, type ChartQuantity } from '../../lib/vitals/chartAxis';
import { chartGaps, type ChartWindow } from '../../lib/vitals/chartGaps';
import { chartLimits, chartTargets } from '../../lib/vitals/chartLimits';
import { extremesOf } from '../../lib/vitals/chartLine';
import { chartSummary, marksSummary } from '../../lib/vitals/chartSummary';
import { VitalLabel } from '../ui/VitalLabel';
import { AlertBars } from './AlertBars';
import { ChartMarksList } from './ChartMarksList';
import { ChartTable } from './ChartTable';
import { NoteMarks } from './NoteMarks';
import { PointablePlot } from './PointablePlot';
import { SymptomMarks } from './SymptomMarks';
import styles from './VitalChart.module.css';
import type { PlotLine, PlotModel } from './plotModel';
import { seriesLooks, type ChartedKind, type MarkerShape } from './seriesLook';

const outlines = {
  circle: 'M12 6m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  square: 'M8.4 2.4h7.2v7.2h-7.2z',
  triangle: 'M12 1.2l4.4 8h-8.8z',
} as const satisfies Record<MarkerShape, string>;

/** How a series is drawn, beside its name. */
function SeriesMark({ kind }: { kind: ChartedKind }) {
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

interface VitalChartProps {
  quantity: ChartQuantity;
  /** All of the chart's lines, empty or not. */
  lines: readonly PlotLine[];
  /** The limits and the alerts of the time shown; undefined while they are not known. */
  marks: ChartMarks | undefined;
  /** When the patient reported symptoms. */
  reported: SymptomStripResponse['reported'];
  window: ChartWindow;
  /** As in `PlotModel`. */
  isLive: boolean;
  /** "NOT LIVE since 14:59:53"; null: it could be refreshed. */
  notLive: string | null;
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
  marks,
  reported,
  window,
  isLive,
  notLive,
  timeZone,
  patientName,
  height,
  onSelect,
  onDoubleClick,
}: VitalChartProps) {
  const titleId = useId();
  const { name, unit } = facts[quantity];
  const { model, alerts, summary } = useMemo(() => {
    const gaps = chartGaps(lines, window);
    const found = alertsOfChart(marks?.alerts ?? [], quantity);
    const made: PlotModel = {
      lines,
      gaps,
      window,
      axis: chartAxis(quantity, widest(extremesOf(lines), alertExtremes(found, quantity))),
      limits: marks === undefined ? [] : chartLimits(marks, quantity, window),
      targets: marks === undefined || quantity !== 'spo2' ? [] : chartTargets(marks, window),
      isLive,
      timeZone,
    };
    const said = [chartSummary(lines, gaps, window, timeZone), marksSummary(made.limits, made.targets, found, window)];
    return { model: made, alerts: found, summary: said.filter((text) => text !== '').join(' ') };
  }, [quantity, lines, marks, window, isLive, timeZone]);
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
        {notLive === null ? null : <strong>{notLive}</strong>}
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
      >
        <NoteMarks notes={marks?.notes ?? []} window={window} timeZone={timeZone} />
        <SymptomMarks reported={reported} window={window} timeZone={timeZone} />
        <AlertBars alerts={alerts} window={window} timeZone={timeZone} />
      </PointablePlot>
      <ChartTable lines={lines} name={title} unit={unit} timeZone={timeZone}>
        <ChartMarksList
          limits={model.limits}
          targets={model.targets}
          alerts={alerts}
          hasMoreAlerts={marks?.hasMoreAlerts === true}
          notes={marks?.notes ?? []}
          unit={unit}
          timeZone={timeZone}
        />
      </ChartTable>
    </figure>
  );
});

interface Extremes {
  low: number;
  high: number;
}

/** The axis contains the values and those of the alerts, which may no longer be among the values. */
function widest(one: Extremes | null, other: Extremes | null): Extremes | null {
  return one === null || other === null
    ? (one ?? other)
    : { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

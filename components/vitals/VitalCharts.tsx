import { useCallback, useDeferredValue, useMemo } from 'react';
import { useServerLost } from '../../hooks/useServerLost';
import type { ChartMarks } from '../../lib/alerts/chartMarksSchema';
import type { Patient } from '../../lib/patients/schema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { formatDayAndTime, formatTimeWithSeconds, zoneLabel, formatAge } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { chartLine } from '../../lib/vitals/chartLine';
import { chartRanges, type ChartRange } from '../../lib/vitals/chartRanges';
import { zoomTo } from '../../lib/vitals/chartZoom';
import { isDisputed } from '../../lib/vitals/disagreement';
import { isSpotChecked } from '../../lib/vitals/isSpotChecked';
import { kinds } from '../../lib/vitals/kinds';
import type { VitalsResponse, VitalSeries, LatestValues } from '../../lib/vitals/schema';
import { AsyncView } from '../ui/AsyncView';
import { VitalChart } from './VitalChart';
import styles from './VitalCharts.module.css';
import type { PlotLine } from './plotModel';
import type { ChartedKind } from './seriesLook';
import type { Charts } from './useCharts';

/** What is known about how often each kind is measured, in milliseconds. */
type ExpectedEvery = Record<ChartedKind, number | undefined>;

/** Takes a patient's latest values and returns what their devices said about their pace. */
function expectedEvery(latest: LatestValues): ExpectedEvery {
  return {
    spo2: latest.spo2?.expectedEveryMs,
    heartRate: latest.heartRate?.expectedEveryMs,
    pulseRate: latest.pulseRate?.expectedEveryMs,
  };
}

/** Returns the lines of the wanted kinds from a response, in that order, empty if a kind has no points. */
function plotLines(
  response: VitalsResponse,
  wanted: readonly ChartedKind[],
  every: ExpectedEvery,
  profile: Patient['profile'],
): PlotLine[] {
  return wanted.map((kind) => {
    const series = response.series.find((one) => one.kind === kind) ?? {
      kind,
      unit: kinds[kind].unit,
      bucketMs: 0 as const,
      points: [],
    };
    const line = chartLine(series, { expectedEveryMs: every[kind], spot: isSpotChecked(profile, every[kind]) });
    return { ...line, kind };
  });
}

/** What the marks of the charts mean: only those that are drawn now. */
function ChartLegend({ lines }: { lines: readonly PlotLine[] }) {
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

interface VitalChartsProps {
  charts: Charts;
  patient: Patient;
  patientName: string;
  timeZone: string;
}

const noReports: SymptomStripResponse['reported'] = [];

/** Height of one drawing in CSS pixels. */
const heights = { full: 240, compact: 180 } as const;

/** One patient's SpO2 and heart rate over the chosen time, on one time axis. The caller shows their failures. */
export function VitalCharts({ charts, patient, patientName, timeZone }: VitalChartsProps) {
  // Up to 2,000 points of each kind: parsing a response and drawing it at once would be one long task.
  const { response, marks, symptoms, range, zoom, setZoom, isCompact } = useDeferredValue(charts);
  const height = isCompact ? heights.compact : heights.full;
  const received = useMemo(() => (response.data === undefined ? undefined : windowOf(response.data)), [response.data]);
  return (
    <AsyncView
      answer={response}
      isFailureShownOutside
      isEmpty={(vitals) => zoom === null && vitals.series.every(isEmptySeries) && hasNoAlerts(marks.data)}
      skeleton={<Skeleton height={height} />}
      empty={({ from, to }) => (
        <Empty from={from} to={to} range={range} timeZone={timeZone} profile={patient.profile} />
      )}
      timeZone={timeZone}
    >
      {(vitals) => (
        <ChartPair
          vitals={vitals}
          marks={marks.data}
          reported={symptoms.data?.reported ?? noReports}
          window={received ?? windowOf(vitals)}
          patient={patient}
          patientName={patientName}
          timeZone={timeZone}
          height={height}
          zoom={zoom}
          setZoom={setZoom}
          failed={[response, marks].find(({ error }) => error !== undefined)}
        />
      )}
    </AsyncView>
  );
}

function windowOf({ from, to }: VitalsResponse): ChartWindow {
  return { from: parseInstant(from) ?? 0, to: parseInstant(to) ?? 0 };
}

function isEmptySeries(series: VitalSeries): boolean {
  return series.points.length === 0 && !('noSignal' in series && series.noSignal.length > 0);
}

/** An alert of a time without values, such as symptoms, has its bar on an empty chart. */
function hasNoAlerts(marks: ChartMarks | undefined): boolean {
  return marks === undefined || marks.alerts.length === 0;
}

interface ChartPairProps
  extends Pick<VitalChartsProps, 'patient' | 'patientName' | 'timeZone'>, Pick<Charts, 'zoom' | 'setZoom'> {
  vitals: VitalsResponse;
  marks: ChartMarks | undefined;
  reported: SymptomStripResponse['reported'];
  window: ChartWindow;
  height: number;
  /** What could not be refreshed. */
  failed: { asOf: number | null } | undefined;
}

function ChartPair({
  vitals,
  marks,
  reported,
  window,
  patient,
  patientName,
  timeZone,
  height,
  zoom,
  setZoom,
  failed,
}: ChartPairProps) {
  const { latest, profile } = patient;
  const serverLost = useServerLost();
  const { spo2, heartRate, pulseRate } = expectedEvery(latest);
  // The latest values change with every sample, their pace rarely.
  const { spo2Lines, rateLines } = useMemo(() => {
    const every = { spo2, heartRate, pulseRate };
    return {
      spo2Lines: plotLines(vitals, ['spo2'], every, profile),
      rateLines: plotLines(vitals, ['heartRate', 'pulseRate'], every, profile),
    };
  }, [vitals, profile, spo2, heartRate, pulseRate]);
  const whole = zoom?.whole ?? window;
  const onSelect = useCallback((selected: ChartWindow) => setZoom(zoomTo(whole, selected)), [setZoom, whole]);
  const onDoubleClick = useCallback(() => setZoom(null), [setZoom]);
  // The newest point of a line is not the value that is shown while two devices disagree about it.
  const isLive = (...drawn: ChartedKind[]): boolean =>
    zoom === null &&
    serverLost === null &&
    failed === undefined &&
    !drawn.some((kind) => isDisputed(kind, latest[kind]));
  // A server that is lost is said in the header.
  const notLive =
    failed === undefined || serverLost !== null
      ? null
      : `NOT LIVE${failed.asOf === null ? '' : ` since ${formatTimeWithSeconds(failed.asOf, timeZone)}`}`;
  const shared = { marks, reported, window, notLive, timeZone, patientName, height, onSelect, onDoubleClick };
  return (
    <div className={styles.charts} data-not-live={serverLost === null ? undefined : ''}>
      <VitalChart {...shared} quantity="spo2" lines={spo2Lines} isLive={isLive('spo2')} />
      <VitalChart {...shared} quantity="rate" lines={rateLines} isLive={isLive('heartRate', 'pulseRate')} />
      <p className={styles.note}>
        Times in {zoneText(window.to, timeZone)}. Drag across a chart to look closer.
        {vitals.truncated ? ' The beginning of this period is no longer complete.' : null}
      </p>
      <ChartLegend lines={[...spo2Lines, ...rateLines]} />
    </div>
  );
}

/** Returns "GMT (Europe/London)", and "UTC" only once. */
function zoneText(instant: number, timeZone: string): string {
  const label = zoneLabel(instant, timeZone);
  return label === timeZone ? label : `${label} (${timeZone})`;
}

function Skeleton({ height }: { height: number }) {
  return (
    <div aria-hidden="true">
      {['spo2', 'rate'].map((chart) => (
        <div key={chart} className={styles.skeleton} style={{ height: height + 76 }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  from: string;
  to: string;
  range: ChartRange;
  timeZone: string;
  profile: Patient['profile'];
}

function Empty({ from, to, range, timeZone, profile }: EmptyProps) {
  const shown = (instant: string): string => formatDayAndTime(parseInstant(instant) ?? 0, timeZone);
  return (
    <div className={styles.empty}>
      <p>
        <strong>No SpO2 or heart rate in the last {range.name}</strong> ({shown(from)} to {shown(to)}{' '}
        {zoneLabel(parseInstant(to) ?? 0, timeZone)}).
      </p>
      <p>
        {range === chartRanges.at(-1) ? '' : 'Choose a longer period. '}
        {profile === 'home'
          ? 'If a reading is due, call the patient and ask for a new one.'
          : 'Check that the sensor is on the patient and the device sends.'}
      </p>
    </div>
  );
}

import { useCallback, useDeferredValue, useMemo } from 'react';
import { useServerLost } from '../../hooks/useServerLost';
import type { ChartMarks } from '../../lib/alerts/chartMarksSchema';
import type { Patient } from '../../lib/patients/schema';
import { formatDayAndTime, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { isDisputed } from '../../lib/vitals/disagreement';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { chartRanges, type ChartRange } from '../../lib/vitals/chartRanges';
import { zoomTo } from '../../lib/vitals/chartZoom';
import type { VitalsResponse, VitalSeries } from '../../lib/vitals/schema';
import { AsyncView } from '../ui/AsyncView';
import { ChartLegend } from './ChartLegend';
import { expectedEvery, plotLines } from './plotLines';
import type { ChartedKind } from './seriesLook';
import type { Charts } from './useCharts';
import { VitalChart } from './VitalChart';
import styles from './VitalCharts.module.css';

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

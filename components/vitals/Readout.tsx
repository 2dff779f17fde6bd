import { formatClock, formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { extremesOf, type ChartPoint } from '../../lib/vitals/chartLine';
import { isSilentAt, pointAt } from '../../lib/vitals/chartReadout';
import { kinds } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { typedWords } from '../../lib/vitals/typedWords';
import { VitalLabel } from '../ui/VitalLabel';
import type { PlotLine, PlotModel } from './plotModel';
import styles from './VitalChart.module.css';

/** Where on the time axis the user points. */
export interface Pointed {
  /** Epoch milliseconds. */
  at: number;
  msPerPixel: number;
}

interface ReadoutProps {
  model: PlotModel;
  pointed: Pointed | null;
}

/** How far from a point the pointer may be and still mean it, in CSS pixels. */
const reach = 6;

/** The values under the pointer with their own time; else the extremes of the window. */
export function Readout({ model: { lines, timeZone, window }, pointed }: ReadoutProps) {
  const drawn = lines.filter(({ runs, invalidAt }) => runs.length > 0 || invalidAt.length > 0);
  if (pointed === null) {
    return (
      <p className={styles.readout} aria-hidden="true">
        {drawn.map((line) => (
          <Extremes key={line.kind} line={line} />
        ))}
      </p>
    );
  }
  const within = reach * pointed.msPerPixel;
  const found = drawn.map((line) => ({
    line,
    point: pointAt(line, pointed.at, within),
    isSilent: isSilentAt(line, pointed.at, within),
  }));
  const time = found.find(({ point }) => point !== null)?.point?.at ?? pointed.at;
  return (
    <p className={styles.readout} aria-hidden="true">
      {found.map(({ line, point, isSilent }) => (
        <PointValue key={line.kind} line={line} point={point} isSilent={isSilent} timeZone={timeZone} />
      ))}
      {drawn.length === 0 ? <span>no data</span> : null}
      <span>{clockTimes(time, window.to, timeZone)}</span>
    </p>
  );
}

function Extremes({ line }: { line: PlotLine }) {
  const extremes = extremesOf([line]);
  return extremes === null ? null : (
    <span>
      <VitalLabel kind={line.kind} /> lowest {formatVital(line.kind, extremes.low)}, highest{' '}
      {formatVital(line.kind, extremes.high)}
    </span>
  );
}

interface PointValueProps {
  line: PlotLine;
  point: ChartPoint | null;
  isSilent: boolean;
  timeZone: string;
}

function PointValue({ line, point, isSilent, timeZone }: PointValueProps) {
  const { unit } = kinds[line.kind];
  if (point === null) {
    return (
      <span>
        <VitalLabel kind={line.kind} /> {isSilent ? 'no signal' : 'no data'}
      </span>
    );
  }
  const range =
    point.low === point.high ? '' : ` (${formatVital(line.kind, point.low)} to ${formatVital(line.kind, point.high)})`;
  return (
    <span>
      <VitalLabel kind={line.kind} /> <strong>{formatVital(line.kind, point.value)}</strong> {unit}
      {range}
      {point.quality === 'questionable' ? ', signal uncertain' : null}
      {point.isManual === true ? `, ${typedWords(point)}` : null}
      {point.receivedAt === undefined ? null : `, arrived ${formatClock(point.receivedAt, point.at, timeZone)}`}
      {point.sentAs === undefined ? null : `, sent as ${formatClock(point.sentAs, point.at, timeZone)}`}
    </span>
  );
}

/**
 * Returns the site's time with its zone, and the viewer's time if their zone is another. With the day unless it is the
 * one on which the chart ends.
 */
function clockTimes(at: number, end: number, timeZone: string): string {
  const day = formatDate(at, timeZone);
  const site = `${formatTimeWithSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
  const dated = day === formatDate(end, timeZone) ? site : `${day}, ${site}`;
  const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const viewer = `${formatTimeWithSeconds(at, viewerZone)} ${zoneLabel(at, viewerZone)}`;
  return viewer.slice(0, 8) === site.slice(0, 8) ? dated : `${dated} (yours ${viewer})`;
}

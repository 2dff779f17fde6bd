import { formatDate, formatDayAndTime, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { zoomIn, zoomMove, type ChartZoom } from '../../lib/vitals/chartZoom';
import styles from './ZoomControl.module.css';

interface ZoomControlProps {
  zoom: ChartZoom | null;
  onChange: (zoom: ChartZoom | null) => void;
  /** Returns all of the time that the charts can show at this moment. */
  wholeNow: () => ChartWindow;
  timeZone: string;
}

/**
 * Zooms all charts of the page as dragging on one does, for the keyboard and for pointers that cannot drag. A button
 * that can do no more stays, so that the focus stays too.
 */
export function ZoomControl({ zoom, onChange, wholeNow, timeZone }: ZoomControlProps) {
  const current = (): ChartZoom => {
    const whole = wholeNow();
    return zoom ?? { whole, window: whole };
  };
  const actions = [
    { name: 'Zoom in', isIdle: zoom !== null && isSame(zoomIn(zoom), zoom), next: () => zoomIn(current()) },
    {
      name: 'Earlier',
      isIdle: zoom === null || isSame(zoomMove(zoom, 'earlier'), zoom),
      next: () => zoomMove(current(), 'earlier'),
    },
    {
      name: 'Later',
      isIdle: zoom === null || isSame(zoomMove(zoom, 'later'), zoom),
      next: () => zoomMove(current(), 'later'),
    },
    { name: 'Reset zoom', isIdle: zoom === null, next: () => null },
  ];
  const shown = zoom === null ? null : `Only ${windowText(zoom, timeZone)}`;
  return (
    <div className={styles.zoom} role="group" aria-label="Zoom of the charts">
      {actions.map(({ name, isIdle, next }) => (
        <button
          key={name}
          type="button"
          className={styles.action}
          aria-disabled={isIdle}
          onClick={() => {
            if (!isIdle) {
              onChange(next());
            }
          }}
        >
          {name}
        </button>
      ))}
      <span role="status" className={styles.shown} title={shown ?? undefined}>
        {shown}
      </span>
    </div>
  );
}

const isSame = ({ window: one }: ChartZoom, { window: other }: ChartZoom): boolean =>
  one.from === other.from && one.to === other.to;

/** Returns "14:05:09 to 14:20:09 GMT", or with both days unless all is of the day on which the time shown ends. */
function windowText({ whole, window: { from, to } }: ChartZoom, timeZone: string): string {
  const lastDay = formatDate(whole.to, timeZone);
  const isOfLastDay = [from, to].every((at) => formatDate(at, timeZone) === lastDay);
  const show = (at: number): string =>
    isOfLastDay ? formatTimeWithSeconds(at, timeZone) : formatDayAndTime(at, timeZone);
  return `${show(from)} to ${show(to)} ${zoneLabel(to, timeZone)}`;
}

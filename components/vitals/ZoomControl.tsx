import { formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { zoomIn, zoomMove, type ChartZoom } from '../../lib/vitals/chartZoom';
import styles from './ZoomControl.module.css';

interface ZoomControlProps {
  /** The window that the charts show now. */
  shown: ChartWindow;
  zoom: ChartZoom | null;
  onChange: (zoom: ChartZoom | null) => void;
  /** The name of the patient: one page may show several. */
  patientName: string;
  timeZone: string;
}

/**
 * Zooms as dragging on a chart does, for the keyboard and for pointers that cannot drag. A button that can do no more
 * stays, so that the focus stays too.
 */
export function ZoomControl({ shown, zoom, onChange, patientName, timeZone }: ZoomControlProps) {
  const current = zoom ?? { whole: shown, window: shown };
  const actions = [
    { name: 'Zoom in', next: zoomIn(current) },
    { name: 'Earlier', next: zoomMove(current, 'earlier') },
    { name: 'Later', next: zoomMove(current, 'later') },
    { name: 'Reset zoom', next: null },
  ];
  return (
    <div className={styles.zoom} role="group" aria-label={`Time shown of ${patientName}`}>
      {actions.map(({ name, next }) => {
        const isIdle = next === null ? zoom === null : isSame(next.window, current.window);
        return (
          <button
            key={name}
            type="button"
            className={styles.action}
            aria-disabled={isIdle}
            onClick={() => {
              if (!isIdle) {
                onChange(next);
              }
            }}
          >
            {name}
          </button>
        );
      })}
      <span role="status" className={styles.shown}>
        {zoom === null ? null : `Only ${windowText(zoom.window, timeZone)}`}
      </span>
    </div>
  );
}

const isSame = (one: ChartWindow, other: ChartWindow): boolean => one.from === other.from && one.to === other.to;

/** Returns "07 Mar 2026, 14:05:09 to 14:20:09 GMT", with the second date if it is another. */
function windowText({ from, to }: ChartWindow, timeZone: string): string {
  const [fromDay, toDay] = [formatDate(from, timeZone), formatDate(to, timeZone)];
  const end = `${formatTimeWithSeconds(to, timeZone)} ${zoneLabel(to, timeZone)}`;
  return `${fromDay}, ${formatTimeWithSeconds(from, timeZone)} to ${fromDay === toDay ? end : `${toDay}, ${end}`}`;
}

import type { ChartNote } from '../../lib/alerts/chartMarksSchema';
import { noteTypes } from '../../lib/notes/noteTypes';
import { formatTime } from '../../lib/time/formatTime';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import styles from './NoteMarks.module.css';
import { plotInsets } from './plotInsets';

interface NoteMarksProps {
  notes: readonly ChartNote[];
  window: ChartWindow;
  timeZone: string;
}

/** When something was noted: a small flag at the top of the drawing. The table below the chart lists them in words. */
export function NoteMarks({ notes, window: { from, to }, timeZone }: NoteMarksProps) {
  return (
    <div className={styles.axis} style={{ left: plotInsets.left, right: plotInsets.right, top: plotInsets.top }}>
      {notes.map(({ id, type, eventTime }) => {
        const at = Date.parse(eventTime);
        return at < from || at > to ? null : (
          <span
            key={id}
            aria-hidden="true"
            className={styles.flag}
            style={{ left: `${((at - from) / (to - from)) * 100}%` }}
            title={`${noteTypes[type]} note, ${formatTime(at, timeZone)}`}
          />
        );
      })}
    </div>
  );
}

import type { AssignmentsResponse, WhichShift } from '../../lib/assignments/schema';
import { formatDate, formatTime, zoneLabel } from '../../lib/time/formatTime';
import type { Unit } from '../../lib/units/schema';
import bar from '../ui/ViewBar.module.css';
import { PrintButton } from '../ui/PrintButton';
import { nativeControl } from '../ui/nativeControl';
import styles from './AssignmentsScreen.module.css';

interface AssignmentsToolbarProps {
  unitId: number;
  units: readonly Unit[];
  which: WhichShift;
  /** Start and end of the shift; undefined before the response. */
  shift: AssignmentsResponse['shift'] | undefined;
  onChoose: (unitId: number, shift: WhichShift) => void;
  timeZone: string;
}

const shiftLabels = { current: 'This shift', next: 'Next shift' } as const satisfies Record<WhichShift, string>;
const shifts = ['current', 'next'] as const satisfies readonly WhichShift[];

/** Chooses the unit and the shift, and shows the shift's hours. */
export function AssignmentsToolbar({ unitId, units, which, shift, onChoose, timeZone }: AssignmentsToolbarProps) {
  return (
    <div className={styles.toolbar}>
      <label className={styles.unit}>
        Unit
        <select
          className={nativeControl}
          value={unitId}
          onChange={({ target }) => {
            onChoose(Number(target.value), which);
          }}
        >
          {units.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div role="group" aria-label="Shift" className={bar.views}>
        {shifts.map((one) => (
          <button
            key={one}
            type="button"
            className={bar.view}
            aria-pressed={one === which}
            onClick={() => {
              onChoose(unitId, one);
            }}
          >
            {shiftLabels[one]}
          </button>
        ))}
      </div>
      <span className={styles.when}>{shift === undefined ? null : shiftText(shift, timeZone)}</span>
      <PrintButton className={styles.print} />
    </div>
  );
}

/** Returns the hours of a shift: "21 Nov 2026, 07:30 to 19:30 GMT". */
export function shiftText(
  { start, end }: Pick<AssignmentsResponse['shift'], 'start' | 'end'>,
  timeZone: string,
): string {
  const from = Date.parse(start);
  const hours = `${formatTime(from, timeZone)} to ${formatTime(Date.parse(end), timeZone)}`;
  return `${formatDate(from, timeZone)}, ${hours} ${zoneLabel(from, timeZone)}`;
}

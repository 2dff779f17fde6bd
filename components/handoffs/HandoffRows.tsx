import type { TypedAction, TypedContingency } from '../../lib/handoffs/handoffFields';
import { toPlainText } from '../../lib/plainText';
import { formatClock } from '../../lib/time/formatTime';
import { nativeControl } from '../ui/nativeControl';
import { AddresseeSelect, type Colleagues } from './AddresseeSelect';
import styles from './handoffs.module.css';

const blankContingency: TypedContingency = { condition: '', action: '' };
const blankAction: TypedAction = { text: '', owner: { role: 'nurse' }, dueAt: null };

/** Returns the rows with one blank row behind them. */
function withBlank<Row>(rows: readonly Row[], blank: Row, isBlank: (row: Row) => boolean): readonly Row[] {
  const last = rows.at(-1);
  return last !== undefined && isBlank(last) ? rows : [...rows, blank];
}

function replaced<Row>(rows: readonly Row[], place: number, row: Row): Row[] {
  return rows.map((each, index) => (index === place ? row : each));
}

interface ContingencyRowsProps {
  rows: readonly TypedContingency[];
  error: string | undefined;
  onChange: (rows: TypedContingency[]) => void;
}

/** What to do if something happens: a row each, and a blank one for the next. */
export function ContingencyRows({ rows, error, onChange }: ContingencyRowsProps) {
  const shown = withBlank(rows, blankContingency, ({ condition, action }) => condition === '' && action === '');
  return (
    <fieldset className={styles.rows} aria-invalid={error !== undefined}>
      <legend>If-then</legend>
      {shown.map((row, place) => (
        <div key={place} className={styles.pair}>
          <input
            className={nativeControl}
            aria-label={`If, row ${place + 1}`}
            placeholder="If"
            maxLength={300}
            value={row.condition}
            onChange={({ target }) =>
              onChange(replaced(shown, place, { ...row, condition: toPlainText(target.value) }))
            }
          />
          <input
            className={nativeControl}
            aria-label={`Then, row ${place + 1}`}
            placeholder="then"
            maxLength={300}
            value={row.action}
            onChange={({ target }) => onChange(replaced(shown, place, { ...row, action: toPlainText(target.value) }))}
          />
        </div>
      ))}
      {error === undefined ? null : <p className={styles.error}>If-then {error}</p>}
    </fieldset>
  );
}

const dueIn = [1, 2, 4, 8, 12] as const;
const hourMs = 3_600_000;

interface ActionRowsProps {
  rows: readonly TypedAction[];
  now: number;
  timeZone: string;
  colleagues: Colleagues;
  onChange: (rows: TypedAction[]) => void;
}

/** What is to be done, by whom and until when: a row each, and a blank one for the next. */
export function ActionRows({ rows, now, timeZone, colleagues, onChange }: ActionRowsProps) {
  const shown = withBlank(rows, blankAction, ({ text }) => text === '');
  return (
    <fieldset className={styles.rows}>
      <legend>Actions</legend>
      {shown.map((row, place) => {
        const put = (next: Partial<TypedAction>): void => onChange(replaced(shown, place, { ...row, ...next }));
        return (
          <div key={place} className={styles.action}>
            <input
              className={nativeControl}
              aria-label={`Action, row ${place + 1}`}
              placeholder="To do"
              maxLength={300}
              value={row.text}
              onChange={({ target }) => put({ text: toPlainText(target.value) })}
            />
            {row.text === '' ? null : (
              <>
                <AddresseeSelect
                  control={{ 'aria-label': `Owner of action ${place + 1}` }}
                  value={row.owner}
                  noOne="No owner"
                  colleagues={colleagues}
                  onChange={(owner) => put({ owner })}
                />
                <select
                  className={nativeControl}
                  aria-label={`Due time of action ${place + 1}`}
                  value={row.dueAt === null ? '' : 'set'}
                  onChange={({ target }) => {
                    const hours = Number(target.value);
                    put({ dueAt: hours > 0 ? new Date(now + hours * hourMs).toISOString() : null });
                  }}
                >
                  <option value="">No time</option>
                  {row.dueAt === null ? null : (
                    <option value="set">by {formatClock(Date.parse(row.dueAt), now, timeZone)}</option>
                  )}
                  {dueIn.map((hours) => (
                    <option key={hours} value={hours}>
                      in {hours} h
                    </option>
                  ))}
                </select>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

import { useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import type { HandoffAction } from '../../lib/handoffs/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import { useAction } from '../ui/useAction';
import { actionWords } from './handoffWords';
import styles from './handoffs.module.css';

interface OpenActionsProps<Action extends HandoffAction> {
  label: string;
  /** Those that are not done. */
  actions: readonly Action[];
  now: EpochMs;
  timeZone: string;
  /** The user of the page. */
  userId: number;
  canFinish: boolean;
  /** Shown under an action, for a list of several patients. */
  about?: (action: Action) => ReactNode;
  /** Reads the actions again. */
  onChanged: () => Promise<unknown>;
}

/**
 * Actions of handoffs that are not done, the first due first. One that was just marked as done stays where it is, with
 * the way back: else the next one would be under the pointer.
 */
export function OpenActions<Action extends HandoffAction>({
  label,
  actions,
  now,
  timeZone,
  userId,
  canFinish,
  about,
  onChanged,
}: OpenActionsProps<Action>) {
  const [touched, setTouched] = useState<ReadonlyMap<number, Action>>(new Map());
  const finishHandoffAction = useCall('finishHandoffAction');
  const { failure, isWaiting, carryOut } = useAction();
  const isLost = useServerLost() !== null;
  const open = new Set(actions.map(({ id }) => id));
  const rows = [...actions, ...[...touched.values()].filter(({ id }) => !open.has(id))].toSorted(inOrderOfDue);
  const mark = (action: Action, isDone: boolean): Promise<boolean> =>
    carryOut(async () => {
      await finishHandoffAction({ params: { id: action.id }, body: { isDone, authorId: userId } });
      setTouched((before) => new Map(before).set(action.id, action));
      await onChanged();
    });
  return rows.length === 0 ? null : (
    <>
      <FormFailure failure={failure} done="marked" />
      <ul className={styles.list} aria-label={label}>
        {rows.map((action) => {
          const isDone = !open.has(action.id);
          return (
            <li key={action.id} className={styles.row}>
              <span className={styles.grow}>
                {isDone ? <s>{actionWords(action, now, timeZone)}</s> : actionWords(action, now, timeZone)}
                {about === undefined ? null : <div>{about(action)}</div>}
              </span>
              {canFinish ? (
                <NativeButton
                  aria-label={`${isDone ? 'Undo' : 'Done'}: ${action.text}`}
                  disabled={isLost || isWaiting}
                  onClick={() => void mark(action, !isDone)}
                >
                  {isDone ? 'Undo' : 'Done'}
                </NativeButton>
              ) : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const dueOf = ({ dueAt }: HandoffAction): EpochMs => (dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt));

/** The first due first, those without a time last. */
const inOrderOfDue = (one: HandoffAction, other: HandoffAction): number =>
  firstDifference(dueOf(one) - dueOf(other), one.id - other.id);

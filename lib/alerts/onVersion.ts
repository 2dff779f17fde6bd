import type { EpochMs } from '../time/epochMs';
import type { ActionFault } from './actions';
import { isAskedByName, isOpen, isSeen, ownerOf, type Alert, type AlertChange, type Undo } from './alert';

/** An action of a user, and the version of the alert that the user saw. */
interface MeantFor {
  version: number;
  by: number;
  /** Or whether an alert says that it is done. Null: doing it twice is doing it twice. */
  is: Undo['is'] | ((alert: Alert) => boolean) | null;
}

/**
 * Runs an action unless the alert has changed since its user saw it: no one silences a worse state than the one they
 * saw. The same action of the same user again, for example because the response was lost, changes nothing and succeeds.
 */
export function onVersion(
  alert: Alert,
  { version, by, is }: MeantFor,
  now: EpochMs,
  action: (alert: Alert, now: EpochMs) => AlertChange | ActionFault,
): AlertChange | ActionFault {
  if (typeof is === 'function' ? is(alert) : is !== null && isDone(alert, is, by)) {
    return { alert, events: [] };
  }
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  return alert.version === version ? action(alert, now) : 'alert_changed';
}

function isDone(alert: Alert, is: Undo['is'], by: number): boolean {
  const isHeldBy = ownerOf(alert) === by && alert.escalation.answerBy === null;
  const done = {
    acknowledged: isSeen(alert) && alert.acknowledged?.by === by && !isAskedByName(alert, by),
    accepted: isHeldBy,
    taken: isSeen(alert) && isHeldBy,
  } satisfies Record<Undo['is'], boolean>;
  return (alert.undo?.by === by && alert.undo.is === is) || (isOpen(alert) && done[is]);
}

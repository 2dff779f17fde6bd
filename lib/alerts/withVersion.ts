import { isOpen, ownerOf, type Alert, type AlertChange, type AlertEvent } from './alert';

/** What an acknowledgement and an acceptance write by themselves. */
const ofAct: ReadonlySet<AlertEvent['is']> = new Set<AlertEvent['is']>(['acknowledged', 'accepted', 'closed']);

/**
 * Takes an alert before a change (null: none) and the change with the steps that were due, and returns the change with
 * the alert's version after it. Whatever happens in between ends the time in which a user can take an action back.
 */
export function withVersion(before: Alert | null, { alert, events }: AlertChange): AlertChange {
  if (before === null) {
    return { alert, events };
  }
  const isOwnAct = alert.undo !== before.undo;
  const isUndoable = isOwnAct ? events.every(({ is }) => ofAct.has(is)) : events.length === 0;
  const version = isChanged(before, { alert, events }) ? before.version + 1 : before.version;
  const undo = isUndoable ? alert.undo : null;
  // A second in which nothing happens to an alert, as nearly all, makes no copy of it.
  return version === alert.version && undo === alert.undo
    ? { alert, events }
    : { alert: { ...alert, version, undo }, events };
}

/**
 * Returns whether an action on the alert as it was may no longer be meant. A raise or an upgrade always counts, because
 * it voids what people did (clinical.md section 0, E3). A step that is asked, a reminder, a pause or a user who cannot
 * come does not by itself: nothing that the user saw has become worse, and the click of a helper must not fail.
 */
function isChanged(before: Alert, { alert, events }: AlertChange): boolean {
  return (
    events.some(({ is }) => is === 'raised_again' || is === 'upgraded' || is === 'retrospective') ||
    alert.priority !== before.priority ||
    alert.condition !== before.condition ||
    isOpen(alert) !== isOpen(before) ||
    actKey(alert.acknowledged) !== actKey(before.acknowledged) ||
    ownerOf(alert) !== ownerOf(before) ||
    // Of two users who ask two others at once, the second has not seen whom the first asked.
    (alert.reassigned !== null && actKey(alert.reassigned) !== actKey(before.reassigned)) ||
    actKey(alert.settled ?? null) !== actKey(before.settled ?? null) ||
    actKey(alert.outcome) !== actKey(before.outcome)
  );
}

const actKey = (act: { by: number; at: number } | null): string => (act === null ? '' : `${act.by} ${act.at}`);

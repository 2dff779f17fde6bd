import type { EntryKind } from '../../lib/notes/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDate, formatTime } from '../../lib/time/formatTime';

/** The name of what is added to a signed note. */
export const entryLabels = {
  addendum: 'Addendum',
  amendment: 'Amendment',
  entered_in_error: 'Entered in error',
} as const satisfies Record<EntryKind, string>;

/** What can be done with a signed note. */
export type NoteAct = EntryKind | 'move';

/** What its button says. */
export const noteActions = {
  addendum: 'Add addendum',
  amendment: 'Amend',
  entered_in_error: 'Mark as error',
  move: 'Wrong patient',
} as const satisfies Record<NoteAct, string>;

/** Returns "14:05", and "06 Mar 2026, 14:05" for an instant that is not of today. */
export function noteTime(at: EpochMs, now: EpochMs, timeZone: string): string {
  const day = formatDate(at, timeZone);
  const time = formatTime(at, timeZone);
  return day === formatDate(now, timeZone) ? time : `${day}, ${time}`;
}

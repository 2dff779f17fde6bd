import { groupBy } from '../groupBy';
import type { EntryStatus, WrittenValue } from './schema';
import { isNone, slotOf } from './slotOf';

/** What decides the status of an entry; ids grow in the order of writing. */
export type Subject = WrittenValue & { id: number; replaces: number | null; isInError: boolean; isEnded: boolean };

/**
 * Returns the status of each entry of a chart by its id. What was corrected is superseded, until the corrections
 * themselves are entered in error: then it holds again, because they should never have been. "None" is superseded by
 * whatever its list got later, and while anything else of its list is current. Of one thing (`slotOf`) at most one
 * entry is current.
 */
export function statusesOf(entries: readonly Subject[]): Map<number, EntryStatus> {
  const replacements = groupBy(entries, ({ replaces }) => replaces);
  const isCorrected = (id: number): boolean =>
    (replacements.get(id) ?? []).some((one) => !one.isInError || isCorrected(one.id));
  const statuses = new Map<number, EntryStatus>();
  const isOverruled = (one: Subject): boolean =>
    isNone(one) &&
    entries.some(
      (other) =>
        other.section === one.section &&
        !isNone(other) &&
        ((other.id > one.id && !other.isInError) || statuses.get(other.id) === 'current'),
    );
  const taken = new Set<string>();
  // "None" last: it depends on the others.
  for (const one of [...entries].sort((a, b) => (isNone(a) === isNone(b) ? b.id - a.id : isNone(a) ? 1 : -1))) {
    const slot = slotOf(one);
    const key = slot === null ? null : `${one.section} ${slot}`;
    const isTaken = key !== null && taken.has(key);
    const status = one.isInError
      ? 'entered_in_error'
      : isCorrected(one.id) || isOverruled(one) || isTaken
        ? 'superseded'
        : one.isEnded
          ? 'ended'
          : 'current';
    if (status === 'current' && key !== null) {
      taken.add(key);
    }
    statuses.set(one.id, status);
  }
  return statuses;
}

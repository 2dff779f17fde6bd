import { safeParse } from '../safeParse';
import { writtenEntry, type WrittenEntry } from './schema';

/**
 * Takes a failed call and returns the entry as it is now, if it was refused because another user changed it; null if it
 * failed otherwise.
 */
export function changedEntryOf({ code, entry }: { code: string; entry: unknown }): WrittenEntry | null {
  const parsed = code === 'chart_changed' ? safeParse(writtenEntry, entry) : null;
  return parsed?.success === true ? parsed.data : null;
}

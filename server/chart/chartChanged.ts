import type { WrittenEntry } from '../../lib/chart/schema';
import { HttpError } from '../http/httpError';

/**
 * Returns 409 `chart_changed` with what another user made of an entry: its last correction, else the entry itself,
 * which may have ended or be marked as entered in error. `entries` are those of its section.
 */
export function chartChanged(entries: readonly WrittenEntry[], entry: WrittenEntry): HttpError {
  const now = lastCorrectionOf(entries, entry);
  const by = now.mark?.by ?? now.author;
  return new HttpError(409, 'chart_changed', `${by?.name ?? 'Another user'} has changed this in the meantime.`, {
    id: now.id,
    entry: now,
  });
}

/** Goes behind a correction that was entered in error: its own correction holds (`statusesOf`). */
function lastCorrectionOf(entries: readonly WrittenEntry[], entry: WrittenEntry): WrittenEntry {
  return (
    entries
      .filter(({ replaces }) => replaces === entry.id)
      .map((next) => lastCorrectionOf(entries, next))
      .find(({ status }) => status !== 'entered_in_error') ?? entry
  );
}

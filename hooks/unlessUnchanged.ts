import { clientFailure } from '../lib/browser/client';
import type { Fresh } from './useAnswer';

/**
 * Takes a poll's answer and what is held, and returns what is known after it: the same object where the answer says
 * that nothing has changed. Throws `ApiFailure` where it says so of something else than what is held.
 */
export function unlessUnchanged<Page extends { version: string }>(
  { data, serverTime }: { data: Page | { unchanged: true; version: string }; serverTime: number | null },
  held: Page | undefined,
): Fresh<Page> {
  if (!('unchanged' in data)) {
    return { value: data, asOf: serverTime };
  }
  if (held === undefined || data.version !== held.version) {
    throw clientFailure('unreadable_response');
  }
  return { value: held, asOf: serverTime };
}

import { clientFailure } from '../lib/browser/client';
import type { Fresh } from './useReadState';

/**
 * Returns the data after a poll: the held object if the response says that it has not changed. Throws `ApiFailure` if
 * the response says so of another version than the held one.
 */
export function unlessUnchanged<Page extends { version: string }>(
  { data, serverTime }: Fresh<Page | { unchanged: true; version: string }>,
  held: Page | undefined,
): Fresh<Page> {
  if (!('unchanged' in data)) {
    return { data, serverTime };
  }
  if (held === undefined || data.version !== held.version) {
    throw clientFailure('unreadable_response');
  }
  return { data: held, serverTime };
}

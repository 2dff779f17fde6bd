import type { ApiFailure } from '../../lib/browser/client';

/**
 * Returns the words for an action that failed: "Not saved. …". If the server may have carried it out, they say that
 * this is not known. `done` is the participle.
 */
export function notDone(done: string, { isOutcomeUnknown, message }: ApiFailure): string {
  return isOutcomeUnknown
    ? `It is not known whether this was ${done}. ${message} Check before you try again.`
    : `Not ${done}. ${message}`;
}

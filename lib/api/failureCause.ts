/** Why a call brought nothing, as far as the user can do something about it. */
export type FailureCause = 'unreachable' | 'refused' | 'failed' | 'unreadable';

/** What is said of each on the screen. */
export const causeTitles: Readonly<Record<FailureCause, string>> = {
  unreachable: 'The server cannot be reached',
  refused: 'The server refused access',
  failed: 'The server reported an error',
  unreadable: 'The server’s answer could not be read',
};

/** Returns the cause of a failed call from its code and HTTP status; `status` is null if no answer came. */
export function causeOf({ code, status }: { code: string; status: number | null }): FailureCause {
  if (status !== null && status >= 500) {
    return 'failed';
  }
  if (code === 'unreadable_answer') {
    return 'unreadable';
  }
  return status === null ? 'unreachable' : 'refused';
}

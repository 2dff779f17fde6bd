/** Why a call failed, as far as the user can do something about it. */
export type FailureCause = 'unreachable' | 'refused' | 'throttled' | 'failed' | 'unreadable';

/** The text for each cause on the screen. */
export const causeTitles: Readonly<Record<FailureCause, string>> = {
  unreachable: 'The server cannot be reached',
  refused: 'The server refused access',
  throttled: 'Too many requests',
  failed: 'The server reported an error',
  unreadable: 'The server’s response could not be read',
};

/**
 * Returns whether the server says that there is no such thing for this user: it is gone, or no longer within their
 * reach. What was read of it before must go then.
 */
export function isGone({ code, status }: { code: string; status: number | null }): boolean {
  return (status === 404 && code === 'not_found') || (status === 403 && code === 'forbidden');
}

/** Returns the cause of a failed call from its code and HTTP status; `status` is null if no response came. */
export function causeOf({ code, status }: { code: string; status: number | null }): FailureCause {
  if (status !== null && status >= 500) {
    return 'failed';
  }
  if (status === 429) {
    return 'throttled';
  }
  if (code === 'unreadable_response') {
    return 'unreadable';
  }
  return status === null ? 'unreachable' : 'refused';
}

import { createContext, useContext } from 'react';
import type { ApiFailure } from '../lib/api/client';
import type { User } from '../lib/session/schema';
import type { UserInfo } from '../lib/session/userInfoSchema';

/** How it stands with the session, for the screen that takes a page's place when there is no user. */
export type SessionStatus =
  | 'signedIn'
  | 'signedOut'
  /** The session waits for its user's password. Nothing of a patient is on the page. */
  | 'locked'
  /**
   * The server could not say who is signed in. It is asked again every 5 s, and the user is back without a password.
   */
  | 'unreachable'
  /** Signed out without the server: this browser holds nothing any more, and the server's session ends by itself. */
  | 'signedOutHere';

export interface CurrentUser {
  /** Null unless `status` is `signedIn`. */
  user: UserInfo | null;
  status: SessionStatus;
  /** Whose session is locked; null while it is not. */
  lockedUser: User | null;
  /** Locks the screen at once, and the session with it. */
  lock: () => Promise<void>;
  /** Opens a locked session. Returns why the server refused, or null. */
  unlock: (password: string) => Promise<ApiFailure | null>;
  /** Asks the server anew who is signed in: after signing in, a change of the profile, the end of the walkthrough. */
  refresh: () => Promise<void>;
  /** Changes fields of the record that the browser holds; throws at a key that a user does not have. */
  updateUserInfo: (patch: Partial<UserInfo>) => void;
  /** Signs out and leaves for the sign-in page. Returns why the server refused, or null. */
  signOut: () => Promise<ApiFailure | null>;
}

export const CurrentUserContext = createContext<CurrentUser | null>(null);

/** The signed-in user and what can be done with the session. */
export function useCurrentUser(): CurrentUser {
  const current = useContext(CurrentUserContext);
  if (current === null) {
    throw new Error('useCurrentUser must be used within a CurrentUserProvider');
  }
  return current;
}

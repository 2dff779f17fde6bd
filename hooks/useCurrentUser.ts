import { createContext, useContext } from 'react';
import { useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/browser/client';
import type { User } from '../lib/session/schema';
import type { UserInfo } from '../lib/session/userInfoSchema';
import { selectLockedUser, selectShownUser, selectStatus, type SessionStatus } from '../store/session/selectors';

/** The actions of a user on their session. */
export interface SessionActions {
  /** Locks the screen at once, and the session with it. */
  lock: () => Promise<void>;
  /** Unlocks the session. Returns why the server refused, or null. */
  unlock: (password: string) => Promise<ApiFailure | null>;
  /**
   * Reads the signed-in user again: after a change of the profile, at the end of the walkthrough. `keepsUser`: the page
   * stays although the server does not answer.
   */
  refresh: (options?: { keepsUser: boolean }) => Promise<void>;
  /** Changes fields of the user. Throws if a key is not one of a user. */
  updateUserInfo: (patch: Partial<UserInfo>) => void;
  /** Hides the page at once, signs out and leaves for the sign-in page. Returns why the server refused, or null. */
  signOut: () => Promise<ApiFailure | null>;
  /** Shows the page again after a refused sign-out. */
  giveUpSignOut: () => Promise<void>;
}

export interface CurrentUser extends SessionActions {
  /** Null unless `status` is `signedIn`. */
  user: UserInfo | null;
  status: SessionStatus;
  /** The user of a locked session; null if it is not locked. */
  lockedUser: User | null;
}

export const SessionActionsContext = createContext<SessionActions | null>(null);

/** Returns the signed-in user of the store and the actions on the session. */
export function useCurrentUser(): CurrentUser {
  const actions = useContext(SessionActionsContext);
  if (actions === null) {
    throw new Error('useCurrentUser must be used within a CurrentUserProvider');
  }
  return {
    ...actions,
    user: useSelector(selectShownUser),
    status: useSelector(selectStatus),
    lockedUser: useSelector(selectLockedUser),
  };
}

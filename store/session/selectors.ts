import type { FailureCause } from '../../lib/api/failureCause';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import type { AuthenticationState } from '../authentication/reducer';
import { selectUser } from '../authentication/selectors';
import type { SessionState } from './reducer';

interface State {
  authentication: AuthenticationState;
  session: SessionState;
}

/** The status of the session, for the screen that replaces a page without a user. */
export type SessionStatus =
  | 'signedIn'
  | 'signedOut'
  /** The session waits for its user's password. The page contains nothing of a patient. */
  | 'locked'
  /** The server could not tell who is signed in. It is asked every 5 s, and the user returns without a password. */
  | 'unreachable'
  /** The user signs out, or the server refused that. The page contains nothing of a patient. */
  | 'signingOut'
  /** Signed out without the server: this browser has no record any more, and the server's session expires by itself. */
  | 'signedOutHere';

export function selectPageUserId({ session }: Pick<State, 'session'>): number | null {
  return session.pageUserId;
}

export function selectIsLocked({ session }: Pick<State, 'session'>): boolean {
  return session.phase === 'locked';
}

export function selectStatus(state: State): SessionStatus {
  switch (state.session.phase) {
    case 'open':
      return selectUser(state) === null ? 'signedOut' : 'signedIn';
    case 'endedHere':
      return 'signedOutHere';
    case 'locked':
    case 'unreachable':
    case 'signingOut':
      return state.session.phase;
  }
}

/** Returns why the server could not tell who is signed in, while the status is `unreachable`. */
export function selectLostBecause({ session }: Pick<State, 'session'>): FailureCause {
  return session.lostBecause;
}

/** Returns why the server refused the sign-out; null before it has responded. For the status `signingOut`. */
export function selectSignOutRefusal({ session }: Pick<State, 'session'>): string | null {
  return session.signOutRefusal;
}

/** Returns the user whose pages may be shown; null unless the status is `signedIn`. */
export function selectShownUser(state: State): UserInfo | null {
  return state.session.phase === 'open' ? selectUser(state) : null;
}

/** Returns the user whose session is locked; null while it is not. */
export function selectLockedUser(state: State): UserInfo | null {
  return selectIsLocked(state) ? selectUser(state) : null;
}

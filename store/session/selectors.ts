import type { FailureCause } from '../../lib/api/failureCause';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import type { AuthenticationState } from '../authentication/reducer';
import { selectUser } from '../authentication/selectors';
import type { SessionState } from './reducer';

interface State {
  authentication: AuthenticationState;
  session: SessionState;
}

/** What is known of the session, for the screen that takes a page's place when there is no user. */
export type SessionStatus =
  | 'signedIn'
  | 'signedOut'
  /** The session waits for its user's password. Nothing of a patient is on the page. */
  | 'locked'
  /** The server could not say who is signed in. It is asked every 5 s, and the user is back without a password. */
  | 'unreachable'
  /** Signed out without the server: this browser holds nothing any more, and the server's session ends by itself. */
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
      return state.session.phase;
  }
}

/** Why the server could not say who is signed in, while the status is `unreachable`. */
export function selectLostBecause({ session }: Pick<State, 'session'>): FailureCause {
  return session.lostBecause;
}

/** The user whose pages may be shown; null unless the status is `signedIn`. */
export function selectShownUser(state: State): UserInfo | null {
  return state.session.phase === 'open' ? selectUser(state) : null;
}

/** The user whose session is locked; null while it is not. */
export function selectLockedUser(state: State): UserInfo | null {
  return selectIsLocked(state) ? selectUser(state) : null;
}

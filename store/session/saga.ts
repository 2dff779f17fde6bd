import Cookies from 'js-cookie';
import Router from 'next/router';
import type { SagaIterator } from 'redux-saga';
import { put, takeLatest, type StrictEffect, select, type SelectEffect } from 'redux-saga/effects';
import { causeOf } from '../../lib/api/failureCause';
import { ApiFailure, ask, asFailure, call } from '../../lib/browser/client';
import { logError } from '../../lib/log';
import { ownPath, paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { serverNow } from '../../lib/browser/serverClock';
import { sessionEndedAt } from '../../lib/browser/sessionEnd';
import { formatTime } from '../../lib/time/formatTime';
import * as record from '../../lib/browser/userInfo';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import { removeUserInfo, setUserInfo } from '../authentication/actions';
import { logOut } from '../authentication/saga';
import { selectUser } from '../authentication/selectors';
import { perform } from '../perform';
import type { RootState } from '../reducers';
import { safely } from '../safely';
import * as actions from './actions';
import { selectIsLocked, selectPageUserId } from './selectors';

type Saga<Result> = Generator<StrictEffect, Result, never>;

/** The longest wait for a server that hangs. */
const responseLimitMs = 8_000;
const readAgainAfterMs = 5_000;

/** The cookie says only that a session exists; without it the page treats the user as signed out. */
export const hasSession = (): boolean => Cookies.get('token') !== undefined;

/** Returns the user of this browser's session; asks again if a new password replaced the session meanwhile. */
async function fetchCurrentUser(): Promise<UserInfo> {
  const token = Cookies.get('token');
  try {
    return (await ask('getCurrentUser', { signal: AbortSignal.timeout(responseLimitMs) })).data;
  } catch (problem) {
    if (hasSession() && Cookies.get('token') !== token) {
      return fetchCurrentUser();
    }
    throw problem;
  }
}

/** Reads the user's record in the browser. If the code that parses it could not be loaded, tries again. */
async function readStoredUser(userId: number): Promise<UserInfo | null> {
  for (;;) {
    try {
      return await record.readUserInfo(userId);
    } catch {
      await new Promise((settle) => setTimeout(settle, readAgainAfterMs));
    }
  }
}

/** Leaves the page. If Next cannot load the next one it loads its address, which ends this page as well. */
async function leaveFor(address: string): Promise<void> {
  await Router.replace(address).catch(() => false);
}

/** Reads the page again: its data are as old as the lock. The lock screen's own page leads to the wanted address. */
async function readPageAgain(): Promise<void> {
  const address = Router.pathname === paths.locked ? (ownPath(Router.query.next) ?? paths.dashboard) : Router.asPath;
  await Router.replace(address, undefined, { scroll: false }).catch(() => false);
}

/** Reads the state from a saga and keeps the type of what is read: `const user = yield* pick(selectUser)`. */
function* pick<Result>(selector: (state: RootState) => Result): Generator<SelectEffect, Result, Result> {
  return yield select(selector);
}

/**
 * Handles the user in the props of a page. The props are newer than the browser's record; if there is no record, the
 * server is asked who is signed in.
 */
export function* openPage({ payload: { user, isLocked } }: ReturnType<typeof actions.pageOpened>): Saga<void> {
  const inStore = yield* pick(selectUser);
  const isKnown = inStore?.id === user?.id;
  if (isLocked || ((yield* pick(selectIsLocked)) && isKnown)) {
    return;
  }
  if (user === null) {
    if (hasSession()) {
      yield* refreshUser();
    } else {
      yield put(removeUserInfo());
    }
    return;
  }
  if (!hasSession()) {
    yield* endSession();
    return;
  }
  // Read before this page's user overwrites it.
  const reading = readStoredUser(user.id);
  if (!isKnown) {
    yield put(setUserInfo(user));
  }
  const stored = yield* perform(() => reading);
  if (stored === null) {
    yield* refreshUser();
  } else {
    yield put(setUserInfo({ ...stored, ...user }));
  }
}

/**
 * Calls getCurrentUser. A failure is logged, the stored user info removed and the user treated as signed out (product
 * spec, section 8): after a 401 for good, after any other until the server responds again. `keepsUser`: after any other
 * the page stays, for a caller that needs no newer user.
 */
export function* refreshUser(keepsUser = false): Saga<void> {
  try {
    const user = yield* perform(fetchCurrentUser);
    if (!hasSession() || (yield* pick(selectIsLocked))) {
      return;
    }
    const pageUserId = yield* pick(selectPageUserId);
    if (pageUserId === null || pageUserId === user.id) {
      yield put(setUserInfo(user));
    } else {
      // Another user has signed in in another tab: this page's data were read for the last user.
      yield put(removeUserInfo());
      yield* perform(() => leaveFor(Router.asPath));
    }
  } catch (problem) {
    const failure = asFailure(problem);
    logError('Failed to fetch the current user', failure.forLog());
    const staysHere = keepsUser && failure.status !== 401;
    if (hasSession() && !staysHere && !(yield* pick(selectIsLocked))) {
      yield put(removeUserInfo());
      // On a public page a locked session has no user until the password is typed, which that page does not ask for.
      if (failure.code !== 'session_locked') {
        yield put(actions.sessionLost(causeOf(failure)));
      }
    }
  }
}

/**
 * Removes the user whose session is over. A page that was rendered for one leads to sign-in, and returns afterwards;
 * after a session that ended by time sign-in says so. After a wall it says since when no patient is shown, however the
 * session ended: no one was there to be warned.
 */
export function* endSession(): Saga<void> {
  const pageUserId = yield* pick(selectPageUserId);
  const timeZone = (yield* pick(selectUser))?.site.timeZone;
  Cookies.remove('token');
  yield put(removeUserInfo());
  yield put(actions.sessionEnded());
  if (pageUserId !== null) {
    const endedAt = Router.pathname === paths.wall ? siteTimeNow(timeZone) : sessionEndedAt();
    yield* perform(() =>
      leaveFor(endedAt === null ? paths.signInAndReturn(Router.asPath) : paths.signInAfterEnd(Router.asPath, endedAt)),
    );
  }
}

/** Returns the time of a site, "14:05"; null if the zone or the server's time is not known. */
function siteTimeNow(timeZone: string | undefined): string | null {
  const now = serverNow();
  return timeZone === undefined || now === null ? null : formatTime(now, timeZone);
}

/**
 * Hides the page at once, signs out and leads to sign-in. Returns the failure, or null. After a refusal the user is
 * still signed in, and the page stays hidden until they sign out or go back (`giveUpSignOut`).
 */
export function* signOut(): Saga<ApiFailure | null> {
  yield put(actions.signOutStarted());
  const end = yield* logOut();
  if (end instanceof ApiFailure) {
    yield put(actions.signOutRefused(end.message));
    return end;
  }
  Cookies.remove('token');
  if (end === 'here') {
    yield put(actions.sessionEndedHere());
  } else {
    yield put(actions.sessionEnded());
    yield* perform(leaveFor, paths.signIn);
  }
  return null;
}

/** Shows the page again after a refused sign-out, once it has been read again. */
export function* giveUpSignOut(): Saga<void> {
  yield* perform(readPageAgain);
  yield put(actions.signOutGivenUp());
}

/** Calls the server to lock the session. */
async function sendLock(): Promise<void> {
  await call('lock', {});
}

/** Hides the page at once and locks the session. */
export function* lockSession(): Saga<void> {
  yield put(actions.sessionLocked());
  try {
    yield* perform(sendLock);
  } catch (problem) {
    // The page is hidden all the same, and the server locks the session by itself.
    logError('Failed to lock the session', asFailure(problem).forLog());
  }
}

/** Calls the server to unlock the session. */
async function sendPassword(password: string): Promise<User> {
  return await call('unlock', { body: { password } });
}

/** Unlocks a session and reads the page again. Returns the failure, or null. */
export function* unlockSession(password: string): Saga<ApiFailure | null> {
  try {
    const user = yield* perform(sendPassword, password);
    yield* perform(readPageAgain);
    yield put(actions.sessionUnlocked());
    yield put(setUserInfo(user));
    return null;
  } catch (problem) {
    return asFailure(problem);
  }
}

/** Shows a locked page again if its session was unlocked in another tab. */
export function* followUnlocked(): Saga<void> {
  yield* perform(readPageAgain);
  yield put(actions.sessionUnlocked());
  yield* refreshUser();
}

export function* watchSession(): SagaIterator<void> {
  yield takeLatest(actions.pageOpened, safely(openPage));
}

import type { SagaIterator } from 'redux-saga';
import { put, takeEvery, type StrictEffect } from 'redux-saga/effects';
import { ApiFailure, call, clientFailure } from '../../lib/browser/client';
import type { SignInBody, User } from '../../lib/session/schema';
import * as record from '../../lib/browser/userInfo';
import { perform } from '../perform';
import { safely } from '../safely';
import * as actions from './actions';

type Saga<Result> = Generator<StrictEffect, Result, never>;

/** Asks the server to sign somebody in. */
async function signIn(body: SignInBody): Promise<User> {
  return await call('signIn', { body });
}

/**
 * Makes the account that an invitation is for, or the installation's first user with the code that the server printed.
 */
async function makeAccount(signUp: actions.SignUp): Promise<User> {
  switch (signUp.by) {
    case 'invitation':
      return await call('signUp', { body: signUp.body });
    case 'setup':
      return await call('setup', { body: signUp.body });
  }
}

/** Asks for what changes nobody's session here. */
async function makeRequest(request: actions.AccountRequest): Promise<void> {
  switch (request.for) {
    case 'account':
      await call('register', { body: request.body });
      return;
    case 'resetMail':
      await call('requestReset', { body: request.body });
      return;
    case 'newPassword':
      await call('confirmReset', { body: request.body });
  }
}

/** Nobody at a shared computer waits longer than this for a server that hangs. */
const signOutLimitMs = 8_000;

/** Asks the server to end the session. */
async function signOut(): Promise<void> {
  await call('signOut', { signal: AbortSignal.timeout(signOutLimitMs) });
}

/** Signs in. The answer is the user, who is not asked for again. Returns why it failed, or null. */
export function* logIn(body: SignInBody): Saga<ApiFailure | null> {
  yield put(actions.loginStarted());
  try {
    const user = yield* perform(signIn, body);
    yield put(actions.loginSucceeded({ email: user.email }));
    yield put(actions.setUserInfo(user));
    return null;
  } catch (problem) {
    yield put(actions.loginFailed());
    return asFailure(problem);
  }
}

/** Makes an account and signs in with it. Returns why it failed, or null. */
export function* signUp(wanted: actions.SignUp): Saga<ApiFailure | null> {
  yield put(actions.signupStarted());
  try {
    const user = yield* perform(makeAccount, wanted);
    yield put(actions.signupSucceeded());
    yield put(actions.setUserInfo(user));
    return null;
  } catch (problem) {
    yield put(actions.signupFailed());
    return asFailure(problem);
  }
}

/**
 * Ends the session. A server that refuses leaves the user signed in; one that is out of reach or broken must not keep
 * anybody at a shared computer from signing out; one that no longer knows the session has nothing left to end.
 */
export function* logOut(): Saga<actions.SignOutEnd> {
  let end: actions.SignOutEnd = 'server';
  yield put(actions.logoutStarted());
  try {
    yield* perform(signOut);
  } catch (problem) {
    const failure = asFailure(problem);
    if (failure.status === null || failure.status >= 500) {
      end = 'here';
    } else if (failure.status !== 401) {
      end = failure;
    }
  }
  if (end instanceof ApiFailure) {
    yield put(actions.logoutFailed());
  } else {
    yield put(actions.logoutSucceeded());
    yield put(actions.removeUserInfo());
  }
  return end;
}

/** Sends a request that signs no one in or out. Returns why it was refused, or null. */
export function* register(request: actions.AccountRequest): Saga<ApiFailure | null> {
  yield put(actions.registerStarted());
  try {
    yield* perform(makeRequest, request);
    yield put(actions.registerSucceeded());
    return null;
  } catch (problem) {
    yield put(actions.registerFailed());
    return asFailure(problem);
  }
}

/** The one place that writes the record: a page that loads finds there whom it need not ask for. */
export function* keepUserInfo({ payload }: ReturnType<typeof actions.setUserInfo>): Saga<void> {
  yield* perform(record.writeUserInfo, payload);
}

export function* forgetUserInfo(): Saga<void> {
  yield* perform(record.removeUserInfo);
}

export function* watchAuthentication(): SagaIterator<void> {
  yield takeEvery(actions.setUserInfo, safely(keepUserInfo));
  yield takeEvery(actions.removeUserInfo, safely(forgetUserInfo));
}

/** Returns what a form or a log is told of whatever was thrown. */
export function asFailure(problem: unknown): ApiFailure {
  return problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer');
}

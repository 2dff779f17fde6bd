import type { SagaIterator } from 'redux-saga';
import { put, takeEvery, type StrictEffect } from 'redux-saga/effects';
import { ApiFailure, asFailure, call } from '../../lib/browser/client';
import type { SignInBody, User } from '../../lib/session/schema';
import { forgetTourLater } from '../../lib/browser/tourRecord';
import * as record from '../../lib/browser/userInfo';
import { perform } from '../perform';
import { safely } from '../safely';
import * as actions from './actions';

type Saga<Result> = Generator<StrictEffect, Result, never>;

/** Calls the server to sign a user in. */
async function signIn(body: SignInBody): Promise<User> {
  return await call('signIn', { body });
}

/** Creates the account of an invitation, or the installation's first user with the code that the server printed. */
async function makeAccount(signUp: actions.SignUp): Promise<User> {
  switch (signUp.by) {
    case 'invitation':
      return await call('signUp', { body: signUp.body });
    case 'setup':
      return await call('setup', { body: signUp.body });
  }
}

/** Calls the server for a request that changes no session. */
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

/** The longest wait of a user at a shared computer for a server that hangs. */
const signOutLimitMs = 8_000;

/** Calls the server to end the session. */
async function signOut(): Promise<void> {
  await call('signOut', { signal: AbortSignal.timeout(signOutLimitMs) });
}

/** Signs in. The response contains the user, so no second call reads it. Returns the failure, or null. */
export function* logIn(body: SignInBody): Saga<ApiFailure | null> {
  yield put(actions.loginStarted());
  try {
    const user = yield* perform(signIn, body);
    forgetTourLater();
    yield put(actions.loginSucceeded({ email: user.email }));
    yield put(actions.setUserInfo(user));
    return null;
  } catch (problem) {
    yield put(actions.loginFailed());
    return asFailure(problem);
  }
}

/** Creates an account and signs in with it. Returns the failure, or null. */
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
 * Ends the session. If the server refuses, the user stays signed in. If it cannot be reached or is broken, the user is
 * signed out here: that must not keep anyone at a shared computer from signing out. If it no longer knows the session,
 * there is nothing to end.
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

/** Sends a request that signs no one in or out. Returns the failure, or null. */
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

/**
 * Writes the record, and is the only place that does: a page that loads finds the user there and need not ask for it.
 */
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

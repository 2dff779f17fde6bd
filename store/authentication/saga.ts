import type { SagaIterator } from 'redux-saga';
import { call as run, put, takeEvery, type CallEffect, type PutEffect } from 'redux-saga/effects';
import { ApiFailure, call, clientFailure } from '../../lib/api/client';
import type { SignInBody, User } from '../../lib/session/schema';
import * as record from '../../lib/session/userInfo';
import { safely } from '../safely';
import * as actions from './actions';

/** Asks the server to sign somebody in. */
export async function signIn(body: SignInBody): Promise<User> {
  return await call('signIn', { body });
}

/**
 * Makes the account that an invitation is for, or the installation's first user with the code that the server printed.
 */
export async function makeAccount(signUp: actions.SignUp): Promise<User> {
  switch (signUp.by) {
    case 'invitation':
      return await call('signUp', { body: signUp.body });
    case 'setup':
      return await call('setup', { body: signUp.body });
  }
}

/** Asks for what changes nobody's session here. */
export async function makeRequest(request: actions.AccountRequest): Promise<void> {
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
export async function signOut(): Promise<void> {
  await call('signOut', { signal: AbortSignal.timeout(signOutLimitMs) });
}

export function* logIn({
  payload,
  meta,
}: ReturnType<typeof actions.loginStarted>): Generator<CallEffect | PutEffect, void, User> {
  let failure: ApiFailure | null = null;
  try {
    const user = yield run(signIn, payload);
    yield put(actions.loginSucceeded({ email: user.email }));
    yield put(actions.setUserInfo(user));
  } catch (problem) {
    failure = asFailure(problem);
    yield put(actions.loginFailed());
  }
  yield run(meta.settle, failure);
}

export function* signUp({
  payload,
  meta,
}: ReturnType<typeof actions.signupStarted>): Generator<CallEffect | PutEffect, void, User> {
  let failure: ApiFailure | null = null;
  try {
    const user = yield run(makeAccount, payload);
    yield put(actions.signupSucceeded());
    yield put(actions.setUserInfo(user));
  } catch (problem) {
    failure = asFailure(problem);
    yield put(actions.signupFailed());
  }
  yield run(meta.settle, failure);
}

/**
 * Ends the session. A server that refuses leaves the user signed in; one that is out of reach or broken must not keep
 * anybody at a shared computer from signing out; one that no longer knows the session has nothing left to end.
 */
export function* logOut({ meta }: ReturnType<typeof actions.logoutStarted>): SagaIterator<void> {
  let end: actions.SignOutEnd = 'server';
  try {
    yield run(signOut);
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
  yield run(meta.settle, end);
}

export function* register({ payload, meta }: ReturnType<typeof actions.registerStarted>): SagaIterator<void> {
  let failure: ApiFailure | null = null;
  try {
    yield run(makeRequest, payload);
    yield put(actions.registerSucceeded());
  } catch (problem) {
    failure = asFailure(problem);
    yield put(actions.registerFailed());
  }
  yield run(meta.settle, failure);
}

export function* keepUserInfo({ payload }: ReturnType<typeof actions.setUserInfo>): SagaIterator<void> {
  yield run(record.writeUserInfo, payload);
}

export function* forgetUserInfo(): SagaIterator<void> {
  yield run(record.removeUserInfo);
}

export function* watchAuthentication(): SagaIterator<void> {
  yield takeEvery(actions.loginStarted, safely(logIn));
  yield takeEvery(actions.signupStarted, safely(signUp));
  yield takeEvery(actions.logoutStarted, safely(logOut));
  yield takeEvery(actions.registerStarted, safely(register));
  yield takeEvery(actions.setUserInfo, safely(keepUserInfo));
  yield takeEvery(actions.removeUserInfo, safely(forgetUserInfo));
}

function asFailure(problem: unknown): ApiFailure {
  return problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer');
}

/** @jest-environment jsdom */

import Cookies from 'js-cookie';
import Router from 'next/router';
import type { UnknownAction } from 'redux';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { startServerClock } from '../../lib/browser/serverClock';
import { userInfoKey } from '../../lib/browser/userInfo';
import type { User } from '../../lib/session/schema';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import { expectConsole } from '../../test/expectConsole';
import { inventedUser } from '../../test/inventedWard';
import * as types from '../actionTypes';
import * as actions from '../authentication/actions';
import { setUserInfo } from '../authentication/actions';
import { authenticationReducer, type AuthenticationState } from '../authentication/reducer';
import { logIn, logOut, register, signUp } from '../authentication/saga';
import { selectUser } from '../authentication/selectors';
import { type AppStore, makeStore } from '../index';
import * as session from './actions';
import { pageOpened, sessionLocked } from './actions';
import { endSession, followUnlocked, giveUpSignOut, lockSession, refreshUser, signOut, unlockSession } from './saga';
import { selectPageUserId, selectShownUser, selectSignOutRefusal, selectStatus } from './selectors';

const mockAsk = jest.fn<Promise<unknown>, [name: string]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../../lib/browser/client', () => ({
  ...jest.requireActual<object>('../../lib/browser/client'),
  ask: (name: string) => mockAsk(name),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));
jest.mock('next/router', () => ({
  __esModule: true,
  default: { replace: jest.fn(), asPath: '/patients?page=2', pathname: '/patients', query: {} },
}));

describe('session saga', () => {
  const go = jest.mocked(Router.replace);
  const ada: User = inventedUser({ id: 7, fname: 'Ada' });
  const bea: User = inventedUser({ id: 8, fname: 'Bea' });
  const signedOut = new ApiFailure('signed_out', 'Sign in first.', { status: 401 });

  /** Everything that an event may change. */
  interface End {
    status: ReturnType<typeof selectStatus>;
    user: User | null;
    pageUserId: number | null;
    record: User | null;
    token: string | undefined;
    /** The redirects of the page. */
    left: string[];
  }
  const home = '/sign_in?next=%2Fpatients%3Fpage%3D2';

  let store: AppStore;

  beforeEach(() => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    Cookies.set('token', 'one');
    go.mockReset().mockResolvedValue(true);
    mockAsk.mockReset().mockResolvedValue({ data: ada, serverTime: 1 });
    mockCall.mockReset().mockResolvedValue(ada);
    open(ada);
  });
  afterEach(() => {
    store.watchers?.cancel();
    Router.pathname = '/patients';
    Router.query = {};
  });

  function open(user: User | null, isLocked = false): void {
    store = makeStore(undefined, { user, isLocked });
  }

  function end(): End {
    const state = store.getState();
    return {
      status: selectStatus(state),
      user: selectUser(state),
      pageUserId: selectPageUserId(state),
      record: JSON.parse(localStorage.getItem(userInfoKey) ?? 'null') as User | null,
      token: Cookies.get('token'),
      left: go.mock.calls.map(([address]) => address as string),
    };
  }

  const asItWas: End = { status: 'signedIn', user: ada, pageUserId: 7, record: ada, token: 'one', left: [] };
  const over: End = { status: 'signedOut', user: null, pageUserId: null, record: null, token: undefined, left: [] };

  /** Opens a page as the provider does, and waits until it is handled. */
  async function arrive(user: User | null, isLocked = false): Promise<void> {
    store.dispatch(pageOpened({ user, isLocked }));
    await new Promise((settle) => setTimeout(settle));
    await new Promise((settle) => setTimeout(settle));
  }

  describe('a page that is opened', () => {
    it('with a user whose record the browser has makes no call', async () => {
      await arrive(ada);
      expect(end()).toEqual(asItWas);
      expect(mockAsk).not.toHaveBeenCalled();
    });

    it('with a user whose record the browser lacks calls getCurrentUser once', async () => {
      localStorage.clear();
      await arrive(ada);
      expect(end()).toEqual(asItWas);
      expect(mockAsk.mock.calls).toEqual([['getCurrentUser']]);
    });

    it('in a store that was created on a page without props takes the user and makes no call', async () => {
      store = makeStore();
      await arrive(ada);
      expect(end()).toEqual(asItWas);
      expect(mockAsk).not.toHaveBeenCalled();
    });

    it('with a user although the cookie is gone leads to sign-in', async () => {
      Cookies.remove('token');
      await arrive(ada);
      expect(end()).toEqual({ ...over, left: [home] });
    });

    it('that is public, without a cookie, removes the last user', async () => {
      Cookies.remove('token');
      await arrive(null);
      expect(end()).toEqual(over);
      expect(mockAsk).not.toHaveBeenCalled();
    });

    it('of the lock screen shows nothing and makes no call', async () => {
      await arrive(ada, true);
      expect(end()).toEqual({ ...asItWas, status: 'locked' });
      expect(mockAsk).not.toHaveBeenCalled();
    });
  });

  describe('a call of getCurrentUser', () => {
    it('with a 401 changes nothing else, because the client ends the session', async () => {
      const lines = expectConsole('error');
      mockAsk.mockImplementation(async () => {
        await store.run(endSession);
        throw signedOut;
      });
      await store.run(refreshUser);
      expect(end()).toEqual({ ...over, left: [home] });
      expect(lines).toEqual([['Failed to fetch the current user', { code: 'signed_out', status: 401 }]]);
    });

    it('that fails removes the stored user info and treats the user as signed out, with the cookie left', async () => {
      expectConsole('error');
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await store.run(refreshUser);
      expect(end()).toEqual({ ...asItWas, status: 'unreachable', user: null, record: null });
      mockAsk.mockResolvedValue({ data: ada, serverTime: 1 });
      await store.run(refreshUser);
      expect(end()).toEqual(asItWas);
    });

    it('that fails leaves the page to a caller that needs no newer user, unless the session is over', async () => {
      const lines = expectConsole('error');
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await store.run(refreshUser, true);
      expect(end()).toEqual(asItWas);
      expect(lines).toHaveLength(1);
      mockAsk.mockRejectedValue(signedOut);
      await store.run(refreshUser, true);
      expect(end()).toMatchObject({ user: null, record: null });
    });

    it('that finds a locked session on a public page is not repeated', async () => {
      expectConsole('error');
      open(null);
      mockAsk.mockRejectedValue(new ApiFailure('session_locked', 'Locked.', { status: 423 }));
      await store.run(refreshUser);
      expect(end()).toEqual({ ...over, token: 'one' });
    });

    it('that finds another user shows nothing and reads the page again', async () => {
      mockAsk.mockResolvedValue({ data: bea, serverTime: 1 });
      await store.run(refreshUser);
      expect(end()).toEqual({ ...asItWas, status: 'signedOut', user: null, record: null, left: ['/patients?page=2'] });
    });

    it('with a response after the page was locked shows nothing', async () => {
      let respond: (reply: unknown) => void = () => {};
      mockAsk.mockImplementation(() => new Promise((settle) => (respond = settle)));
      const asking = store.run(refreshUser);
      store.dispatch(sessionLocked());
      respond({ data: { ...ada, fname: 'Late' }, serverTime: 1 });
      await asking;
      expect(end()).toEqual({ ...asItWas, status: 'locked' });
    });
  });

  describe('the end of a session', () => {
    it('removes the user and leads back to the same address', async () => {
      await store.run(endSession);
      expect(end()).toEqual({ ...over, left: [home] });
    });

    it('on a wall says since when it shows no patient, by the time of the site', async () => {
      Router.pathname = '/wall';
      startServerClock(Date.parse('2026-03-07T23:05:30Z'));
      open(inventedUser({ site: { ...ada.site, timeZone: 'Asia/Tokyo' } }));
      await store.run(endSession);
      expect(end().left).toEqual([`${home}&ended=08%3A05`]);
    });

    it('leaves the page once, however many 401s arrive', async () => {
      await Promise.all([store.run(endSession), store.run(endSession)]);
      expect(end()).toEqual({ ...over, left: [home] });
    });

    it('removes the user from a public page, which stays', async () => {
      open(null);
      await store.run(endSession);
      expect(end()).toEqual(over);
    });
  });

  describe('signing out', () => {
    const refusal = new ApiFailure('xsrf', 'No.', { status: 403 });

    it('hides the page before the server answers, also from a response that arrives late', async () => {
      let respond: (response: null) => void = () => {};
      mockCall.mockImplementation(() => new Promise((settle) => (respond = settle)));
      const signingOut = store.run(signOut);
      expect(selectStatus(store.getState())).toBe('signingOut');
      await store.run(refreshUser);
      expect(selectShownUser(store.getState())).toBeNull();
      expectConsole('error');
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await store.run(refreshUser);
      expect(selectStatus(store.getState())).toBe('signingOut');
      respond(null);
      await signingOut;
      expect(end()).toEqual({ ...over, left: ['/sign_in'] });
    });

    it('keeps the user when the server refuses, and hides the page until they go back to it', async () => {
      mockCall.mockRejectedValue(refusal);
      await expect(store.run(signOut)).resolves.toBe(refusal);
      expect(end()).toEqual({ ...asItWas, status: 'signingOut' });
      expect(selectSignOutRefusal(store.getState())).toBe('No.');
      await store.run(giveUpSignOut);
      expect(end()).toEqual({ ...asItWas, left: ['/patients?page=2'] });
    });

    it('can be tried again after a refusal', async () => {
      mockCall.mockRejectedValueOnce(refusal);
      await store.run(signOut);
      const again = store.run(signOut);
      expect(selectSignOutRefusal(store.getState())).toBeNull();
      await again;
      expect(end()).toEqual({ ...over, left: ['/sign_in'] });
    });

    it('leaves a locked page locked, and a page for everyone as it is, when the server refuses', async () => {
      mockCall.mockRejectedValue(refusal);
      store.dispatch(sessionLocked());
      await store.run(signOut);
      expect(end()).toEqual({ ...asItWas, status: 'locked' });
      open(null);
      store.dispatch(setUserInfo(ada));
      await store.run(signOut);
      expect(end()).toEqual({ ...asItWas, pageUserId: null });
    });

    it('shows that the server cannot be reached', async () => {
      mockCall.mockRejectedValue(clientFailure('unreachable'));
      await expect(store.run(signOut)).resolves.toBeNull();
      expect(end()).toEqual({ ...over, status: 'signedOutHere' });
    });

    it('leads to sign-in', async () => {
      await expect(store.run(signOut)).resolves.toBeNull();
      expect(end()).toEqual({ ...over, left: ['/sign_in'] });
    });
  });

  describe('a lock', () => {
    it('hides the page before the response, and also if it never comes', async () => {
      const lines = expectConsole('error');
      mockCall.mockRejectedValue(clientFailure('unreachable'));
      const locking = store.run(lockSession);
      expect(selectStatus(store.getState())).toBe('locked');
      await locking;
      expect(end()).toEqual({ ...asItWas, status: 'locked' });
      expect(lines).toEqual([['Failed to lock the session', { code: 'unreachable' }]]);
    });

    it('does not affect a public page', async () => {
      open(null);
      store.dispatch(sessionLocked());
      expect(selectStatus(store.getState())).toBe('signedOut');
    });

    it('stays after a wrong password', async () => {
      const wrong = new ApiFailure('wrong_password', 'No.', { status: 401 });
      mockCall.mockRejectedValue(wrong);
      store.dispatch(sessionLocked());
      await expect(store.run(unlockSession, 'wrong')).resolves.toBe(wrong);
      expect(end()).toEqual({ ...asItWas, status: 'locked' });
    });

    it('stays until the page has been read again', async () => {
      let read: (isRead: boolean) => void = () => {};
      go.mockImplementation(() => new Promise((settle) => (read = settle)));
      store.dispatch(sessionLocked());
      const unlocking = store.run(unlockSession, 'right');
      await arrive({ ...ada });
      expect(selectStatus(store.getState())).toBe('locked');
      read(true);
      await expect(unlocking).resolves.toBeNull();
      expect(end()).toEqual({ ...asItWas, left: ['/patients?page=2'] });
    });

    it('of the lock screen’s own page leads to the wanted address, and nowhere else', async () => {
      Router.pathname = '/locked';
      for (const [next, wanted] of [
        ['/patient_details?ids=1', '/patient_details?ids=1'],
        ['https://elsewhere.test', '/dashboard'],
        [undefined, '/dashboard'],
      ]) {
        Router.query = { next };
        go.mockClear();
        open(ada, true);
        await store.run(unlockSession, 'right');
        expect(end()).toEqual({ ...asItWas, left: [wanted] });
      }
    });

    it('that ended in another tab ends here too, after a call for the user', async () => {
      store.dispatch(sessionLocked());
      await store.run(followUnlocked);
      expect(end()).toEqual({ ...asItWas, left: ['/patients?page=2'] });
      expect(mockAsk).toHaveBeenCalledTimes(1);
    });
  });
});

describe('authentication saga', () => {
  const user: User = inventedUser({
    id: 7,
    fname: 'Ada',
    lname: 'Example',
    email: 'ada@example.org',
    username: 'ada',
    siteId: 1,
    userImage: null,
    type: 'nurse',
    isAdmin: false,
  });
  const wrongPassword = new ApiFailure('sign_in_failed', 'E-mail or password is wrong.', { status: 401 });
  const noUser = { username: null, name: null, userImage: null, type: null, email: null, isAdmin: false };
  const { username, userImage, type, email, isAdmin, ...account } = user;
  const ada = {
    username,
    name: 'Ada Example',
    userImage,
    type,
    email,
    isAdmin,
  };

  let store: AppStore;

  beforeEach(() => {
    localStorage.clear();
    mockCall.mockReset();
    store = makeStore();
  });

  afterEach(() => {
    store.watchers?.cancel();
  });

  const state = () => store.getState().authentication;

  const signIn = () => store.run(logIn, { email: 'ada@example.org', password: 'correct horse battery' });
  const signOut = () => store.run(logOut);

  describe('signing in', () => {
    it.each([
      ['the server refuses', wrongPassword],
      ['the server is out of reach', clientFailure('unreachable')],
    ])('leaves no one signed in and returns the reason when %s', async (_, failure) => {
      mockCall.mockRejectedValue(failure);
      await expect(signIn()).resolves.toBe(failure);
      expect(state()).toEqual({ isWaiting: false, authenticated: false, email: '', user: noUser });
      expect(localStorage.getItem(userInfoKey)).toBeNull();
    });

    it('goes on listening after an unexpected error', async () => {
      mockCall.mockRejectedValueOnce(new TypeError('x is undefined'));
      await expect(signIn()).resolves.toMatchObject({ code: 'unreadable_response' });
      mockCall.mockResolvedValueOnce(user);
      await expect(signIn()).resolves.toBeNull();
      expect(state().authenticated).toBe(true);
    });

    it('waits, then keeps the user in the store and in the browser', async () => {
      mockCall.mockResolvedValue(user);
      const outcome = signIn();
      expect(state().isWaiting).toBe(true);
      await expect(outcome).resolves.toBeNull();
      expect(mockCall).toHaveBeenCalledWith('signIn', {
        body: { email: 'ada@example.org', password: 'correct horse battery' },
      });
      expect(state()).toEqual({ isWaiting: false, authenticated: true, email: 'ada@example.org', user: ada, account });
      expect(localStorage.getItem(userInfoKey)).toBe(JSON.stringify(user));
    });
  });

  describe('the record in the browser', () => {
    const writes = () => jest.spyOn(Storage.prototype, 'setItem').mockClear();
    afterEach(() => jest.restoreAllMocks());

    it('is written once for a sign-in, and not for the same user again', async () => {
      const write = writes();
      mockCall.mockResolvedValue(user);
      await signIn();
      expect(write).toHaveBeenCalledTimes(1);
      const before = state();
      store.dispatch(actions.setUserInfo({ ...user, site: { ...user.site } }));
      expect(write).toHaveBeenCalledTimes(1);
      expect(state().user).toBe(before.user);
      expect(state().account).toBe(before.account);
    });

    it('is written again when a nested part of it changes, or when it was lost', async () => {
      mockCall.mockResolvedValue(user);
      await signIn();
      const changed = { ...user, site: { ...user.site, idleMinutes: 5 } };
      store.dispatch(actions.setUserInfo(changed));
      expect(localStorage.getItem(userInfoKey)).toBe(JSON.stringify(changed));
      localStorage.clear();
      store.dispatch(actions.setUserInfo(changed));
      expect(localStorage.getItem(userInfoKey)).toBe(JSON.stringify(changed));
    });
  });

  describe('setting up', () => {
    const body = {
      code: 'ABCD',
      siteName: 'North',
      timeZone: 'Europe/London',
      fname: 'Ada',
      lname: 'Example',
      email: 'ada@example.org',
      password: 'correct horse battery',
      type: 'nurse',
    } as const;
    const setUp = () => store.run(signUp, { by: 'setup', body });

    it('leaves no one signed in and returns the reason when the code is wrong', async () => {
      const failure = new ApiFailure('wrong_code', 'No.', { status: 403, fields: { code: 'is wrong' } });
      mockCall.mockRejectedValue(failure);
      await expect(setUp()).resolves.toBe(failure);
      expect(state()).toEqual({ isWaiting: false, authenticated: false, email: '', user: noUser });
    });

    it('waits, then keeps the first user', async () => {
      mockCall.mockResolvedValue(user);
      const outcome = setUp();
      expect(state().isWaiting).toBe(true);
      await expect(outcome).resolves.toBeNull();
      expect(mockCall).toHaveBeenCalledWith('setup', { body });
      expect(state()).toEqual({ isWaiting: false, authenticated: true, email: '', user: ada, account });
    });
  });

  describe('signing up by invitation', () => {
    const body = { invitation: 'i'.repeat(43), fname: 'Ada', lname: 'Example', password: 'correct horse battery' };
    const takeUp = () => store.run(signUp, { by: 'invitation', body });

    it('leaves no one signed in and returns the reason when the invitation is used up', async () => {
      const failure = new ApiFailure('not_found', 'No.', { status: 404 });
      mockCall.mockRejectedValue(failure);
      await expect(takeUp()).resolves.toBe(failure);
      expect(state()).toEqual({ isWaiting: false, authenticated: false, email: '', user: noUser });
      expect(localStorage.getItem(userInfoKey)).toBeNull();
    });

    it('waits, then keeps the new user in the store and in the browser', async () => {
      mockCall.mockResolvedValue(user);
      const outcome = takeUp();
      expect(state().isWaiting).toBe(true);
      await expect(outcome).resolves.toBeNull();
      expect(mockCall).toHaveBeenCalledWith('signUp', { body });
      expect(state()).toEqual({ isWaiting: false, authenticated: true, email: '', user: ada, account });
      expect(localStorage.getItem(userInfoKey)).toBe(JSON.stringify(user));
    });
  });

  describe.each<[string, actions.AccountRequest]>([
    [
      'register',
      {
        for: 'account',
        body: {
          siteId: 1,
          fname: 'Ada',
          lname: 'Example',
          email: 'ada@example.org',
          password: 'correct horse battery',
          type: 'nurse',
        },
      },
    ],
    ['requestReset', { for: 'resetMail', body: { email: 'ada@example.org' } }],
    ['confirmReset', { for: 'newPassword', body: { token: 't'.repeat(43), password: 'correct horse battery' } }],
  ])('the request %s', (route, request) => {
    const send = () => store.run(register, request);

    it('returns why it was refused and does not change the signed-in user', async () => {
      mockCall.mockResolvedValueOnce(user);
      await signIn();
      const failure = new ApiFailure('too_many_requests', 'Later.', { status: 429 });
      mockCall.mockRejectedValue(failure);
      await expect(send()).resolves.toBe(failure);
      expect(state()).toEqual({ isWaiting: false, authenticated: true, email: 'ada@example.org', user: ada, account });
    });

    it('waits for its response and signs no one in', async () => {
      mockCall.mockResolvedValue(null);
      const outcome = send();
      expect(state()).toEqual({ isWaiting: true, authenticated: false, email: '', user: noUser });
      await expect(outcome).resolves.toBeNull();
      expect(mockCall).toHaveBeenCalledWith(route, { body: request.body });
      expect(state()).toEqual({ isWaiting: false, authenticated: false, email: '', user: noUser });
      expect(localStorage.getItem(userInfoKey)).toBeNull();
    });
  });

  describe('signing out', () => {
    beforeEach(async () => {
      mockCall.mockResolvedValueOnce(user);
      await signIn();
    });

    it.each([400, 403, 429])('leaves the user signed in when the server refuses with %i', async (status) => {
      const failure = new ApiFailure('no', 'No.', { status });
      mockCall.mockRejectedValue(failure);
      await expect(signOut()).resolves.toBe(failure);
      expect(state()).toEqual({ isWaiting: false, authenticated: true, email: 'ada@example.org', user: ada, account });
      expect(localStorage.getItem(userInfoKey)).not.toBeNull();
    });

    it.each([
      ['answers', null, 'server'],
      ['no longer knows the session', new ApiFailure('unauthorized', 'Who?', { status: 401 }), 'server'],
      ['is out of reach', clientFailure('unreachable'), 'here'],
      ['hangs', clientFailure('aborted'), 'here'],
      ['is broken', new ApiFailure('internal_error', 'Oh.', { status: 500 }), 'here'],
      ['is behind a proxy that cannot reach it', clientFailure('unreadable_response', 502), 'here'],
    ])('forgets the user when the server %s', async (_, failure, end) => {
      if (failure === null) {
        mockCall.mockResolvedValue(null);
      } else {
        mockCall.mockRejectedValue(failure);
      }
      const outcome = signOut();
      expect(state().isWaiting).toBe(true);
      await expect(outcome).resolves.toBe(end);
      expect(state()).toEqual({ isWaiting: false, authenticated: false, email: '', user: noUser });
      expect(localStorage.getItem(userInfoKey)).toBeNull();
    });

    it('does not wait for a server that hangs', async () => {
      mockCall.mockResolvedValue(null);
      await signOut();
      expect(mockCall.mock.lastCall?.[1]).toHaveProperty('signal', expect.any(AbortSignal));
    });
  });
});

describe('authentication reducer', () => {
  const user: UserInfo = inventedUser({
    id: 7,
    fname: 'Ada',
    lname: 'Example',
    email: 'ada@example.org',
    username: 'ada',
    siteId: 1,
    userImage: '/ada.png',
    type: 'nurse',
    isAdmin: true,
  });

  const noUser = { username: null, name: null, userImage: null, type: null, email: null, isAdmin: false };
  const somebody = {
    username: 'ada',
    name: 'Ada Example',
    userImage: '/ada.png',
    type: 'nurse',
    email: 'ada@example.org',
    isAdmin: true,
  } as const;

  /** The part kept beside the six fields: together they are the whole record. */
  const { username: _0, userImage: _1, type: _2, email: _3, isAdmin: _4, ...account } = user;

  /** Every state that matters: a transition must leave unchanged from either value what it does not change. */
  const states: AuthenticationState[] = [true, false].flatMap((isWaiting) =>
    [true, false].flatMap((authenticated) => [
      { isWaiting, authenticated, email: '', user: noUser },
      { isWaiting, authenticated, email: 'old@example.org', user: somebody, account: { ...account, id: 6 } },
    ]),
  );

  const transitions: [action: UnknownAction, change: Partial<AuthenticationState>][] = [
    [{ type: types.LOGIN_STARTED }, { isWaiting: true }],
    [
      { type: types.LOGIN_SUCCEEDED, payload: { email: 'new@example.org' } },
      { isWaiting: false, authenticated: true, email: 'new@example.org' },
    ],
    [{ type: types.LOGIN_FAILED }, { isWaiting: false, authenticated: false }],
    [{ type: types.SIGNUP_STARTED }, { isWaiting: true }],
    [{ type: types.SIGNUP_SUCCEEDED }, { isWaiting: false, authenticated: true }],
    [{ type: types.SIGNUP_FAILED }, { isWaiting: false, authenticated: false }],
    [{ type: types.LOGOUT_STARTED }, { isWaiting: true }],
    [{ type: types.LOGOUT_SUCCEEDED }, { isWaiting: false, authenticated: false, email: '' }],
    [{ type: types.LOGOUT_FAILED }, { isWaiting: false, authenticated: true }],
    [{ type: types.REGISTER_STARTED }, { isWaiting: true }],
    [{ type: types.REGISTER_SUCCEEDED }, { isWaiting: false }],
    [{ type: types.REGISTER_FAILED }, { isWaiting: false }],
    [
      { type: types.SET_USER_INFO, payload: user },
      { authenticated: true, user: somebody, account },
    ],
    [{ type: types.REMOVE_USER_INFO }, { authenticated: false, email: '', user: noUser, account: undefined }],
    [{ type: types.TOGGLE_SIDEBAR }, {}],
    [{ type: types.OPEN_SIDEBAR }, {}],
    [{ type: types.CLOSE_SIDEBAR }, {}],
    ...Object.values(session).map(({ type }): [UnknownAction, object] => [{ type, payload: { user: null } }, {}]),
    [{ type: 'SOMETHING_ELSE' }, {}],
  ];

  describe('authentication', () => {
    it('starts not waiting, not authenticated, without an e-mail and without a user', () => {
      expect(authenticationReducer(undefined, { type: 'SOMETHING_ELSE' })).toEqual({
        isWaiting: false,
        authenticated: false,
        email: '',
        user: noUser,
      });
    });

    it('has no key of an account without a user', () => {
      const state = authenticationReducer(undefined, { type: types.SET_USER_INFO, payload: user });
      expect(Object.keys(authenticationReducer(state, { type: types.REMOVE_USER_INFO }))).toEqual([
        'isWaiting',
        'authenticated',
        'email',
        'user',
      ]);
    });

    it('has a row here for every action type', () => {
      expect(new Set(transitions.map(([{ type }]) => type))).toEqual(
        new Set([...Object.values(types), ...Object.values(session).map((action) => action.type), 'SOMETHING_ELSE']),
      );
    });

    it.each(transitions)('changes for %j from every state its own fields and nothing else', (action, change) => {
      for (const state of states) {
        expect(authenticationReducer(state, action)).toEqual({ ...state, ...change });
      }
    });
  });
});

/** @jest-environment jsdom */
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { userInfoKey } from '../../lib/browser/userInfo';
import { makeStore, type AppStore } from '../index';
import * as actions from './actions';
import { logIn, logOut, register, signUp } from './saga';
import { inventedUser } from '../../test/inventedWard';

const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../../lib/browser/client', () => ({
  ...jest.requireActual<object>('../../lib/browser/client'),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

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

import { act, renderHook } from '@testing-library/react';
import Cookies from 'js-cookie';
import Router from 'next/router';
import { StrictMode, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig, useSWRConfig } from 'swr';
import { ApiFailure, clientFailure, onLocked, onUnauthorized } from '../lib/browser/client';
import type { User } from '../lib/session/schema';
import { readUserInfo, userInfoKey } from '../lib/browser/userInfo';
import { makeStore, type AppStore } from '../store/index';
import { expectConsole } from '../test/expectConsole';
import { InventedStream } from '../test/inventedStream';
import { CurrentUserProvider } from './CurrentUserProvider';
import { swrConfig } from './swrConfig';
import { useCurrentUser } from './useCurrentUser';
import { useAuthentication } from './useAuthentication';
import { inventedUser } from '../test/inventedWard';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
  onUnauthorized: jest.fn(),
  onLocked: jest.fn(),
}));
jest.mock('../lib/browser/userInfo', () => {
  const actual = jest.requireActual<{ readUserInfo: () => unknown }>('../lib/browser/userInfo');
  return { ...actual, readUserInfo: jest.fn(actual.readUserInfo) };
});
jest.mock('next/router', () => ({ __esModule: true, default: { replace: jest.fn(), asPath: '/patients?page=2' } }));

const go = jest.mocked(Router.replace);

const ada: User = inventedUser({
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
const bea: User = { ...ada, id: 8, fname: 'Bea', username: 'bea', email: 'bea@example.org' };
const unreachable = clientFailure('unreachable');
const who = new ApiFailure('unauthorized', 'Who?', { status: 401 });

let store: AppStore;
let endSession: () => void;
let lockSession: () => void;
/** The responses to getCurrentUser and updateLastActive; a failure is thrown. */
let current: User | ApiFailure | 'silent';
let ping: null | ApiFailure;

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  Cookies.set('token', 'one');
  store = makeStore();
  current = ada;
  ping = null;
  endSession = () => {};
  go.mockReset().mockResolvedValue(true);
  mockCall.mockReset();
  jest.mocked(onUnauthorized).mockImplementation((handle) => {
    endSession = handle;
    return () => {};
  });
  jest.mocked(onLocked).mockImplementation((handle) => {
    lockSession = handle;
    return () => {};
  });
  mockAsk.mockReset().mockImplementation((name) => {
    const answer = name === 'getCurrentUser' ? current : ping;
    if (answer === 'silent') {
      return new Promise(() => {});
    }
    if (answer instanceof ApiFailure) {
      if (answer.status === 401) {
        act(() => endSession());
      }
      return Promise.reject(answer);
    }
    return Promise.resolve({ data: answer, serverTime: 1 });
  });
});

afterEach(() => {
  store.watchers?.cancel();
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const calls = (name: string) => mockAsk.mock.calls.filter(([called]) => called === name).length;
const held = (): unknown => JSON.parse(localStorage.getItem(userInfoKey) ?? 'null');
const authentication = () => store.getState().authentication;

/** Renders the provider around the hooks of a screen; `rerender({ user })` is a navigation. */
function render(user: User | null | undefined) {
  store.watchers?.cancel();
  store = makeStore(undefined, user === undefined ? undefined : { user, isLocked: false });
  let props = { user };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <Provider store={store}>
        <SWRConfig value={swrConfig}>
          <CurrentUserProvider user={props.user}>{children}</CurrentUserProvider>
        </SWRConfig>
      </Provider>
    </StrictMode>
  );
  const screen = renderHook(() => ({ ...useCurrentUser(), ...useAuthentication(), cache: useSWRConfig().cache }), {
    wrapper,
  });
  return {
    result: screen.result,
    unmount: screen.unmount,
    navigate: (next: User | null | undefined) => {
      props = { user: next };
      screen.rerender();
    },
  };
}

it('is required around components that use the signed-in user', () => {
  expectConsole('error');
  expect(() => renderHook(() => useCurrentUser())).toThrow('useCurrentUser must be used within a CurrentUserProvider');
});

describe('a page with a user', () => {
  it('keeps its user while the code that reads the stored one cannot be fetched, and fetches it again', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify({ ...ada, isTouring: true }));
    jest.mocked(readUserInfo).mockRejectedValueOnce(new Error('no chunk'));
    const { result } = render(ada);
    await pass(4_999);
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    expect(result.current.user).not.toHaveProperty('isTouring');
    await pass(1);
    expect(result.current).toMatchObject({ user: { ...ada, isTouring: true }, status: 'signedIn' });
    expect(calls('getCurrentUser')).toBe(0);
  });

  it.each([
    ['the server out of reach', unreachable, { code: 'unreachable' }],
    ['a server that hangs', clientFailure('aborted'), { code: 'aborted' }],
    ['a refusal', new ApiFailure('forbidden', 'No.', { status: 403 }), { code: 'forbidden', status: 403 }],
    [
      'a fault of the server',
      new ApiFailure('internal_error', 'Ada Example', { status: 500 }),
      { code: 'internal_error', status: 500 },
    ],
    [
      'an answer that is no user',
      clientFailure('unreadable_response', 200),
      { code: 'unreadable_response', status: 200 },
    ],
  ])(
    'treats the user as signed out after %s, keeps the cookies, and asks every 5 s until the user is back',
    async (_, failure, logged) => {
      const lines = expectConsole('error');
      localStorage.setItem(userInfoKey, JSON.stringify(bea));
      current = failure;
      const { result } = render(ada);
      await pass(0);
      expect(result.current).toMatchObject({ user: null, status: 'unreachable' });
      expect(held()).toBeNull();
      expect(authentication().authenticated).toBe(false);
      expect(Cookies.get('token')).toBe('one');
      expect(new Set(lines.map((line) => JSON.stringify(line)))).toEqual(
        new Set([JSON.stringify(['Failed to fetch the current user', logged])]),
      );
      expect(go).not.toHaveBeenCalled();

      for (let attempt = 1; attempt <= 12; attempt += 1) {
        mockAsk.mockClear();
        await pass(5_000);
        expect(calls('getCurrentUser')).toBe(1);
        expect(calls('updateLastActive')).toBe(0);
      }
      current = ada;
      await pass(5_000);
      expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
      expect(held()).toEqual(ada);
      expect(authentication()).toMatchObject({ authenticated: true, user: { name: 'Ada Example' } });
      mockAsk.mockClear();
      await pass(60_000);
      expect(calls('getCurrentUser')).toBe(0);
    },
  );

  it('goes to sign-in after a 401 of any call, and back to the same address', async () => {
    const { result } = render(ada);
    await pass(0);
    result.current.cache.set('patient 1', { data: 'a patient' });
    act(() => endSession());
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(Cookies.get('token')).toBeUndefined();
    expect(held()).toBeNull();
    expect(authentication()).toMatchObject({ authenticated: false, email: '', user: { username: null } });
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(go).toHaveBeenCalledWith('/sign_in?next=%2Fpatients%3Fpage%3D2');
    mockAsk.mockClear();
    await pass(60_000);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('goes to sign-in after a 401 of getCurrentUser, which is logged and not repeated', async () => {
    const lines = expectConsole('error');
    current = who;
    const { result } = render(ada);
    await pass(0);
    expect(lines[0]).toEqual(['Failed to fetch the current user', { code: 'unauthorized', status: 401 }]);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    mockAsk.mockClear();
    await pass(60_000);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('goes to sign-in when the token cookie is gone', async () => {
    Cookies.remove('token');
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result } = render(ada);
    await pass(0);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(held()).toBeNull();
    expect(calls('getCurrentUser')).toBe(0);
    expect(go).toHaveBeenCalledWith('/sign_in?next=%2Fpatients%3Fpage%3D2');
  });

  it.each([
    ['there is no record', null],
    ['the record is another user’s', JSON.stringify(bea)],
    ['the record does not parse', '{'],
    ['the record lacks a field', JSON.stringify({ ...ada, type: undefined })],
  ])('shows its user and reads them once when %s', async (_, text) => {
    if (text !== null) {
      localStorage.setItem(userInfoKey, text);
    }
    const { result } = render(ada);
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    await pass(0);
    expect(calls('getCurrentUser')).toBeGreaterThan(0);
    expect(held()).toEqual(ada);
    expect(authentication()).toMatchObject({ authenticated: true, user: { username: 'ada', name: 'Ada Example' } });
    mockAsk.mockClear();
    await pass(30_000);
    expect(calls('getCurrentUser')).toBe(0);
  });

  it('never reads them on a timer', async () => {
    render(ada);
    await pass(0);
    mockAsk.mockClear();
    await pass(600_000);
    expect(calls('getCurrentUser')).toBe(0);
  });

  it('makes no call for a stored user, takes newer fields from the page, and keeps isTouring', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify({ ...ada, fname: 'Old', isTouring: true }));
    const { result, navigate } = render(ada);
    await pass(0);
    expect(result.current.user).toEqual({ ...ada, isTouring: true });
    expect(held()).toEqual({ ...ada, isTouring: true });
    navigate({ ...ada, fname: 'Adele' });
    await pass(0);
    expect(result.current.user).toEqual({ ...ada, fname: 'Adele', isTouring: true });
    expect(calls('getCurrentUser')).toBe(0);
  });

  it('reads the user again on request', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result } = render(ada);
    await pass(0);
    current = { ...ada, lname: 'Changed' };
    await act(() => result.current.refresh());
    expect(result.current.user?.lname).toBe('Changed');
    expect(held()).toEqual(current);
  });

  it('is read again when another user has signed in from another tab', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result, navigate } = render(ada);
    await pass(0);
    current = bea;
    const newValue = JSON.stringify(bea);
    localStorage.setItem(userInfoKey, newValue);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: userInfoKey, newValue })));
    await pass(0);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(go).toHaveBeenCalledWith('/patients?page=2');
    navigate(bea);
    await pass(0);
    expect(result.current).toMatchObject({ user: bea, status: 'signedIn' });
  });
});

describe('an open page whose token cookie is removed or changes', () => {
  async function open() {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    document.body.innerHTML = '<script id="__NEXT_DATA__" type="application/json">{"name":"a patient"}</script>';
    const { result } = render(ada);
    await pass(0);
    result.current.cache.set('patient 1', { data: 'a patient' });
    return result;
  }

  it('is wiped and goes to sign-in within a second, once, and without a call', async () => {
    const result = await open();
    Cookies.remove('token');
    await pass(1_000);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(held()).toBeNull();
    expect(authentication()).toMatchObject({ authenticated: false, user: { username: null } });
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(document.body.innerHTML).not.toContain('a patient');
    await pass(60_000);
    expect(go.mock.calls).toEqual([['/sign_in?next=%2Fpatients%3Fpage%3D2']]);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('is wiped within a second when the cookie is another user’s, although no tab reports it', async () => {
    const result = await open();
    Cookies.set('token', 'two');
    current = bea;
    await pass(1_000);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(document.body.innerHTML).not.toContain('a patient');
    expect(go.mock.calls).toEqual([['/patients?page=2']]);
    expect(calls('getCurrentUser')).toBe(1);
  });

  it('stays when the cookie is a new one of the same user', async () => {
    const result = await open();
    Cookies.set('token', 'two');
    await pass(10_000);
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    expect([...result.current.cache.keys()]).toEqual(['patient 1']);
    expect(calls('getCurrentUser')).toBe(1);
    expect(go).not.toHaveBeenCalled();
  });

  it('is wiped as soon as a tab with slowed timers is visible again', async () => {
    const result = await open();
    Cookies.remove('token');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
  });

  it('goes to sign-in also while the server could not say who is signed in', async () => {
    expectConsole('error');
    current = unreachable;
    const { result } = render(ada);
    await pass(0);
    expect(result.current.status).toBe('unreachable');
    Cookies.remove('token');
    await pass(1_000);
    expect(result.current.status).toBe('signedOut');
    expect(go).toHaveBeenCalledWith('/sign_in?next=%2Fpatients%3Fpage%3D2');
  });

  it('does not end a session that is being signed out, whose response removes the cookie', async () => {
    const result = await open();
    let answer: () => void = () => {};
    mockCall.mockImplementation(() => new Promise((settle) => (answer = () => settle(null))));
    let end: Promise<unknown> = Promise.resolve();
    act(() => {
      end = result.current.signOut();
    });
    Cookies.remove('token');
    await pass(3_000);
    expect(go).not.toHaveBeenCalled();
    answer();
    await act(() => end);
    expect(go.mock.calls).toEqual([['/sign_in']]);
  });
});

describe('a page whose user signs out in another tab', () => {
  async function forget() {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result } = render(ada);
    await pass(0);
    return {
      result,
      elsewhere: () =>
        act(() => void window.dispatchEvent(new StorageEvent('storage', { key: userInfoKey, newValue: null }))),
    };
  }

  it('goes to sign-in at once', async () => {
    const { result, elsewhere } = await forget();
    Cookies.remove('token');
    elsewhere();
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(held()).toBeNull();
    expect(go).toHaveBeenCalledWith('/sign_in?next=%2Fpatients%3Fpage%3D2');
  });

  it('stays if the other tab has only lost the server', async () => {
    const { result, elsewhere } = await forget();
    elsewhere();
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    expect(go).not.toHaveBeenCalled();
  });
});

describe('a page with an event about its session', () => {
  beforeEach(() => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    InventedStream.install();
  });
  afterEach(() => InventedStream.remove());

  it('reads the user at once, and goes to sign-in if the session has ended', async () => {
    const lines = expectConsole('error');
    const { result } = render(ada);
    await pass(1_000);
    current = who;
    act(() => InventedStream.opened[0]?.tell('session'));
    await pass(0);
    expect(calls('getCurrentUser')).toBe(1);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(go).toHaveBeenCalledWith('/sign_in?next=%2Fpatients%3Fpage%3D2');
    expect(lines).toHaveLength(1);
  });

  it('stays if its own change of password replaced the session, even if the event arrives first', async () => {
    const { result } = render(ada);
    await pass(1_000);
    let refuse: () => void = () => {};
    mockAsk.mockImplementationOnce(() => new Promise((_, reject) => (refuse = () => reject(who))));
    act(() => InventedStream.opened[0]?.tell('session'));
    await pass(0);
    Cookies.set('token', 'two');
    refuse();
    await pass(0);
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    expect(calls('getCurrentUser')).toBe(2);
    expect(go).not.toHaveBeenCalled();
  });

  it('does not listen without a signed-in user', async () => {
    Cookies.remove('token');
    render(null);
    await pass(60_000);
    expect(InventedStream.opened).toEqual([]);
  });

  it('does not listen while a user signs out, and listens again on the page after a refusal', async () => {
    const { result } = render(ada);
    await pass(1_000);
    let refuse: (problem: ApiFailure) => void = () => {};
    mockCall.mockImplementation(() => new Promise((_, reject) => (refuse = reject)));
    let end: Promise<unknown> = Promise.resolve();
    act(() => {
      end = result.current.signOut();
    });
    expect(InventedStream.opened.map(({ readyState }) => readyState)).toEqual([InventedStream.CLOSED]);
    refuse(new ApiFailure('xsrf', 'No.', { status: 403 }));
    await act(() => end);
    await act(() => result.current.giveUpSignOut());
    await pass(1_000);
    expect(InventedStream.opened).toHaveLength(2);
    expect(calls('getCurrentUser')).toBe(0);
  });
});

describe('a public page', () => {
  it('discards the stored user and makes no call without a token', async () => {
    Cookies.remove('token');
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result } = render(null);
    await pass(0);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(held()).toBeNull();
    expect(mockAsk).not.toHaveBeenCalled();
    expect(go).not.toHaveBeenCalled();
  });

  it('reads the user if there is a token, and stays after a 401', async () => {
    expectConsole('error');
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    current = who;
    const { result } = render(null);
    await pass(0);
    expect(calls('getCurrentUser')).toBeGreaterThan(0);
    expect(result.current.status).toBe('signedOut');
    expect(Cookies.get('token')).toBeUndefined();
    expect(held()).toBeNull();
    expect(go).not.toHaveBeenCalled();
  });

  it('stays after a 401 without a token', async () => {
    Cookies.remove('token');
    const { result } = render(null);
    await pass(0);
    act(() => endSession());
    await pass(5_000);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(go).not.toHaveBeenCalled();
  });

  it('makes no call on a page that does not know its user, such as 404', async () => {
    const { result } = render(undefined);
    await pass(60_000);
    expect(result.current.user).toBeNull();
    expect(mockAsk).not.toHaveBeenCalled();
  });
});

describe('signing in', () => {
  beforeEach(() => Cookies.remove('token'));

  it('returns why it failed and makes no other call', async () => {
    const { result } = render(null);
    await pass(0);
    mockCall.mockRejectedValue(who);
    let failure: unknown;
    await act(async () => {
      failure = await result.current.signIn({ email: 'ada@example.org', password: 'wrong' });
    });
    expect(failure).toBe(who);
    expect(result.current).toMatchObject({ user: null, status: 'signedOut', isWaiting: false });
    expect(calls('getCurrentUser')).toBe(0);
  });

  it('takes the user from its response, also over a stored user, and makes no call on the next page', async () => {
    const { result, navigate } = render(null);
    await pass(0);
    localStorage.setItem(userInfoKey, JSON.stringify(bea));
    mockCall.mockImplementation(() => {
      Cookies.set('token', 'two');
      return Promise.resolve(ada);
    });
    await act(async () => {
      await expect(result.current.signIn({ email: 'ada@example.org', password: 'right' })).resolves.toBeNull();
    });
    await pass(0);
    expect(calls('getCurrentUser')).toBe(0);
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn', isWaiting: false });
    expect(held()).toEqual(ada);
    const write = jest.spyOn(Storage.prototype, 'setItem');
    navigate(ada);
    await pass(0);
    expect(held()).toEqual(ada);
    expect(calls('getCurrentUser')).toBe(0);
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  });

  it('is part of a setup', async () => {
    const { result } = render(null);
    await pass(0);
    mockCall.mockImplementation(() => {
      Cookies.set('token', 'two');
      return Promise.resolve(ada);
    });
    const body = {
      ...ada,
      code: 'ABCD',
      siteName: 'North',
      timeZone: 'Europe/London',
      password: 'correct horse battery',
    };
    await act(async () => {
      await expect(result.current.setUp(body)).resolves.toBeNull();
    });
    await pass(0);
    expect(mockCall).toHaveBeenCalledWith('setup', { body });
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
  });

  it('of another user after a session has ended forgets the user before', async () => {
    Cookies.set('token', 'one');
    const { result, navigate } = render(ada);
    await pass(0);
    act(() => endSession());
    navigate(null);
    await pass(0);
    Cookies.set('token', 'two');
    current = bea;
    navigate(bea);
    expect(result.current).toMatchObject({ user: bea, status: 'signedIn' });
    await pass(0);
    expect(held()).toEqual(bea);
  });
});

describe('signing out', () => {
  async function signOut(outcome: ApiFailure | null) {
    const { result } = render(ada);
    await pass(0);
    result.current.cache.set('patient 1', { data: 'a patient' });
    if (outcome === null) {
      mockCall.mockResolvedValue(null);
    } else {
      mockCall.mockRejectedValue(outcome);
    }
    let failure: unknown;
    await act(async () => {
      failure = await result.current.signOut();
    });
    return { result, failure };
  }

  it('keeps the user when the server refuses, says why, and shows nothing of a patient', async () => {
    const refusal = new ApiFailure('xsrf', 'No.', { status: 403 });
    const { result, failure } = await signOut(refusal);
    expect(failure).toBe(refusal);
    expect(result.current).toMatchObject({ user: null, status: 'signingOut' });
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(authentication().authenticated).toBe(true);
    expect(Cookies.get('token')).toBe('one');
    expect(held()).toEqual(ada);
    expect(go).not.toHaveBeenCalled();
  });

  it('shows nothing of a patient from the first moment on, however long the server takes', async () => {
    const { result } = render(ada);
    await pass(0);
    result.current.cache.set('patient 1', { data: 'a patient' });
    mockCall.mockImplementation(() => new Promise(() => {}));
    act(() => void result.current.signOut());
    expect(result.current).toMatchObject({ user: null, status: 'signingOut' });
    expect([...result.current.cache.keys()]).toEqual([]);
  });

  it('wipes the page and says so when the server cannot be reached', async () => {
    const { result, failure } = await signOut(unreachable);
    expect(failure).toBeNull();
    expect(result.current).toMatchObject({ user: null, status: 'signedOutHere' });
    expect(Cookies.get('token')).toBeUndefined();
    expect(held()).toBeNull();
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(authentication().authenticated).toBe(false);
    expect(go).not.toHaveBeenCalled();
    mockAsk.mockClear();
    await pass(60_000);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('wipes the page and goes to sign-in', async () => {
    const { result, failure } = await signOut(null);
    expect(failure).toBeNull();
    expect(result.current).toMatchObject({ user: null, status: 'signedOut' });
    expect(Cookies.get('token')).toBeUndefined();
    expect(held()).toBeNull();
    expect([...result.current.cache.keys()]).toEqual([]);
    expect(go).toHaveBeenCalledWith('/sign_in');
  });
});

describe('a change of the record', () => {
  it('is refused if a user has no such key', async () => {
    const { result } = render(ada);
    await pass(0);
    const patch: object = { fname: 'Eve', role: 'king' };
    expect(() => act(() => result.current.updateUserInfo(patch))).toThrow('Invalid user info key: role');
    expect(result.current.user).toEqual(ada);
    expect(held()).toEqual(ada);
  });

  it('keeps the other fields', async () => {
    const { result } = render(ada);
    await pass(0);
    act(() => result.current.updateUserInfo({ fname: 'Eve', isTouring: true }));
    act(() => result.current.updateUserInfo({ isTouring: false }));
    expect(held()).toEqual({ ...ada, fname: 'Eve', isTouring: false });
  });

  it('takes every key of a user', async () => {
    const { result } = render(ada);
    await pass(0);
    const all = { ...bea, site: { ...bea.site, name: 'Elsewhere' }, isTouring: true };
    act(() => result.current.updateUserInfo({ ...all, id: ada.id }));
    expect(held()).toEqual({ ...all, id: ada.id });
  });

  it('creates no user if there is none', async () => {
    Cookies.remove('token');
    const { result } = render(null);
    await pass(0);
    act(() => result.current.updateUserInfo({ fname: 'Eve' }));
    expect(held()).toBeNull();
    expect(authentication().authenticated).toBe(false);
  });

  it('changes the stored user, the screen and the store', async () => {
    const { result } = render(ada);
    await pass(0);
    act(() => result.current.updateUserInfo({ fname: 'Eve', isTouring: true }));
    expect(result.current.user).toEqual({ ...ada, fname: 'Eve', isTouring: true });
    expect(held()).toEqual({ ...ada, fname: 'Eve', isTouring: true });
    expect(authentication().user.name).toBe('Eve Example');
  });
});

describe('the report that a page is open', () => {
  it('is sent every 5 s, once also in strict mode, and ends with the page', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { unmount } = render(ada);
    await pass(4_999);
    expect(calls('updateLastActive')).toBe(0);
    await pass(1);
    expect(calls('updateLastActive')).toBe(1);
    expect(mockAsk).toHaveBeenCalledWith('updateLastActive', expect.objectContaining({ params: { id: 7 } }));
    await pass(55_000);
    expect(calls('updateLastActive')).toBe(12);
    unmount();
    await pass(60_000);
    expect(calls('updateLastActive')).toBe(12);
  });

  it('logs nothing of a call that ends because the page is being left', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    ping = new ApiFailure('unreachable', 'The server cannot be reached');
    render(ada);
    act(() => {
      window.dispatchEvent(new Event('pagehide'));
    });
    await pass(5_000);
    expect(calls('updateLastActive')).toBe(1);
    const lines = expectConsole('error');
    act(() => {
      window.dispatchEvent(new Event('pageshow'));
    });
    await pass(5_000);
    expect(lines).toHaveLength(1);
  });

  it('goes on after failures, which are logged and not shown', async () => {
    const lines = expectConsole('error');
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    ping = new ApiFailure('internal_error', 'Ada Example', { status: 500 });
    const { result } = render(ada);
    await pass(10_000);
    expect(lines).toEqual(Array(2).fill(['Failed to update last active', { code: 'internal_error', status: 500 }]));
    expect(result.current).toMatchObject({ user: ada, status: 'signedIn' });
    ping = null;
    await pass(10_000);
    expect(lines).toHaveLength(2);
    expect(calls('updateLastActive')).toBe(4);
  });

  it('logs nothing about a report that was under way when the page was left', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { unmount } = render(ada);
    await pass(0);
    let fail: (problem: ApiFailure) => void = () => {};
    mockAsk.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
    await pass(5_000);
    unmount();
    fail(who);
    await pass(0);
    expect(calls('updateLastActive')).toBe(1);
  });
});

describe('another user’s page', () => {
  it('drops the data of the last user, and reads the new one', async () => {
    localStorage.setItem(userInfoKey, JSON.stringify(ada));
    const { result, navigate } = render(ada);
    await pass(0);
    result.current.cache.set('patient 1', { data: 'a patient' });
    current = bea;
    navigate(bea);
    expect(result.current).toMatchObject({ user: bea, status: 'signedIn' });
    expect([...result.current.cache.keys()]).toEqual([]);
    await pass(0);
    expect(held()).toEqual(bea);
    expect(calls('getCurrentUser')).toBe(1);
  });

  it('shows a page that was locked for the last user', async () => {
    const { result, navigate } = render(ada);
    await pass(0);
    act(() => lockSession());
    current = bea;
    navigate(bea);
    expect(result.current).toMatchObject({ user: bea, status: 'signedIn', lockedUser: null });
  });
});

describe('a locked session', () => {
  it('stays locked when a navigation ends that began before', async () => {
    const { result, navigate } = render(ada);
    await pass(0);
    act(() => lockSession());
    navigate({ ...ada });
    await pass(0);
    expect(result.current).toMatchObject({ status: 'locked', user: null, lockedUser: { id: ada.id } });
  });

  it('hides the page at once with its data, keeps its user, and no late response shows it again', async () => {
    const { result } = render(ada);
    await pass(0);
    act(() => lockSession());
    expect(result.current).toMatchObject({ status: 'locked', user: null, lockedUser: { id: ada.id } });
    await act(() => result.current.refresh());
    expect(result.current.status).toBe('locked');
    expect(held()).toMatchObject({ id: ada.id });
  });

  it('locks at once by hand, also while the server cannot be reached', async () => {
    expectConsole('error');
    mockCall.mockRejectedValue(unreachable);
    const { result } = render(ada);
    await pass(0);
    await act(() => result.current.lock());
    expect(mockCall).toHaveBeenCalledWith('lock', {});
    expect(result.current.status).toBe('locked');
  });

  it('stays locked after a wrong password', async () => {
    const wrong = new ApiFailure('wrong_password', 'The password is wrong.', { status: 401 });
    mockCall.mockRejectedValue(wrong);
    const { result } = render(ada);
    await pass(0);
    act(() => lockSession());
    await act(async () => {
      await expect(result.current.unlock('x')).resolves.toBe(wrong);
    });
    expect(result.current.status).toBe('locked');
    expect(go).not.toHaveBeenCalled();
  });

  it('is unlocked by the password, with the page read again', async () => {
    mockCall.mockResolvedValue(ada);
    const { result } = render(ada);
    await pass(0);
    act(() => lockSession());
    await act(async () => {
      await expect(result.current.unlock('right')).resolves.toBeNull();
    });
    expect(go).toHaveBeenCalledWith('/patients?page=2', undefined, { scroll: false });
    expect(result.current).toMatchObject({ status: 'signedIn', user: { id: ada.id } });
  });

  it('follows another tab that unlocks or signs out', async () => {
    const { result } = render(ada);
    await pass(0);
    act(() => lockSession());
    Cookies.set('token', 'two');
    await pass(1_000);
    expect(result.current.status).toBe('signedIn');
    act(() => lockSession());
    Cookies.remove('token');
    await pass(1_000);
    expect(result.current.status).toBe('signedOut');
  });
});

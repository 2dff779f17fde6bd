/** @jest-environment jsdom */
import Cookies from 'js-cookie';
import Router from 'next/router';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { startServerClock } from '../../lib/browser/serverClock';
import type { User } from '../../lib/session/schema';
import { userInfoKey } from '../../lib/browser/userInfo';
import { expectConsole } from '../../test/expectConsole';
import { inventedUser } from '../../test/inventedWard';
import { setUserInfo } from '../authentication/actions';
import { selectUser } from '../authentication/selectors';
import { makeStore, type AppStore } from '../index';
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

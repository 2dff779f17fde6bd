import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { runSaga, stdChannel } from 'redux-saga';
import { takeEvery } from 'redux-saga/effects';
import type { PageContext, PageRequest } from '../lib/api/pageContext';
import { expectConsole } from '../test/expectConsole';
import { inventedUser, wardNow } from '../test/inventedWard';
import { loginStarted, loginSucceeded } from './authentication/actions';
import { selectUser } from './authentication/selectors';
import { hydrate, makeStore } from './index';
import { openSidebar } from './layout/actions';
import { notFoundProps } from './notFoundProps';
import { safely } from './safely';
import { selectLockedUser, selectShownUser, selectStatus } from './session/selectors';

describe('index', () => {
  afterEach(() => jest.restoreAllMocks());

  describe('the store', () => {
    it('runs no saga on the server, where nothing would end one', () => {
      expect(makeStore().watchers).toBeNull();
    });

    it('leaves authentication as it is when the server’s state comes in, and takes everything else', () => {
      const server = makeStore();
      server.dispatch(openSidebar());
      const page = makeStore();
      page.dispatch(loginSucceeded({ email: 'ada@example.org' }));
      page.dispatch(loginStarted());
      const before = page.getState().authentication;
      page.dispatch(hydrate(server.getState()));
      expect(page.getState().authentication).toBe(before);
      expect(page.getState().authentication).toMatchObject({
        isWaiting: true,
        authenticated: true,
        email: 'ada@example.org',
      });
      expect(page.getState().layout).toEqual({ collapsed: false });
    });

    it('takes parts of the server’s state that only the server has', () => {
      const page = makeStore();
      const incoming = { ...makeStore().getState(), elsewhere: { from: 'the server' } };
      page.dispatch(hydrate(incoming));
      expect(page.getState()).toEqual(incoming);
    });

    it('starts from the server’s state without any authentication', () => {
      const server = makeStore();
      server.dispatch(openSidebar());
      server.dispatch(loginSucceeded({ email: 'ada@example.org' }));
      expect(makeStore(server.getState()).getState()).toEqual({
        ...makeStore().getState(),
        layout: { collapsed: false },
      });
    });

    it('is created with the user of its page signed in, and another page’s HYDRATE does not change that user', () => {
      const ada = inventedUser({ id: 7 });
      const page = makeStore(makeStore().getState(), { user: ada, isLocked: false });
      expect(page.getState().authentication).toMatchObject({ isWaiting: false, authenticated: true, email: '' });
      expect(selectUser(page.getState())).toEqual(ada);
      page.dispatch(hydrate(makeStore(undefined, { user: inventedUser({ id: 8 }), isLocked: false }).getState()));
      expect(selectUser(page.getState())).toEqual(ada);
    });

    it('is created locked for the page of the lock screen', () => {
      const page = makeStore(undefined, { user: inventedUser(), isLocked: true }).getState();
      expect([selectStatus(page), selectShownUser(page)]).toEqual(['locked', null]);
      expect(selectLockedUser(page)).toEqual(inventedUser());
    });

    it('logs only the name of a saga that throws', async () => {
      const lines = expectConsole('error');
      const fail = function* (): Generator<never, void, never> {
        throw new Error('Mr Secret');
      };
      await expect(makeStore().run(fail)).rejects.toThrow();
      expect(lines).toEqual([['Failed to run a saga']]);
    });

    it('does not warn on a slow computer, on which its checks take long', () => {
      let seconds = 0;
      jest.spyOn(Date, 'now').mockImplementation(() => (seconds += 1) * 1_000);
      const warn = jest.spyOn(console, 'warn').mockReturnValue();
      makeStore().dispatch(openSidebar());
      expect(warn).not.toHaveBeenCalled();
    });
  });
});

describe('the page of an unknown address', () => {
  const context: PageContext = {
    user: inventedUser(),
    isLocked: false,
    lastInputAt: wardNow - 1_000,
    sessionEndsAt: wardNow + 3_600_000,
    setupNeeded: false,
    now: wardNow,
    chatKey: 'key',
    insecureTransport: true,
    reportsTo: null,
    reportFault: () => '',
    readPatients: () => Promise.reject(new Error('No patient is read for an unknown address')),
    readOpenAlerts: () => Promise.reject(new Error('No alert is read for an unknown address')),
    readPatient: () => Promise.reject(new Error('No patient is read for an unknown address')),
    readWall: () => Promise.reject(new Error('No wall is read for an unknown address')),
  };

  function asked(change: Partial<PageContext>, cookie?: string): PageRequest {
    const request: PageRequest = Object.assign(new IncomingMessage(new Socket()), {
      wardlight: { ...context, ...change },
    });
    request.headers.cookie = cookie;
    return request;
  }

  it.each<[string, Partial<PageContext>]>([
    ['no session', { user: null }],
    ['a locked session', { isLocked: true }],
  ])('has no shell for a browser with %s', (_, change) => {
    expect(notFoundProps(asked(change, 'sidebar=open'))).toBeNull();
  });

  it('has no shell if Next runs without the server', () => {
    expect(notFoundProps(new IncomingMessage(new Socket()))).toBeNull();
  });

  it.each([
    [undefined, true],
    ['theme=dark', true],
    ['sidebar=collapsed', true],
    ['my-sidebar=open', true],
    ['sidebar=open', false],
    ['a=b; sidebar=open; token=one', false],
  ])('has the shell of a signed-in user, with the sidebar of the cookies %j', (cookie, collapsed) => {
    const { initialState, ...props } = notFoundProps(asked({}, cookie)) ?? {};
    expect(props).toEqual({
      user: inventedUser(),
      now: wardNow,
      insecureTransport: true,
      lastInputAt: wardNow - 1_000,
      sessionEndsAt: wardNow + 3_600_000,
      chatKey: 'key',
    });
    expect(initialState?.layout).toEqual({ collapsed });
  });
});

describe('safely', () => {
  it('keeps the watchers beside a worker that throws, and logs no more than the action’s name', () => {
    const lines = expectConsole('error');
    const channel = stdChannel();
    const heard: string[] = [];
    const task = runSaga({ channel }, function* watch() {
      yield takeEvery('BAD', safely(throwing));
      yield takeEvery('GOOD', safely(hearing));
    });
    function* throwing(): Generator<never, void, never> {
      heard.push('bad');
      throw new Error('Mr Secret');
    }
    function* hearing(): Generator<never, void, never> {
      heard.push('good');
    }
    channel.put({ type: 'BAD' });
    channel.put({ type: 'GOOD' });
    channel.put({ type: 'BAD' });
    expect(heard).toEqual(['bad', 'good', 'bad']);
    expect(task.isRunning()).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('Secret');
    expect(lines[0]).toEqual(['Failed to carry out an action:', { code: 'BAD' }]);
    task.cancel();
  });
});

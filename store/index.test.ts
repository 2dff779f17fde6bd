import { hydrate, makeStore } from './index';
import { loginStarted, loginSucceeded } from './authentication/actions';
import { selectUser } from './authentication/selectors';
import { openSidebar } from './layout/actions';
import { selectLockedUser, selectShownUser, selectStatus } from './session/selectors';
import { expectConsole } from '../test/expectConsole';
import { inventedUser } from '../test/inventedWard';

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

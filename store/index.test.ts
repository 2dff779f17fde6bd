import { hydrate, makeStore } from './index';
import { loginStarted, loginSucceeded } from './authentication/actions';
import { openSidebar } from './layout/actions';

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
    page.dispatch(loginStarted({ email: 'bob@example.org', password: 'x' }, () => {}));
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

  it('takes parts of the server’s state that it has only from there', () => {
    const page = makeStore();
    const incoming = { ...makeStore().getState(), elsewhere: { from: 'the server' } };
    page.dispatch(hydrate(incoming));
    expect(page.getState()).toEqual(incoming);
  });

  it('starts from the server’s state without anybody’s authentication', () => {
    const server = makeStore();
    server.dispatch(openSidebar());
    server.dispatch(loginSucceeded({ email: 'ada@example.org' }));
    expect(makeStore(server.getState()).getState()).toEqual({
      ...makeStore().getState(),
      layout: { collapsed: false },
    });
  });

  it('does not complain of a slow computer, on which its checks take long', () => {
    let seconds = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => (seconds += 1) * 1_000);
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    makeStore().dispatch(openSidebar());
    expect(warn).not.toHaveBeenCalled();
  });
});

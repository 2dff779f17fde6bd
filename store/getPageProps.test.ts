import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { GetServerSideProps, GetServerSidePropsContext } from 'next';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Provider, useSelector } from 'react-redux';
import type * as ReduxSaga from 'redux-saga';
import type { PageContext } from '../lib/api/pageContext';
import type { User } from '../lib/session/schema';
import { lockedPage, publicPage, redirectTo, signedInPage, type PageProps } from './getPageProps';
import { makeStore } from './index';
import type { RootState } from './reducers';
import { selectCollapsed } from './layout/selectors';
import { useStore } from './useStore';
import { inventedUser } from '../test/inventedWard';

const started: ReduxSaga.Task[] = [];

jest.mock('redux-saga', () => {
  const real = jest.requireActual<typeof ReduxSaga>('redux-saga');
  const watched: typeof ReduxSaga.default = (options) => {
    const middleware = real.default(options);
    const run = middleware.run.bind(middleware);
    middleware.run = (...given: Parameters<typeof run>) => {
      const task = run(...given);
      started.push(task);
      return task;
    };
    return middleware;
  };
  return { ...real, __esModule: true, default: watched };
});

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

function pageFor(given: Partial<PageContext>): PageContext {
  return {
    user,
    isLocked: false,
    lastInputAt: 1_769_999_990_000,
    sessionEndsAt: 1_770_040_000_000,
    setupNeeded: false,
    now: 1_770_000_000_000,
    chatKey: null,
    insecureTransport: false,
    reportsTo: null,
    reportFault: () => '',
    readPatients: () => Promise.resolve(null),
    readOpenAlerts: () => Promise.resolve(null),
    readPatient: () => Promise.resolve(null),
    readWall: () => Promise.resolve(null),
    ...given,
  };
}

function request(
  page: PageContext | undefined,
  cookies: Record<string, string> = {},
  resolvedUrl = '/patients',
): GetServerSidePropsContext {
  const message = Object.assign(new IncomingMessage(new Socket()), { wardlight: page, cookies });
  return { req: message, res: new ServerResponse(message), query: {}, resolvedUrl };
}

async function propsOf(
  handler: GetServerSideProps,
  context: GetServerSidePropsContext,
): Promise<PageProps & { initialState: RootState }> {
  const result = await handler(context);
  if (!('props' in result)) {
    throw new Error('There are no props');
  }
  return await (result.props as Promise<PageProps & { initialState: RootState }>);
}

/** The content of the store that a browser sees in the server's HTML. */
function Sidebar(): string {
  return useSelector(selectCollapsed) ? 'collapsed' : 'open';
}
function Page({ initialState }: { initialState: RootState }) {
  return createElement(Provider, { store: useStore(initialState), children: createElement(Sidebar) });
}

const nothing = () => Promise.resolve({ props: {} });

describe('a page for signed-in users', () => {
  it('throws without the server, which passes it its context', async () => {
    await expect(signedInPage(nothing)(request(undefined))).rejects.toThrow('npm start');
  });

  it('redirects to the start, which leads to the setup, until there is a user, and reads nothing', async () => {
    const load = jest.fn(nothing);
    const context = request(pageFor({ user: null, setupNeeded: true }));
    await expect(signedInPage(load)(context)).resolves.toEqual({ redirect: { destination: '/', permanent: false } });
    expect(load).not.toHaveBeenCalled();
  });

  it.each([
    ['/patients', '/sign_in?next=%2Fpatients'],
    ['/patient_details?ids=1,2', '/sign_in?next=%2Fpatient_details%3Fids%3D1%2C2'],
  ])('redirects users who are not signed in from %s to %s, and reads nothing', async (url, destination) => {
    const load = jest.fn(nothing);
    await expect(signedInPage(load)(request(pageFor({ user: null }), {}, url))).resolves.toEqual({
      redirect: { destination, permanent: false },
    });
    expect(load).not.toHaveBeenCalled();
  });

  it('sends a locked session to the lock screen, and reads nothing', async () => {
    const load = jest.fn(nothing);
    await expect(
      signedInPage(load)(request(pageFor({ isLocked: true }), {}, '/patient_details?ids=1,2')),
    ).resolves.toEqual({
      redirect: { destination: '/locked?next=%2Fpatient_details%3Fids%3D1%2C2', permanent: false },
    });
    expect(load).not.toHaveBeenCalled();
  });

  it('returns the result of its load', async () => {
    await expect(signedInPage(() => Promise.resolve(redirectTo('/patients')))(request(pageFor({})))).resolves.toEqual({
      redirect: { destination: '/patients', permanent: false },
    });
    await expect(signedInPage(() => Promise.resolve({ notFound: true }))(request(pageFor({})))).resolves.toEqual({
      notFound: true,
    });
  });

  it('returns the user, the time and the transport beside what it has loaded, which cannot replace them', async () => {
    const page = pageFor({ insecureTransport: true });
    const load = () => Promise.resolve({ props: { patients: ['Bea'], user: null, now: 0 } });
    const { initialState, ...props } = await propsOf(signedInPage(load), request(page));
    expect(props).toEqual({
      patients: ['Bea'],
      user,
      now: page.now,
      insecureTransport: true,
      lastInputAt: page.lastInputAt,
      sessionEndsAt: page.sessionEndsAt,
      chatKey: null,
    });
    expect(initialState.authentication.authenticated).toBe(false);
  });
});

describe('a public page', () => {
  it.each([user, null])('returns the user %j', async (somebody) => {
    const { user: given } = await propsOf(publicPage(nothing), request(pageFor({ user: somebody })));
    expect(given).toBe(somebody);
  });

  it('has no user if the session is locked', async () => {
    const { user: given } = await propsOf(publicPage(nothing), request(pageFor({ isLocked: true })));
    expect(given).toBeNull();
  });

  it('redirects if its load does', async () => {
    const load = (page: PageContext) => Promise.resolve(page.user === null ? { props: {} } : redirectTo('/patients'));
    await expect(publicPage(load)(request(pageFor({})))).resolves.toEqual({
      redirect: { destination: '/patients', permanent: false },
    });
  });
});

describe('the page of the lock screen', () => {
  it.each([
    ['who is not signed in', { user: null }],
    ['whose session is open', {}],
  ])('redirects %s', async (_, given) => {
    const context = { ...request(pageFor(given)), query: { next: '/patients?page=2' } };
    await expect(lockedPage(context)).resolves.toEqual({
      redirect: { destination: '/patients?page=2', permanent: false },
    });
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('never redirects to %s', async (next) => {
    const context = { ...request(pageFor({})), query: { next } };
    await expect(lockedPage(context)).resolves.toEqual({ redirect: { destination: '/', permanent: false } });
  });

  it('returns the user whose session is locked and nothing else', async () => {
    const page = pageFor({ isLocked: true });
    const { initialState: _, ...props } = await propsOf(lockedPage, request(page));
    expect(props).toEqual({
      user,
      now: page.now,
      insecureTransport: false,
      lastInputAt: page.lastInputAt,
      sessionEndsAt: page.sessionEndsAt,
      isLocked: true,
    });
  });
});

describe('the store of a request', () => {
  it.each([
    [{}, true],
    [{ sidebar: 'open' }, false],
    [{ sidebar: 'collapsed' }, true],
    [{ sidebar: '<script>' }, true],
  ])('starts from the cookies %j with collapsed %s, in the state and in the HTML', async (cookies, collapsed) => {
    const { initialState } = await propsOf(signedInPage(nothing), request(pageFor({}), cookies));
    expect(initialState.layout).toEqual({ collapsed });
    expect(renderToString(createElement(Page, { initialState }))).toBe(collapsed ? 'collapsed' : 'open');
  });

  it('is shared with no other request, whatever the order of their responses', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const contexts = [request(pageFor({}), { sidebar: 'open' }), request(pageFor({}))];
    const slow = propsOf(
      signedInPage(async () => {
        await held;
        return { props: {} };
      }),
      contexts[0] ?? request(undefined),
    );
    const quick = await propsOf(signedInPage(nothing), contexts[1] ?? request(undefined));
    release();
    expect((await slow).initialState.layout).toEqual({ collapsed: false });
    expect(quick.initialState.layout).toEqual({ collapsed: true });
    const stores = new Set(contexts.map(({ req }) => Reflect.get(req, '__nextReduxWrapperStore') as unknown));
    expect(stores.size).toBe(2);
    expect(stores.has(undefined)).toBe(false);
  });

  it('leaves no running saga behind, nor do 199 others', async () => {
    started.length = 0;
    for (let index = 0; index < 200; index += 1) {
      const { initialState } = await propsOf(
        signedInPage(nothing),
        request(pageFor({}), { sidebar: index % 2 === 0 ? 'open' : 'collapsed' }),
      );
      expect(renderToString(createElement(Page, { initialState }))).toBe(index % 2 === 0 ? 'open' : 'collapsed');
    }
    expect(started.filter((task) => task.isRunning())).toEqual([]);

    // The same search does find the watchers of a browser's store.
    Object.defineProperty(globalThis, 'window', { value: {}, configurable: true });
    const inBrowser = makeStore();
    Reflect.deleteProperty(globalThis, 'window');
    expect(started.filter((task) => task.isRunning())).toEqual([inBrowser.watchers]);
    inBrowser.watchers?.cancel();
    expect(started.filter((task) => task.isRunning())).toEqual([]);
  });
});

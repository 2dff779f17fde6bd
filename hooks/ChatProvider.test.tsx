import { act, render, renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { StrictMode, useLayoutEffect } from 'react';
import { ApiFailure } from '../lib/browser/client';
import { permissionsOf } from '../lib/session/permissions';
import type { User } from '../lib/session/schema';
import { expectConsole } from '../test/expectConsole';
import { inventedUser } from '../test/inventedWard';
import { ChatProvider } from './ChatProvider';
import { tryAgainAfterMs } from './chatLine';
import { poll } from './poll';
import { useChat, useHasChat, type ChatState } from './useChat';
import { useCurrentUser } from './useCurrentUser';

jest.mock('./poll');
jest.mock('./useCurrentUser');

interface Person {
  id: string;
  name?: string;
}

/**
 * Does what we use of the package's client: it connects after a while, and its socket opens once it has the token.
 */
class InventedClient {
  static made: InventedClient[] = [];
  static failure: Error | null = null;
  static readonly connectsAfterMs = 50;

  user: Person | null = null;
  isEnded = false;
  openings = 0;
  tokens: string[] = [];
  provider: (() => Promise<string>) | null = null;
  wsConnection: { isHealthy: boolean; isConnecting: boolean; ws?: { close: () => void } } | null = null;
  wsFallback: undefined = undefined;
  private readonly listeners: ((event: { total_unread_count?: number }) => void)[] = [];

  constructor(
    readonly key: string,
    readonly options: object,
  ) {
    InventedClient.made.push(this);
  }

  on(listener: (event: { total_unread_count?: number }) => void): void {
    this.listeners.push(listener);
  }

  connectUser(user: Person, provider: () => Promise<string>): Promise<void> {
    this.user = user;
    this.provider = provider;
    return this.open();
  }

  openConnection(): Promise<void> {
    return this.open();
  }

  closeConnection(): Promise<void> {
    this.wsConnection = null;
    return Promise.resolve();
  }

  disconnectUser(): Promise<void> {
    this.isEnded = true;
    this.wsConnection = null;
    return Promise.resolve();
  }

  recoverState(): Promise<void> {
    return Promise.resolve();
  }

  /** Does what the package does after an expired token: it awaits the provider and handles no failure of it. */
  expireToken(): void {
    void this.provider?.().then((token) => this.tokens.push(token));
  }

  hear(unread: number): void {
    for (const listener of this.listeners) {
      listener({ total_unread_count: unread });
    }
  }

  private async open(): Promise<void> {
    const connection: NonNullable<typeof this.wsConnection> = { isHealthy: false, isConnecting: true };
    this.wsConnection = connection;
    this.openings += 1;
    this.tokens.push((await this.provider?.()) ?? '');
    connection.ws = { close: () => {} };
    await new Promise((resolve) => setTimeout(resolve, InventedClient.connectsAfterMs));
    connection.isConnecting = false;
    if (this.isEnded || InventedClient.failure !== null) {
      throw InventedClient.failure ?? new Error('Connection was closed because disconnectUser() was called');
    }
    connection.isHealthy = true;
  }
}

jest.mock('stream-chat', () => ({
  get StreamChat() {
    return InventedClient;
  },
}));

const live = () => InventedClient.made.filter(({ isEnded, user }) => !isEnded && user !== null);
const only = (): InventedClient => {
  const [client, more] = live();
  if (client === undefined || more !== undefined) {
    throw new Error(`${live().length} clients live`);
  }
  return client;
};

const ines = inventedUser({ id: 7 });
const omar = inventedUser({
  id: 8,
  fname: 'Omar',
  lname: 'Haddad',
  email: 'omar@ward.test',
  userImage: '/api/v2/users/8/picture',
});
let tokensGiven = 0;
const giveTokens = () =>
  jest
    .mocked(poll)
    .mockImplementation(() => Promise.resolve({ data: { token: `token ${(tokensGiven += 1)}` }, serverTime: null }));
const refuseTokens = () =>
  jest
    .mocked(poll)
    .mockImplementation(() =>
      Promise.reject(new ApiFailure('session_locked', 'The screen is locked.', { status: 423 })),
    );

function be(user: User | null): void {
  jest.mocked(useCurrentUser).mockReturnValue({ user } as never);
}

const pass = (ms = 1_000) => act(() => jest.advanceTimersByTimeAsync(ms));
const online = () => act(() => window.dispatchEvent(new Event('online')));

let seen: ChatState | null = null;
let hasChat: boolean | null = null;
function Reader() {
  const chat = useChat();
  const offers = useHasChat();
  useLayoutEffect(() => {
    seen = chat;
    hasChat = offers;
  });
  return null;
}
const tree = (apiKey: string | null = 'abc123') => (
  <StrictMode>
    <ChatProvider apiKey={apiKey}>
      <Reader />
    </ChatProvider>
  </StrictMode>
);

/** A test gets a copy of the process, on which no rejection is reported. */
const realProcess = process.getBuiltinModule('node:process');
const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeEach(() => {
  jest.useFakeTimers();
  InventedClient.made = [];
  InventedClient.failure = null;
  unhandled.length = 0;
  tokensGiven = 0;
  jest.mocked(poll).mockReset();
  giveTokens();
  be(ines);
  realProcess.on('unhandledRejection', noteUnhandled);
});
afterEach(() => {
  realProcess.off('unhandledRejection', noteUnhandled);
  jest.useRealTimers();
  if (unhandled.length > 0) {
    throw new Error(`${unhandled.length} unhandled rejections`);
  }
});

describe('useHasChat', () => {
  it.each([
    ['without a key', ines, null, false],
    ['for a wall display', inventedUser({ type: 'display' }), 'abc123', false],
    ['before anyone has signed in', null, 'abc123', false],
    ['for anyone who may chat', ines, 'abc123', true],
  ])('%s, whatever the connection', (_, user, apiKey, expected) => {
    be(user);
    render(tree(apiKey));
    expect(hasChat).toBe(expected);
  });
});

describe('useChat', () => {
  it('throws outside its provider', () => {
    expectConsole('error');
    expect(() => renderHook(useChat)).toThrow('useChat must be used within a ChatProvider');
  });
});

describe('ChatProvider', () => {
  it.each<[string, User | null, string | null]>([
    ['without a key', ines, null],
    ['without a user', null, 'abc123'],
    [
      'for a user who may not chat',
      inventedUser({ type: 'display', permissions: permissionsOf({ type: 'display', isAdmin: false, units: [] }) }),
      'abc123',
    ],
  ])('does nothing %s', async (_, user, key) => {
    be(user);
    render(tree(key));
    await pass();
    expect([InventedClient.made, jest.mocked(poll).mock.calls, seen?.status]).toEqual([[], [], 'off']);
  });

  it('connects once when the user is present and a token was fetched, also in strict mode', async () => {
    render(tree());
    await pass();
    expect(InventedClient.made).toHaveLength(1);
    expect(jest.mocked(poll).mock.calls).toEqual([['getChatToken', { body: { id: 'u-7' } }]]);
    expect(only()).toMatchObject({
      key: 'abc123',
      options: { enableInsights: false },
      user: { id: 'u-7', name: 'Ines Moreau', email: 'ines@ward.test', siteId: 1, image: undefined },
      tokens: ['token 1'],
    });
    expect([seen?.status, seen?.client]).toEqual(['connected', only()]);
  });

  it('waits until the page has loaded', async () => {
    const state = jest.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    render(tree());
    await pass(60_000);
    expect(InventedClient.made).toEqual([]);
    state.mockReturnValue('complete');
    window.dispatchEvent(new Event('load'));
    await pass();
    expect(only().user?.id).toBe('u-7');
  });

  it('keeps the connection when the user is read again', async () => {
    const { rerender } = render(tree());
    await pass();
    be({ ...ines, breakGlassUntil: '2026-05-01T10:00:00.000Z' });
    rerender(tree());
    await pass();
    expect(InventedClient.made).toHaveLength(1);
  });

  it('counts unread messages', async () => {
    render(tree());
    await pass();
    act(() => only().hear(3));
    expect(seen?.unread).toBe(3);
    act(() => only().hear(0));
    expect(seen?.unread).toBe(0);
  });

  it('disconnects without a user, and when the page is left', async () => {
    const { rerender, unmount } = render(tree());
    await pass();
    be(null);
    rerender(tree());
    expect([live(), seen?.status, seen?.client]).toEqual([[], 'off', null]);
    be(omar);
    rerender(tree());
    await pass();
    expect(only().user).toMatchObject({ id: 'u-8', image: '/api/v2/users/8/picture' });
    unmount();
    expect(live()).toEqual([]);
  });

  it.each([
    ['before the package has come', 0],
    ['while the token is being fetched', 1],
    ['while it connects', 20],
  ])('leaves no connection behind after a sign-out %s', async (_, ms) => {
    if (ms === 1) {
      jest
        .mocked(poll)
        .mockImplementation(
          () => new Promise((resolve) => setTimeout(() => resolve({ data: { token: 'late' }, serverTime: null }), 500)),
        );
    }
    const { rerender } = render(tree());
    await pass(ms);
    be(null);
    rerender(tree());
    await pass(5_000);
    expect([live(), seen?.status]).toEqual([[], 'off']);
  });

  it('leaves no connection of the last user behind when another signs in while it connects', async () => {
    const { rerender } = render(tree());
    await pass(20);
    be(omar);
    rerender(tree());
    expect(live()).toEqual([]);
    await pass();
    expect(only().user?.id).toBe('u-8');
  });

  it('closes a socket that is still opening when the user signs out', async () => {
    const { rerender } = render(tree());
    await pass(20);
    const socket = only().wsConnection?.ws;
    const close = jest.spyOn(socket ?? { close: () => {} }, 'close');
    be(null);
    rerender(tree());
    expect(close).toHaveBeenCalled();
  });

  it.each([
    ['a refused token', () => refuseTokens(), { code: 'session_locked', status: 423 }],
    [
      'a service that refuses',
      () => {
        InventedClient.failure = new Error(
          JSON.stringify({ code: 43, StatusCode: 401, message: 'Ines Moreau may not' }),
        );
      },
      { code: '43', status: 401 },
    ],
    [
      'a fault of another kind',
      () => {
        InventedClient.failure = new Error('Ines Moreau may not');
      },
      { code: 'unknown' },
    ],
  ])('logs %s as "Failed to connect user:" with code and status only, and shows nothing', async (_, break_, logged) => {
    const lines = expectConsole('error');
    break_();
    const { container } = render(tree());
    await pass();
    expect(lines).toEqual([['Failed to connect user:', logged]]);
    expect([live(), seen?.status, container.textContent]).toEqual([[], 'failed', '']);
  });

  it('tries again when the browser comes back online, by hand, and after a minute', async () => {
    const lines = expectConsole('error');
    refuseTokens();
    render(tree());
    await pass();
    await online();
    await pass();
    act(() => seen?.retry());
    await pass();
    await pass(tryAgainAfterMs);
    expect(lines).toHaveLength(4);
    giveTokens();
    await online();
    await pass();
    expect(seen?.status).toBe('connected');
    expect(live()).toHaveLength(1);
    await pass(3 * tryAgainAfterMs);
    expect(jest.mocked(poll)).toHaveBeenCalledTimes(5);
  });

  it('opens a new socket for the same client if the old one is unhealthy when the browser is online', async () => {
    render(tree());
    await pass();
    const client = only();
    await online();
    await pass();
    expect(client.openings).toBe(1);
    client.wsConnection = { isHealthy: false, isConnecting: false };
    await online();
    await online();
    await pass();
    expect([client.openings, client.wsConnection, seen?.client]).toEqual([
      2,
      expect.objectContaining({ isHealthy: true }) as unknown,
      client,
    ]);
    expect(InventedClient.made).toHaveLength(1);
  });

  it('does not touch a socket that is being restored already', async () => {
    render(tree());
    await pass();
    only().wsConnection = { isHealthy: false, isConnecting: true };
    await online();
    await pass();
    expect(only().openings).toBe(1);
  });

  it('fetches another token when one has expired', async () => {
    render(tree());
    await pass();
    only().expireToken();
    await pass();
    expect(only().tokens).toEqual(['token 1', 'token 2']);
  });

  it('ends the connection when the next token is refused, and connects again with a new one', async () => {
    const lines = expectConsole('error');
    render(tree());
    await pass();
    refuseTokens();
    only().expireToken();
    await pass();
    expect([live(), seen?.status]).toEqual([[], 'failed']);
    expect(lines).toEqual([['Failed to connect user:', { code: 'session_locked', status: 423 }]]);
    giveTokens();
    await pass(tryAgainAfterMs);
    await pass();
    expect([only().tokens, seen?.status]).toEqual([['token 2'], 'connected']);
  });

  it('has at most one live client and no unhandled rejection in any order of events', async () => {
    expectConsole('error');
    const events = {
      signIn: () => be(ines),
      signOut: () => be(null),
      otherUser: () => be(omar),
      online: () => void window.dispatchEvent(new Event('online')),
      offline: () => void window.dispatchEvent(new Event('offline')),
      unhealthy: () =>
        live().forEach(({ wsConnection }) =>
          Object.assign(wsConnection ?? {}, { isHealthy: false, isConnecting: false }),
        ),
      expired: () => live().forEach((client) => client.expireToken()),
      tokenRefused: () => void refuseTokens(),
      tokenGiven: () => void giveTokens(),
      serviceDown: () => {
        InventedClient.failure = new Error(JSON.stringify({ code: 16, StatusCode: 503 }));
      },
      serviceUp: () => {
        InventedClient.failure = null;
      },
      retry: () => seen?.retry(),
      remount: () => {},
    };
    const names = Object.keys(events) as (keyof typeof events)[];
    const step = fc.record({
      event: fc.constantFrom(...names),
      ms: fc.constantFrom(0, 1, 20, 60, 1_000, tryAgainAfterMs),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        InventedClient.made = [];
        InventedClient.failure = null;
        giveTokens();
        be(ines);
        let page = render(tree());
        for (const { event, ms } of steps) {
          if (event === 'remount') {
            page.unmount();
            page = render(tree());
          } else {
            act(events[event]);
            page.rerender(tree());
          }
          expect(live().length).toBeLessThanOrEqual(1);
          await pass(ms);
          expect(live().length).toBeLessThanOrEqual(1);
        }
        // When nothing fails any more, a signed-in user is connected.
        giveTokens();
        InventedClient.failure = null;
        be(omar);
        page.rerender(tree());
        await online();
        await pass(2 * tryAgainAfterMs);
        expect([only().user?.id, seen?.status]).toEqual(['u-8', 'connected']);
        page.unmount();
        await pass(2 * tryAgainAfterMs);
        expect(live()).toEqual([]);
        expect(unhandled).toEqual([]);
      }),
      { numRuns: 100, seed: 20_260_501 },
    );
  });
});

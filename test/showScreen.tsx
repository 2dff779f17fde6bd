import { act, cleanup, render, renderHook, type RenderHookResult, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig, useSWRConfig } from 'swr';
import { CurrentUserProvider } from '../hooks/CurrentUserProvider';
import { swrConfig } from '../hooks/swrConfig';
import type { User } from '../lib/session/schema';
import { makeStore } from '../store/index';
import { inventedUser, wardNow } from './inventedWard';
import { answerIfAlone, endPageWith, heldCalls, isQuiet } from './network';

interface Page {
  /** The signed-in user of the page. */
  user?: User;
}

type Poll = () => Promise<void>;

/** Every timer but the clocks. */
const timers = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback'] as const),
  ...(['queueMicrotask', 'nextTick', 'hrtime'] as const),
];

endPageWith(cleanup);

let isStill = false;
const hasFakeTimers = (): boolean => Object.hasOwn(setTimeout, 'clock');

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

afterEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  if (isStill) {
    isStill = false;
    Object.assign(window, own);
    jest.useRealTimers();
  }
});

/** In milliseconds: what a page does so much later it does because time has passed, as a tick or a poll. */
const longMs = 1_000;
const own = { setTimeout: window.setTimeout, setInterval: window.setInterval };

/**
 * Lets the time of the page stand still while its work goes on: what is shown does not depend on how fast the computer
 * is, and nothing is drawn again, polled or given up by itself.
 */
function stopClocks(): void {
  isStill = true;
  jest.useFakeTimers({ now: wardNow, doNotFake: timers });
  Object.assign(window, {
    setTimeout: (then: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): unknown =>
      ms < longMs ? own.setTimeout(then, ms, ...given) : undefined,
    setInterval: (then: () => void, ms = 0): unknown => (ms < longMs ? own.setInterval(then, ms) : undefined),
  });
}

/** What a page is within: the parts of pages/_app.tsx that its reads, calls and its user need. */
function makePage({ user = inventedUser() }: Page): {
  wrapper: (props: { children: ReactNode }) => ReactNode;
  poll: Poll;
  settle: Poll;
} {
  if (!hasFakeTimers() && !isStill) {
    stopClocks();
  }
  answerIfAlone({ getCurrentUser: () => user, updateLastActive: () => null });
  // Answers come when they come, as in a browser, and not within an act() of a test.
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  if (!/(^|; )token=/.test(outside.sentCookies())) {
    outside.takeCookies(['token=of-a-test; Path=/']);
  }
  const store = makeStore(undefined, { user, isLocked: false });
  const cache = swrConfig.provider();
  let mutate: ReturnType<typeof useSWRConfig>['mutate'] | null = null;
  function Revealed({ children }: { children: ReactNode }): ReactNode {
    ({ mutate } = useSWRConfig());
    return children;
  }
  const reads = (): number => [...cache.keys()].filter((key) => cache.get(key)?.isValidating === true).length;
  const settle = async (): Promise<void> => {
    do {
      await act(async () => {
        if (hasFakeTimers()) {
          await jest.advanceTimersByTimeAsync(0);
        }
        await outside.turn();
      });
    } while (!isQuiet() || reads() > heldCalls());
  };
  const poll = async (): Promise<void> => {
    await act(async () => {
      void mutate?.(() => true);
      await outside.turn();
    });
    await settle();
  };
  return {
    wrapper: ({ children }) => (
      <Provider store={store}>
        <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
          <CurrentUserProvider user={user}>
            <Revealed>{children}</Revealed>
          </CurrentUserProvider>
        </SWRConfig>
      </Provider>
    ),
    poll,
    settle,
  };
}

/**
 * Shows a screen as the page of a user has it, and waits for what it reads. Its clocks stand still unless the test uses
 * fake timers. `poll` reads everything again, as the page does every 5 s.
 */
export async function showScreen(
  screen: ReactElement,
  page: Page = {},
): Promise<RenderResult & { poll: Poll; settle: Poll }> {
  const { wrapper, ...more } = makePage(page);
  const rendered = render(screen, { wrapper });
  await more.settle();
  return { ...rendered, ...more };
}

/** Runs a hook in the page of a user. */
export async function runHook<Result, Props>(
  hook: (props: Props) => Result,
  initialProps: Props,
  page: Page = {},
): Promise<RenderHookResult<Result, Props> & { poll: Poll; settle: Poll }> {
  const { wrapper, ...more } = makePage(page);
  const rendered = renderHook(hook, { wrapper, initialProps });
  await more.settle();
  return { ...rendered, ...more };
}

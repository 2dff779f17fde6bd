import { TestEnvironment } from 'jest-environment-jsdom';
import { serverForScreens, stopIfMoved, workerServer } from './workerServer';

/** What is outside of the page of a test: the browser's own parts, and the server. */
export interface Outside {
  /** The real server; every test makes a site of its own in it. */
  server: typeof workerServer;
  /** What the server knows of its calls. */
  calls: () => Pick<ReturnType<typeof serverForScreens>, 'receive' | 'faultOf' | 'statusOf'>;
  /** The cookies that the browser sends with a request, those included that a page cannot read. */
  sentCookies(): string;
  takeCookies(lines: readonly string[]): void;
  /** Lets everything outside of the page go on for a moment, also while the page's timers stand still. */
  turn(): Promise<void>;
}

/** jsdom with what every browser has and jsdom lacks; the values are Node's own, which follow the same standards. */
export default class BrowserEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    const { cookieJar, window } = this.dom ?? {};
    const outside: Outside = {
      server: workerServer,
      calls: serverForScreens,
      sentCookies: () => cookieJar?.getCookieStringSync(window?.location.href ?? '') ?? '',
      takeCookies: (lines) => {
        for (const line of lines) {
          cookieJar?.setCookieSync(line, window?.location.href ?? '');
        }
      },
      turn: () => new Promise((resolve) => setTimeout(resolve, 1)),
    };
    Object.assign(this.global, {
      TextEncoder,
      TextDecoder,
      ReadableStream,
      Headers,
      Request,
      Response,
      structuredClone,
      outside,
    });
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    await stopIfMoved();
  }
}

import {
  type Browser,
  type BrowserContext,
  expect,
  type LaunchOptions,
  type Page,
  test as base,
} from '@playwright/test';
import { chromiumArguments, chromiumPath } from './chromium';

/** The browser says this of every answer that is no success; what the page makes of it is what tests look at. */
const failedLoads = /^Failed to load resource: /;
/** Matches no line. */
const nothing = /(?!)/;

interface Options {
  /**
   * Lines that a test expects on the console, such as the log line of a server that is down on purpose. One expression
   * and no list: of a list of two Playwright takes the second for the fixture's options, because it is an object.
   */
  expectedConsole: RegExp;
}

/**
 * Playwright's `test`, which fails when a page prints an error or a warning (React and Next say there what is wrong),
 * throws, or breaks the Content-Security-Policy. The server of a spec is its own: see startServer.
 */
export const test = base.extend<Options, { launchOptions: LaunchOptions }>({
  launchOptions: [
    async ({}, use) => {
      await use({ executablePath: await chromiumPath(), args: chromiumArguments });
    },
    { scope: 'worker' },
  ],
  expectedConsole: [nothing, { option: true }],
  context: async ({ context, expectedConsole }, use) => {
    const faults = await collectFaults(context, expectedConsole);
    await use(context);
    expect(faults, 'what the pages printed, threw or violated').toEqual([]);
  },
});

/** Watches all pages of a context; returns the growing list of faults. */
async function collectFaults(context: BrowserContext, expected = nothing): Promise<readonly string[]> {
  const faults: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `securitypolicyviolation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  context.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !failedLoads.test(text) && !expected.test(text)) {
      faults.push(`${message.type()}: ${text}`);
    }
  });
  context.on('weberror', (problem) => {
    faults.push(`thrown: ${problem.error().stack ?? problem.error().message}`);
  });
  return faults;
}

/** A browser of somebody else's; closing it fails where its pages printed something that was not expected. */
export async function anotherBrowser(
  browser: Browser,
  expected = nothing,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext();
  const faults = await collectFaults(context, expected);
  return {
    page: await context.newPage(),
    close: async () => {
      await context.close();
      expect(faults, 'what the pages printed, threw or violated').toEqual([]);
    },
  };
}

export { expect };

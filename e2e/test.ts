import {
  type Browser,
  type BrowserContext,
  expect,
  type LaunchOptions,
  type Page,
  test as base,
} from '@playwright/test';
import { chromiumArguments, chromiumPath } from './chromium';
import { completeWalkthrough } from './completeWalkthrough';

/**
 * The browser logs the first for every response that is no success, and the page the second for a call that a busy
 * machine did not answer in time; the tests look at what the page makes of it.
 */
const failedLoads = /^Failed to load resource: |^Failed to .* {code: aborted}$/;
/** Matches no line. */
const nothing = /(?!)/;

interface Options {
  /**
   * Lines that a test expects on the console, for example the log line of a server that is down on purpose. One
   * expression and no list: of a list of two Playwright takes the second for the fixture's options, because it is an
   * object.
   */
  expectedConsole: RegExp;
  /** Users have not seen the walkthrough yet. In all other specs they have completed it. */
  isFirstLogin: boolean;
}

/**
 * Playwright's `test`, which fails if a page prints an error or a warning (React and Next report faults there), throws,
 * or breaks the Content-Security-Policy. A spec has its own site, or its own server: see ward.ts.
 */
export const test = base.extend<Options, { launchOptions: LaunchOptions }>({
  launchOptions: [
    async ({}, use) => {
      await use({ executablePath: await chromiumPath(), args: chromiumArguments });
    },
    { scope: 'worker' },
  ],
  expectedConsole: [nothing, { option: true }],
  isFirstLogin: [false, { option: true }],
  context: async ({ context, expectedConsole, isFirstLogin }, use) => {
    const faults = await collectFaults(context, expectedConsole);
    if (!isFirstLogin) {
      await completeWalkthrough(context);
    }
    await use(context);
    expectNoFaults(faults);
  },
});

/** Watches all pages of a context; returns the growing list of faults. */
async function collectFaults(context: BrowserContext, expected = nothing): Promise<readonly string[]> {
  const faults: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      console.error(`securitypolicyviolation: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
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

/** The faults are in the message too: a summary of a run has its first line only. */
function expectNoFaults(faults: readonly string[]): void {
  expect(faults, `what the pages printed, threw or violated: ${faults.join(' | ')}`).toEqual([]);
}

/** Opens a browser for another user; closing it fails if its pages printed something that was not expected. */
export async function anotherBrowser(
  browser: Browser,
  expected = nothing,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext();
  const faults = await collectFaults(context, expected);
  await completeWalkthrough(context);
  return {
    page: await context.newPage(),
    close: async () => {
      await context.close();
      expectNoFaults(faults);
    },
  };
}

export { expect };

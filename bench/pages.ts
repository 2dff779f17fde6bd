import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext, type Page, type Response } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { completeWalkthrough } from '../e2e/completeWalkthrough';
import { firstLoadLimits } from '../test/firstLoadLimits';
import { atMost, median } from './lines';
import { longestTask } from './longestTask';
import {
  backfillDay,
  backfillHour,
  cookiesOf,
  feedEverySecond,
  feedOnce,
  startWard,
  untilIdle,
  untilRolledUp,
  type Ward,
} from './ward';
import { yearOfSymptoms } from './yearOfSymptoms';

/** First loads of a page, each with an empty cache. */
const rounds = 5;
const patients = 500;
/** Several polls, which come every 5 s; on pages with spark lines one of those, which comes every minute. */
const watchedMs = { polls: 16_000, sparks: 61_000 };

/** An old computer on a slow line: 10 Mbit/s. */
const slowness = { cpuTimes: 4, latencyMs: 40, bytesPerSecond: 1_250_000 };

/** Milliseconds. */
const limits = { firstPaint: 560, largestPaint: 1_600, task: 50, strip: 100 };

/** A class of uPlot's, which occurs in its code and nowhere else. */
const chartCode = 'u-over';

interface FirstLoad {
  scriptsKb: number;
  /** Those that the document names, and so delay the first paint. */
  stylesKb: number;
  /** When the page is painted with all style sheets that the document names, in milliseconds. */
  firstPaintMs: number;
  largestPaintMs: number;
}

/** Measures the pages in a slowed-down browser: what they load, when they paint, and whether news delay them. */
export async function benchPages(): Promise<void> {
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  try {
    const ward = await startWard(patients);
    try {
      await backfillHour(ward, Date.now());
      await benchFirstLoads(browser, ward);
      const feed = feedEverySecond(ward);
      try {
        await feed.first;
        await benchPolls(browser, ward);
      } finally {
        await feed.stop();
      }
    } finally {
      await ward.server.remove();
    }
    await benchChartUpdates(browser);
  } finally {
    await browser.close();
  }
}

/**
 * The server is idle meanwhile, because it shares the processor with the browser: its other work would count as the
 * page's. All values are new when the list is opened.
 */
async function benchFirstLoads(browser: Browser, ward: Ward): Promise<void> {
  const signIn: FirstLoad[] = [];
  const list: FirstLoad[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await feedOnce(ward);
    await untilIdle(ward);
    signIn.push(await firstLoad(await browser.newContext(), `${ward.server.url}/sign_in`, 0));
    list.push(await firstLoad(await signedIn(browser, ward), `${ward.server.url}/patients`, 1));
  }
  const middle = (loads: FirstLoad[], what: keyof FirstLoad): number[] => [median(loads.map((load) => load[what]))];
  atMost(
    'sign-in: scripts of the first load, compressed',
    middle(signIn, 'scriptsKb'),
    firstLoadLimits.signInScripts,
    'kB',
  );
  atMost('sign-in: styles of the first paint, compressed', middle(signIn, 'stylesKb'), firstLoadLimits.styles, 'kB');
  atMost(
    'sign-in: first paint with styles, 4x slower, 10 Mbit/s',
    middle(signIn, 'firstPaintMs'),
    limits.firstPaint,
    'ms',
  );
  atMost('patients: scripts of the first load, compressed', middle(list, 'scriptsKb'), firstLoadLimits.scripts, 'kB');
  atMost('patients: styles of the first paint, compressed', middle(list, 'stylesKb'), firstLoadLimits.styles, 'kB');
  atMost(
    'patients: first paint with styles, 4x slower, 10 Mbit/s',
    middle(list, 'firstPaintMs'),
    limits.firstPaint,
    'ms',
  );
  atMost('patients: largest paint, 4x slower, 10 Mbit/s', middle(list, 'largestPaintMs'), limits.largestPaint, 'ms');
}

async function benchPolls(browser: Browser, ward: Ward): Promise<void> {
  const context = await signedIn(browser, ward);
  const page = await slowPage(context);
  await page.goto(`${ward.server.url}/patients?pageSize=${patients}`, { waitUntil: 'networkidle' });
  const values = page.locator('tbody tr [data-vital]');
  const before = await values.allTextContents();
  const longest = await longestTaskOfPolls(page, watchedMs.sparks);
  const after = await values.allTextContents();
  if (before.length !== 2 * patients || after.some((value, index) => value === before[index])) {
    throw new Error('A poll was to change every row');
  }
  if ((await page.locator('tbody tr [data-kind] path').count()) < 2 * patients) {
    throw new Error('Every value was to have its last hour beside it');
  }
  atMost(
    `patients: longest task while polls change ${patients} rows and their spark lines, 4x slower`,
    [longest],
    limits.task,
    'ms',
  );
  await context.close();
}

async function benchChartUpdates(browser: Browser): Promise<void> {
  const ward = await startWard(1);
  try {
    const now = Date.now();
    await backfillDay(ward, now);
    const day = `from=${new Date(now - 86_400_000).toISOString()}&to=${new Date(now).toISOString()}`;
    await untilRolledUp(ward, `/api/v2/patients/1/vitals?kind=spo2&${day}&points=1000`, 86_400 - 120);
    const feed = feedEverySecond(ward);
    const context = await signedIn(browser, ward);
    const page = await slowPage(context);
    await page.goto(`${ward.server.url}/patient_details?ids=1`, { waitUntil: 'networkidle' });
    await page.getByRole('radio', { name: '24 hours' }).check();
    await page.waitForLoadState('networkidle');
    atMost(
      'charts: longest task while polls bring 86,400 readings of each line, 4x slower',
      [await longestTaskOfPolls(page, watchedMs.polls)],
      limits.task,
      'ms',
    );
    await feed.stop();
    await benchSymptomStrip(page);
    await context.close();
  } finally {
    await ward.server.remove();
  }
}

/** Each poll brings another year of symptoms to an open page of one patient, all of its rows shown. */
async function benchSymptomStrip(page: Page): Promise<void> {
  let turn = 0;
  await page.route('**/symptom-strip?*', async (route) => {
    turn += 1;
    await route.fulfill({ json: yearOfSymptoms(1, Date.now(), turn) });
  });
  await page.getByRole('button', { name: /^Show all \d+ symptoms$/ }).click();
  const longest = await longestTaskOfPolls(page, watchedMs.polls);
  if (turn < 3) {
    throw new Error('Polls were to bring new symptoms');
  }
  atMost(
    'details: longest task while a poll draws a year of three reports a day, 4x slower',
    [longest],
    limits.strip,
    'ms',
  );
}

async function signedIn(browser: Browser, ward: Ward): Promise<BrowserContext> {
  const context = await browser.newContext();
  await completeWalkthrough(context);
  await context.addCookies(cookiesOf(ward));
  return context;
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowness.latencyMs,
    downloadThroughput: slowness.bytesPerSecond,
    uploadThroughput: slowness.bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpuTimes });
  return page;
}

/**
 * Opens an address in a new context, which is closed again, and counts everything until the network is quiet after the
 * first polls: the code that reads their responses is part of the first load.
 */
async function firstLoad(context: BrowserContext, address: string, polls: 0 | 1): Promise<FirstLoad> {
  const page = await slowPage(context);
  const fetched: Response[] = [];
  page.on('response', (response) => {
    fetched.push(response);
  });
  const polled = polls === 0 ? null : answeredPoll(page);
  const reply = await page.goto(address, { waitUntil: 'load' });
  await polled;
  await page.waitForLoadState('networkidle');
  const html = (await reply?.text()) ?? '';
  const files = await Promise.all(
    fetched
      .map((response) => ({ kind: response.request().resourceType(), response }))
      .filter(
        ({ kind, response }) =>
          kind === 'script' || (kind === 'stylesheet' && html.includes(new URL(response.url()).pathname)),
      )
      .map(async ({ kind, response }) => ({ kind, text: await response.text() })),
  );
  if (files.some(({ kind, text }) => kind === 'script' && text.includes(chartCode))) {
    throw new Error(`${address} shows no chart and fetches the code of one`);
  }
  const blocking = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(
        (entry) =>
          entry instanceof PerformanceResourceTiming && entry.initiatorType === 'link' && entry.name.endsWith('.css'),
      )
      .map(({ name, startTime, duration }) => ({ name, end: startTime + duration })),
  );
  const named = blocking.filter(({ name }) => html.includes(new URL(name).pathname));
  const paints = await page.evaluate(
    () =>
      new Promise<{ first: number; largest: number }>((resolve) => {
        const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
        new PerformanceObserver((list) => {
          resolve({ first, largest: list.getEntries().at(-1)?.startTime ?? Number.NaN });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await context.close();
  const kilobytes = (kind: string): number =>
    files.filter((file) => file.kind === kind).reduce((sum, { text }) => sum + gzipSync(text, { level: 6 }).length, 0) /
    1000;
  return {
    scriptsKb: kilobytes('script'),
    stylesKb: kilobytes('stylesheet'),
    firstPaintMs: Math.max(paints.first, ...named.map(({ end }) => end)),
    largestPaintMs: paints.largest,
  };
}

async function answeredPoll(page: Page): Promise<void> {
  await page.waitForResponse(
    (response) => /\/api\/v2\/patients[?/]/.test(response.url()) && !response.url().includes('/sparks?'),
  );
}

/**
 * Returns the longest task over the next polls (`longestTask`). In earlier polls the browser has compiled the code that
 * reads them.
 */
async function longestTaskOfPolls(page: Page, ms: number): Promise<number> {
  await answeredPoll(page);
  await answeredPoll(page);
  return await longestTask(page, ms);
}

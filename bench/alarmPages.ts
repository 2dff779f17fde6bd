import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type BrowserContext } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { completeWalkthrough } from '../e2e/completeWalkthrough';
import { mostBeds } from '../lib/wall/schema';
import { atMost } from './lines';
import { longestTask } from './longestTask';
import { cookiesOf, ingest, startWard, type Ward } from './ward';

/** A fifth of them is in each unit: as many as a wall has room for. */
const patients = 5 * mostBeds;
const alerts = 200;
const cpuTimes = 4;
const limitMs = 50;
/** Several updates, which come each second, and two polls. */
const watchedMs = 12_000;

/**
 * Measures the longest task of the main thread, four times slower, while every value changes each second: of a wall
 * with 48 tiles, 40 of them with an alert, and of a dashboard with 200 open alerts.
 */
export async function benchAlarmPages(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  const timer = setInterval(() => {
    feedLow(ward).catch((problem: unknown) => {
      process.stderr.write(`${String(problem)}\n`);
    });
  }, 1_000);
  try {
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
    await completeWalkthrough(context);
    await context.addCookies(cookiesOf(ward));
    const { url } = ward.server;
    const wall = await longestTaskOf(context, `${url}/wall?unit=1`, 'main li[data-tile="filled"]', alerts / 5);
    atMost(`wall: longest task while ${mostBeds} tiles change each second, 4x slower`, [wall], limitMs, 'ms');
    const dashboard = await longestTaskOf(context, `${url}/dashboard`, 'li [data-alert]', alerts);
    atMost(
      `dashboard: longest task while ${alerts} open alerts change each second, 4x slower`,
      [dashboard],
      limitMs,
      'ms',
    );
  } finally {
    clearInterval(timer);
    await browser.close();
    await ward.server.remove();
  }
}

/** Sends one second of the ward: the first 200 patients are so low that an alert is raised at once. */
async function feedLow({ server, token, patients: ids }: Ward): Promise<void> {
  const takenAt = new Date().toISOString();
  const beat = Math.floor(Date.now() / 1_000);
  const samples = ids.flatMap((patientId) => [
    { patientId, kind: 'spo2', value: (patientId <= alerts ? 70 : 95) + ((patientId + beat) % 5), takenAt },
    { patientId, kind: 'heartRate', value: 60 + ((patientId + beat) % 30), takenAt },
  ]);
  await ingest({ server, token }, JSON.stringify({ sentAt: takenAt, samples }));
}

/** Opens a page, waits for so many of its parts, and returns the longest task of then; 0: none over 50 ms. */
async function longestTaskOf(context: BrowserContext, address: string, part: string, count: number): Promise<number> {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(([selector, least]) => document.querySelectorAll(selector).length >= least, [
    part,
    count,
  ] as const);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuTimes });
  // The code of the first updates is compiled meanwhile.
  await wait(watchedMs);
  const longest = await longestTask(page, watchedMs);
  await page.close();
  return longest;
}

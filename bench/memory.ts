import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { startServer, type TestServer } from '../e2e/startServer';
import { demoResponse } from '../lib/session/schema';
import { atMost } from './lines';
import { readMetric } from './readMetric';

const watchedMs = 600_000;
const lookEveryMs = 5_000;

/** Seconds and bytes of 1,000,000. */
const limits = { onScreen: 20, resident: 300 };

/**
 * Measures the demo: the time until it is on a screen, and the memory of the process over ten minutes with two
 * browsers.
 */
export async function benchMemory(): Promise<void> {
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  const start = Date.now();
  const server = await startServer();
  try {
    const made = await fetch(`${server.url}/api/v2/demo`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    const nurse = demoResponse.parse(await made.json()).people.find(({ type }) => type === 'nurse');
    if (nurse === undefined) {
      throw new Error('The demo has no nurse');
    }
    const pages = [await watch(await (await browser.newContext()).newPage(), server, nurse)];
    atMost(
      'demo: from the start of a built server to a live value on the screen',
      [(Date.now() - start) / 1_000],
      limits.onScreen,
      's',
    );
    pages.push(await watch(await (await browser.newContext()).newPage(), server, nurse));
    await pages[1]?.goto(`${server.url}/patients`);
    const resident: number[] = [];
    for (let spent = 0; spent < watchedMs; spent += lookEveryMs) {
      await wait(lookEveryMs);
      resident.push((await readMetric(server, 'process_resident_memory_bytes')) / 1_000_000);
    }
    atMost('demo: resident memory over ten minutes with two browsers', resident, limits.resident, 'MB');
  } finally {
    await server.remove();
    await browser.close();
  }
}

/** Signs in and waits until a value is live. */
async function watch(page: Page, { url }: TestServer, who: { email: string; password: string }): Promise<Page> {
  await page.goto(`${url}/sign_in`);
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-vital][data-state="live"]').first().waitFor();
  return page;
}

import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { completeWalkthrough } from '../e2e/completeWalkthrough';
import { signInToDemo, startDemoWard } from './demoWard';
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
  const ward = await startDemoWard();
  const { server } = ward;
  try {
    const watch = async (): Promise<Page> => {
      const context = await browser.newContext();
      await completeWalkthrough(context);
      const page = await context.newPage();
      await signInToDemo(page, ward);
      return page;
    };
    await watch();
    atMost(
      'demo: from the start of a built server to a live value on the screen',
      [(Date.now() - start) / 1_000],
      limits.onScreen,
      's',
    );
    await (await watch()).goto(`${server.url}/patients`);
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

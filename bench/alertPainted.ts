import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { alertsPage } from '../lib/alerts/schema';
import { callWith, feedDesaturations, type Sent } from './desaturations';
import { atMost } from './lines';
import { startWard, type Ward } from './ward';

const patients = 100;
const limitMs = 1_000;

/** By alert: when it was painted first, in epoch milliseconds. */
const painted = z.record(z.string(), z.number());

/**
 * Measures how late a user sees an alert: from sending the call with the sample that ends its delay to the frame in
 * which the open list of another browser has painted it. In real time, on the built server.
 */
export async function benchAlertPainted(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  try {
    const page = await (await browser.newContext()).newPage();
    await openAlertList(page, ward);
    const sent: Sent[] = [];
    await feedDesaturations(ward, sent);
    await wait(2 * limitMs);
    const seen = painted.parse(await page.evaluate('window.paintedAlerts'));
    const headers = { cookie: ward.cookie };
    const response: unknown = await (
      await fetch(`${ward.server.url}/api/v2/alerts?pageSize=${patients}`, { headers })
    ).json();
    const delays = alertsPage
      .parse(response)
      .items.filter(({ parameter }) => parameter === 'spo2')
      .map(({ id, patientId, evidence }) => {
        const measuredAt = Date.parse(evidence.samples[0]?.takenAt ?? '');
        return (seen[id] ?? Number.NaN) - (callWith(sent, patientId ?? 0, measuredAt)?.takenAt ?? Number.NaN);
      })
      .sort((a, b) => a - b);
    if (delays.length !== patients || delays.some(Number.isNaN)) {
      const missing = delays.filter(Number.isNaN).length;
      throw new Error(`${delays.length} alerts instead of ${patients}, of them ${missing} were never painted`);
    }
    const at = (share: number): number => delays[Math.min(patients - 1, Math.floor(patients * share))] ?? Number.NaN;
    process.stdout.write(`alerts painted after p50 ${at(0.5).toFixed(0)} ms, most ${at(1).toFixed(0)} ms\n`);
    atMost('from a sample to its alert painted in a browser, 100 alerts in a minute, p99', [at(0.99)], limitMs, 'ms');
  } finally {
    await browser.close();
    await ward.server.remove();
  }
}

/** Signs in, opens the list of alerts, and notes from then on when each alert is painted first. */
async function openAlertList(page: Page, ward: Ward): Promise<void> {
  await page.context().addCookies(
    ward.cookie.split('; ').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return { name, value, url: ward.server.url };
    }),
  );
  await page.goto(`${ward.server.url}/dashboard`, { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    const at: Record<string, number> = {};
    Object.assign(window, { paintedAlerts: at });
    new MutationObserver(() => {
      for (const line of document.querySelectorAll<HTMLElement>('[data-alert]')) {
        const id = line.dataset.alert ?? '';
        if (at[id] === undefined && line.getClientRects().length > 0) {
          at[id] = Number.NaN;
          // After the next frame begins, what this frame drew is on the screen.
          requestAnimationFrame(() => requestAnimationFrame(() => (at[id] = Date.now())));
        }
      }
    }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-alert'] });
  });
}

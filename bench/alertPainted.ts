import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { completeWalkthrough } from '../e2e/completeWalkthrough';
import { alertsPage } from '../lib/alerts/schema';
import { callWith, feedDesaturations, type Sent } from './desaturations';
import { atMost } from './lines';
import { cookiesOf, startWard, type Ward } from './ward';

const patients = 100;
const limitMs = 1_000;

/** What the page has seen, in epoch milliseconds. */
const seenByPage = z.object({
  /** By alert: when it was painted first. */
  painted: z.record(z.string(), z.number()),
  /** When an event of the stream said that alerts have changed. */
  heard: z.array(z.number()),
  /** The polls of the list. */
  polls: z.array(z.object({ begun: z.number(), ended: z.number() })),
});
type SeenByPage = z.infer<typeof seenByPage>;

/** Where the time of one alert went, in milliseconds. */
interface Delay {
  total: number;
  /** From the sample to the event. */
  heard: number;
  /** From the event to the poll whose response has the alert. */
  polled: number;
  answered: number;
  painted: number;
}

/**
 * Measures how late a user sees an alert: from sending the call with the sample that ends its delay to the frame in
 * which the open list of another browser has painted it. In real time, on the built server.
 */
export async function benchAlertPainted(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  try {
    const context = await browser.newContext();
    await completeWalkthrough(context);
    const page = await context.newPage();
    await openAlertList(page, ward);
    const sent: Sent[] = [];
    await feedDesaturations(ward, sent);
    await wait(2 * limitMs);
    const seen = seenByPage.parse(await page.evaluate('window.seenByPage'));
    const headers = { cookie: ward.cookie };
    const response: unknown = await (
      await fetch(`${ward.server.url}/api/v2/alerts?pageSize=${patients}`, { headers })
    ).json();
    const delays = alertsPage
      .parse(response)
      .items.filter(({ parameter }) => parameter === 'spo2')
      .map(({ id, patientId, evidence }) => {
        const measuredAt = Date.parse(evidence.samples[0]?.takenAt ?? '');
        return delayOf(seen, seen.painted[id], callWith(sent, patientId ?? 0, measuredAt)?.takenAt);
      })
      .sort((a, b) => a.total - b.total);
    if (delays.length !== patients || delays.some(({ total }) => Number.isNaN(total))) {
      const missing = delays.filter(({ total }) => Number.isNaN(total)).length;
      throw new Error(`${delays.length} alerts instead of ${patients}, of them ${missing} were never painted`);
    }
    const at = (share: number): number => sharesOf(delays, 'total', share);
    const parts = (['heard', 'polled', 'answered', 'painted'] as const).map(
      (part) => `${part} ${sharesOf(delays, part, 0.5).toFixed(0)} / ${sharesOf(delays, part, 0.99).toFixed(0)} ms`,
    );
    process.stdout.write(`alerts painted after p50 ${at(0.5).toFixed(0)} ms, most ${at(1).toFixed(0)} ms\n`);
    process.stdout.write(`  p50 / p99 of the parts: ${parts.join(', ')}\n`);
    process.stdout.write(`  ${seen.heard.length} events, ${seen.polls.length} polls of the list\n`);
    atMost('from a sample to its alert painted in a browser, 100 alerts in a minute, p99', [at(0.99)], limitMs, 'ms');
  } finally {
    await browser.close();
    await ward.server.remove();
  }
}

function delayOf({ heard, polls }: SeenByPage, painted = Number.NaN, sentAt = Number.NaN): Delay {
  const event = heard.find((at) => at >= sentAt) ?? Number.NaN;
  const poll = polls.findLast(({ ended }) => ended <= painted) ?? { begun: Number.NaN, ended: Number.NaN };
  return {
    total: painted - sentAt,
    heard: event - sentAt,
    polled: poll.begun - event,
    answered: poll.ended - poll.begun,
    painted: painted - poll.ended,
  };
}

function sharesOf(delays: readonly Delay[], part: keyof Delay, share: number): number {
  const sorted = delays.map((delay) => delay[part]).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Signs in, opens the list of alerts, and notes from then on when each alert is painted first. */
async function openAlertList(page: Page, ward: Ward): Promise<void> {
  await page.context().addCookies(cookiesOf(ward));
  await page.addInitScript(() => {
    const seen: SeenByPage = { painted: {}, heard: [], polls: [] };
    Object.assign(window, { seenByPage: seen });
    window.EventSource = class extends EventSource {
      constructor(...given: ConstructorParameters<typeof EventSource>) {
        super(...given);
        this.addEventListener('alerts', () => seen.heard.push(Date.now()));
      }
    };
    new PerformanceObserver((list) => {
      for (const { name, startTime, duration } of list.getEntries()) {
        if (new URL(name).pathname === '/api/v2/alerts') {
          const begun = performance.timeOrigin + startTime;
          seen.polls.push({ begun, ended: begun + duration });
        }
      }
    }).observe({ type: 'resource', buffered: true });
    new MutationObserver(() => {
      for (const line of document.querySelectorAll<HTMLElement>('[data-alert]')) {
        const id = line.dataset.alert ?? '';
        if (seen.painted[id] === undefined && line.getClientRects().length > 0) {
          seen.painted[id] = Number.NaN;
          // After the next frame begins, what this frame drew is on the screen.
          requestAnimationFrame(() => requestAnimationFrame(() => (seen.painted[id] = Date.now())));
        }
      }
    }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-alert'] });
  });
  await page.goto(`${ward.server.url}/dashboard`, { waitUntil: 'networkidle' });
}

import { setTimeout as wait } from 'node:timers/promises';
import { limitPreview } from '../lib/alerts/limitPreviewSchema';
import { atMost, median } from './lines';
import { pollHealth } from './pollHealth';
import { backfillDay, feedEverySecond, startWard, untilIdle, untilRolledUp } from './ward';

const rounds = 6;
const patients = 24;
/** With limits that half of the values violate the rules have something to do with each. */
const proposals = [
  { name: 'SpO2, looser', body: { rule: 'spo2.low', values: { low: 85 } } },
  { name: 'SpO2, half beyond', body: { rule: 'spo2.below', values: { low: 96 } } },
  { name: 'heart rate, half beyond', body: { rule: 'hr.fast', values: { high: 80 } } },
];

/**
 * Measures the preview of a day of one patient at one value a second, as the page asks for it, and how long `/healthz`
 * takes meanwhile, while the ward sends each second. In real time, on the built server.
 */
export async function benchLimitPreview(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  const { url } = ward.server;
  const xsrf = /XSRF-TOKEN=([^;]*)/.exec(ward.cookie)?.[1] ?? '';
  const headers = { 'Content-Type': 'application/json', cookie: ward.cookie, 'X-XSRF-TOKEN': xsrf };
  try {
    const now = Date.now();
    await backfillDay(ward, now);
    const iso = (at: number): string => new Date(at).toISOString();
    const day = `/api/v2/patients/1/vitals?kind=spo2&from=${iso(now - 86_400_000)}&to=${iso(now)}&points=1000`;
    await untilRolledUp(ward, day, 86_400 - 120);
    const feed = feedEverySecond(ward);
    await feed.first;
    await untilIdle(ward);
    const rest = new AbortController();
    const resting = pollHealth(url, rest.signal);
    await wait(2_000);
    rest.abort();
    process.stdout.write(`/healthz without a preview, longest of 2 s: ${(await resting).toFixed(1)} ms\n`);
    for (const { name, body } of proposals) {
      const shown: number[] = [];
      const healthy: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const done = new AbortController();
        const watched = pollHealth(url, done.signal);
        const begun = performance.now();
        const address = `${url}/api/v2/patients/1/limits/preview`;
        const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
        const text = await response.text();
        shown.push(performance.now() - begun);
        done.abort();
        healthy.push(await watched);
        const { coveredMs } = limitPreview.parse(JSON.parse(text));
        // The clock of a new device is not known: the first call's values count at other times.
        if (coveredMs < 80_000_000) {
          throw new Error(`The preview covers ${coveredMs} ms only`);
        }
      }
      const what = `preview of 24 h at 1 Hz, ${name}, 24 patients sending`;
      atMost(`${what}: answered, the first of the server or of a kind`, shown.slice(0, 1), 1_000, 'ms');
      atMost(`${what}: answered (median of the others)`, [median(shown.slice(1))], 1_000, 'ms');
      atMost(`${what}: /healthz meanwhile (longest)`, healthy, 50, 'ms');
    }
    await feed.stop();
  } finally {
    await ward.server.remove();
  }
}

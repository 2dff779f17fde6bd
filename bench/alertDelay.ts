import { setTimeout as wait } from 'node:timers/promises';
import { alertsPage } from '../lib/alerts/schema';
import { callWith, feedDesaturations, type Sent } from './desaturations';
import { atMost } from './lines';
import { startWard, type Ward } from './ward';

const patients = 250;
/**
 * Reads the open alerts each time the event stream reports a change, as a page does, and notes when each alert was
 * first seen: milliseconds after sending the call with the sample that ended its delay.
 */
export async function watchAlerts(ward: Ward, sent: readonly Sent[], until: AbortSignal): Promise<number[]> {
  const headers = { cookie: ward.cookie };
  const seen = new Set<number>();
  const delays: number[] = [];
  const stream = await fetch(`${ward.server.url}/api/v2/events`, { headers, signal: until });
  if (stream.status !== 200 || stream.body === null) {
    throw new Error(`The event stream responded with ${stream.status}`);
  }
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of stream.body) {
      rest += decoder.decode(chunk, { stream: true });
      const isTold = rest.includes('event: alerts');
      rest = rest.slice(rest.lastIndexOf('\n\n') + 1);
      if (!isTold) {
        continue;
      }
      const { items } = alertsPage.parse(await (await fetch(`${ward.server.url}/api/v2/alerts`, { headers })).json());
      const now = performance.now();
      for (const { id, patientId, parameter, evidence } of items) {
        if (parameter === 'spo2' && patientId !== null && !seen.has(id)) {
          const measuredAt = Date.parse(evidence.samples[0]?.takenAt ?? '');
          delays.push(now - (callWith(sent, patientId, measuredAt)?.at ?? Number.NaN));
          seen.add(id);
        }
      }
    }
  } catch (error) {
    if (!until.aborted) {
      throw error;
    }
  }
  return delays;
}

/**
 * Measures the delay of an alert: from sending the call with the sample that ends a delay (so its commit and what comes
 * before it included), over the event stream, to the response of `GET /api/v2/alerts` that contains the alert. In real
 * time, on the built server.
 */
export async function benchAlertDelay(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  try {
    const sent: Sent[] = [];
    const stop = new AbortController();
    const watched = watchAlerts(ward, sent, stop.signal);
    await feedDesaturations(ward, sent);
    await wait(500);
    stop.abort();
    const delays = (await watched).sort((a, b) => a - b);
    if (delays.length !== patients) {
      throw new Error(`${delays.length} alerts were seen instead of ${patients}`);
    }
    const at = (share: number): number =>
      delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN;
    process.stdout.write(
      `alerts: ${delays.length}, seen after p50 ${at(0.5).toFixed(1)} ms, most ${at(1).toFixed(1)} ms\n`,
    );
    atMost(
      'from a sample to its alert over the event stream and GET /api/v2/alerts, 250 patients at 1 Hz, p99',
      [at(0.99)],
      300,
      'ms',
    );
  } finally {
    await ward.server.remove();
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import { alertsPage } from '../lib/alerts/schema';
import { atMost } from './lines';
import { startWard, type Ward } from './ward';

const patients = 250;
/** Each sends for 25 patients once a second, all of them spread over the second. */
const gateways = 10;
const feedSeconds = 80;
/** By then all patients have had their desaturation, about four a second. */
const spreadSeconds = 60;
const desaturationSeconds = 20;

/** A second of one gateway. `second` counts from the start of the feed. */
function secondOfGateway(ward: Ward, gateway: number, second: number, takenAt: string): string {
  const samples = ward.patients
    .filter((patientId) => patientId % gateways === gateway)
    .flatMap((patientId) => {
      const begins = (patientId * 37) % spreadSeconds;
      const isLow = second >= begins && second < begins + desaturationSeconds;
      return [
        { patientId, kind: 'spo2', value: isLow ? 85 : 96 + ((second + patientId) % 3), takenAt, quality: 'good' },
        { patientId, kind: 'heartRate', value: 70 + ((second + patientId) % 11), takenAt, quality: 'good' },
      ];
    });
  return JSON.stringify({ sentAt: new Date().toISOString(), samples });
}

interface Sent {
  gateway: number;
  /** Epoch milliseconds. */
  takenAt: number;
  /** By `performance.now()`. */
  at: number;
}

async function feed(ward: Ward, sent: Sent[]): Promise<void> {
  const begun = performance.now();
  for (let call = 0; call < feedSeconds * gateways; call += 1) {
    await wait(Math.max(0, begun + (call * 1_000) / gateways - performance.now()));
    const gateway = call % gateways;
    const takenAt = Date.now();
    const body = secondOfGateway(ward, gateway, Math.floor(call / gateways), new Date(takenAt).toISOString());
    sent.push({ gateway, takenAt, at: performance.now() });
    const response = await fetch(`${ward.server.url}/api/v2/vitals`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ward.token}` },
      body,
    });
    if (response.status !== 200) {
      throw new Error(`Ingest responded with ${response.status}`);
    }
    await response.arrayBuffer();
  }
}

/**
 * Reads the open alerts each time the event stream reports a change, as a page does, and notes when each alert was
 * first seen: milliseconds after sending the call with the sample that ended its delay.
 */
async function watch(ward: Ward, sent: readonly Sent[], until: AbortSignal): Promise<number[]> {
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
          // By our clock the sample is some milliseconds later than the call that contained it.
          const measuredAt = Date.parse(evidence.samples[0]?.takenAt ?? '');
          const call = sent.findLast(
            ({ gateway, takenAt }) => gateway === patientId % gateways && takenAt <= measuredAt,
          );
          delays.push(now - (call?.at ?? Number.NaN));
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
    const watched = watch(ward, sent, stop.signal);
    await feed(ward, sent);
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

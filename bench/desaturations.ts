import { setTimeout as wait } from 'node:timers/promises';
import type { Ward } from './ward';

/** Each sends for a tenth of the patients once a second, all of them spread over the second. */
const gateways = 10;
const feedSeconds = 80;
/** By then the desaturation of all patients has begun. */
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

/** A call of a gateway. */
export interface Sent {
  gateway: number;
  /** Epoch milliseconds. */
  takenAt: number;
  /** By `performance.now()`. */
  at: number;
}

/**
 * Sends values of all patients, each with one desaturation, and adds each call to `sent`. A gateway does not wait for
 * the response of another, and repeats what was refused when it may. Resolves with how many times that was.
 */
export async function feedDesaturations(ward: Ward, sent: Sent[]): Promise<number> {
  const begun = performance.now();
  const calls: Promise<number>[] = [];
  for (let call = 0; call < feedSeconds * gateways; call += 1) {
    await wait(Math.max(0, begun + (call * 1_000) / gateways - performance.now()));
    const gateway = call % gateways;
    const takenAt = Date.now();
    const body = secondOfGateway(ward, gateway, Math.floor(call / gateways), new Date(takenAt).toISOString());
    sent.push({ gateway, takenAt, at: performance.now() });
    calls.push(send(ward, body));
  }
  const refusals = await Promise.all(calls);
  return refusals.reduce((sum, count) => sum + count, 0);
}

/** Sends a call until it is taken; resolves with how many times it was refused. */
async function send(ward: Ward, body: string): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    const response = await fetch(`${ward.server.url}/api/v2/vitals`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ward.token}` },
      body,
    });
    await response.arrayBuffer();
    if (response.status === 200) {
      return refusals;
    }
    const waitSeconds = Number(response.headers.get('Retry-After'));
    if (![429, 503].includes(response.status) || waitSeconds === 0) {
      throw new Error(`Ingest responded with ${response.status}`);
    }
    await wait(waitSeconds * 1_000);
  }
}

/** Returns the call that contained a patient's sample of this time, in epoch milliseconds. */
export function callWith(sent: readonly Sent[], patientId: number, measuredAt: number): Sent | undefined {
  // By our clock the sample is some milliseconds later than the call.
  return sent.findLast(({ gateway, takenAt }) => gateway === patientId % gateways && takenAt <= measuredAt);
}

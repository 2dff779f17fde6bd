import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { vitalsResponse } from '../lib/vitals/schema';
import { crashRounds } from '../test/fuzzRuns';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, ingest, openSession, startWard } from './ward';

/** Of the built product; server/alerts/crash kills more. A long run: `CRASH_ROUNDS=1000 npx playwright test crash`. */
const rounds = crashRounds(2);
const samplesPerCall = 5;
/** A round's server acknowledges up to so many calls before it is killed, or a few more. */
const mostCalls = 12;
/** A round's samples are in half an hour of their own, one a second. */
const roundMs = 1_800_000;

let server: TestServer;

test.beforeAll(async () => {
  server = await startWard();
});

test.afterAll(async () => {
  await server.remove();
});

test('keeps every acknowledged sample when the process is killed during ingest', async () => {
  test.setTimeout(Math.max(600_000, rounds * 60_000));
  const session = await openSession(server);
  const patientId = await addPatient(server, session, 'A-1', 'Sample');
  const token = await addDevice(server);
  const start = Math.floor(Date.now() / roundMs) * roundMs;
  let acknowledged = 0;

  for (let round = 1; round <= rounds; round += 1) {
    const from = start - round * roundMs;
    const promised: number[] = [];
    let next = from;
    let down = false;
    // After so many acknowledgements, on a loaded machine too; after none at any moment, but not in the first round.
    const killAfter = randomInt(round === 1 ? 1 : 0, mostCalls + 1);
    let isDue = (): void => undefined;
    const due = new Promise<void>((resolve) => {
      isDue = resolve;
    });
    const send = async (): Promise<void> => {
      while (!down && next < from + roundMs) {
        const times = Array.from({ length: samplesPerCall }, (_, index) => next + index * 1000);
        next += samplesPerCall * 1000;
        const samples = times.map((at) => ({
          patientId,
          kind: 'spo2',
          value: 90 + ((at / 1000) % 10),
          takenAt: new Date(at).toISOString(),
        }));
        const status = await ingest(server, token, samples).catch(() => null);
        if (status === 200) {
          promised.push(...times);
          if (promised.length >= killAfter * samplesPerCall) {
            isDue();
          }
        }
      }
    };
    const senders = [send(), send(), send()];
    if (killAfter > 0) {
      await due;
    }
    // A random moment is the subject of this test; it waits for nothing.
    await wait(randomInt(killAfter > 0 ? 20 : 300));
    await server.kill();
    down = true;
    await Promise.all(senders);
    await server.start();

    const query = `kind=spo2&points=2000&from=${iso(from)}&to=${iso(from + roundMs - 1)}`;
    const response = await fetch(`${server.url}/api/v2/patients/${patientId}/vitals?${query}`, { headers: session });
    const { series } = vitalsResponse.parse(await response.json());
    const stored = new Set(series.flatMap(({ points }) => points.map(({ takenAt }) => Date.parse(takenAt))));
    expect(
      promised.filter((at) => !stored.has(at)),
      `round ${round} of ${rounds}`,
    ).toEqual([]);
    acknowledged += promised.length;
  }
  expect(acknowledged).toBeGreaterThanOrEqual(samplesPerCall);
});

const iso = (at: number): string => new Date(at).toISOString();

import { rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pino from 'pino';
import { toInstant } from '../lib/time/schema';
import { createApp } from '../server/app';
import { createClock } from '../server/clock/clock';
import { openStore } from '../server/db/open';
import { parseEnv } from '../server/env';
import { fillWard } from './fillWard';
import { newFolder } from './ingestProcess';
import { atMost } from './lines';

const patients = 250;
const second = 1_000;
const minuteMs = 60 * second;
/** Stored before the first step, a value a second of two kinds: those that may be evaluated again move with it. */
const storedMinutes = 40;
const steps = [
  ['an hour back', -3_600 * second],
  ['90 s back', -90 * second],
  ['two hours forward', 7_200 * second],
] as const;
const lowPatient = 7;

/** Lets the timer that measures run, before and after what is measured. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/**
 * Measures what a step of the wall clock costs a ward of 250 patients: how long the move takes, how long nothing else
 * runs meanwhile, and after how many seconds a desaturation that began before the step is an alert.
 */
export async function benchClockStep(): Promise<void> {
  const folder = newFolder();
  const parsed = parseEnv({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  let wall = Math.floor(Date.now() / minuteMs) * minuteMs;
  let elapsed = 0;
  /** The devices' own clock. */
  let deviceTime = wall;
  const store = await openStore(parsed.env);
  try {
    const seconds = storedMinutes * 60;
    const token = await fillWard(store, wall, { patients, minutes: storedMinutes, seconds });
    const clock = createClock({ wall: () => wall, monotonic: () => elapsed });
    const { app, server } = await createApp({ env: parsed.env, store, log: pino({ level: 'warn' }), clock });
    const runSecond = async (lowId: number | null): Promise<void> => {
      [wall, elapsed, deviceTime] = [wall + second, elapsed + second, deviceTime + second];
      const takenAt = toInstant(deviceTime);
      const samples = Array.from({ length: patients }, (_, index) => index + 1).flatMap((patientId) => [
        { patientId, kind: 'spo2', value: patientId === lowId ? 84 : 97, takenAt, quality: 'good' },
        { patientId, kind: 'heartRate', value: 75, takenAt, quality: 'good' },
      ]);
      const response = await app.inject({
        method: 'POST',
        url: '/api/v2/vitals',
        headers: { authorization: `Bearer ${token}` },
        payload: { sentAt: takenAt, samples },
      });
      if (response.statusCode !== 200) {
        throw new Error(`Ingest responded with ${response.statusCode}: ${response.body}`);
      }
      await server.rollups.catchUp(server.recorder.inFlight);
      await server.alerts.evaluateClock();
    };
    const isRaised = (patientId: number): boolean =>
      server.alerts.listOpen(1).some((record) => record.patientId === patientId && record.alert.condition === 'active');
    const secondsUntilAlert = async (patientId: number): Promise<number> => {
      for (let count = 1; count <= 120; count += 1) {
        await runSecond(patientId);
        if (isRaised(patientId)) {
          return count;
        }
      }
      return Infinity;
    };
    const wait = async (): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        await runSecond(null);
      }
    };
    await wait();
    const usual = await secondsUntilAlert(lowPatient);
    const took: number[] = [];
    const late: number[] = [];
    for (const [index, [name, ms]] of steps.entries()) {
      await wait();
      const patientId = lowPatient + index + 1;
      for (let count = 0; count < 5; count += 1) {
        await runSecond(patientId);
      }
      wall += ms;
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await settle();
      const begun = performance.now();
      await server.clockWatch.check();
      const seconds = (performance.now() - begun) / second;
      await settle();
      delay.disable();
      const after = await secondsUntilAlert(patientId);
      took.push(seconds);
      late.push(5 + after + seconds - usual);
      process.stdout.write(
        `${name}: moved in ${seconds.toFixed(2)} s, nothing else ran for ${(delay.max / 1e6).toFixed(0)} ms at most, ` +
          `an alert ${(5 + after + seconds).toFixed(1)} s after its first value (usually ${usual} s)\n`,
      );
    }
    atMost('a step of the clock with 250 patients, until everything has moved', took, 5, 's');
    atMost('an alert whose delay runs during that step, later than its delay', late, 5, 's');
    await app.close();
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

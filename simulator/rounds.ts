import type { Reading, Subject } from './course';
import { branch, chance, drift } from './noise';

const minute = 60_000;
const hour = 60 * minute;

/** Returns whether a round that comes every `everyMs` reaches this patient at this instant, a whole minute. */
function isDue(seed: number, t: number, everyMs: number): boolean {
  const offset = Math.floor((chance(seed, 0) * everyMs) / minute) * minute;
  return (t - offset) % everyMs === 0;
}

const good = (kind: Reading['kind'], value: number): Reading => ({ kind, value, quality: 'good' });

/**
 * Returns what a nurse measures at the bed: blood pressure every hour; every four hours temperature and the flow of
 * oxygen.
 */
export function rounds({ seed, oxygenFlow }: Subject, t: number): Reading[] {
  const readings: Reading[] = [];
  if (isDue(branch(seed, 20), t, hour)) {
    const systolic = 112 + 30 * chance(branch(seed, 21), 0) + 10 * drift(branch(seed, 22), t, 3 * hour);
    readings.push(good('systolic', Math.round(systolic)), good('diastolic', Math.round(systolic * 0.62)));
  }
  if (isDue(branch(seed, 23), t, 4 * hour)) {
    readings.push(temperature(seed, t));
    if (oxygenFlow > 0) {
      readings.push(good('oxygenFlow', oxygenFlow));
    }
  }
  return readings;
}

/** Returns the body temperature to the tenth, °C. */
export function temperature(seed: number, t: number): Reading {
  return good('temperature', Math.round((36.8 + 0.5 * drift(branch(seed, 24), t, 6 * hour)) * 10) / 10);
}

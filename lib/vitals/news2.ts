import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { isAgeKnown, offAfterMs } from './freshness';
import { consciousnessLevels, kinds } from './kinds';
import type { News2Kind } from './news2Kinds';
import type { News2, News2Band } from './news2Schema';
import { roundVital } from './roundVital';
import type { LatestValue, LatestValues } from './schema';

/**
 * National Early Warning Score (NEWS) 2, (c) Royal College of Physicians 2017. The table and the rounding: clinical.md
 * section 1. Adults only: the caller knows the patient's age.
 */

/** A complete score needs all seven within this time; older ones are missing. */
export const news2WithinMs = 60 * 60_000;

/** Points from a value upwards, in falling order of the values; below all of them `lowest`. */
interface Steps {
  lowest: number;
  from: readonly (readonly [value: number, points: number])[];
}

const respiratoryRate: Steps = { lowest: 3, from: [[25, 3], [21, 2], [12, 0], [9, 1]] }; // prettier-ignore
const spo2Scale1: Steps = { lowest: 3, from: [[96, 0], [94, 1], [92, 2]] }; // prettier-ignore
const spo2Scale2OnAir: Steps = { lowest: 3, from: [[88, 0], [86, 1], [84, 2]] }; // prettier-ignore
// prettier-ignore
const spo2Scale2OnOxygen: Steps = { lowest: 3, from: [[97, 3], [95, 2], [93, 1], [88, 0], [86, 1], [84, 2]] };
const systolic: Steps = { lowest: 3, from: [[220, 3], [111, 0], [101, 1], [91, 2]] }; // prettier-ignore
const pulse: Steps = { lowest: 3, from: [[131, 3], [111, 2], [91, 1], [51, 0], [41, 1]] }; // prettier-ignore
const temperature: Steps = { lowest: 3, from: [[39.1, 2], [38.1, 1], [36.1, 0], [35.1, 1]] }; // prettier-ignore

/** What oxygen adds, and the most that each of the others can. */
const oxygenPoints = 2;
const most = 3;

/**
 * Takes a patient's newest values, the SpO2 scale that a physician set, and the server's time in epoch milliseconds;
 * returns NEWS2, or the interval in which it lies. A part counts while it is at most 60 min old and, if it comes
 * from a monitor, not withdrawn from the screen. A value without a sure signal does not count: a false 0 is worse than
 * a wide interval.
 */
export function news2(latest: LatestValues, scale: 1 | 2, now: EpochMs): News2 {
  const known = (kind: News2Kind): number | null => usableValue(kind, countedValue(kind, latest[kind]), now);
  const flow = known('oxygenFlow');
  const oxygen = flow === null ? null : flow > 0;
  const pulseKind = known('pulseRate') === null && known('heartRate') !== null ? 'heartRate' : 'pulseRate';
  const parts: News2['parts'] = {};
  const missing: News2Kind[] = [];
  let [low, high] = [0, 0];
  for (const kind of [
    'respiratoryRate',
    'spo2',
    'oxygenFlow',
    'systolic',
    pulseKind,
    'consciousness',
    'temperature',
  ] as const) {
    const value = known(kind);
    const [least, greatest] =
      value === null ? [0, kind === 'oxygenFlow' ? oxygenPoints : most] : pointsOf(kind, value, scale, oxygen);
    low += least;
    high += greatest;
    if (value === null) {
      missing.push(kind);
    } else {
      parts[kind] = {
        value: kind === 'consciousness' ? levelOf(value) : value,
        points: least === greatest ? least : null,
      };
    }
  }
  const isComplete = missing.length === 0;
  const proved = bandOf(low, Object.values(parts));
  return {
    complete: isComplete,
    score: isComplete ? low : null,
    range: [low, high],
    band: isComplete ? proved : 'unknown',
    atLeast: isComplete || proved === 'low' ? null : proved,
    scale,
    parts,
    missing,
  };
}

/**
 * Returns the value of a kind that the score counts: where the newest one of a cuff or a thermometer failed, the last
 * that was measured. A probe without a signal has none.
 */
export function countedValue(kind: News2Kind, latest: LatestValue | undefined): LatestValue | undefined {
  const last = latest?.lastValid ?? null;
  return latest === undefined || last === null || latest.quality !== 'invalid' || kinds[kind].continuous
    ? latest
    : { ...latest, ...last, quality: last.isUncertain === true ? 'questionable' : 'good' };
}

/** The rounded value that counts, or null. */
function usableValue(kind: News2Kind, latest: LatestValue | undefined, now: EpochMs): number | null {
  const asOf = latest === undefined ? null : parseInstant(latest.asOf);
  if (latest === undefined || asOf === null || latest.quality !== 'good') {
    return null;
  }
  const age = now - asOf;
  const isCurrent = isAgeKnown(age) && age <= Math.min(news2WithinMs, offAfterMs(latest.expectedEveryMs));
  if (!isCurrent || (kind === 'consciousness' && consciousnessLevels[latest.value] === undefined)) {
    return null;
  }
  const rounded = roundVital(kind, latest.value);
  // A flow too small to be shown is still oxygen.
  return kind === 'oxygenFlow' && rounded === 0 ? latest.value : rounded;
}

function levelOf(index: number): (typeof consciousnessLevels)[number] {
  return consciousnessLevels[index] ?? 'U';
}

/** The least and the greatest points that are possible. */
type Points = readonly [least: number, greatest: number];

/** Returns the points of a value. `isOnOxygen` is null while that is not known. */
export function pointsOf(kind: News2Kind, value: number, scale: 1 | 2, isOnOxygen: boolean | null): Points {
  switch (kind) {
    case 'respiratoryRate':
      return exactly(stepOf(respiratoryRate, value));
    case 'spo2':
      return scale === 1 ? exactly(stepOf(spo2Scale1, value)) : spo2PointsOnScale2(value, isOnOxygen);
    case 'oxygenFlow':
      return exactly(value > 0 ? oxygenPoints : 0);
    case 'systolic':
      return exactly(stepOf(systolic, value));
    case 'pulseRate':
    case 'heartRate':
      return exactly(stepOf(pulse, value));
    case 'consciousness':
      return exactly(levelOf(value) === 'A' ? 0 : 3);
    case 'temperature':
      return exactly(stepOf(temperature, value));
  }
}

function exactly(points: number): Points {
  return [points, points];
}

function stepOf({ lowest, from }: Steps, value: number): number {
  return from.find(([start]) => value >= start)?.[1] ?? lowest;
}

/** On scale 2 a high SpO2 scores only where oxygen is given: while that is not known both are possible. */
function spo2PointsOnScale2(value: number, isOnOxygen: boolean | null): Points {
  const onAir = stepOf(spo2Scale2OnAir, value);
  const onOxygen = stepOf(spo2Scale2OnOxygen, value);
  return isOnOxygen === null ? [onAir, onOxygen] : exactly(isOnOxygen ? onOxygen : onAir);
}

/** The band of a score, for which one part of 3 is enough to be more than low. */
function bandOf(score: number, parts: readonly { points: number | null }[]): News2Band {
  if (score >= 7) {
    return 'high';
  }
  if (score >= 5) {
    return 'medium';
  }
  return parts.some(({ points }) => points === 3) ? 'low-medium' : 'low';
}

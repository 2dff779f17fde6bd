import type { EpochMs } from '../time/epochMs';
import type { Spo2Scale } from './continuousRules';
import { nextEpisode, type Active, type Episode } from './episode';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import type { Priority } from './priority';
import { gainWithinMs, spotPriority, spotRules, type Recheck, type SpotParameter } from './spotRules';
import { readingRetrospectiveAfterMs } from './timing';
import { countsFrom, createWindow, settled, takeEntry, windowOf, type Order, type Window } from './window';

/** One reading at home. */
export interface Reading {
  /** When it was taken by our clock, epoch milliseconds. */
  at: EpochMs;
  /** ECG and oximeter are two sources of one rate. */
  source: number;
  deviceId: number;
  /** Rounded as it is displayed, in the kind's unit. */
  value: number;
}

/** What the readings of one parameter result in. Times are epoch milliseconds. */
export interface SpotFold {
  /** `rechecking`: an amber reading waits for a second one, and nothing is raised yet. */
  phase: 'fine' | 'rechecking' | 'raised';
  priority: Priority;
  /** The time of the reading that waits, or of the first one with this priority. */
  since: EpochMs;
  /**
   * Whether a second reading, or the lack of one in time, has confirmed a red one. This governs the alert's words, not
   * whether it is raised.
   */
  isConfirmed: boolean;
  /** The weights of the last three days. */
  weights: readonly { at: EpochMs; value: number }[];
  episode: Episode | null;
}

/** The patient's settings. */
export interface SpotSetting {
  parameter: SpotParameter;
  scale: Spo2Scale;
  baseline: number | null;
}

/** The readings of one parameter of a patient at home. Immutable. */
export type SpotCheck = Window<Reading, SpotFold>;

const fine: SpotFold = { phase: 'fine', priority: 'low', since: 0, isConfirmed: false, weights: [], episode: null };
const slotMs = 30 * 60_000;
const colours = { high: 'red', medium: 'amber', low: 'low' } as const satisfies Record<Priority, string>;

/** The rules for readings at home: the parameter and how bad the reading is. */
export type HomeRuleId = `home.${SpotParameter}.${(typeof colours)[Priority]}`;
/** Each needs its sentence (lib/alerts/sentence). */
export type ReadingRuleId = 'readings.missed' | 'readings.silent';

export function createSpotCheck(): SpotCheck {
  return createWindow(fine);
}

/**
 * Takes the readings so far and one that arrived at `now` (epoch milliseconds, never going back), and returns the
 * readings with it. They may arrive in any order, twice, and up to two hours late; older ones change nothing.
 */
export function takeReading(check: SpotCheck, setting: SpotSetting, reading: Reading, now: EpochMs): SpotCheck {
  return takeEntry(check, reading, now, orderOf(setting));
}

/** Returns what the store has to keep of the readings, as JSON, for `resumeSpotCheck`. */
export function spotToKeep(check: SpotCheck): SpotFold {
  return settled(check);
}

/**
 * Returns the readings as they were before a restart. Takes what was kept last, and the readings of the last three
 * hours that arrived in time, with their times of arrival.
 */
export function resumeSpotCheck(
  setting: SpotSetting,
  kept: SpotFold | null,
  readings: readonly { reading: Reading; receivedAt: EpochMs }[],
): SpotCheck {
  const order = orderOf(setting);
  const inTime = readings.filter(({ reading, receivedAt }) => reading.at >= receivedAt - order.retrospectiveAfterMs);
  const until = inTime.reduce((latest, { receivedAt }) => Math.max(latest, countsFrom(order, receivedAt)), 0);
  const counted = inTime.map(({ reading }) => reading).filter(({ at }) => at >= until);
  return windowOf(kept ?? fine, counted, until, order);
}

/** Returns what the readings result in at `now`: the time for a second reading runs out even if nothing arrives. */
export function spotCheckAt({ head }: SpotCheck, setting: SpotSetting, now: EpochMs): SpotFold {
  return passRecheck(setting, head, now);
}

function orderOf(setting: SpotSetting): Order<Reading, SpotFold> {
  return {
    retrospectiveAfterMs: readingRetrospectiveAfterMs,
    slotMs,
    step: (fold, reading) => stepSpotCheck(setting, fold, reading),
    compare: inOrderOfMeasuring,
    isRepeat: (a, b) => a.value === b.value,
  };
}

const recheckOf = ({ parameter }: SpotSetting): Recheck | null => spotRules[parameter].recheck;

function passRecheck(setting: SpotSetting, fold: SpotFold, until: number): SpotFold {
  const recheck = recheckOf(setting);
  if (recheck === null) {
    return fold;
  }
  if (fold.phase === 'rechecking' && until >= fold.since + recheck.amberMs) {
    return withEpisode(setting, { ...fold, phase: 'raised', isConfirmed: true }, fold.since + recheck.amberMs, null);
  }
  const isUnconfirmedRed = fold.phase === 'raised' && fold.priority === 'high' && !fold.isConfirmed;
  return isUnconfirmedRed && until >= fold.since + recheck.redMs ? { ...fold, isConfirmed: true } : fold;
}

function stepSpotCheck(setting: SpotSetting, earlier: SpotFold, reading: Reading): SpotFold {
  const { at } = reading;
  const passed = passRecheck(setting, earlier, at);
  const weights =
    setting.parameter === 'weight'
      ? [...passed.weights, reading].filter((weight) => at - weight.at <= gainWithinMs)
      : [];
  const fold = { ...passed, weights: weights.map((weight) => ({ at: weight.at, value: weight.value })) };
  const value = setting.parameter === 'weight' ? gainOf(weights, reading.value) : reading.value;
  const priority = spotPriority(setting.parameter, value, setting);
  const recheck = recheckOf(setting);
  const isTooSoon = recheck !== null && isWaiting(fold) && at - fold.since < recheck.notBeforeMs;
  const isRed = priority === 'high' && fold.priority !== 'high';
  if (isTooSoon && !isRed) {
    return fold;
  }
  if (priority === null) {
    return withEpisode(setting, { ...fold, phase: 'fine', isConfirmed: false }, at, reading.value);
  }
  if (priority === 'medium' && recheck !== null && fold.phase === 'fine') {
    return { ...fold, phase: 'rechecking', priority, since: at, isConfirmed: false };
  }
  const isSecond = fold.phase !== 'fine' && (priority !== 'high' || fold.priority === 'high');
  const since = fold.phase === 'raised' && fold.priority === priority ? fold.since : at;
  return withEpisode(
    setting,
    { ...fold, phase: 'raised', priority, since, isConfirmed: isSecond || recheck === null },
    at,
    reading.value,
  );
}

function isWaiting({ phase, isConfirmed }: SpotFold): boolean {
  return phase === 'rechecking' || (phase === 'raised' && !isConfirmed);
}

/** Returns how much a value exceeds the lowest one of three days, to 0.1: differences of weights are not exact. */
function gainOf(weights: readonly { value: number }[], value: number): number {
  return Math.round((value - Math.min(...weights.map((weight) => weight.value))) * 10) / 10;
}

function withEpisode({ parameter }: SpotSetting, fold: SpotFold, at: EpochMs, value: number | null): SpotFold {
  const { priority, since } = fold;
  const active: Active<HomeRuleId>[] =
    fold.phase === 'raised' ? [{ rule: `home.${parameter}.${colours[priority]}`, priority, since }] : [];
  return { ...fold, episode: nextEpisode(fold.episode, active, at, value) };
}

const hour = 3_600_000;
const graceMs = 2 * hour;

/**
 * Returns the active rule for a patient at home who sends nothing, or null. One missed reading and two hours of
 * patience are LOW; two in a row, or a day of silence, are MEDIUM: someone calls the patient. Takes the time of the
 * last reading and how often one is due (milliseconds).
 */
export function evaluateMissedReadings(
  lastAt: EpochMs,
  expectedEveryMs: number,
  now: EpochMs,
): Active<ReadingRuleId> | null {
  const lowAt = lastAt + expectedEveryMs + graceMs;
  const mediumAt = Math.max(lowAt, lastAt + Math.min(2 * expectedEveryMs + graceMs, 24 * hour));
  if (now >= mediumAt) {
    return { rule: 'readings.silent', priority: 'medium', since: mediumAt };
  }
  return now >= lowAt ? { rule: 'readings.missed', priority: 'low', since: lowAt } : null;
}

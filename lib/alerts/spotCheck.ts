import type { EpochMs } from '../time/epochMs';
import type { Spo2Scale } from './continuousRules';
import { nextEpisode, type Active, type Episode } from './episode';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import type { Priority } from './priority';
import { gainWithinMs, spotPriority, spotRules, type Recheck, type SpotParameter } from './spotRules';
import { readingRetrospectiveAfterMs } from './timing';
import {
  countsFrom,
  createWindow,
  newestEntries,
  settled,
  takeEntry,
  windowOf,
  type Order,
  type Window,
} from './window';

/** A reading's time by our clock, epoch milliseconds, and its value. */
export interface Measured {
  at: EpochMs;
  value: number;
}

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
  /** The last reading that was as bad as `priority`. */
  worstAt: EpochMs;
  /** The tier of the readings since then: it is taken if none is worse for 10 min. Null: there is none. */
  milder: Priority | null;
  /** The minute after an evaluated reading, with the worst of the further ones in it. */
  minute: { startedAt: EpochMs; worst: Measured | null } | null;
  /** The weights of the last three days. */
  weights: readonly { at: EpochMs; value: number }[];
  episode: Episode | null;
}

/** The patient's settings. */
export interface SpotSetting {
  parameter: SpotParameter;
  scale: Spo2Scale;
  baseline: number | null;
  /** The limits of adults' rates do not apply. */
  isUnder16?: boolean;
}

/** The readings of one parameter of a patient at home. Immutable. */
export type SpotCheck = Window<Reading, SpotFold>;

const fine: SpotFold = {
  phase: 'fine',
  priority: 'low',
  since: 0,
  isConfirmed: false,
  worstAt: 0,
  milder: null,
  minute: null,
  weights: [],
  episode: null,
};
/** At most one reading in this time is evaluated, unless it is worse; a milder tier is taken after that one (S3). */
const minuteMs = 60_000;
const milderAfterMs = 10 * minuteMs;
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

/**
 * Returns the readings with the last one evaluated by the patient's present settings: after a change of the SpO2 scale
 * it has another tier, and the next one may come in hours. Earlier ones stay as they were evaluated.
 */
export function evaluateLastAgain(check: SpotCheck, setting: SpotSetting): SpotCheck {
  const [last] = newestEntries(check, 1);
  return last === undefined ? check : { ...check, head: evaluateReading(setting, check.head, last) };
}

/** Returns what the store has to keep of the readings, as JSON, for `resumeSpotCheck`. */
export function spotToKeep(check: SpotCheck): SpotFold {
  return settled(check);
}

/**
 * Returns the readings as they were before a restart. Takes what was kept last, and the readings of the last three
 * hours that arrived in time, with their times of arrival. `isNow`: what was kept already has what they say.
 */
export function resumeSpotCheck(
  setting: SpotSetting,
  kept: SpotFold | null,
  readings: readonly { reading: Reading; receivedAt: EpochMs }[],
  { isNow }: { isNow: boolean },
): SpotCheck {
  const order = orderOf(setting);
  const inTime = readings.filter(({ reading, receivedAt }) => reading.at >= receivedAt - order.retrospectiveAfterMs);
  const until = inTime.reduce(
    (latest, { reading, receivedAt }) => Math.max(latest, isNow ? reading.at + 1 : countsFrom(order, receivedAt)),
    0,
  );
  const counted = inTime.map(({ reading }) => reading).filter(({ at }) => at >= until);
  return windowOf(kept ?? fine, counted, until, order);
}

/** Returns what the readings result in at `now`: the times that they wait for run out even if nothing arrives. */
export function spotCheckAt({ head }: SpotCheck, setting: SpotSetting, now: EpochMs): SpotFold {
  return passTime(setting, head, now);
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

/** Returns the fold after what is due until an instant, one after the other. */
function passTime(setting: SpotSetting, fold: SpotFold, until: EpochMs): SpotFold {
  let passed = fold;
  for (;;) {
    const [next] = dueOf(setting, passed).sort((a, b) => a.at - b.at);
    if (next === undefined || next.at > until) {
      return passed;
    }
    passed = next.take(passed);
  }
}

/** Returns what the fold waits for. */
function dueOf(setting: SpotSetting, fold: SpotFold): { at: EpochMs; take: (fold: SpotFold) => SpotFold }[] {
  const due: { at: EpochMs; take: (fold: SpotFold) => SpotFold }[] = [];
  const recheck = recheckOf(setting);
  const { minute, milder } = fold;
  if (minute !== null) {
    const { startedAt, worst } = minute;
    const at = startedAt + minuteMs;
    due.push({
      at,
      // Of readings that go on the next minute begins where this one ends.
      take: (one) =>
        worst === null
          ? { ...one, minute: null }
          : { ...evaluateReading(setting, one, worst), minute: { startedAt: at, worst: null } },
    });
  }
  if (fold.phase === 'rechecking' && recheck !== null) {
    const at = fold.since + recheck.amberMs;
    due.push({ at, take: (one) => withEpisode(setting, { ...one, phase: 'raised', isConfirmed: true }, at, null) });
  }
  if (milder !== null) {
    const at = fold.worstAt + milderAfterMs;
    due.push({
      at,
      take: (one) => {
        const after = { ...one, priority: milder, since: at, worstAt: at, milder: null, isConfirmed: true };
        return withEpisode(setting, after, at, null);
      },
    });
  }
  if (recheck !== null && fold.phase === 'raised' && fold.priority === 'high' && !fold.isConfirmed) {
    due.push({ at: fold.since + recheck.redMs, take: (one) => ({ ...one, isConfirmed: true }) });
  }
  return due;
}

/** Takes the next reading: a worse one is evaluated at once, the worst of the others when their minute is over. */
function stepSpotCheck(setting: SpotSetting, earlier: SpotFold, reading: Reading): SpotFold {
  const fold = passTime(setting, earlier, reading.at);
  const { minute } = fold;
  if (minute === null) {
    return { ...evaluateReading(setting, fold, reading), minute: { startedAt: reading.at, worst: null } };
  }
  if (isWorseThanKnown(setting, fold, reading)) {
    return evaluateReading(setting, fold, reading);
  }
  const { at, value } = reading;
  const isWorst = minute.worst === null || !isWorse(setting, minute.worst, reading);
  return isWorst ? { ...fold, minute: { ...minute, worst: { at, value } } } : fold;
}

const urgency = { high: 3, medium: 2, low: 1 } as const satisfies Record<Priority, number>;

function isWorseThanKnown(setting: SpotSetting, fold: SpotFold, { value }: Measured): boolean {
  const priority = setting.parameter === 'weight' ? null : spotPriority(setting.parameter, value, setting);
  return priority !== null && urgency[priority] > (fold.phase === 'fine' ? 0 : urgency[fold.priority]);
}

/** Returns whether the first of two readings is the one to evaluate. */
function isWorse(setting: SpotSetting, a: Measured, b: Measured): boolean {
  const { parameter } = setting;
  if (parameter === 'spo2' || parameter === 'weight') {
    return parameter === 'spo2' ? a.value < b.value : a.value > b.value;
  }
  const urgencyOf = ({ value }: Measured): number => {
    const priority = spotPriority(parameter, value, setting);
    return priority === null ? 0 : urgency[priority];
  };
  return urgencyOf(a) > urgencyOf(b);
}

function evaluateReading(setting: SpotSetting, before: SpotFold, reading: Measured): SpotFold {
  const { at } = reading;
  const weights =
    setting.parameter === 'weight'
      ? [...before.weights, reading].filter((weight) => at - weight.at <= gainWithinMs)
      : [];
  const fold = { ...before, weights: weights.map((weight) => ({ at: weight.at, value: weight.value })) };
  const value = setting.parameter === 'weight' ? gainOf(weights, reading.value) : reading.value;
  const priority = spotPriority(setting.parameter, value, setting);
  const recheck = recheckOf(setting);
  const isTooSoon = recheck !== null && isWaiting(fold) && at - fold.since < recheck.notBeforeMs;
  const isRed = priority === 'high' && fold.priority !== 'high';
  if (isTooSoon && !isRed) {
    return fold;
  }
  if (priority === null) {
    return withEpisode(setting, { ...fold, phase: 'fine', isConfirmed: false, milder: null }, at, reading.value);
  }
  if (priority === 'medium' && recheck !== null && fold.phase === 'fine') {
    return { ...fold, phase: 'rechecking', priority, since: at, worstAt: at, isConfirmed: false };
  }
  if (fold.phase === 'raised' && urgency[priority] < urgency[fold.priority] && at < fold.worstAt + milderAfterMs) {
    return withEpisode(setting, { ...fold, milder: priority }, at, reading.value);
  }
  const isSecond = fold.phase !== 'fine' && (priority !== 'high' || fold.priority === 'high');
  const since = fold.phase === 'raised' && fold.priority === priority ? fold.since : at;
  const isConfirmed = isSecond || recheck === null;
  const raised = { ...fold, phase: 'raised', priority, since, worstAt: at, milder: null, isConfirmed } as const;
  return withEpisode(setting, raised, at, reading.value);
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

import type { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import type { Spo2Scale } from './continuousRules';
import { nextEpisode, type Active } from './episode';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import type { Priority } from './priority';
import type { RuleId } from './ruleNames';
import { gainWithinMs, spotPriority, spotRules, type Recheck, type SpotParameter } from './spotRules';
import type { storedSpotFold } from './storedFolds';
import { readingRetrospectiveAfterMs, redTooOldMs } from './timing';
import {
  countsFrom,
  createWindow,
  newestEntries,
  replaceEntry,
  settled,
  takeEntries,
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
  /** Below zero: a person typed it in. */
  deviceId: number;
  /** Rounded as it is displayed, in the kind's unit. */
  value: number;
  /** It was entered in error. It keeps its place, so that the same reading sent again does not come back. */
  isWithdrawn?: true;
}

/** What the readings of one parameter result in. Times are epoch milliseconds. */
export type SpotFold = z.infer<typeof storedSpotFold>;

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
  lastAt: 0,
  late: null,
  episode: null,
};
/** At most one reading in this time is evaluated, unless it is worse; a milder tier is taken after that one (S3). */
const minuteMs = 60_000;
const milderAfterMs = 10 * minuteMs;
const slotMs = 30 * 60_000;
const colours = { high: 'red', medium: 'amber', low: 'low' } as const satisfies Record<Priority, string>;

export function createSpotCheck(): SpotCheck {
  return createWindow(fine);
}

/**
 * Takes the readings so far and one that arrived at `now` (epoch milliseconds, never going back), and returns the
 * readings with it. They may arrive in any order, twice, and up to two hours late. Of those that are older, up to a
 * day, a red one counts that no later reading has answered, and what answers it.
 */
export function takeReading(check: SpotCheck, setting: SpotSetting, reading: Reading, now: EpochMs): SpotCheck {
  return now - reading.at > readingRetrospectiveAfterMs
    ? takeLateReading(check, setting, reading, now)
    : takeEntry(check, reading, now, orderOf(setting));
}

/**
 * Takes readings that arrived together at `now`, in any order, and returns the readings with them (`takeReading`). The
 * later ones are taken again once for all of them: a device that sends its buffer with the newest value first must not
 * hold up everybody else.
 */
export function takeReadings(
  check: SpotCheck,
  setting: SpotSetting,
  readings: readonly Reading[],
  now: EpochMs,
): SpotCheck {
  const isLate = ({ at }: Reading): boolean => now - at > readingRetrospectiveAfterMs;
  const late = readings.filter(isLate).sort(inOrderOfMeasuring);
  return takeEntries(
    late.reduce((after, reading) => takeLateReading(after, setting, reading, now), check),
    readings.filter((reading) => !isLate(reading)),
    now,
    orderOf(setting),
  );
}

/**
 * Takes a reading that a phone has kept for hours. It counts if it is the newest one: then all readings are taken in
 * the order of measuring, and what is in the window is older than any that can still come in time.
 */
function takeLateReading(check: SpotCheck, setting: SpotSetting, reading: Reading, now: EpochMs): SpotCheck {
  const { head } = check;
  const { parameter } = setting;
  const isNewest =
    reading.at > head.lastAt ||
    (reading.at === head.lastAt && (isWorseThanKnown(setting, head, reading) || isCorrected(head, reading)));
  // A device sends its nights afterwards: those are for the chart.
  const isTyped = reading.deviceId < 0;
  if (!isTyped || parameter === 'weight' || !isNewest || now - reading.at > redTooOldMs) {
    return check;
  }
  const priority = spotPriority(parameter, reading.value, setting);
  if (priority === 'high') {
    const late = { reading, arrivedAt: now };
    return { newest: null, head: { ...stepSpotCheck(setting, head, reading), late }, until: reading.at };
  }
  if (priority !== null && head.phase === 'fine') {
    return check;
  }
  return { newest: null, head: stepSpotCheck(setting, head, reading), until: reading.at };
}

/** Returns whether a reading corrects the late one of its moment. */
function isCorrected({ late }: SpotFold, { at, source, deviceId, value }: Reading): boolean {
  const known = late?.reading;
  return known?.at === at && known.source === source && known.deviceId === deviceId && known.value !== value;
}

/**
 * Returns the readings with the last one evaluated by the patient's present settings: after a change of the SpO2 scale
 * it has another tier, and the next one may come in hours. Earlier ones stay as they were evaluated.
 */
export function evaluateLastAgain(check: SpotCheck, setting: SpotSetting): SpotCheck {
  const [last = check.head.late?.reading] = newestEntries(check, 1, counts);
  return last === undefined ? check : { ...check, head: evaluateReading(setting, check.head, last) };
}

/**
 * Returns the readings without one that was entered in error. As long as it may be evaluated again the result is as if
 * it had never been taken. Later ones have answered an older one, except for a weight: gains no longer count from it.
 */
export function withdrawReading(check: SpotCheck, setting: SpotSetting, { at, ...reading }: Reading): SpotCheck {
  const order = orderOf(setting);
  const late = check.head.late?.reading;
  if (late?.at === at && late.source === reading.source && late.deviceId === reading.deviceId) {
    return { ...check, head: withoutLate(check.head) };
  }
  if (at >= check.until) {
    return replaceEntry(check, { ...reading, at, isWithdrawn: true }, order);
  }
  const before = settled(check);
  const weights = before.weights.filter((weight) => weight.at !== at);
  return weights.length === before.weights.length
    ? check
    : windowOf({ ...before, weights }, newestEntries(check, Infinity), check.until, order);
}

/** Returns the fold without its late reading: what that one raised is over, if no later one has answered it. */
function withoutLate(fold: SpotFold): SpotFold {
  const { late, lastAt, episode } = fold;
  const at = late?.reading.at;
  if (at === undefined || lastAt !== at || episode?.since !== at) {
    return { ...fold, late: null };
  }
  const after = episode.count === 1 ? null : { ...episode, endedAt: at };
  return { ...fold, phase: 'fine', isConfirmed: false, milder: null, minute: null, late: null, episode: after };
}

/** Returns whether a reading is evaluated. */
export function counts({ isWithdrawn }: Reading): boolean {
  return isWithdrawn !== true;
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
  const before = kept ?? fine;
  const counted = inTime.map(({ reading }) => reading).filter(({ at }) => at >= until && at > before.lastAt);
  return windowOf(before, counted, until, order);
}

/** Returns what the readings result in at `now`: the times that they wait for run out even if nothing arrives. */
export function spotCheckAt({ head }: SpotCheck, setting: SpotSetting, now: EpochMs): SpotFold {
  return passTime(setting, head, now);
}

function orderOf(setting: SpotSetting): Order<Reading, SpotFold> {
  return {
    retrospectiveAfterMs: readingRetrospectiveAfterMs,
    slotMs,
    step: (fold, reading) => (counts(reading) ? stepSpotCheck(setting, fold, reading) : fold),
    compare: inOrderOfMeasuring,
    isRepeat: (a, b) => !counts(a) || (a.value === b.value && counts(b)),
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
  const fold = { ...passTime(setting, earlier, reading.at), lastAt: reading.at };
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
  const active: Active<RuleId>[] =
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
export function evaluateMissedReadings(lastAt: EpochMs, expectedEveryMs: number, now: EpochMs): Active<RuleId> | null {
  const lowAt = lastAt + expectedEveryMs + graceMs;
  const mediumAt = Math.max(lowAt, lastAt + Math.min(2 * expectedEveryMs + graceMs, 24 * hour));
  if (now >= mediumAt) {
    return { rule: 'readings.silent', priority: 'medium', since: mediumAt };
  }
  return now >= lowAt ? { rule: 'readings.missed', priority: 'low', since: lowAt } : null;
}

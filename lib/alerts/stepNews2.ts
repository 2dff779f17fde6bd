import type { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import type { RuleLimits } from './continuousRules';
import { nextEpisode, type Active } from './episode';
import { isBeyondAll, isBeyondAny } from './limit';
import { news2RuleIds, news2RuleOf, type News2Limits, type News2RuleId } from './news2Rules';
import { news2PartNames, type News2PartName, type News2Value, type News2Values } from './news2Values';
import { isUnconfirmed } from './stepSpotRule';
import type { storedNews2, storedNews2Timer } from './storedFolds';
import { confirmedAfterMs } from './timing';

/** How long a monitor has to show it before one value counts as two, in milliseconds (clinical.md section 0, N1). */
export const confirmMs = 60_000;
/** How much later a value counts as the second one, in milliseconds. A slow monitor may be early by half a minute. */
const secondAfterMs = { monitor: confirmMs, slow: confirmMs / 2, spot: 1, typed: 1 } as const;
/** Typed values that are not further apart are one set: taking it needs some minutes, in milliseconds. */
const oneSetMs = 5 * 60_000;

type Times = Readonly<Partial<Record<News2PartName, EpochMs>>>;

/** A rule about the score that is not idle. */
export type News2Timer = z.infer<typeof storedNews2Timer>;

/** The rules' state for one patient, stored as it is. */
export type News2State = z.infer<typeof storedNews2>;

/** The state before any score reached a limit. */
export const idleNews2: News2State = { timers: {}, held: {}, typedAt: 0, saved: {}, episode: null };

/**
 * Takes the state and the score at `now`, and returns the state after it: the same object if nothing changed. A rule is
 * raised by two values in a row, which a monitor has to show for 60 s, by one typed full set (clinical.md section 0,
 * N1), or by one save, not confirmed (section 00, A5). It ends by two newer values within the clear limits, never by
 * age; a HIGH one of a save by one (S1). For continuously monitored patients.
 */
export function stepNews2(state: News2State, values: News2Values, limits: News2Limits, now: EpochMs): News2State {
  const typed = typedTimes(values);
  const saves = newSaves(state, values);
  const isFullSet = values.isComplete && saves.length > 0 && isOneSet(values, typed);
  const held = heldAfter(state, values);
  const timers: Partial<Record<News2RuleId, News2Timer>> = {};
  for (const id of news2RuleIds) {
    const timer = nextTimer(id, state, { values, held, limits, saves, isFullSet, now });
    if (timer !== null) {
      timers[id] = timer;
    }
  }
  const active = news2RuleIds.flatMap((id): Active<News2RuleId>[] => {
    const timer = timers[id];
    const unconfirmedUntil = timer?.save?.unconfirmedUntil ?? null;
    return timer?.phase === 'active'
      ? [{ rule: id, priority: news2RuleOf(id).priority, since: now, unconfirmedUntil }]
      : [];
  });
  const isSumActive = active.some(({ rule }) => news2RuleOf(rule).part === null);
  const after: News2State = {
    timers: isSame(timers, state.timers) ? state.timers : timers,
    held: !isSumActive ? idleNews2.held : isSame(held, state.held) ? state.held : held,
    typedAt: state.typedAt,
    saved: saves.length === 0 ? state.saved : { ...state.saved, ...savedOf(values, saves) },
    episode: nextEpisode(state.episode, active, now, active.length === 0 ? null : values.least),
  };
  const isUnchanged =
    after.timers === state.timers &&
    (after.held === state.held || isSame(after.held, state.held)) &&
    after.saved === state.saved &&
    after.episode === state.episode;
  return isUnchanged ? state : after;
}

/** Returns the parts with a value that was typed or comes from a spot feed, and that was not evaluated yet. */
export function newSaves({ saved, typedAt }: News2State, { parts }: News2Values): News2PartName[] {
  return news2PartNames.filter((name) => {
    const [part, known] = [parts[name], saved[name]];
    const isKnown = part === undefined || part.at <= typedAt || (known?.at === part.at && known.value === part.value);
    return !isKnown && isSave(part);
  });
}

const isSave = ({ source }: News2Value): boolean => source === 'typed' || source === 'spot';

function savedOf({ parts }: News2Values, names: readonly News2PartName[]): News2State['saved'] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const part = parts[name];
      return part === undefined ? [] : [[name, { at: part.at, value: part.value }]];
    }),
  );
}

/**
 * Returns the state without some parts: their device was taken off, so that no value of theirs will come any more, or
 * they were withdrawn. What only they kept active is over, and never was if it is the first of its episode.
 */
export function forgetNews2Parts(state: News2State, names: readonly News2PartName[], limits: News2Limits): News2State {
  const held = Object.fromEntries(
    Object.entries(state.held).filter(([name]) => !names.some((one) => one === name)),
  ) as News2State['held'];
  const timers = Object.fromEntries(
    news2RuleIds.flatMap((id) => {
      const timer = state.timers[id];
      const limit = limits[id];
      const { part } = news2RuleOf(id);
      const isGone =
        part === null ? limit === null || !isBeyondAny(limit.raise, sumOf(held)) : names.some((one) => one === part);
      return timer === undefined || isGone ? [] : [[id, timer] as const];
    }),
  );
  const isOver = !Object.values(timers).some(({ phase }) => phase === 'active') && state.episode?.count === 1;
  return { ...state, held, timers, episode: isOver && state.episode?.endedAt === null ? null : state.episode };
}

interface Given {
  values: News2Values;
  held: News2State['held'];
  limits: News2Limits;
  /** The parts that were saved just now. */
  saves: readonly News2PartName[];
  isFullSet: boolean;
  now: EpochMs;
}

function nextTimer(id: News2RuleId, state: News2State, given: Given): News2Timer | null {
  const { values, limits, saves, isFullSet, now } = given;
  const { part, isOfOneValue = false } = news2RuleOf(id);
  const limit = limits[id];
  const timer = state.timers[id] ?? null;
  if (limit === null) {
    return null;
  }
  const scoring = part === null ? news2PartNames.filter((name) => (values.parts[name]?.points ?? 0) > 0) : [part];
  if (timer?.phase === 'active') {
    return nextActive(id, timer, limit, scoring, state, given);
  }
  const known = part === null ? values.least : values.parts[part]?.value;
  const isSaved = scoring.some((name) => saves.includes(name));
  if (known === undefined || !isBeyondAny(limit.raise, known)) {
    return null;
  }
  const seen = timesOf(values, scoring);
  const violatedSince = timer?.violatedSince ?? Math.max(0, ...Object.values(seen));
  const isSecondValue = timer !== null && isConfirmed(values, timer.awaited ?? {}, 'any', scoring);
  if ((isFullSet && !isOfOneValue) || isSecondValue || isSaved) {
    const isFirst = !isSecondValue && (isOfOneValue || !isFullSet);
    const save = isFirst ? { values: seen, unconfirmedUntil: now + confirmedAfterMs } : null;
    return { phase: 'active', violatedSince, awaited: null, save };
  }
  // A part that scores only now has its first value.
  const awaited = { ...seen, ...timer?.awaited };
  return timer !== null && isSame(awaited, timer.awaited ?? {})
    ? timer
    : { phase: 'pending', violatedSince, awaited, save: null };
}

/** Returns the timer of an active rule after the values, or null if it is over. */
function nextActive(
  id: News2RuleId,
  timer: News2Timer,
  limit: RuleLimits,
  scoring: readonly News2PartName[],
  state: News2State,
  { values, held, saves, now }: Given,
): News2Timer | null {
  const { part, priority } = news2RuleOf(id);
  const single = part === null ? null : values.parts[part];
  if (single === undefined) {
    return timer;
  }
  const known = single === null ? sumOf(held) : single.value;
  const isCleared = isBeyondAll(limit.clear, known);
  const isSaved = part === null ? saves.length > 0 : saves.includes(part);
  if (timer.save !== null && isUnconfirmed(timer.save, now)) {
    // Only a second save says more about the first one: a monitor measures other parts, and may be wrong in these.
    if (!isSaved) {
      return timer;
    }
    if (!isBeyondAny(limit.raise, known)) {
      return null;
    }
    const isSecondValue = isConfirmed(values, timer.save.values, 'any', scoring);
    return isSecondValue ? { ...timer, save: { ...timer.save, unconfirmedUntil: now } } : timer;
  }
  if (timer.save !== null && isSaved && isCleared && priority === 'high') {
    return null;
  }
  if (!isCleared) {
    return timer.awaited === null ? timer : { ...timer, awaited: null };
  }
  const recovered = part === null ? recoveredParts(state, values) : [part];
  if (timer.awaited === null) {
    return { ...timer, awaited: timesOf(values, recovered) };
  }
  // Nothing is known of the values that raised it: only a complete score shows that it is over.
  const isKnown = part !== null || values.isComplete || Object.keys(timer.awaited).length > 0;
  return isKnown && isConfirmed(values, timer.awaited, 'all') ? null : timer;
}

/** Returns the points of each part, those of an active sum also if they are too old to count. */
function heldAfter({ timers, held }: News2State, { parts }: News2Values): News2State['held'] {
  const isActive = news2RuleIds.some((id) => timers[id]?.phase === 'active' && news2RuleOf(id).part === null);
  const after: Partial<Record<News2PartName, number>> = isActive ? { ...held } : {};
  for (const name of news2PartNames) {
    const part = parts[name];
    if (part !== undefined) {
      after[name] = part.points;
    }
  }
  return after;
}

/** Returns the parts that have fewer points than before: those that brought the sum down. */
function recoveredParts({ held }: News2State, { parts }: News2Values): News2PartName[] {
  return news2PartNames.filter((name) => (parts[name]?.points ?? Infinity) < (held[name] ?? 0));
}

function timesOf({ parts }: News2Values, names: readonly News2PartName[]): Times {
  return Object.fromEntries(names.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name].at]])));
}

/** Returns whether any, or each, of the awaited values has been measured again. */
function isConfirmed(
  { parts }: News2Values,
  awaited: Times,
  which: 'any' | 'all',
  names: readonly News2PartName[] = news2PartNames,
): boolean {
  const found = names.flatMap((name) => {
    const first = awaited[name];
    return first === undefined ? [] : [isSecond(parts[name], first)];
  });
  return which === 'any' ? found.some(Boolean) : found.every(Boolean);
}

function isSecond(part: News2Value | undefined, first: EpochMs): boolean {
  return part !== undefined && part.at - first >= secondAfterMs[part.source];
}

function typedTimes({ parts }: News2Values): EpochMs[] {
  return Object.values(parts).flatMap(({ at, source }) => (source === 'typed' ? [at] : []));
}

/** Returns whether all that no monitor measures was typed within a few minutes. */
function isOneSet({ parts }: News2Values, typed: readonly EpochMs[]): boolean {
  return (
    Object.values(parts).every(({ source }) => source !== 'spot') && Math.max(...typed) - Math.min(...typed) <= oneSetMs
  );
}

/** Returns the points of the parts together. */
export function sumOf(held: News2State['held']): number {
  return Object.values(held).reduce((sum, points) => sum + points, 0);
}

/** Compares two flat records, or two of the timers, which stay the same objects. */
function isSame(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

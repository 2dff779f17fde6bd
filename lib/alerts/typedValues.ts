import type { EpochMs } from '../time/epochMs';
import { endForSilent, evaluateGroups, isOfSource, withStates, type Group } from './evaluateGroups';
import { isTyped, nextTiming, placeOf, type Feeds } from './feeds';
import type { Entry, Plan } from './plan';
import { idle, isIdle, type RuleTimer } from './stepRule';
import { readingRetrospectiveAfterMs, typedEveryMs } from './timing';

/** A value that was typed in, and the state before it: if it is withdrawn, its stream goes on from there. */
export interface TypedValue extends Omit<Entry, 'isAssigned' | 'isValid'> {
  isOnOxygen: boolean;
  /** The feeds that had a value or a timer that ran. */
  before: readonly FeedBefore[];
}

/** A feed before a typed value. */
interface FeedBefore {
  source: number;
  deviceId: number | null;
  last: Feeds['timings'][number]['last'];
  /** By rule; only those that run. */
  timers: Readonly<Record<string, RuleTimer>>;
}

/** The parts of a stream that typed values change. */
interface Moment extends Feeds {
  groups: readonly Group[];
}

/** Bounds what the store keeps of a patient. No one types in that many values in two hours. */
const typedKept = 100;

/** Returns the typed values with one more, without those that are too old to be withdrawn. */
export function withTypedValue(
  plan: Plan,
  typed: readonly TypedValue[],
  moment: Moment,
  { at, measuredAt, source, deviceId, value, isDoubtful, hasStoppedStating }: Entry,
  isOnOxygen: boolean,
): readonly TypedValue[] {
  const entry = { at, measuredAt, source, deviceId, value, isDoubtful, hasStoppedStating };
  const recent = typed.filter((one) => one.at >= at - readingRetrospectiveAfterMs);
  return [...recent, { ...entry, isOnOxygen, before: feedsBefore(plan, moment) }].slice(-typedKept);
}

/**
 * Returns the feeds and groups as if a typed value had never been taken, with the typed values that are left; null if
 * it is not among them. The episodes stay as they were. Values of devices are not evaluated again: what they ended
 * stays ended, and a device that has sent since then keeps what its own values began.
 */
export function withoutTypedValue(
  plan: Plan,
  typed: readonly TypedValue[],
  now: Moment,
  isWithdrawn: (value: TypedValue) => boolean,
): (Moment & { typed: readonly TypedValue[] }) | null {
  const first = typed.findIndex(isWithdrawn);
  const known = typed[first];
  if (known === undefined) {
    return null;
  }
  const left = typed.slice(0, first);
  let moment = momentBefore(plan, now, known);
  for (let index = first; index < typed.length; index += 1) {
    const [one, next] = [typed[index], typed[index + 1]];
    if (one === undefined) {
      break;
    }
    if (!isWithdrawn(one)) {
      left.push({ ...one, before: feedsBefore(plan, moment) });
      moment = stepTyped(plan, moment, one);
    }
    const reached = stepTyped(plan, momentBefore(plan, now, one), one);
    const then = next === undefined ? now : momentBefore(plan, now, next);
    moment = withOthers(plan, moment, { reached, then });
  }
  return { ...moment, typed: left };
}

/** Evaluates a typed value as the fold does (lib/alerts/fold). */
function stepTyped(plan: Plan, moment: Moment, value: TypedValue): Moment {
  const index = placeOf(moment.feeds, { ...value, isAssigned: false, isValid: true });
  const before = moment.timings[index];
  if (before === undefined || isAnswered(value, before.last)) {
    return moment;
  }
  const { at, measuredAt, isDoubtful, hasStoppedStating, isOnOxygen } = value;
  const last = { at, measuredAt, value: value.value, isDoubtful, isValid: true };
  const timings = moment.timings.with(index, nextTiming(before, last));
  const evaluated = {
    feed: index,
    at: measuredAt,
    knownAt: at,
    gapMs: before.last === null ? Infinity : at - before.last.at,
    everyMs: typedEveryMs,
    input: 'value' as const,
    value: value.value,
    isDoubtful,
    hasStoppedStating,
    isOnOxygen,
    isSpot: true,
    isTyped: true,
  };
  const feeds = { feeds: moment.feeds, timings };
  const groups = endForSilent(plan, feeds, evaluateGroups(plan, feeds, moment.groups, evaluated), evaluated);
  return { ...feeds, groups };
}

/** Returns whether a value came late, and a later one of its feed has answered it. */
export function isAnswered(
  { at, measuredAt }: Pick<Entry, 'at' | 'measuredAt'>,
  last: { measuredAt: EpochMs } | null,
): boolean {
  return at > measuredAt && last !== null && measuredAt < last.measuredAt;
}

/**
 * Returns the moment after what devices did between a typed value and the next one. `reached` is what was so after the
 * value when it was taken, `then` what was so before the next one.
 */
function withOthers(plan: Plan, moment: Moment, { reached, then }: Record<'reached' | 'then', Moment>): Moment {
  const hasSent = moment.feeds.map(
    (feed, index) => !isTyped(feed) && reached.timings[index]?.last?.at !== then.timings[index]?.last?.at,
  );
  const groups = moment.groups.map((group, place): Group => {
    const [was, is] = [reached.groups[place]?.states ?? [], then.groups[place]?.states ?? []];
    const { length = 1 } = plan.groups[place]?.rules ?? [];
    return withStates(
      group,
      group.states.map((timer, index) => {
        const hasEnded = was[index]?.phase === 'active' && is[index]?.phase !== 'active';
        return hasSent[Math.floor(index / length)] === true ? (is[index] ?? idle) : hasEnded ? idle : timer;
      }),
    );
  });
  const timings = moment.timings.map((timing, index) =>
    hasSent[index] === true ? (then.timings[index] ?? timing) : timing,
  );
  return { feeds: moment.feeds, timings, groups };
}

function feedsBefore(plan: Plan, { feeds, timings, groups }: Moment): FeedBefore[] {
  return feeds.flatMap(({ source, deviceId }, index): FeedBefore[] => {
    const last = timings[index]?.last ?? null;
    const timers = Object.fromEntries(
      groups.flatMap(({ isCalm, states }, place) => {
        const rules = isCalm ? [] : (plan.groups[place]?.rules ?? []);
        return rules.flatMap(({ id }, rule) => {
          const timer = states[index * rules.length + rule];
          return timer === undefined || isIdle(timer) ? [] : [[id, timer] as const];
        });
      }),
    );
    return last === null && Object.keys(timers).length === 0 ? [] : [{ source, deviceId, last, timers }];
  });
}

/** Returns the moment before a typed value, in the places that the feeds have now. */
function momentBefore(plan: Plan, { feeds, timings, groups }: Moment, { before }: TypedValue): Moment {
  const known = feeds.map((feed) => before.find((one) => one.source === feed.source && one.deviceId === feed.deviceId));
  return {
    feeds,
    timings: timings.map((timing, index) => ({ ...timing, last: known[index]?.last ?? null })),
    groups: groups.map((group, place): Group => {
      const rules = plan.groups[place]?.rules ?? [];
      const timerOf = (timer: RuleTimer, index: number): RuleTimer => {
        const rule = rules[index % rules.length];
        // What is of the source is not of what was typed in.
        return rule === undefined || isOfSource(rule.input)
          ? timer
          : (known[Math.floor(index / rules.length)]?.timers[rule.id] ?? idle);
      };
      return withStates(group, group.states.map(timerOf));
    }),
  };
}

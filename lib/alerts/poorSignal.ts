import type { EpochMs } from '../time/epochMs';
import type { Alert } from './alert';
import { continuousRules } from './continuousRules';
import { activeTimers } from './evaluateGroups';
import { isTyped } from './feeds';
import { isBeyondAny } from './limit';
import type { Entry, Plan } from './plan';
import { episodesOf, type Stream } from './stream';
import { sameEpisodeMs } from './timing';
import { newestEntries, visitSince } from './window';

/** One raise, or that a person said of one that it was an artefact. */
export type Bout = Alert['bouts'][number];

/** The values of a condition since the first that violated a limit: how many, and how many were no good ones. */
export type Signal = Pick<Bout, 'of' | 'poor'>;

/** How far back raises are counted, and from how many on, in milliseconds (clinical.md section 00, A11). */
const countedMs = 30 * 60_000;
const least = { raises: 4, artefacts: 3 };
/** A condition that lasts longer is no short one: a minute beyond the limit, and the hold. A choice of ours. */
const shortMs = 90_000;

/** Returns the bouts of an alert (null: the first of its parameter) with one more. */
export function withBout(alert: Alert | null, bout: Bout): Bout[] {
  return [...(alert?.bouts ?? []).filter(({ at }) => bout.at - at <= countedMs), bout];
}

/** Returns the bouts of an alert whose condition ended at `endedAt`; null: it never was. */
export function withEnd({ bouts, since }: Alert, endedAt: EpochMs | null): Bout[] {
  const last = bouts.findLastIndex(({ is }) => is !== 'artefact');
  return endedAt === null
    ? bouts.filter((_, index) => index !== last)
    : bouts.map((bout, index) => (index === last && endedAt - since > shortMs ? { ...bout, is: 'long' } : bout));
}

/**
 * Returns how often an alert was raised within 30 min, if that was often: `isPoor` if its values were mostly no good
 * ones, or artefacts.
 */
export function raisedOften({ bouts, condition }: Alert): { times: number; withinMs: number; isPoor: boolean } | null {
  const raises = bouts.filter(({ is }) => is !== 'artefact');
  const artefacts = bouts.length - raises.length;
  // How long the present one will last is not known yet.
  const short = raises.slice(0, condition === 'active' ? -1 : undefined).filter(({ is }) => is === 'short');
  const [of, poor] = short.reduce(([all, bad], bout) => [all + bout.of, bad + bout.poor], [0, 0]);
  const isPoor = artefacts >= least.artefacts || (short.length >= least.raises && 2 * poor > of);
  const times = Math.max(raises.length, artefacts);
  return isPoor || raises.length >= least.raises
    ? { times, withinMs: (bouts.at(-1)?.at ?? 0) - (bouts[0]?.at ?? 0), isPoor }
    : null;
}

/**
 * Returns `raisedOften` of a parameter that a poor signal raises again and again at `now`, or null. Without a value of
 * a device within 5 min, and since `from`, when the last one came off, there is no probe to check.
 */
export function poorSignal(
  alert: Alert | null,
  { plan, stream, group }: Omit<Place, 'perfusion'>,
  from: EpochMs,
  now: EpochMs,
): ReturnType<typeof raisedOften> {
  const episode = episodesOf(stream)[group] ?? null;
  if (alert === null || episode === null || alert.since < episode.startedAt) {
    return null;
  }
  const { timings, state } = stream.head;
  const hasProbe = state.feeds.some((feed, index) => {
    const at = timings[index]?.last?.at ?? -Infinity;
    const isMeasured = !isTyped(feed) && plan.sources[feed.source]?.isOxygenFlow === false;
    return isMeasured && at > from && now - at <= sameEpisodeMs;
  });
  const { endedAt } = episode;
  const often = raisedOften(alert);
  const isOver = !hasProbe || (endedAt !== null && now - endedAt > sameEpisodeMs);
  return often?.isPoor !== true || isOver ? null : often;
}

/** The place of a group in a stream, and the stream of the perfusion beside it. */
interface Place {
  plan: Plan;
  stream: Stream;
  group: number;
  perfusion: Stream;
}

/** Returns what the values were worth that hold the condition of a group. */
export function signalOf(place: Place): Signal {
  const values = valuesOf(place);
  return { of: values.length, poor: values.filter(isPoorIn(place)).length };
}

/** How long a perfusion holds for other values, in milliseconds. */
const perfusionMs = 10_000;

/**
 * Returns what says of a value that it is questionable or invalid, or that the oximeter that measured it had a low
 * perfusion by then.
 */
function isPoorIn({ plan: { sources }, perfusion }: Place): (entry: Entry) => boolean {
  const known = newestEntries(perfusion, Infinity);
  const isLow = ({ deviceId, at, source }: Entry): boolean => {
    const isByEcg = sources.some(({ yieldsTo }) => yieldsTo === source);
    const beside = known.find((entry) => entry.deviceId === deviceId && entry.at <= at && at - entry.at <= perfusionMs);
    return !isByEcg && beside?.isValid === true && isBeyondAny(lowPerfusion, beside.value);
  };
  return (entry) => !entry.isValid || entry.isDoubtful || isLow(entry);
}

const lowPerfusion = continuousRules['signal.perfusion'].limits[1].raise;

/** Returns the values of the devices for which a rule is active, since the first that violated it. */
function valuesOf({ plan, stream, group }: Place): Entry[] {
  const active = activeTimers(plan, stream.head.state, group).filter(({ feed }) => feed.counts);
  const isOfThese = ({ source, deviceId }: Entry): boolean =>
    active.some(({ feed }) => feed.source === source && feed.deviceId === Math.max(deviceId, -1));
  const values: Entry[] = [];
  visitSince(stream, Math.min(...active.map(({ timer }) => timer.from)), (entry) => {
    values.push(...(isOfThese(entry) ? [entry] : []));
  });
  return values;
}

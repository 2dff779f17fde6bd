import type { EpochMs } from '../time/epochMs';
import type { Episode, Side } from './episode';
import { placeOf } from './feeds';
import { emptyFold, stepFold, type Fold } from './fold';
import type { Entry, Plan, Rule, RuleGroup } from './plan';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isBeyondAny } from './limit';
import type { Priority } from './priority';
import { isTechnical, type Parameter } from './parameters';
import { gapLimits, retrospectiveAfterMs, sameEpisodeMs } from './timing';

/** A value that is evaluated after the fact. */
export interface RetrospectiveEntry extends Entry {
  /** It arrived too late to sound. */
  isRetrospective: boolean;
  /** It is from a recording, or was read again: no one was waiting for it. */
  isSilent?: boolean;
}

/** What late values showed since the rules of a parameter were last idle. */
export interface Late {
  /** The extremes beyond a limit, while a condition lasted. */
  lowest: Entry | null;
  highest: Entry | null;
  /** How long any of them was beyond a HIGH limit, in milliseconds; `highUntil`: the end of that, 0 if never. */
  highMs: number;
  highUntil: EpochMs;
}

/** An episode that a retrospective evaluation found. */
export interface RetrospectiveEpisode {
  parameter: Parameter;
  episode: Episode;
  /** When it ended; if it did not, when the evaluated values end; epoch milliseconds. */
  endedAt: EpochMs;
  /** The most urgent rule that was active, and the last values until then, the newest first. */
  worst: { rule: string; priority: Priority; values: readonly Entry[] };
  /** What values that arrived too late were part of it; null: none, so that it has been evaluated before. */
  late: Late | null;
}

/** The state of a retrospective evaluation of one stream. Immutable. */
export interface Retrospective {
  fold: Fold;
  /** By group; null: no late value arrived since its rules were last idle. */
  late: readonly (Late | null)[];
  /** The last values, the oldest first; some more than an alert keeps. */
  recent: readonly Entry[];
  found: readonly RetrospectiveEpisode[];
  /** Values before this are ignored, epoch milliseconds. */
  until: number;
}

/** A value that is older than this on arrival is for the chart alone, in milliseconds: no one acts on it any more. */
const oldestMs = 24 * 3_600_000;

/** Returns whether a value arrived too late to sound but early enough for a retrospective entry. Epoch milliseconds. */
export function arrivedTooLate(measuredAt: EpochMs, receivedAt: EpochMs): boolean {
  const age = receivedAt - measuredAt;
  return age > retrospectiveAfterMs && age <= oldestMs;
}

/**
 * Returns the plan of a retrospective evaluation. It leaves out equipment, which no one can mend afterwards, and
 * trends, which would need the day before each day.
 */
export function retrospectivePlanOf({ sources, groups }: Plan): Plan {
  return {
    sources: sources.map((source) => ({ ...source, hasTrend: false })),
    groups: groups.filter(({ parameter }) => !isTechnical(parameter)),
  };
}

/** Returns whether a value violates a rule about the patient. If no late value does, nothing has to be evaluated. */
export function violatesAny({ sources, groups }: Plan, { source, value, isValid }: Entry): boolean {
  const isFlow = sources[source]?.isOxygenFlow === true;
  return (
    isValid &&
    !isFlow &&
    groups.some(({ parameter, calm }) => !isTechnical(parameter) && (value <= calm.above || value >= calm.below))
  );
}

/** Returns a retrospective evaluation before its first value. */
export function createRetrospective(plan: Plan): Retrospective {
  return { fold: emptyFold(plan), late: plan.groups.map(() => null), recent: [], found: [], until: 0 };
}

const noLate: Late = { lowest: null, highest: null, highMs: 0, highUntil: 0 };

/**
 * Takes a late value, the side of the limits on which its group's condition is (none: it has none) and the folds before
 * and after the value. A value holds until the next one of its feed.
 */
function stepLate(
  late: Late,
  plan: Plan,
  { calm, rules, side }: RuleGroup & { side: Side | undefined },
  [before, after]: readonly [Fold, Fold],
  entry: RetrospectiveEntry,
): Late {
  const { source, value, at, isValid, isSilent = false } = entry;
  const place = placeOf(after.state.feeds, entry);
  if (!isValid || isSilent || after.state.feeds[place]?.counts !== true) {
    return late;
  }
  const { last = null } = before.timings[place] ?? {};
  const isHigh = ({ priority, input, limits }: Rule): boolean =>
    priority === 'high' && input === 'value' && isBeyondAny(limits?.raise ?? [], last?.value ?? NaN);
  const { holds } = gapLimits(plan.sources[source]?.expectedEveryMs ?? 0);
  // Of two sources at once the time counts once.
  const ms = rules.some(isHigh) ? Math.min(at - Math.max(last?.at ?? at, late.highUntil), holds) : 0;
  const isLowest = side === 'low' && value <= calm.above && value < (late.lowest?.value ?? Infinity);
  const isHighest = side === 'high' && value >= calm.below && value > (late.highest?.value ?? -Infinity);
  return {
    lowest: isLowest ? entry : late.lowest,
    highest: isHighest ? entry : late.highest,
    highMs: late.highMs + ms,
    highUntil: ms === 0 ? late.highUntil : at,
  };
}

/** How many values an alert keeps as evidence. */
export const evidenceLength = 60;

/** Takes the next values in the order of measuring, and returns the evaluation after them. */
export function stepRetrospective(
  past: Retrospective,
  plan: Plan,
  entries: readonly RetrospectiveEntry[],
): Retrospective {
  let { fold, until } = past;
  const late = [...past.late];
  const recent = [...past.recent];
  const found = [...past.found];
  for (const entry of entries) {
    if (entry.at < until) {
      continue;
    }
    until = entry.at;
    if (entry.isValid) {
      recent.push(entry);
    }
    // Not one by one: to move the others up for each value takes as long as its evaluation.
    if (recent.length > 10 * evidenceLength) {
      recent.splice(0, recent.length - evidenceLength);
    }
    const earlier = fold;
    const before = fold.state.groups;
    fold = stepFold(plan, fold, entry);
    // Most values change nothing.
    if (fold.state.groups === before && !entry.isRetrospective) {
      continue;
    }
    fold.state.groups.forEach((group, index) => {
      const { episode } = group;
      const of = plan.groups[index];
      if (of === undefined) {
        return;
      }
      const { parameter } = of;
      const wasLate = late[index] ?? null;
      const at = found.findLastIndex(
        (one) => one.parameter === parameter && one.episode.startedAt === episode?.startedAt,
      );
      const known = found[at];
      let isLate = wasLate;
      if (entry.isRetrospective) {
        const isJoined = entry.at - (episode?.endedAt ?? entry.at) <= sameEpisodeMs;
        const begun = (isJoined ? known?.late : null) ?? noLate;
        const side = episode?.endedAt === null ? episode.side : undefined;
        isLate = stepLate(wasLate ?? begun, plan, { ...of, side }, [earlier, fold], entry);
      }
      late[index] = group.isCalm ? null : isLate;
      const isSame = episode === before[index]?.episode;
      if (episode === null || (isSame && (episode.endedAt !== null || isLate === wasLate))) {
        return;
      }
      const isWorst = known === undefined || isMoreUrgentRule(episode, known.worst);
      const worst = isWorst
        ? { rule: episode.rule, priority: episode.priority, values: recent.slice(-evidenceLength).reverse() }
        : known.worst;
      const after = {
        parameter,
        episode,
        endedAt: episode.endedAt ?? Infinity,
        worst,
        late: isLate ?? known?.late ?? null,
      };
      if (known === undefined) {
        found.push(after);
      } else {
        found[at] = after;
      }
    });
  }
  return { fold, late, recent, found, until };
}

/** Returns the episodes that were found. One that has not ended lasts as long as the values do. */
export function retrospectiveEpisodes({ found, until }: Retrospective): RetrospectiveEpisode[] {
  return found.map((one) => (one.endedAt === Infinity ? { ...one, endedAt: until } : one));
}

/** Returns every episode of a whole stream, such as a recording. Takes the values in any order. */
export function evaluateRecording(plan: Plan, values: readonly Entry[]): RetrospectiveEpisode[] {
  const entries = values.map((value) => ({ ...value, isRetrospective: false })).sort(inOrderOfMeasuring);
  return retrospectiveEpisodes(stepRetrospective(createRetrospective(plan), plan, entries));
}

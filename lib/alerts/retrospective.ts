import type { EpochMs } from '../time/epochMs';
import type { Episode } from './episode';
import { emptyFold, stepFold, type Fold } from './fold';
import type { Entry, Plan } from './plan';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import type { Priority } from './priority';
import { isTechnical, type Parameter } from './parameters';
import { retrospectiveAfterMs } from './timing';

/** A value that is evaluated after the fact. */
export interface RetrospectiveEntry extends Entry {
  /** It arrived too late to sound. */
  isRetrospective: boolean;
}

/** An episode that a retrospective evaluation found. */
export interface RetrospectiveEpisode {
  parameter: Parameter;
  episode: Episode;
  /** When it ended; if it did not, when the evaluated values end; epoch milliseconds. */
  endedAt: EpochMs;
  /** The most urgent rule that was active, and the last values until then, the newest first. */
  worst: { rule: string; priority: Priority; values: readonly Entry[] };
  /** A value that arrived too late was part of it; all other episodes have been evaluated before. */
  isRetrospective: boolean;
}

/** The state of a retrospective evaluation of one stream. Immutable. */
export interface Retrospective {
  fold: Fold;
  /** By group: whether a late value arrived since its rules were last idle. */
  retrospective: readonly boolean[];
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
  return { fold: emptyFold(plan), retrospective: plan.groups.map(() => false), recent: [], found: [], until: 0 };
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
  const retrospective = [...past.retrospective];
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
    const before = fold.state.groups;
    fold = stepFold(plan, fold, entry);
    // Most values change nothing.
    if (fold.state.groups === before && !entry.isRetrospective) {
      continue;
    }
    fold.state.groups.forEach((group, index) => {
      const { episode } = group;
      const parameter = plan.groups[index]?.parameter;
      const wasRetrospective = retrospective[index] === true;
      const isRetrospective = wasRetrospective || entry.isRetrospective;
      retrospective[index] = isRetrospective && !group.isCalm;
      const isSame = episode === before[index]?.episode;
      if (
        episode === null ||
        parameter === undefined ||
        (isSame && (episode.endedAt !== null || wasRetrospective || !isRetrospective))
      ) {
        return;
      }
      const at = found.findLastIndex(
        (one) => one.parameter === parameter && one.episode.startedAt === episode.startedAt,
      );
      const known = found[at];
      const isWorst = known === undefined || isMoreUrgentRule(episode, known.worst);
      const worst = isWorst
        ? { rule: episode.rule, priority: episode.priority, values: recent.slice(-evidenceLength).reverse() }
        : known.worst;
      const after = {
        parameter,
        episode,
        endedAt: episode.endedAt ?? Infinity,
        worst,
        isRetrospective: isRetrospective || known?.isRetrospective === true,
      };
      if (known === undefined) {
        found.push(after);
      } else {
        found[at] = after;
      }
    });
  }
  return { fold, retrospective, recent, found, until };
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

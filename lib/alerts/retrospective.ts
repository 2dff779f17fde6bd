import type { Episode } from './episode';
import { emptyFold, stepFold, type Entry, type Fold, type Plan } from './fold';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import type { Priority } from './priority';
import { isTechnical, type Parameter } from './parameters';
import { retrospectiveAfterMs } from './timing';

/** A value of the past. */
export interface RetrospectiveEntry extends Entry {
  /** It came too late to be judged when it was measured. */
  isRetrospective: boolean;
}

/** A stretch of trouble that a stream of the past held. */
export interface RetrospectiveEpisode {
  parameter: Parameter;
  episode: Episode;
  /** When it ended, or what was judged of the past did; epoch milliseconds. */
  endedAt: number;
  /** The most urgent rule that it reached, and the last values until then, the newest first. */
  worst: { rule: string; priority: Priority; values: readonly Entry[] };
  /** Values that came late had a part in it: of all others it was judged already. */
  isRetrospective: boolean;
}

/** How far a stream of the past has been judged. Immutable. */
export interface Retrospective {
  fold: Fold;
  /** By group: whether a late value came since its rules were last at rest. */
  retrospective: readonly boolean[];
  /** The last values, the oldest first. */
  recent: readonly Entry[];
  found: readonly RetrospectiveEpisode[];
  /** Epoch milliseconds: what was measured before is not judged any more. */
  until: number;
}

/** What is older than this when it comes belongs to the chart alone: nobody acts on it any more. */
const oldestMs = 24 * 3_600_000;

/**
 * Whether a value is judged as one of the past: too late to sound, and not too old to be read about. Epoch
 * milliseconds.
 */
export function arrivedTooLate(measuredAt: number, receivedAt: number): boolean {
  const age = receivedAt - measuredAt;
  return age > retrospectiveAfterMs && age <= oldestMs;
}

/**
 * What a stream's past is judged by. Of equipment that did not work nobody has to know any more, and a trend would need
 * the day before each day.
 */
export function retrospectivePlanOf({ sources, groups }: Plan): Plan {
  return {
    sources: sources.map((source) => ({ ...source, hasTrend: false })),
    groups: groups.filter(({ parameter }) => !isTechnical(parameter)),
  };
}

/** Whether a value violates a rule about the patient. Of a healthy day that comes late nothing has to be judged. */
export function violatesAny({ sources, groups }: Plan, { source, value }: Entry): boolean {
  const isFlow = sources[source]?.isOxygenFlow === true;
  return (
    !isFlow &&
    groups.some(({ parameter, calm }) => !isTechnical(parameter) && (value <= calm.above || value >= calm.below))
  );
}

/** A stream of the past before its first value. */
export function createRetrospective(plan: Plan): Retrospective {
  return { fold: emptyFold(plan), retrospective: plan.groups.map(() => false), recent: [], found: [], until: 0 };
}

/** How many values an alert keeps as what it was raised by. */
export const evidenceLength = 60;

/** Takes the next values of a past, in the order of measuring, and returns it with them. */
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
    recent.push(entry);
    if (recent.length > evidenceLength) {
      recent.shift();
    }
    const before = fold.state.groups;
    fold = stepFold(plan, fold, entry);
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
        ? { rule: episode.rule, priority: episode.priority, values: recent.toReversed() }
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

/** The episodes that a past held. One that had not ended goes as far as its values do. */
export function retrospectiveEpisodes({ found, until }: Retrospective): RetrospectiveEpisode[] {
  return found.map((one) => (one.endedAt === Infinity ? { ...one, endedAt: until } : one));
}

/** Every episode of a whole stream, such as a recording. Takes the values in any order. */
export function evaluateRecording(plan: Plan, values: readonly Entry[]): RetrospectiveEpisode[] {
  const entries = values.map((value) => ({ ...value, isRetrospective: false })).sort(inOrderOfMeasuring);
  return retrospectiveEpisodes(stepRetrospective(createRetrospective(plan), plan, entries));
}

import type { EpochMs } from '../time/epochMs';
import { isOpen, type Alert, type AlertChange } from './alert';
import { createEscalation } from './escalation';
import type { Evidence } from './evidence';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isMoreUrgent } from './priority';
import type { RetrospectiveEpisode } from './retrospective';
import type { RuleId } from './ruleNames';
import { raise, unseen } from './takeEpisode';

const rule = 'outOfReach.violation' satisfies RuleId;

const minute = 60_000;

/**
 * It is MEDIUM if values were beyond a HIGH limit for more than a minute in all, and that ended less than 4 h ago
 * (clinical.md section 00, A7). In milliseconds.
 */
const briefMs = minute;
const recentMs = 4 * 60 * minute;

/** What arrives within this time of what came before is of the same gap, in milliseconds. */
const sameGapMs = 10 * minute;

/** Between two sounds of a unit about what came late, in milliseconds (A7). */
export const quietMs = 10 * minute;

/** Returns whether values from `from` on that arrive now belong to the gap that an alert is about. */
export function isOfSameGap(alert: Alert, from: EpochMs, now: EpochMs): boolean {
  const isNear = from <= (alert.endedAt ?? Infinity) + sameGapMs;
  return now - alert.ruleRaisedAt <= sameGapMs || (isOpen(alert) && isNear);
}

/** Returns whether an alert grows by these episodes. What is LOW asks no one: it joins what no one has seen. */
export function grows(known: Alert | null, episodes: readonly RetrospectiveEpisode[], now: EpochMs): known is Alert {
  const from = Math.min(...episodes.map(({ episode }) => episode.startedAt));
  return known !== null && (isOfSameGap(known, from, now) || (isOpen(known) && !isGrave(episodes, now)));
}

function isGrave(episodes: readonly RetrospectiveEpisode[], now: EpochMs): boolean {
  const highMs = episodes.reduce((sum, { late }) => sum + (late?.highMs ?? 0), 0);
  const highUntil = Math.max(...episodes.map(({ late }) => late?.highUntil ?? 0));
  return highMs > briefMs && now - highUntil < recentMs;
}

/** Returns whether an alert is about the time of an episode as well. */
export function covers(alert: Alert, { episode, endedAt }: RetrospectiveEpisode): boolean {
  return episode.startedAt <= (alert.endedAt ?? Infinity) && endedAt >= alert.startedAt;
}

/**
 * Takes the alert of a patient about what values of a gap show that came late, and the episodes of that gap. Returns
 * the alert after it: there is one of each gap, over from the beginning and open until somebody acknowledges it. More
 * of a gap that somebody has acknowledged raises it again, and so does another gap, which takes the place of one that
 * is still open.
 */
export function takeOutOfReach(
  known: Alert | null,
  episodes: readonly RetrospectiveEpisode[],
  now: EpochMs,
): AlertChange {
  const joined = grows(known, episodes, now) ? known : null;
  const before = isOpen(joined) ? joined : null;
  const isMedium = isGrave(episodes, now) || before?.priority === 'medium';
  const priority = isMedium ? 'medium' : 'low';
  const startedAt = Math.min(joined?.startedAt ?? Infinity, ...episodes.map(({ episode }) => episode.startedAt));
  const endedAt = Math.max(joined?.endedAt ?? 0, ...episodes.map((one) => one.endedAt));
  const count = Math.max(
    joined?.episodes ?? 1,
    episodes.reduce((sum, { episode }) => sum + episode.count, 0),
  );
  const none = { source: null, lowest: null, highest: null, unconfirmedUntil: null };
  const episode = { rule, priority, startedAt, since: startedAt, endedAt, count, ...none } as const;
  const isUpgraded = before !== null && isMoreUrgent(priority, before.priority);
  const fresh = { ...raise('outOfReach', episode, createEscalation(priority, [], now), now), endedAt };
  const alert: Alert =
    before === null
      ? fresh
      : {
          ...(isUpgraded ? { ...unseen(before), lastRaisedAt: now } : before),
          ...{ priority, conditionPriority: priority, startedAt, since: startedAt, endedAt, episodes: count },
          ruleRaisedAt: now,
        };
  const what = { rule, priority, at: now } as const;
  return {
    alert: { ...alert, condition: 'ended', latched: isMedium },
    events: [
      joined === null && !isOpen(known)
        ? { is: 'raised', ...what }
        : before === null
          ? { is: 'raised_again', ...what, episodes: count }
          : isUpgraded
            ? { is: 'upgraded', rule, from: before.priority, to: priority, at: now }
            : { is: 'retrospective', ...what },
    ],
  };
}

type Extremes = Evidence['samples'];

/** Returns the extremes that an alert names: one of each parameter and side, that of the most urgent rule first. */
export function namedExtremes(
  known: Extremes,
  episodes: readonly { found: RetrospectiveEpisode; extremes: Extremes }[],
): Extremes {
  const named = new Map<string, Extremes[number]>();
  const sorted = [...episodes].sort(
    (a, b) =>
      Number(isMoreUrgentRule(b.found.worst, a.found.worst)) - Number(isMoreUrgentRule(a.found.worst, b.found.worst)),
  );
  for (const sample of [...known, ...sorted.flatMap(({ extremes }) => extremes)]) {
    const { kind, side, value } = sample;
    const key = `${kind === 'spo2'} ${side}`;
    const other = named.get(key)?.value ?? (side === 'high' ? -Infinity : Infinity);
    if (side === 'high' ? value > other : value < other) {
      named.set(key, sample);
    }
  }
  return [...named.values()];
}

/** Returns when the last sound of an alert about what came late began, or will begin; epoch milliseconds, 0: never. */
export function soundedAt({ escalation, unconfirmedUntil: until, closed }: Alert, now: EpochMs): EpochMs {
  const wasQuiet = until !== null && (until > now || (closed !== null && closed.at < until));
  return wasQuiet ? until - quietMs : Math.max(until ?? 0, ...escalation.asked.map(({ at }) => at));
}

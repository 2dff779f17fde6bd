import type { RedFlag } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import { formatAge, formatDate, formatDayAndTime, formatTime } from '../time/formatTime';
import { offsetIfRepeated } from '../time/repeatedHour';
import type { Freshness } from '../vitals/freshness';
import { kinds, type VitalKind } from '../vitals/kinds';
import type { News2 } from '../vitals/news2Schema';
import { formatVital } from '../vitals/roundVital';
import type { Alert } from './alert';
import type { RuleLimits } from './continuousRules';
import type { SymptomChange } from './evaluateSymptoms';
import type { Evidence, Worst } from './evidence';
import { isBeyond, type Limit } from './limit';
import type { Battery } from './technicalRules';

/**
 * What is known besides the alert itself. The sentence leaves out what is null or missing: it never guesses. Times are
 * epoch milliseconds by our clock.
 */
export interface SentenceFacts {
  timeZone: string;
  /** The limits of the rule that is active now, or was active last, as they apply to the patient. */
  limits: RuleLimits | null;
  /** What explains its highest priority; null: it is unknown. */
  worst?: Worst | null;
  /** What it was raised by, the newest first. */
  samples: Evidence['samples'];
  /**
   * The newest valid value of the parameter. `freshness`: it is shown as the present one until it is `off`, and is of
   * "now" until it is `stale`; `isDoubtful`: its device doubts it.
   */
  newest: {
    kind: VitalKind;
    value: number;
    at: EpochMs;
    freshness: Freshness;
    isDoubtful?: boolean;
    /** It was typed in, or its device is that slow: it says nothing about the time since then. */
    isSingle?: boolean;
    /** The device, if it is another one than the assigned. */
    source?: string;
    /** What another device of the patient says now, if it disagrees. */
    other?: number;
  } | null;
  /** The extremes of its last episode. */
  lowest: number | null;
  highest: number | null;
  /**
   * When the first violating value of the present condition was measured. `isAtLeast`: there was a silence; null: it is
   * unknown.
   */
  violation?: { since: EpochMs; isAtLeast: boolean } | null;
  /** The medians that a rule about a trend compares. */
  medians?: { recent: number; day: number } | null;
  /** The live rate of the ECG if an oximeter raised the alert; null: there is none. */
  ecg?: number | null;
  /** The live rate of the oximeter if the ECG raised the alert; null: there is none. */
  pulse?: number | null;
  /** For a single reading: whether a second one, or the lack of one in time, has confirmed it. */
  isConfirmed?: boolean | null;
  /** How often a poor signal raised an alert. */
  poor?: { times: number; withinMs: number } | null;
  /** The score as it is now. */
  news2?: Pick<News2, 'complete' | 'range' | 'parts'> | null;
  /**
   * The patient's report of symptoms. `changes`: what is new or worse than in the one before; `isWorse`: than
   * yesterday, as the patient says; `isInError`: it was marked as entered in error since.
   */
  report?: {
    at: EpochMs;
    redFlags: readonly RedFlag[];
    changes?: readonly SymptomChange[];
    isWorse?: boolean;
    isInError?: boolean;
  } | null;
  /** The change of its limit that ended it, and the name of the user who changed it, if it is known. */
  limitMoved?: { from: number; to: number; by: string | null };
  /** The name of the source that counts, as a person settled it, and of that person. */
  settled?: { source: string; by: string; until: EpochMs } | undefined;
  /** The standby that runs, and the name of the user who started it. */
  standby?: { by: string; until: EpochMs } | null;
  /** `offsetMs`: how far its clock is behind ours. */
  device?: { lastSeenAt: EpochMs | null; battery: Battery | null; offsetMs: number | null } | null;
}

/** An alert, what is known besides, and the server's time. */
export interface Card {
  alert: Alert;
  facts: SentenceFacts;
  now: EpochMs;
}

/** Parts of a sentence; null is left out. */
export type Parts = readonly (string | null)[];

export interface Words {
  /** While it lasts. */
  active: Parts;
  /** What it was, and what follows when it is over. */
  what: string;
  after?: Parts;
  /** The present value is back within the limit for certain. */
  isRecovering?: boolean;
}

/**
 * Returns how long the present condition has lasted: " for 4 min", or " for at least 4 min" if there was a silence.
 * Empty if that is unknown, and if a rate was too slow before it was too fast.
 */
export function lengthOf({ facts, now }: Card): string {
  const { limits, lowest, highest, violation = null } = facts;
  const isOneSided =
    (limits?.raise ?? []).filter((limit) => [lowest, highest].some((value) => value === null || isBeyond(limit, value)))
      .length <= 1;
  const ms = violation === null ? 0 : now - violation.since;
  return violation === null || !isOneSided || ms < 1_000
    ? ''
    : ` for ${violation.isAtLeast ? 'at least ' : ''}${formatAge(ms)}`;
}

/** "6 times in 17 min". */
export const oftenText = (often: { times: number; withinMs: number }): string =>
  `${often.times} times in ${formatAge(often.withinMs)}`;

const signs = { below: '<', atMost: '≤', atLeast: '≥' } as const satisfies Record<Limit['is'], string>;

/** Returns a limit with its sign: "< 88". */
export function limitText({ is, value }: Limit): string {
  return `${signs[is]} ${value}`;
}

export function withUnit({ kind, value }: { kind: VitalKind; value: number }): string {
  return `${formatVital(kind, value)} ${kinds[kind].unit}`;
}

export function valueOf(reading: { kind: VitalKind; value: number }): string {
  return `${kinds[reading.kind].label} ${withUnit(reading)}`;
}

export const alertSince = (card: Card): string => `alert since ${clock(card, card.alert.since)}`;

/** "14:05", with the day if that is not the day of `now`, and with the offset in the hour that clocks show twice. */
export function clock({ facts: { timeZone }, now }: Card, at: EpochMs): string {
  const isToday = formatDate(at, timeZone) === formatDate(now, timeZone);
  const shown = isToday ? formatTime(at, timeZone) : formatDayAndTime(at, timeZone);
  const offset = offsetIfRepeated(at, timeZone);
  return offset === null ? shown : `${shown} (${offset})`;
}

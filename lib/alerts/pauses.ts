import type { EpochMs } from '../time/epochMs';
import type { Active, Episode, NamedRule } from './episode';
import type { RuleId } from './ruleNames';

/** A standby: staff are with the patient, so for a while nothing new is raised. Times are epoch milliseconds. */
export interface Standby {
  by: number;
  reason: string;
  startedAt: EpochMs;
  until: EpochMs;
  /** Whether it goes on from another one: the charge nurse is asked. */
  isRenewal: boolean;
}

/** No standby lasts longer (clinical.md sections 0, B1, and 4). */
export const longestStandbyMinutes = 60;

const minuteMs = 60_000;
/** The most time in standby within any time of this length, both in milliseconds (clinical.md section 0, B1). */
const standbyBudgetMs = 120 * minuteMs;
export const standbyWindowMs = 4 * 60 * minuteMs;
/** A standby that begins within this time of the one before goes on from it, in milliseconds. */
export const renewalMs = 15 * minuteMs;

/** The time of a former standby, or of the one that runs: when it ended, or will. Epoch milliseconds. */
export type StandbyTime = Pick<Standby, 'startedAt' | 'until'>;

/**
 * Returns the whole minutes that a new standby may last at `now`, given those of the last four hours. One that runs is
 * replaced, so its time ahead does not count.
 */
export function standbyMinutesLeft(former: readonly StandbyTime[], now: EpochMs): number {
  for (let minutes = longestStandbyMinutes; minutes > 0; minutes -= 1) {
    // The standby's last moment is the one with most of it in the four hours before.
    const from = now + minutes * minuteMs - standbyWindowMs;
    const used = former.reduce(
      (ms, { startedAt, until }) => ms + Math.max(0, Math.min(until, now) - Math.max(startedAt, from)),
      0,
    );
    if (used + minutes * minuteMs <= standbyBudgetMs) {
      return minutes;
    }
  }
  return 0;
}

/** Returns whether a standby that starts at `now` goes on from a former one. */
export function isRenewalOf(former: readonly StandbyTime[], now: EpochMs): boolean {
  return former.some(({ until }) => until > now - renewalMs);
}

/**
 * A pause that begins later than so long after the present has a wrong time, in milliseconds: it must not hold back an
 * alarm until then. Samples that arrived shortly before it began are evaluated at their arrival.
 */
const aheadMs = minuteMs;

/** Returns whether a standby runs at `now`. It ends by itself. */
export function isInStandby(standby: Standby | null, now: EpochMs): boolean {
  return standby !== null && now < standby.until && standby.startedAt - now <= aheadMs;
}

/** A move to another unit has ended a standby (clinical.md section 00, A3). */
export const standbyMoved = { rule: 'standby.moved', priority: 'medium' } as const satisfies NamedRule;

/**
 * Returns the active rule of a standby at `now`: it goes on from another one, or a move ended it (`lasting`: that
 * episode, if no one has acknowledged it). Null: neither.
 */
export function standbyNews(
  standby: Standby | null,
  lasting: Pick<Episode, 'rule' | 'since' | 'endedAt'> | null,
  now: EpochMs,
): Active<RuleId> | null {
  if (standby !== null && standby.isRenewal && isInStandby(standby, now)) {
    return { rule: 'standby.renewed', priority: 'medium', since: standby.startedAt };
  }
  return lasting?.rule === standbyMoved.rule && lasting.endedAt === null
    ? { ...standbyMoved, since: lasting.since }
    : null;
}

/** Comfort care: a physician has ordered that escalation must not disturb this patient. */
export interface ComfortCare {
  by: number;
  reason: string;
  /** When a physician last confirmed it, epoch milliseconds. */
  confirmedAt: EpochMs;
}

const comfortCareMs = 24 * 60 * minuteMs;

/** Returns when comfort care ends unless it is confirmed again, epoch milliseconds. */
export function comfortCareUntil({ confirmedAt }: Pick<ComfortCare, 'confirmedAt'>): number {
  return confirmedAt + comfortCareMs;
}

/**
 * Returns whether comfort care applies at `now`. A physician has to confirm it every 24 hours (clinical.md section
 * 2.4); otherwise it ends and HIGH limits apply again.
 */
export function isInComfortCare(comfortCare: ComfortCare | null, now: EpochMs): boolean {
  return comfortCare !== null && now < comfortCareUntil(comfortCare) && comfortCare.confirmedAt - now <= aheadMs;
}

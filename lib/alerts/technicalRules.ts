import type { EpochMs } from '../time/epochMs';
import type { Active, NamedRule } from './episode';
import type { Priority } from './priority';
import type { RuleId } from './ruleNames';

const second = 1_000;
const minute = 60 * second;

export type TechnicalActive = Active<RuleId>;

/** How long a signal may be missing before each priority, in milliseconds, the most urgent first. */
interface Tier {
  rule: RuleId;
  priority: Priority;
  afterMs: number;
  /** For a slow feed: the number of its intervals, if that is longer. */
  intervals: number;
  /** Only if the patient must be monitored without a gap. */
  onlyRequired?: true;
}

/**
 * No valid value, for any reason (clinical.md section 2.6). Stale styling after 30 s is freshness
 * (lib/vitals/freshness).
 */
const silence: readonly Tier[] = [
  { rule: 'reporting.long', priority: 'high', afterMs: 15 * minute, intervals: 12, onlyRequired: true },
  { rule: 'reporting.medium', priority: 'medium', afterMs: 5 * minute, intervals: 8 },
  { rule: 'reporting.short', priority: 'low', afterMs: 60 * second, intervals: 4 },
];

/** The device reports that it has no signal: the probe is off (clinical.md section 2.6). */
const probeOff: readonly Tier[] = [
  { rule: 'sensor.long', priority: 'high', afterMs: 15 * minute, intervals: 12, onlyRequired: true },
  { rule: 'sensor.off', priority: 'medium', afterMs: 2 * minute, intervals: 4 },
  { rule: 'sensor.short', priority: 'low', afterMs: 30 * second, intervals: 2 },
];

/** One alert for a silent gateway, instead of one for each of its patients (clinical.md section 2.6). */
const gatewaySilence: readonly Tier[] = [
  { rule: 'gateway.long', priority: 'high', afterMs: 5 * minute, intervals: 8 },
  { rule: 'gateway.silent', priority: 'medium', afterMs: 60 * second, intervals: 4 },
];

/** One signal of a patient, such as SpO2, or an assigned monitor that has sent nothing so far. Epoch milliseconds. */
export interface Signal {
  expectedEveryMs: number;
  /** When the last valid value was measured. */
  validAt: EpochMs;
  /** When it was last measured, valid or not. */
  lastSeenAt: EpochMs;
  /** Its probe comes and goes (clinical.md section 0, Q5). */
  isUnreliable: boolean;
  /** Its device stated qualities and does no longer, for more than 5 min (Q2). */
  hasStoppedStating: boolean;
}

/** Returns how long after a value the next one is expected, with some patience, in milliseconds. */
function patience({ expectedEveryMs }: Signal): number {
  return Math.max(10 * second, 2 * expectedEveryMs);
}

/**
 * Returns the active rules of a patient's signals at `now`: `reporting` while nothing arrives, `sensor` while the
 * device says that it has no signal, or none that can be relied on. Each signal counts in one of the two, so a probe
 * that is off is one alert. `isPoor`: it raises alerts about the patient again and again (clinical.md section 00, A11).
 */
export function evaluateSignals(
  signals: readonly Signal[],
  now: EpochMs,
  { isContinuousRequired, isPoor = false }: { isContinuousRequired: boolean; isPoor?: boolean },
): { reporting: TechnicalActive[]; sensor: TechnicalActive[] } {
  const poor = { rule: 'sensor.poor', priority: 'medium', since: now } as const;
  const found = { reporting: [] as TechnicalActive[], sensor: (isPoor ? [poor] : []) as TechnicalActive[] };
  for (const signal of signals) {
    const isOff = signal.lastSeenAt > signal.validAt && now - signal.lastSeenAt <= patience(signal);
    const tiers = (isOff ? probeOff : silence).filter(
      ({ onlyRequired }) => onlyRequired !== true || isContinuousRequired,
    );
    const active = longEnough(tiers, signal.validAt, signal.expectedEveryMs, now);
    if (signal.isUnreliable) {
      found.sensor.push({ rule: 'sensor.unreliable', priority: 'medium', since: now });
    }
    // A probe that comes and goes is that alert instead, unless it is off for so long that this is worse.
    if (active !== null && (!signal.isUnreliable || active.priority === 'high')) {
      found[isOff ? 'sensor' : 'reporting'].push(active);
    }
    if (signal.hasStoppedStating) {
      found.sensor.push({ rule: 'sensor.unstated', priority: 'low', since: now });
    }
  }
  return found;
}

/** A gateway: one device, or one HL7 sender, that reports for several patients. Epoch milliseconds. */
export interface Gateway {
  expectedEveryMs: number;
  /** When its last call or message came. */
  lastSeenAt: EpochMs;
}

/**
 * Returns the active rule of a gateway at `now`, or null. While it is silent, the signals that it carries raise
 * nothing.
 */
export function evaluateGateway({ expectedEveryMs, lastSeenAt }: Gateway, now: EpochMs): TechnicalActive | null {
  return longEnough(gatewaySilence, lastSeenAt, expectedEveryMs, now);
}

function longEnough(
  tiers: readonly Tier[],
  since: EpochMs,
  expectedEveryMs: number,
  now: EpochMs,
): TechnicalActive | null {
  for (const { rule, priority, afterMs, intervals } of tiers) {
    const dueAt = since + Math.max(afterMs, intervals * expectedEveryMs);
    if (now >= dueAt) {
      return { rule, priority, since: dueAt };
    }
  }
  return null;
}

/** A row of an alert that cannot be read: what it said is unknown (clinical.md section 0, P4). */
export const unreadableAlert = { rule: 'record.unreadable', priority: 'high' } as const satisfies NamedRule;

/** A patient came back from a discharge, and their monitor did not (clinical.md section 00, A4). */
export const noMonitorRule = { rule: 'monitor.none', priority: 'medium' } as const satisfies NamedRule;

/** Who comes back later than this was discharged and is admitted again, in milliseconds. */
export const takenBackWithinMs = 24 * 3_600_000;

/** The disk with the data is nearly full (server/disk/isDiskLow). On a full one nothing is stored. */
export const diskLow = { rule: 'disk.low', priority: 'low' } as const satisfies NamedRule;

/** A connection of the HL7 port that got or kept no place; `isKnown`: of an accepted sender. */
export interface CutConnection {
  isKnown: boolean;
  at: EpochMs;
}

/** Returns HIGH for an hour after a connection of an accepted sender was cut, LOW after another; then null. */
export function evaluateCut({ isKnown, at }: CutConnection, now: EpochMs): TechnicalActive | null {
  const [rule, priority] = isKnown ? (['hl7.refused', 'high'] as const) : (['hl7.strangers', 'low'] as const);
  return now - at >= 60 * minute ? null : { rule, priority, since: at };
}

/** A device's report of its battery; null if it does not say. */
export interface Battery {
  percent: number | null;
  minutesLeft: number | null;
}

/**
 * Returns LOW for at most 20 %; MEDIUM for at most 10 % or less than half an hour (clinical.md section 2.6); else null.
 */
export function evaluateBattery({ percent, minutesLeft }: Battery, at: EpochMs): TechnicalActive | null {
  if ((percent !== null && percent <= 10) || (minutesLeft !== null && minutesLeft < 30)) {
    return { rule: 'battery.empty', priority: 'medium', since: at };
  }
  return percent !== null && percent <= 20 ? { rule: 'battery.low', priority: 'low', since: at } : null;
}

/**
 * Returns the rule for a clock that is off by more than a minute either way, or null. The offset is in milliseconds.
 */
export function evaluateDeviceClock(offsetMs: number, at: EpochMs): TechnicalActive | null {
  return Math.abs(offsetMs) > minute ? { rule: 'clock.off', priority: 'low', since: at } : null;
}

/**
 * Why the values of a monitor are no patient's, the most serious first: they contradict our patients and beds, their MR
 * numbers are of an authority that the site does not list, they are of a patient for whom the device may not send, they
 * are a demonstration, or have times more than a day from ours. `undecided` refuses nothing: two people have not said
 * for 30 days whether an MRN alone is enough.
 */
export const monitorRefusals = ['identity', 'authority', 'patient', 'training', 'clock', 'undecided'] as const;
export type MonitorRefusal = (typeof monitorRefusals)[number];

/**
 * What became of the messages of a monitor: when values of it were last refused, and when some were last a patient's;
 * null: not since this start. Epoch milliseconds.
 */
export interface MonitorFate {
  refused: { at: EpochMs; reason: MonitorRefusal } | null;
  takenAt: EpochMs | null;
}

/**
 * Old messages come between new ones, so it is over only after a minute without a refusal, in milliseconds. A device
 * that sends for others is one alert an hour.
 */
const takenForMs = (reason: MonitorRefusal): number => (reason === 'patient' ? 60 : 1) * minute;

/** Returns LOW while the values of a monitor are refused, until they are a patient's again; else null. */
export function evaluateMonitor({ refused, takenAt }: MonitorFate): TechnicalActive | null {
  return refused === null || (takenAt !== null && takenAt - refused.at >= takenForMs(refused.reason))
    ? null
    : { rule: `monitor.${refused.reason}`, priority: 'low', since: refused.at };
}

const day = 24 * 60 * minute;

/**
 * Returns LOW in the last 14 days in which a device may send for any patient of its site, MEDIUM in the last three:
 * then two users have to have confirmed it as a gateway, or its values are refused.
 */
export function evaluateUnconfirmed(until: EpochMs, now: EpochMs): TechnicalActive | null {
  return now >= until || until - now > 14 * day
    ? null
    : { rule: 'monitor.unconfirmed', priority: until - now > 3 * day ? 'low' : 'medium', since: until - 14 * day };
}

/** Returns whether trends can be evaluated by a device's clock: not if it is off by more than 5 min. */
export function canEvaluateTrends(offsetMs: number): boolean {
  return Math.abs(offsetMs) <= 5 * minute;
}

/** The server's clock is more than a day away from what the newest sample and the time since allow. */
export const doubtedClock = { rule: 'clock.doubted', priority: 'medium' } as const satisfies NamedRule;

/** How long a step of the server's clock, or its end by a fault, is an alert, in milliseconds. */
const shownMs = 30 * minute;

/** A step of the server's own clock: by how much, in milliseconds, and when. */
export interface ServerClockStep {
  jumpedMs: number;
  at: EpochMs;
}

/** Returns LOW for a step of up to 60 s, HIGH above, for half an hour (clinical.md section 0, C1); then null. */
export function evaluateServerClock({ jumpedMs, at }: ServerClockStep, now: EpochMs): TechnicalActive | null {
  if (now - at >= shownMs) {
    return null;
  }
  return Math.abs(jumpedMs) > minute
    ? { rule: 'clock.steppedFar', priority: 'high', since: at }
    : { rule: 'clock.stepped', priority: 'low', since: at };
}

/** Returns HIGH for half an hour after the server was started again after a fault of its own; then null. */
export function evaluateServerFault(at: EpochMs, now: EpochMs): TechnicalActive | null {
  return now - at >= shownMs ? null : { rule: 'server.fault', priority: 'high', since: at };
}

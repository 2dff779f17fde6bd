import type { Active } from './episode';
import type { Priority } from './priority';

const second = 1_000;
const minute = 60 * second;

/** Each needs its words (lib/alerts/sentence). */
export type TechnicalRuleId =
  | 'reporting.short'
  | 'reporting.medium'
  | 'reporting.long'
  | 'sensor.short'
  | 'sensor.off'
  | 'sensor.long'
  | 'gateway.silent'
  | 'gateway.long'
  | 'battery.low'
  | 'battery.empty'
  | 'clock.off';
type TechnicalActive = Active<TechnicalRuleId>;

/** How long a signal may be missing before each priority is told, in milliseconds, the most urgent first. */
interface Tier {
  rule: TechnicalRuleId;
  priority: Priority;
  afterMs: number;
  /** For a slow feed: how many of its intervals, when that is longer. */
  intervals: number;
  /** Only where the patient must be watched without a gap. */
  onlyRequired?: true;
}

/**
 * No valid value, whatever the reason. Stale styling, after 30 s, is freshness (lib/vitals/freshness). clinical.md
 * section 2.6.
 */
const silence: readonly Tier[] = [
  { rule: 'reporting.long', priority: 'high', afterMs: 15 * minute, intervals: 12, onlyRequired: true },
  { rule: 'reporting.medium', priority: 'medium', afterMs: 5 * minute, intervals: 8 },
  { rule: 'reporting.short', priority: 'low', afterMs: 60 * second, intervals: 4 },
];

/** The device reports and says that it has no signal: the probe is off. clinical.md section 2.6. */
const probeOff: readonly Tier[] = [
  { rule: 'sensor.long', priority: 'high', afterMs: 15 * minute, intervals: 12, onlyRequired: true },
  { rule: 'sensor.off', priority: 'medium', afterMs: 2 * minute, intervals: 4 },
  { rule: 'sensor.short', priority: 'low', afterMs: 30 * second, intervals: 2 },
];

/**
 * One aggregated alert for a gateway that is silent, instead of one for each of its patients. clinical.md section 2.6.
 */
const gatewaySilence: readonly Tier[] = [
  { rule: 'gateway.long', priority: 'high', afterMs: 5 * minute, intervals: 8 },
  { rule: 'gateway.silent', priority: 'medium', afterMs: 60 * second, intervals: 4 },
];

/** One signal of a patient that reported before, such as SpO2. Epoch milliseconds. */
export interface Signal {
  expectedEveryMs: number;
  /** When the last valid value was measured. */
  validAt: number;
  /** When anything was measured last, valid or not. */
  lastSeenAt: number;
}

/** How long after a value another one is expected, with some patience, in milliseconds. */
function patience({ expectedEveryMs }: Signal): number {
  return Math.max(10 * second, 2 * expectedEveryMs);
}

/**
 * What is told of a patient's signals at `now`: `reporting` while nothing comes, `sensor` while the device says that it
 * has no signal. One of the two for each signal, so that one probe that is off is one alert.
 */
export function evaluateSignals(
  signals: readonly Signal[],
  now: number,
  { isContinuousRequired }: { isContinuousRequired: boolean },
): { reporting: TechnicalActive[]; sensor: TechnicalActive[] } {
  const found = { reporting: [] as TechnicalActive[], sensor: [] as TechnicalActive[] };
  for (const signal of signals) {
    const isOff = signal.lastSeenAt > signal.validAt && now - signal.lastSeenAt <= patience(signal);
    const tiers = (isOff ? probeOff : silence).filter(
      ({ onlyRequired }) => onlyRequired !== true || isContinuousRequired,
    );
    const active = longEnough(tiers, signal.validAt, signal.expectedEveryMs, now);
    if (active !== null) {
      found[isOff ? 'sensor' : 'reporting'].push(active);
    }
  }
  return found;
}

/** A gateway: one device that reports for several patients. Epoch milliseconds. */
export interface Gateway {
  expectedEveryMs: number;
  /** When its last call came. */
  lastSeenAt: number;
}

/** What is told of a gateway at `now`; while it is silent nothing is told of the signals that it carries. */
export function evaluateGateway({ expectedEveryMs, lastSeenAt }: Gateway, now: number): TechnicalActive | null {
  return longEnough(gatewaySilence, lastSeenAt, expectedEveryMs, now);
}

function longEnough(
  tiers: readonly Tier[],
  since: number,
  expectedEveryMs: number,
  now: number,
): TechnicalActive | null {
  for (const { rule, priority, afterMs, intervals } of tiers) {
    const dueAt = since + Math.max(afterMs, intervals * expectedEveryMs);
    if (now >= dueAt) {
      return { rule, priority, since: dueAt };
    }
  }
  return null;
}

/** What a device says about its battery; null where it does not. */
export interface Battery {
  percent: number | null;
  minutesLeft: number | null;
}

/** At most 20 % is LOW; at most 10 %, or less than half an hour, MEDIUM. clinical.md section 2.6. */
export function evaluateBattery({ percent, minutesLeft }: Battery, at: number): TechnicalActive | null {
  if ((percent !== null && percent <= 10) || (minutesLeft !== null && minutesLeft < 30)) {
    return { rule: 'battery.empty', priority: 'medium', since: at };
  }
  return percent !== null && percent <= 20 ? { rule: 'battery.low', priority: 'low', since: at } : null;
}

/** A device's clock that is off by more than a minute, in milliseconds either way, is told to the technician. */
export function evaluateDeviceClock(offsetMs: number, at: number): TechnicalActive | null {
  return Math.abs(offsetMs) > minute ? { rule: 'clock.off', priority: 'low', since: at } : null;
}

/** Whether trends can be judged by a device's clock: not when it is off by more than 5 min. */
export function canEvaluateTrends(offsetMs: number): boolean {
  return Math.abs(offsetMs) <= 5 * minute;
}

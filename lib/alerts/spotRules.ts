import type { RuleLimits, Spo2Scale } from './continuousRules';
import type { Priority } from './priority';
import { atLeast, atMost, isBeyondAny, type Limit } from './limit';
import type { Parameter } from './parameters';

const minute = 60_000;
const hour = 60 * minute;

/** The times for a second reading, in milliseconds after the first. */
export interface Recheck {
  /** A reading before this does not count as the second: the patient has to rest. */
  notBeforeMs: number;
  /** A red reading is confirmed if no second one has arrived by then. Its alert is raised at once. */
  redMs: number;
  /** An amber reading raises an alert if no second one has arrived by then. */
  amberMs: number;
}

/** The limits of one parameter at home. Each covers its whole side; the most urgent priority comes first. */
export interface SpotRule {
  limits: Record<Spo2Scale, Partial<Record<Priority, readonly Limit[]>>>;
  recheck: Recheck | null;
}

const both = (limits: SpotRule['limits'][1]): SpotRule['limits'] => ({ 1: limits, 2: limits });

/**
 * The home profile: clinical.md section 2.5, from the NHS home oximetry bands [S11][S12] and the points of NEWS2 [S1].
 * SpO2 in %, rates per minute, temperature in degrees Celsius. For weight the gain counts, in kg.
 */
export const spotRules = {
  spo2: {
    limits: { 1: { high: [atMost(92)], medium: [atMost(94)] }, 2: { high: [atMost(85)], medium: [atMost(87)] } },
    recheck: { notBeforeMs: 0, redMs: 15 * minute, amberMs: hour },
  },
  rate: {
    limits: both({ high: [atMost(40), atLeast(131)], medium: [atMost(50), atLeast(111)] }),
    recheck: { notBeforeMs: 5 * minute, redMs: 15 * minute, amberMs: hour },
  },
  respiratoryRate: {
    limits: both({ high: [atMost(8), atLeast(25)], medium: [atLeast(21)] }),
    recheck: null,
  },
  temperature: {
    limits: both({ medium: [atMost(35), atLeast(39.1)], low: [atLeast(38.1)] }),
    recheck: null,
  },
  // More than 2 kg in three days [S28]; weights are shown to 0.1 kg.
  weight: {
    limits: both({ medium: [atLeast(2.1)] }),
    recheck: null,
  },
} as const satisfies Partial<Record<Parameter, SpotRule>>;

export type SpotParameter = keyof typeof spotRules;
export const spotParameters = Object.keys(spotRules) as SpotParameter[];

/**
 * Returns the limits of one priority: any of `raise` violates. A reading within the limits is enough to end the
 * condition.
 */
export function spotLimits(parameter: SpotParameter, scale: Spo2Scale, priority: Priority): RuleLimits {
  const limits: SpotRule['limits'][Spo2Scale] = spotRules[parameter].limits[scale];
  return { raise: limits[priority] ?? [], clear: [] };
}

/** The time within which a gain of weight counts, in milliseconds. */
export const gainWithinMs = 72 * hour;
/** On scale 2 a value this far below the patient's own baseline is amber. */
const belowBaseline = 3;

/** Per minute: as hr.extreme on the ward. */
const extremelyLowRate = 40;

/**
 * Returns the priority of one reading, or null if it is within the limits. `value` is rounded as it is displayed; for
 * weight it is the gain. `baseline` is the patient's own SpO2 in %, null if unknown.
 */
export function spotPriority(
  parameter: SpotParameter,
  value: number,
  { scale, baseline, isUnder16 }: { scale: Spo2Scale; baseline: number | null; isUnder16?: boolean },
): Priority | null {
  if (isUnder16 === true && isOnlyForAdults(parameter, value)) {
    return null;
  }
  const limits: SpotRule['limits'][Spo2Scale] = spotRules[parameter].limits[scale];
  for (const priority of ['high', 'medium', 'low'] as const) {
    if (isBeyondAny(limits[priority] ?? [], value)) {
      return priority;
    }
  }
  const isBelowBaseline = parameter === 'spo2' && scale === 2 && baseline !== null && value <= baseline - belowBaseline;
  return isBelowBaseline ? 'medium' : null;
}

/** Returns whether the limits of a child are others: of the rates all, but for an extremely low one (N3). */
function isOnlyForAdults(parameter: SpotParameter, value: number): boolean {
  return parameter === 'respiratoryRate' || (parameter === 'rate' && value > extremelyLowRate);
}

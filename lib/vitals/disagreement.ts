import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from './freshness';
import type { VitalKind } from './kinds';
import { formatVital } from './roundVital';
import type { LatestValue } from './schema';

interface Tolerance {
  /** Two devices that are so far apart, or further, disagree. */
  apart: number;
  /** Between these a value has no point of NEWS2: how far it is outside says which of two is worse. */
  normal: readonly [low: number, high: number];
}

const ofRates: Tolerance = { apart: 10, normal: [51, 90] };

/**
 * When two devices of one patient disagree. ISO 80601-2-61 lets an oximeter be 4 % off (root mean square); the
 * distances of the rates are ours. The normal ranges: NEWS2, scale 1 (clinical.md section 1).
 */
const tolerances: Partial<Record<VitalKind, Tolerance>> = {
  spo2: { apart: 4, normal: [96, 100] },
  heartRate: ofRates,
  pulseRate: ofRates,
  respiratoryRate: { apart: 5, normal: [12, 20] },
};

/** Returns whether the values of two devices are too far apart to be the same; never for a kind without a tolerance. */
export function disagree(kind: VitalKind, one: number, other: number): boolean {
  const tolerance = tolerances[kind];
  return tolerance !== undefined && Math.abs(one - other) >= tolerance.apart;
}

/**
 * Returns whether a value disagrees with another and is the worse one: the lower SpO2, the rate that is further from
 * normal. Where nothing says which device is right, the screens show this one.
 */
export function isWorse(kind: VitalKind, value: number, than: number): boolean {
  return disagree(kind, value, than) && outside(kind, value) > outside(kind, than);
}

function outside(kind: VitalKind, value: number): number {
  const [low, high] = tolerances[kind]?.normal ?? [-Infinity, Infinity];
  return Math.max(0, low - value, value - high);
}

/** Returns whether another device says something else than a value that is shown, however old the two are. */
export function isDisputed(kind: VitalKind, latest: (Pick<LatestValue, 'value'> & Other) | undefined): boolean {
  return latest?.other !== undefined && disagree(kind, latest.value, latest.other.value);
}

/**
 * Returns what another device says now, as a text, if it disagrees with the value that is shown; null if none does.
 * Takes the server's time in epoch milliseconds.
 */
export function otherDeviceNumber(
  kind: VitalKind,
  latest: Pick<LatestValue, 'value' | 'expectedEveryMs'> & Other,
  now: EpochMs,
): string | null {
  const { other } = latest;
  const asOf = other === undefined ? null : parseInstant(other.asOf);
  if (other === undefined || asOf === null || !isDisputed(kind, latest)) {
    return null;
  }
  const freshness = freshnessOf(now - asOf, latest.expectedEveryMs);
  return freshness === 'live' || freshness === 'ageing' ? formatVital(kind, other.value) : null;
}

/** The wall does not know the names of devices. */
interface Other {
  other?: Pick<NonNullable<LatestValue['other']>, 'value' | 'asOf'> | undefined;
}

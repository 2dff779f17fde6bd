import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from './freshness';
import { firstDifference } from '../sortOrder';
import type { VitalKind } from './kinds';
import { pointsOf } from './news2';
import { formatVital } from './roundVital';
import type { LatestValue } from './schema';

/**
 * From which distance on two devices of one patient disagree. ISO 80601-2-61 lets an oximeter be 4 % off (root mean
 * square); the distances of the rates are ours.
 */
const apart: Partial<Record<VitalKind, number>> = { spo2: 4, heartRate: 10, pulseRate: 10, respiratoryRate: 5 };

/** Returns whether the values of two devices are too far apart to be the same; never for other kinds. */
export function disagree(kind: VitalKind, one: number, other: number): boolean {
  return Math.abs(one - other) >= (apart[kind] ?? Infinity);
}

/**
 * Returns whether a value is worse than another one of its kind: the lower SpO2; the rate with more points of NEWS2, of
 * as many points the one that is too slow, then the one further from normal. Where nothing says which device is right,
 * the screens show the worst.
 */
export function isWorse(kind: VitalKind, value: number, than: number): boolean {
  switch (kind) {
    case 'spo2':
      return value < than;
    case 'heartRate':
    case 'pulseRate':
    case 'respiratoryRate': {
      const [a, b] = [rateRank(kind, value), rateRank(kind, than)];
      return firstDifference(a.points - b.points, a.below - b.below, a.above - b.above) > 0;
    }
    case 'temperature':
    case 'systolic':
    case 'diastolic':
    case 'perfusionIndex':
    case 'oxygenFlow':
    case 'consciousness':
    case 'weight':
      return false;
    default:
      return kind satisfies never;
  }
}

/** Where a rate has no point of NEWS2 (clinical.md section 1). */
const normal = { heartRate: [51, 90], pulseRate: [51, 90], respiratoryRate: [12, 20] } as const;

function rateRank(kind: keyof typeof normal, value: number): { points: number; below: number; above: number } {
  const [low, high] = normal[kind];
  const [points] = pointsOf(kind, value, 1, null);
  return { points, below: Math.max(0, low - value), above: Math.max(0, value - high) };
}

/** Returns whether another device says something else than a value that is shown, however old the two are. */
export function isDisputed(kind: VitalKind, latest: (Pick<LatestValue, 'value'> & Other) | undefined): boolean {
  return latest?.other !== undefined && disagree(kind, latest.value, latest.other.value);
}

/**
 * Returns what another device says now, as a text ("74?" if it is uncertain), if it disagrees with the value that is
 * shown; null if none does. Takes the server's time in epoch milliseconds.
 */
export function otherDeviceNumber(
  kind: VitalKind,
  latest: Pick<LatestValue, 'value'> & Other,
  now: EpochMs,
): string | null {
  const { other } = latest;
  const asOf = other === undefined ? null : parseInstant(other.asOf);
  if (other === undefined || asOf === null || !isDisputed(kind, latest)) {
    return null;
  }
  const freshness = freshnessOf(now - asOf, other.expectedEveryMs);
  const isShown = freshness === 'live' || freshness === 'ageing';
  return isShown ? `${formatVital(kind, other.value)}${other.isUncertain === true ? '?' : ''}` : null;
}

/** The wall does not know the names of devices. */
interface Other {
  other?: Omit<NonNullable<LatestValue['other']>, 'source'> | undefined;
}

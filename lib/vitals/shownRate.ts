import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from './freshness';
import type { LatestValue, LatestValues } from './schema';

export interface ShownRate {
  kind: 'heartRate' | 'pulseRate';
  latest: LatestValue | undefined;
}

/**
 * Returns the rate to show in the place of "HR": the ECG's heart rate, else the oximeter's pulse rate, which screens
 * label PR. The other one is shown if a rate has no signal or is too old. Takes a patient's newest values and the
 * server's time in epoch milliseconds.
 */
export function shownRate(latest: LatestValues, now: EpochMs): ShownRate {
  const { heartRate, pulseRate } = latest;
  const order = [
    { kind: 'heartRate', latest: heartRate },
    { kind: 'pulseRate', latest: pulseRate },
  ] as const;
  return (
    order.find((rate) => rate.latest !== undefined && hasValueToShow(rate.latest, now)) ??
    order.find((rate) => rate.latest !== undefined) ?? { kind: 'heartRate', latest: undefined }
  );
}

function hasValueToShow(latest: LatestValue, now: EpochMs): boolean {
  const asOf = parseInstant(latest.asOf);
  return latest.quality !== 'invalid' && asOf !== null && freshnessOf(now - asOf, latest.expectedEveryMs) !== 'off';
}

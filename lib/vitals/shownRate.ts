import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from './freshness';
import type { LatestValue } from './schema';

type Timed = Pick<LatestValue, 'asOf' | 'quality' | 'expectedEveryMs'>;

export interface ShownRate<Value = LatestValue> {
  kind: 'heartRate' | 'pulseRate';
  latest: Value | undefined;
}

/**
 * Returns the rate to show in the place of "HR": the ECG's heart rate, else the oximeter's pulse rate, which screens
 * label PR. The other one is shown if a rate has no signal or is too old. Takes a patient's newest values and the
 * server's time in epoch milliseconds.
 */
export function shownRate<Value extends Timed>(
  latest: { heartRate?: Value; pulseRate?: Value },
  now: EpochMs,
): ShownRate<Value> {
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

function hasValueToShow(latest: Timed, now: EpochMs): boolean {
  const asOf = parseInstant(latest.asOf);
  return latest.quality !== 'invalid' && asOf !== null && freshnessOf(now - asOf, latest.expectedEveryMs) !== 'off';
}

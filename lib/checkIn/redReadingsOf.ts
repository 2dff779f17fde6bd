import { isBeyondAny } from '../alerts/limit';
import { roundVital } from '../vitals/roundVital';
import type { CheckInReadings, OpenedCheckIn, RedReading } from './schema';

/** In the order of screens. Not `redReadings` of the schema: the page decides this without any schema. */
const kinds: readonly RedReading[] = ['spo2', 'pulseRate', 'respiratoryRate'];

/** Returns which readings are RED by the limits of a link, rounded as they are shown. */
export function redReadingsOf(readings: CheckInReadings, red: OpenedCheckIn['red']): RedReading[] {
  return kinds.filter((kind) => {
    const value = readings[kind];
    return value !== undefined && isBeyondAny(red[kind], roundVital(kind, value));
  });
}

import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import type { SparksResponse } from '../../lib/vitals/schema';
import type { Rollups } from './rollups';

const minuteMs = 60_000;

/** Returns the last hour of some patients up to the open minute, from memory alone. */
export function readSparks(rollups: Rollups, patientIds: readonly number[], now: EpochMs): SparksResponse {
  const from = Math.floor(now / minuteMs) - sparkMinutes + 1;
  const spark = (id: number, kind: SparkKind): string | undefined => rollups.spark(id, kind, from) ?? undefined;
  return {
    from: toInstant(from * minuteMs),
    items: patientIds.map((id) => ({
      id,
      spo2: spark(id, 'spo2'),
      heartRate: spark(id, 'heartRate'),
      pulseRate: spark(id, 'pulseRate'),
    })),
  };
}

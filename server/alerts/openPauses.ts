import type { Kysely } from 'kysely';
import { z } from 'zod';
import { longestStandbyMinutes, type ComfortCare, type Standby } from '../../lib/alerts/pauses';
import { storedTime } from '../../lib/alerts/storedEpisode';
import { safeParse } from '../../lib/safeParse';
import type { Database } from '../db/schema';
import type { AlertFaults } from './alertFaults';

/**
 * Resolves with the standbys and comfort cares that were not ended, run out or not, by patient: of one patient, or with
 * null of all. One that cannot be read does not hold, and `faults` counts it.
 */
export async function readOpenPauses(
  db: Kysely<Database>,
  patientId: number | null,
  faults: AlertFaults | null,
): Promise<{ standbys: Map<number, Standby>; comfortCares: Map<number, ComfortCare> }> {
  const standbys = db
    .selectFrom('standbys')
    .select(['patient_id', 'reason', 'started_by', 'started_at', 'until', 'is_renewal'])
    .where('ended_at', 'is', null);
  const comfortCares = db
    .selectFrom('comfort_cares')
    .select(['patient_id', 'reason', 'confirmed_by', 'confirmed_at'])
    .where('ended_at', 'is', null);
  const [standbyRows, comfortCareRows] = [
    await (patientId === null ? standbys : standbys.where('patient_id', '=', patientId)).execute(),
    await (patientId === null ? comfortCares : comfortCares.where('patient_id', '=', patientId)).execute(),
  ];
  const read = <Schema extends z.ZodType>(schema: Schema, rows: readonly { patient_id: number }[]) =>
    new Map(
      rows.flatMap((row): [number, z.output<Schema>][] => {
        const parsed = safeParse(schema, row);
        if (!parsed.success) {
          // Not paused: a pause that cannot be read must not hold back an alarm.
          faults?.unread('pause', { patientId: row.patient_id, deviceId: null });
          return [];
        }
        return [[row.patient_id, parsed.data]];
      }),
    );
  return { standbys: read(standby, standbyRows), comfortCares: read(comfortCare, comfortCareRows) };
}

const standby = z
  .object({
    started_by: z.int(),
    reason: z.string(),
    started_at: storedTime,
    until: storedTime,
    is_renewal: z.literal([0, 1]),
  })
  .refine(({ started_at, until }) => until - started_at <= longestStandbyMinutes * 60_000)
  .transform(({ started_by: by, reason, started_at: startedAt, until, is_renewal }): Standby => {
    return { by, reason, startedAt, until, isRenewal: is_renewal === 1 };
  });

const comfortCare = z
  .object({ confirmed_by: z.int(), reason: z.string(), confirmed_at: storedTime })
  .transform(({ confirmed_by: by, reason, confirmed_at: confirmedAt }): ComfortCare => ({ by, reason, confirmedAt }));

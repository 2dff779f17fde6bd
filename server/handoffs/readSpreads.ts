import type { Kysely } from 'kysely';
import { spreadOf, type Minute } from '../../lib/handoffs/spreadOf';
import type { HandoffFacts } from '../../lib/handoffs/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Database } from '../db/schema';

/** What a monitor sends: spot values have no spread worth a line. */
const spreadKinds: readonly VitalKind[] = ['spo2', 'heartRate', 'pulseRate', 'respiratoryRate'];
const spreadMinutes = 12 * 60;

/**
 * Resolves with the extremes and the median of the closed minutes of the last 12 hours, by patient; the last minute or
 * two are not closed yet. All patients are read at once.
 */
export async function readSpreads(
  db: Kysely<Database>,
  patientIds: readonly number[],
  now: EpochMs,
): Promise<Map<number, HandoffFacts['spreads']>> {
  const until = Math.floor(now / 60_000);
  const rows = await db
    .selectFrom('minutes')
    .select(['patient_id', 'kind', 'min', 'max', 'last'])
    .where('patient_id', 'in', patientIds)
    .where(
      'kind',
      'in',
      spreadKinds.map((kind) => kinds[kind].code),
    )
    .where('minute', '>', until - spreadMinutes)
    .where('minute', '<=', until)
    .execute();
  const series = new Map<string, Minute[]>();
  for (const { patient_id, kind, min, max, last } of rows) {
    if (min !== null && max !== null && last !== null) {
      const key = `${patient_id} ${kind}`;
      const known = series.get(key);
      if (known === undefined) {
        series.set(key, [{ min, max, last }]);
      } else {
        known.push({ min, max, last });
      }
    }
  }
  return new Map(
    patientIds.map((id) => [
      id,
      spreadKinds.flatMap((kind) => {
        const { code } = kinds[kind];
        const spread = spreadOf(series.get(`${id} ${code}`) ?? []);
        return spread === null ? [] : [{ kind: kindOfCode(code), ...spread }];
      }),
    ]),
  );
}

import { sql } from 'kysely';
import { kinds } from '../lib/vitals/kinds';
import { system } from '../server/audit/actor';
import type { openStore } from '../server/db/open';
import { addDevice } from '../server/devices/commands';

const minuteMs = 60_000;

/**
 * Fills an empty store with a ward whose rules are on, and whose patients have sent values of two kinds until `now`
 * (epoch milliseconds): one a second for `seconds`, and so many minutes. Resolves with the token of their device.
 */
export async function fillWard(
  { db }: Awaited<ReturnType<typeof openStore>>,
  now: number,
  { patients, minutes, seconds }: { patients: number; minutes: number; seconds: number },
): Promise<string> {
  await sql`INSERT INTO sites (name, time_zone, created_at, intended_use_accepted_at)
    VALUES ('Bench', 'UTC', 0, 0)`.execute(db);
  const { id, token } = await addDevice(db, now, system, {
    siteId: 1,
    name: 'bench',
    expectedEveryMs: null,
    expiresAt: null,
    gatewayUntil: Date.UTC(2100, 0, 1),
  });
  await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${patients})
    INSERT INTO patients (site_id, mrn, given_name, family_name, date_of_birth, sex, profile, spo2_scale, state,
      version, created_at, updated_at)
    SELECT 1, 'B' || n, 'Bench', 'Patient', '1950-03-07', 'unknown', 'continuous', 1, 'active', 1, 0, 0
    FROM n`.execute(db);
  const minute = now / minuteMs;
  for (const [kind, value] of [
    [kinds.spo2.code, 96],
    [kinds.heartRate.code, 75],
  ] as const) {
    await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${minutes})
      INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
      SELECT patients.id, ${kind}, ${minute} - n, 1, ${value}, ${value} + 3, ${value} + n % 3, 60, 0, 0
      FROM patients, n`.execute(db);
    await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${seconds})
      INSERT INTO samples (minute, patient_id, kind, taken_at, device_id, site_id, value, quality, received_at,
        offset_ms)
      SELECT (${now} - n * 1000) / 60000, patients.id, ${kind}, ${now} - n * 1000, ${id}, 1, ${value} + n % 3, 0,
        ${now} - n * 1000, 0
      FROM patients, n`.execute(db);
    await sql`INSERT INTO latest_values
      (patient_id, kind, site_id, taken_at, device_id, value, quality, received_at, offset_ms, valid_value,
        valid_taken_at, valid_as_of)
      SELECT id, ${kind}, 1, ${now} - 1000, ${id}, ${value}, 0, ${now} - 1000, 0, ${value}, ${now} - 1000,
        ${now} - 1000
      FROM patients`.execute(db);
  }
  await sql`INSERT INTO progress (name, value) VALUES ('closed_until', ${minute})
    ON CONFLICT (name) DO UPDATE SET value = ${minute}`.execute(db);
  return token;
}

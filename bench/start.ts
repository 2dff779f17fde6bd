import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import pino from 'pino';
import { kinds } from '../lib/vitals/kinds';
import { createApp } from '../server/app';
import { createClock } from '../server/clock/clock';
import { system } from '../server/audit/actor';
import { openStore } from '../server/db/open';
import { addDevice } from '../server/devices/commands';
import { parseEnv } from '../server/env';
import { newFolder } from './ingestProcess';
import { atMost, median } from './lines';

const rounds = 5;
const patients = 250;
const minuteMs = 60_000;
/** Seconds of stored samples; the rules read the last two minutes. */
const sampleSeconds = 300;

/** The time in which a start reads back its in-memory state: 250 patients with a day of minutes of two kinds. */
export async function benchStart(): Promise<void> {
  const folder = newFolder();
  const parsed = parseEnv({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  const start = async (): Promise<number> => {
    const store = await openStore(parsed.env);
    const begun = performance.now();
    const { app } = await createApp({
      env: parsed.env,
      store,
      log: pino({ level: 'warn' }),
      clock: createClock({ wall: () => now, monotonic: () => now }),
    });
    const ms = performance.now() - begun;
    await app.close();
    await store.close();
    return ms;
  };
  try {
    const store = await openStore(parsed.env);
    const { db } = store;
    await sql`INSERT INTO sites (name, time_zone, created_at, intended_use_accepted_at)
      VALUES ('Bench', 'UTC', 0, 0)`.execute(db);
    const { id } = await addDevice(db, now, system, {
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
    for (const [kind, value] of [
      [kinds.spo2.code, 96],
      [kinds.heartRate.code, 75],
    ] as const) {
      const minute = now / minuteMs;
      await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1440)
        INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
        SELECT patients.id, ${kind}, ${minute} - n, 1, ${value}, ${value} + 3, ${value} + n % 3, 60, 0, 0
        FROM patients, n`.execute(db);
      await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${sampleSeconds})
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
      await sql`INSERT INTO progress (name, value) VALUES ('closed_until', ${minute})
        ON CONFLICT (name) DO UPDATE SET value = ${minute}`.execute(db);
    }
    await store.close();
    const setRules = async (at: number | null): Promise<void> => {
      const again = await openStore(parsed.env);
      await again.db.updateTable('sites').set({ intended_use_accepted_at: at }).execute();
      await again.close();
    };
    const measured: { on: number[]; off: number[] } = { on: [], off: [] };
    await start();
    for (let round = 0; round < rounds; round += 1) {
      await setRules(null);
      measured.off.push(await start());
      await setRules(0);
      measured.on.push(await start());
    }
    process.stdout.write(`start without rules: ${(median(measured.off) / 1_000).toFixed(2)} s\n`);
    atMost(
      'a start with 250 patients and a day of minutes, until it can respond (median of rounds)',
      [median(measured.on) / 1_000],
      2,
      's',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

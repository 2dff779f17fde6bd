import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { kinds } from '../lib/vitals/kinds';
import { openStoreForCommand } from '../server/db/open';
import { writeProgress } from '../server/vitals/progress';
import { atMost } from './lines';
import { pollHealth } from './pollHealth';
import { readMetric } from './readMetric';
import { feedEverySecond, startWard, untilIdle, type Ward } from './ward';

const rounds = 3;
const patients = 24;
const minuteMs = 60_000;
/** A year at one value a minute. The samples of its last days are kept (RAW_DAYS). */
const minutes = 525_600;
const keptMinutes = 15 * 1_440;
const { code } = kinds.spo2;

/**
 * Measures the export of a patient's vital signs of a year at one value a minute: the first byte, how long `/healthz`
 * takes meanwhile and how much memory the server takes more, while the ward sends each second. In real time, on the
 * built server.
 */
export async function benchExportPatient(): Promise<void> {
  const ward = await startWard(patients);
  const { server, cookie } = ward;
  try {
    const until = Math.floor(Date.now() / minuteMs) - 5;
    await addYear(ward, until);
    const feed = feedEverySecond(ward);
    await feed.first;
    await untilIdle(ward);
    const from = new Date((until - minutes) * minuteMs).toISOString();
    const to = new Date(until * minuteMs).toISOString();
    const address = `${server.url}/api/v2/patients/1/export?kind=vitals&from=${from}&to=${to}`;
    const resident = () => readMetric(server, 'process_resident_memory_bytes');
    const before = await resident();
    const first: number[] = [];
    const whole: number[] = [];
    const healthy: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const done = new AbortController();
      const watched = pollHealth(server.url, done.signal);
      const remembered = pollMemory(resident, done.signal);
      const begun = performance.now();
      const response = await fetch(address, { headers: { cookie } });
      let rows = -1;
      let isFirst = true;
      for await (const part of response.body ?? []) {
        if (isFirst) {
          first.push(performance.now() - begun);
          isFirst = false;
        }
        rows += Buffer.from(part).toString('latin1').split('\n').length - 1;
      }
      whole.push((performance.now() - begun) / 1_000);
      done.abort();
      healthy.push(await watched);
      memory.push(((await remembered) - before) / 1_000_000);
      if (rows !== minutes) {
        throw new Error(`The file responded with ${response.status} and has ${rows} rows`);
      }
    }
    await feed.stop();
    const what = `export of ${minutes.toLocaleString('en')} minutes, ${patients} patients sending`;
    process.stdout.write(`${what}: whole after ${Math.max(...whole).toFixed(1)} s (longest)\n`);
    atMost(`${what}: first byte (longest)`, first, 1_000, 'ms');
    atMost(`${what}: /healthz meanwhile (longest)`, healthy, 50, 'ms');
    atMost(`${what}: resident memory more than before`, memory, 50, 'MB');
  } finally {
    await server.remove();
  }
}

/** Writes the first patient's year before the epoch minute `until`, as retention leaves it. */
async function addYear({ server: { dataDir } }: Ward, until: number): Promise<void> {
  const db = await openStoreForCommand({ dataDir, databaseUrl: null });
  try {
    const thinned = until - keptMinutes;
    await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${minutes})
      INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
      SELECT 1, ${code}, ${until} - n, 1, 90 + n % 8, 90 + n % 8, 90 + n % 8, 1, 0, 0 FROM n`.execute(db);
    await sql`INSERT INTO samples
        (minute, patient_id, kind, taken_at, device_id, site_id, value, quality, received_at, offset_ms)
      SELECT minute, patient_id, kind, minute * ${minuteMs}, 1, site_id, last, 0, minute * ${minuteMs} + 500, 0
      FROM minutes WHERE patient_id = 1 AND kind = ${code} AND minute >= ${thinned}`.execute(db);
    for (const name of ['thinned_until', 'thin_from'] as const) {
      await writeProgress(db, name, thinned);
    }
  } finally {
    await db.destroy();
  }
}

/** Resolves with the most memory that the server took, in bytes. */
async function pollMemory(resident: () => Promise<number>, until: AbortSignal): Promise<number> {
  let most = 0;
  while (!until.aborted) {
    most = Math.max(most, await resident());
    await wait(250);
  }
  return most;
}

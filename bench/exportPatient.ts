import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { kinds } from '../lib/vitals/kinds';
import { openStoreForCommand } from '../server/db/open';
import { writeProgress } from '../server/vitals/progress';
import { atMost } from './lines';
import { pollHealth } from './pollHealth';
import { readMetric } from './readMetric';
import { feedEverySecond, feedOnce, startWard, untilIdle, type Ward } from './ward';

const rounds = 3;
const patients = 24;
const minuteMs = 60_000;
/** A year at one value a minute. The samples of its last days are kept (RAW_DAYS). */
const minutes = 525_600;
/** Written at once: the server takes samples in between two of them. */
const writtenAtOnce = 10_000;
/** How long the same figures are taken without an export, before the first and after the last. */
const restMs = 15_000;
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
    await untilTaken(ward);
    const feed = feedEverySecond(ward);
    await feed.first;
    await untilIdle(ward);
    const from = new Date((until - minutes) * minuteMs).toISOString();
    const to = new Date(until * minuteMs).toISOString();
    const address = `${server.url}/api/v2/patients/1/export?kind=vitals&from=${from}&to=${to}`;
    const resident = () => readMetric(server, 'process_resident_memory_bytes');
    /** Resolves with what `/healthz` took at most, in milliseconds, and the most memory, in MB, while `work` runs. */
    const watch = async (work: () => Promise<void>): Promise<{ health: number; mb: number }> => {
      const done = new AbortController();
      const watched = pollHealth(server.url, done.signal);
      const remembered = pollMemory(resident, done.signal);
      await work();
      done.abort();
      return { health: await watched, mb: (await remembered) / 1_000_000 };
    };
    const atRest = [await watch(() => wait(restMs))];
    const first: number[] = [];
    const whole: number[] = [];
    const meanwhile: { health: number; mb: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      meanwhile.push(
        await watch(async () => {
          const begun = performance.now();
          const response = await fetch(address, { headers: { cookie } });
          let rows = -1;
          let isFirst = true;
          for await (const part of response.body ?? []) {
            if (isFirst) {
              first.push(performance.now() - begun);
              isFirst = false;
            }
            rows += linesIn(part);
          }
          whole.push((performance.now() - begun) / 1_000);
          if (rows !== minutes) {
            throw new Error(`The file responded with ${response.status} and has ${rows} rows`);
          }
        }),
      );
    }
    atRest.push(await watch(() => wait(restMs)));
    await feed.stop();
    const what = `export of ${minutes.toLocaleString('en')} minutes, ${patients} patients sending`;
    process.stdout.write(`${what}: whole after ${Math.max(...whole).toFixed(1)} s (longest)\n`);
    atMost(`${what}: first byte (longest)`, first, 1_000, 'ms');
    const healths = (of: typeof atRest) => of.map(({ health }) => health.toFixed(1)).join(', ');
    const mbs = (of: typeof atRest) => of.map(({ mb }) => mb.toFixed(0)).join(', ');
    process.stdout.write(`/healthz at rest ${healths(atRest)} ms, meanwhile ${healths(meanwhile)} ms\n`);
    process.stdout.write(`resident memory at rest ${mbs(atRest)} MB, meanwhile ${mbs(meanwhile)} MB\n`);
    atMost(
      `${what}: /healthz meanwhile (longest)`,
      meanwhile.map(({ health }) => health),
      50,
      'ms',
    );
    const before = atRest[0]?.mb ?? Number.NaN;
    atMost(
      `${what}: resident memory more than before`,
      meanwhile.map(({ mb }) => mb - before),
      50,
      'MB',
    );
  } finally {
    await server.remove();
  }
}

/** Writes the first patient's year before the epoch minute `until`, as retention leaves it. */
async function addYear({ server: { dataDir } }: Ward, until: number): Promise<void> {
  const db = await openStoreForCommand({ dataDir, databaseUrl: null });
  try {
    const thinned = until - keptMinutes;
    for (let begun = 1; begun <= minutes; begun += writtenAtOnce) {
      const last = Math.min(minutes, begun + writtenAtOnce - 1);
      await sql`WITH RECURSIVE n(n) AS (SELECT ${begun} UNION ALL SELECT n + 1 FROM n WHERE n < ${last})
        INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
        SELECT 1, ${code}, ${until} - n, 1, 90 + n % 8, 90 + n % 8, 90 + n % 8, 1, 0, 0 FROM n`.execute(db);
      await wait(10);
    }
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

/** Resolves once the server takes samples again: it refuses them for a second after it met another writer. */
async function untilTaken(ward: Ward): Promise<void> {
  for (let tries = 20; ; tries -= 1) {
    try {
      await feedOnce(ward);
      return;
    } catch (error) {
      if (tries === 0) {
        throw error;
      }
      await wait(500);
    }
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

const newline = 10;

function linesIn(part: Uint8Array): number {
  let count = 0;
  for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, at + 1)) {
    count += 1;
  }
  return count;
}

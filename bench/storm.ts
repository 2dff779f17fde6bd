import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { loadSqlite } from '../server/db/loadSqlite';
import { watchAlerts } from './alertDelay';
import { feedDesaturations, type Sent } from './desaturations';
import { firstLine } from './ingestProcess';
import { atMost, median, p99 } from './lines';
import { readMetric } from './readMetric';
import { asText, noStorm, sendRows, stormResult, type Storm } from './sendRows';
import { startWard, type Ward } from './ward';

/** Patients whose values arrive as ever, each with a desaturation, and as many who are in the storm. */
const calm = 250;
const stormy = 250;
const monitors = 500;
const backfillSeconds = 3_600;

const limits = { health: 100, healthMost: 500, board: 500, alert: 2_000, backMs: 10_000, memoryMb: 1_000 };

/**
 * Measures the ward while too much arrives: ten times its usual rows, 60,000 rows/s, and the back-fill of an hour by
 * 500 monitors at once. Values of other patients come as ever meanwhile, and their alerts are awaited.
 */
export async function benchStorm(): Promise<void> {
  await measure('5,000 rows/s more, live', offering(5_000));
  await measure('60,000 rows/s offered', offering(60_000));
  await measure('an hour of back-fill by 500 monitors at once', prepareBackfill);
}

/** Prepares a storm by patients of a ward; what it returns sends it. */
type PrepareStorm = (ward: Ward) => Promise<(storm: Storm, until: AbortSignal) => Promise<void>>;

async function measure(name: string, prepare: PrepareStorm): Promise<void> {
  const all = await startWard(calm + stormy, {
    acceptIntendedUse: true,
    // 500 monitors have one address here.
    env: { CONNECTIONS_PER_ADDRESS: '1000' },
  });
  const ward = { ...all, patients: all.patients.slice(0, calm) };
  const storm = noStorm();
  try {
    const run = await prepare({ ...all, patients: all.patients.slice(calm) });
    const over = new AbortController();
    const times = {
      health: poll(ward, '/healthz', 20, over.signal),
      board: poll(ward, '/api/v2/patients', 200, over.signal),
    };
    const memory = mostMemory(ward, over.signal);
    const sent: Sent[] = [];
    const watched = watchAlerts(ward, sent, over.signal);
    const ends = new AbortController();
    const stormed = run(storm, ends.signal);
    await feedDesaturations(ward, sent);
    ends.abort();
    await stormed;
    const backAt = performance.now();
    while ((await readMetric(ward.server, 'wardlight_waiting_rows')) > 0) {
      await wait(50);
    }
    const backMs = performance.now() - backAt;
    await wait(500);
    over.abort();
    const delays = await watched;
    const [health, board] = [await times.health, await times.board];
    const calls = [...storm.statuses].map(([status, count]) => `${count} of ${status}`).join(', ');
    const [taken, offered] = [storm.rows, storm.offered].map((rows) => rows.toLocaleString('en'));
    process.stdout.write(`${name}: ${taken} of ${offered} rows taken; calls: ${calls}\n`);
    atMost(`${name}: /healthz, p99`, [p99(health)], limits.health, 'ms');
    atMost(`${name}: /healthz, longest`, health, limits.healthMost, 'ms');
    atMost(`${name}: board, p99`, [p99(board)], limits.board, 'ms');
    atMost(`${name}: alert of another patient, p99 of ${delays.length}`, [p99(delays)], limits.alert, 'ms');
    atMost(`${name}: alerts that did not come`, [calm - delays.length], 0, '');
    atMost(`${name}: nothing waits any more after`, [backMs], limits.backMs, 'ms');
    atMost(`${name}: memory`, [await memory], limits.memoryMb, 'MB');
    const others = [...storm.statuses].filter(([status]) => ![200, 429, 503].includes(status));
    atMost(`${name}: other answers than 200, 429 and 503`, [others.length], 0, '');
    atMost(`${name}: refused without Retry-After`, [storm.withoutRetry], 0, '');
    atMost(`${name}: acknowledged rows that are not stored`, [storm.rows - countRows(all)], 0, '');
    process.stdout.write(`  board in the middle ${median(board).toFixed(1)} ms\n`);
  } finally {
    await ward.server.remove();
  }
}

/**
 * Offers rows by four devices with patients of their own in calls of 500 rows, however many are refused. In a process
 * of its own: making and sending 60,000 rows/s would delay what this process measures.
 */
function offering(perSecond: number): PrepareStorm {
  return async (ward) => {
    const tokens = await addDevices(ward, 4);
    return async (storm, until) => {
      const patients = ward.patients.join(',');
      const offerer = spawn(
        process.execPath,
        ['dist/bench-offerer.js', ward.server.url, String(perSecond), patients, ...tokens],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      until.addEventListener('abort', () => offerer.kill('SIGTERM'));
      const [result] = await Promise.all([firstLine(offerer), once(offerer, 'exit')]);
      const { rows, offered, statuses, withoutRetry } = stormResult.parse(JSON.parse(result));
      Object.assign(storm, { rows, offered, statuses: new Map(statuses), withoutRetry });
    };
  };
}

/**
 * Each of 500 monitors sends an hour of one patient's values, and repeats what was refused when it may. The texts are
 * written before: this process also measures how long others wait.
 */
async function prepareBackfill(ward: Ward): ReturnType<PrepareStorm> {
  const tokens = await addDevices(ward, monitors);
  const now = Date.now();
  const hours = tokens.map((_, monitor) => {
    const patientId = ward.patients[monitor % ward.patients.length] ?? 0;
    const kind = monitor < ward.patients.length ? 'spo2' : 'heartRate';
    return asText(
      Array.from({ length: backfillSeconds }, (_second, second) => ({
        patientId,
        kind,
        value: kind === 'spo2' ? 94 + (second % 5) : 70 + (second % 9),
        takenAt: new Date(now - (backfillSeconds - second) * 1_000).toISOString(),
      })),
    );
  });
  return async (storm) => {
    await Promise.all(
      tokens.map(async (token, monitor) => {
        const samples = hours[monitor] ?? asText([]);
        for (let waitSeconds: number | null = 0; waitSeconds !== null;) {
          await wait(waitSeconds * 1_000);
          waitSeconds = await sendRows(ward.server.url, token, samples, storm);
        }
      }),
    );
  };
}

async function addDevices(ward: Ward, count: number): Promise<string[]> {
  const xsrf = /XSRF-TOKEN=([^;]*)/.exec(ward.cookie)?.[1] ?? '';
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(`${ward.server.url}/api/v2/devices`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', cookie: ward.cookie, 'X-XSRF-TOKEN': xsrf },
      body: JSON.stringify({ name: `storm ${index}` }),
    });
    const made = z.object({ token: z.string() }).safeParse(await response.json());
    if (!made.success) {
      throw new Error(`Adding a device responded with ${response.status}`);
    }
    tokens.push(made.data.token);
  }
  return tokens;
}

/** Asks for an address again and again; resolves with the milliseconds that each response took. */
async function poll(ward: Ward, path: string, everyMs: number, until: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!until.aborted) {
    const begun = performance.now();
    await (await fetch(`${ward.server.url}${path}`, { headers: { cookie: ward.cookie } })).arrayBuffer();
    times.push(performance.now() - begun);
    await wait(everyMs);
  }
  return times;
}

async function mostMemory(ward: Ward, until: AbortSignal): Promise<number> {
  let most = 0;
  while (!until.aborted) {
    most = Math.max(most, (await readMetric(ward.server, 'process_resident_memory_bytes')) / 1e6);
    await wait(1_000);
  }
  return most;
}

/** How many samples of the storm are stored. */
function countRows(ward: Ward): number {
  const sqlite = new (loadSqlite())(`${ward.server.dataDir}/wardlight.db`, { readonly: true });
  const row = sqlite
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM samples WHERE patient_id > ?')
    .get(calm);
  sqlite.close();
  return row?.n ?? 0;
}

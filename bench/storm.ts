import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { loadSqlite } from '../server/db/loadSqlite';
import { watchAlerts } from './alertDelay';
import { feedDesaturations, type Sent } from './desaturations';
import { firstLine } from './ingestProcess';
import { atMost, median, p99 } from './lines';
import { mostMemory } from './mostMemory';
import { readAlone } from './readAlone';
import { readMetric } from './readMetric';
import { stormSchema, type Storm } from './sendRows';
import { startWard, type Ward } from './ward';

/** Patients whose values arrive as ever, each with a desaturation, and as many who are in the storm. */
const calm = 250;
const stormy = 250;
const monitors = 500;

const limits = { health: 100, healthMost: 500, board: 500, alert: 2_000, backMs: 10_000, memoryMb: 1_000 };

/**
 * Measures the ward while too much arrives: ten times its usual rows, 60,000 rows/s, and the back-fill of an hour by
 * 500 monitors at once. Values of other patients come as ever meanwhile, and their alerts are awaited.
 */
export async function benchStorm(): Promise<void> {
  await measure('5,000 rows/s more, live', { devices: 4, how: '5000' });
  await measure('60,000 rows/s offered', { devices: 4, how: '60000' });
  await measure('an hour of back-fill by 500 monitors at once', { devices: monitors, how: 'backfill' });
}

/** What `dist/bench-offerer.js` offers, by so many devices. */
interface Offer {
  devices: number;
  how: string;
}

async function measure(name: string, { devices, how }: Offer): Promise<void> {
  const all = await startWard(calm + stormy, {
    acceptIntendedUse: true,
    // 500 monitors have one address here.
    env: { CONNECTIONS_PER_ADDRESS: '1000' },
  });
  const ward = { ...all, patients: all.patients.slice(0, calm) };
  try {
    const tokens = await addDevices(ward, devices);
    const over = new AbortController();
    const times = {
      health: poll(ward, '/healthz', 20, over.signal),
      board: poll(ward, '/api/v2/patients', 200, over.signal),
    };
    const memory = mostMemory(ward.server, over.signal);
    const sent: Sent[] = [];
    const watched = watchAlerts(ward, sent, over.signal);
    const ends = new AbortController();
    const patients = all.patients.slice(calm).join(',');
    const stormed = offer([ward.server.url, patients, how, ...tokens], ends.signal);
    const refusals = await feedDesaturations(ward, sent);
    ends.abort();
    const storm = await stormed;
    const backAt = performance.now();
    while ((await readMetric(ward.server, 'wardlight_waiting_rows')) > 0) {
      await wait(50);
    }
    const backMs = performance.now() - backAt;
    await wait(500);
    over.abort();
    const delays = await watched;
    const [health, board] = [await times.health, await times.board];
    const calls = Object.entries(storm.statuses)
      .map(([status, count]) => `${count} of ${status}`)
      .join(', ');
    const [taken, offered] = [storm.rows, storm.offered].map((rows) => rows.toLocaleString('en'));
    process.stdout.write(`${name}: ${taken} of ${offered} rows taken; calls: ${calls}\n`);
    atMost(`${name}: /healthz, p99`, [p99(health)], limits.health, 'ms');
    atMost(`${name}: /healthz, longest`, health, limits.healthMost, 'ms');
    atMost(`${name}: board, p99`, [p99(board)], limits.board, 'ms');
    atMost(`${name}: alert of another patient, p99 of ${delays.length}`, [p99(delays)], limits.alert, 'ms');
    atMost(`${name}: refused calls of their device`, [refusals], 0, '');
    atMost(`${name}: alerts that did not come`, [calm - delays.length], 0, '');
    atMost(`${name}: nothing waits any more after`, [backMs], limits.backMs, 'ms');
    atMost(`${name}: memory`, [await memory], limits.memoryMb, 'MB');
    const others = Object.keys(storm.statuses).filter((status) => !['200', '429', '503'].includes(status));
    atMost(`${name}: other answers than 200, 429 and 503`, [others.length], 0, '');
    atMost(`${name}: refused without Retry-After`, [storm.withoutRetry], 0, '');
    atMost(`${name}: acknowledged rows that are not stored`, [storm.rows - countRows(all)], 0, '');
    process.stdout.write(`  board in the middle ${median(board).toFixed(1)} ms\n`);
  } finally {
    await ward.server.remove();
  }
}

/**
 * Runs the offerer, asks it to end, and resolves with what became of its rows. It is a process of its own: making and
 * sending so many rows would delay what this process measures.
 */
async function offer(words: string[], until: AbortSignal): Promise<Storm> {
  const offerer = spawn(process.execPath, ['dist/bench-offerer.js', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  until.addEventListener('abort', () => offerer.kill('SIGTERM'));
  const [result] = await Promise.all([firstLine(offerer), once(offerer, 'exit')]);
  return stormSchema.parse(JSON.parse(result));
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
  const sqlite = new (loadSqlite())(`${ward.server.dataDir}/wardlight.db`);
  sqlite.prepare('UPDATE devices SET gateway_until = ?').run(Date.UTC(2100, 0, 1));
  sqlite.close();
  return tokens;
}

/**
 * Asks for an address again and again, each time on a connection of its own, as a proxy does; resolves with the
 * milliseconds that each response took.
 */
async function poll(ward: Ward, path: string, everyMs: number, until: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!until.aborted) {
    const begun = performance.now();
    await readAlone(`${ward.server.url}${path}`, ward.cookie);
    times.push(performance.now() - begun);
    await wait(everyMs);
  }
  return times;
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

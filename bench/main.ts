import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TestServer } from '../e2e/startServer';
import { freePort } from '../test/freePort';
import { benchAlarmBurden } from './alarmBurden';
import { benchAlarmPages } from './alarmPages';
import { benchAlertDelay } from './alertDelay';
import { benchAlertPainted } from './alertPainted';
import { benchAlertScenarios } from './alertScenarios';
import { benchAttacks } from './attacks';
import { benchClockStep } from './clockStep';
import { benchExportPatient } from './exportPatient';
import { benchHandoffs } from './handoffs';
import { benchIssueReports } from './issueReports';
import { benchHl7 } from './hl7';
import { benchIngestWithRules } from './ingestWithRules';
import { firstLine, newFolder, startIngest } from './ingestProcess';
import { benchLighthouse } from './lighthouse';
import { allReached, atMost, compare, median } from './lines';
import { get, load, post, type LoadResult } from './load';
import { benchLimitPreview } from './limitPreview';
import { benchLongWard } from './longWard';
import { benchMalformed } from './malformed';
import { benchMemory } from './memory';
import { benchNotes } from './notes';
import { benchPages } from './pages';
import { benchRecordings } from './recordings';
import { benchReports } from './reports';
import { benchRules } from './rules';
import { benchStalls } from './stalls';
import { benchStart } from './start';
import { benchStorm } from './storm';
import { backfillDay, feedEverySecond, secondOf, startWard, untilRolledUp } from './ward';

/** Rounds of each comparison; the two sides take turns, so that a machine that slows down slows both. */
const rounds = 5;
const seconds = 2;

function portOf(server: TestServer): number {
  return Number(new URL(server.url).port);
}

async function benchIngest(): Promise<void> {
  const server = await startIngest();
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    // One second of the ward after another.
    const next = (): Buffer =>
      post('/api/v2/vitals', secondOf(server.patients, server.nextSecond()), {
        Authorization: `Bearer ${server.token}`,
      });
    await load(server.port, 4, seconds, next);
    for (let round = 0; round < rounds; round += 1) {
      ours.push((await load(server.port, 4, seconds, next)).perSecond * 500);
      const bareFolder = newFolder();
      bare.push(
        Number(
          execFileSync(process.execPath, ['dist/bench-bareSqlite.js', bareFolder, String(seconds)], {
            encoding: 'utf8',
          }),
        ),
      );
      rmSync(bareFolder, { recursive: true });
    }
  } finally {
    server.stop();
  }
  compare(
    'ingest over HTTP, 250 patients x 2 kinds, batches of 500, 4 connections',
    ours,
    bare,
    'rows/s',
    'bare better-sqlite3',
    0.4,
  );
}

async function benchBoard(): Promise<void> {
  const ward = await startWard(500);
  const folder = newFolder();
  const port = portOf(ward.server);
  const feed = feedEverySecond(ward);
  let bare: ChildProcess | null = null;
  try {
    await feed.first;
    const whole = await fetch(`${ward.server.url}/api/v2/patients?pageSize=500`, { headers: { cookie: ward.cookie } });
    const body = await whole.text();
    const { version } = JSON.parse(body) as { version: string };
    writeFileSync(path.join(folder, 'unchanged'), JSON.stringify({ unchanged: true, version }));
    writeFileSync(path.join(folder, 'board.gz'), gzipSync(body, { level: 1 }));
    writeFileSync(path.join(folder, 'health'), '{"status":"ok"}');
    const barePort = await freePort();
    bare = spawn(process.execPath, [
      'dist/bench-bareFastify.js', String(barePort),
      `/unchanged=${folder}/unchanged`, `/board=${folder}/board.gz:gzip`, `/health=${folder}/health`,
    ], { stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
    await firstLine(bare);
    const polled = { Cookie: ward.cookie, 'Accept-Encoding': 'gzip' };
    const pair = async (ours: () => Promise<Buffer>, theirs: string): Promise<[number[], number[]]> => {
      const results: [LoadResult[], LoadResult[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        const request = await ours();
        results[0].push(await load(port, 20, seconds, () => request));
        const other = get(theirs, polled);
        results[1].push(await load(barePort, 20, seconds, () => other));
      }
      return [results[0].map((r) => r.perSecond), results[1].map((r) => r.perSecond)];
    };
    compare(
      'board of 500, changing every second, compressed',
      ...(await pair(() => Promise.resolve(get('/api/v2/patients?pageSize=500', polled)), '/board')),
      'polls/s',
      'bare Fastify',
      0.6,
    );
    await feed.stop();
    const unchanged = async (): Promise<Buffer> => {
      const response = await fetch(`${ward.server.url}/api/v2/patients?pageSize=500`, {
        headers: { cookie: ward.cookie },
      });
      const known = (JSON.parse(await response.text()) as { version: string }).version;
      return get(`/api/v2/patients?pageSize=500&after=${known}`, polled);
    };
    compare('board of 500, unchanged', ...(await pair(unchanged, '/unchanged')), 'polls/s', 'bare Fastify', 0.6);
    compare(
      '/healthz in the combined process',
      ...(await pair(() => Promise.resolve(get('/healthz', polled)), '/health')),
      'requests/s',
      'bare Fastify',
      0.8,
    );
  } finally {
    await feed.stop();
    bare?.kill('SIGTERM');
    await ward.server.remove();
    rmSync(folder, { recursive: true });
  }
}

async function benchChart(): Promise<void> {
  const ward = await startWard(250);
  try {
    const now = Date.now();
    await backfillDay(ward, now);
    const iso = (at: number): string => new Date(at).toISOString();
    const vitals = '/api/v2/patients/1/vitals?kind=spo2';
    const day = `${vitals}&from=${iso(now - 86_400_000)}&to=${iso(now)}&points=1000`;
    const hour = `${vitals}&from=${iso(now - 3_600_000)}&to=${iso(now)}&points=2000`;
    await untilRolledUp(ward, day, 86_400 - 120);
    const feed = feedEverySecond(ward);
    const daily: number[] = [];
    const hourly: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      daily.push((await load(portOf(ward.server), 1, seconds * 2, () => get(day, { Cookie: ward.cookie }))).p99);
      hourly.push((await load(portOf(ward.server), 1, seconds * 2, () => get(hour, { Cookie: ward.cookie }))).p99);
    }
    await feed.stop();
    atMost(
      '24 h at 1 Hz as min/max/last of at most 1,000 points, p99, with 500 rows/s coming in (median of rounds)',
      [median(daily)],
      10,
      'ms',
    );
    atMost('one hour at 1 Hz, p99, with 500 rows/s coming in (median of rounds)', [median(hourly)], 10, 'ms');
  } finally {
    await ward.server.remove();
  }
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const benches = {
    rules: benchRules,
    handoffs: benchHandoffs,
    issueReports: benchIssueReports,
    notes: benchNotes,
    recordings: benchRecordings,
    'alerts-scenarios': benchAlertScenarios,
    burden: benchAlarmBurden,
    clockStep: benchClockStep,
    ingest: benchIngest,
    ingestWithRules: benchIngestWithRules,
    hl7: benchHl7,
    alertDelay: benchAlertDelay,
    alertPainted: benchAlertPainted,
    start: benchStart,
    board: benchBoard,
    chart: benchChart,
    limitPreview: benchLimitPreview,
    exportPatient: benchExportPatient,
    pages: benchPages,
    alarmPages: benchAlarmPages,
    lighthouse: benchLighthouse,
    storm: benchStorm,
    attacks: benchAttacks,
    malformed: benchMalformed,
    stalls: benchStalls,
    memory: benchMemory,
    longWard: benchLongWard,
    reports: benchReports,
  };
  for (const [name, run] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      await run();
    }
  }
  process.exitCode = allReached() ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});

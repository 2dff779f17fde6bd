import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { calls } from '../lib/api/calls';
import { kinds, vitalKinds } from '../lib/vitals/kinds';
import { openStoreForCommand } from '../server/db/open';
import type { Database } from '../server/db/schema';
import { policies } from '../server/http/access';
import { newReport } from '../test/newReport';
import { atMost, median } from './lines';
import { readMetric } from './readMetric';
import { feedEverySecond, signIn, startWard, type Ward } from './ward';

const limitMs = 100;
const rounds = 5;
/** Files take long: no further round of the same begins after this. */
const roundsWithinMs = 10_000;
/** The watch of Node looks every 10 ms, and counts these as well. */
const lookedMs = 10;
const restSeconds = 3;
const startWithinMs = 120_000;
const rows = {
  patients: 10_000,
  audit: 1_000_000,
  alerts: 50_000,
  users: 1_000,
  devices: 1_000,
  notes: 500,
  symptoms: 1_095,
  reports: 2_000,
};
/** Patients whose values arrive every second. */
const fed = 250;
/** Ids of alerts up to this one are those that the server made itself, as its heartbeat does. */
const afterAlerts = 1_000;
const dayMs = 86_400_000;
const chartDays = 14;
const charts = 50;

/** What is no response of a call: pages are rendered by Next, and the stream of events does not end. */
const notAsked = new Set(['GET *', 'GET /_next/static/*', 'GET /api/docs/*', 'GET /api/v2/events']);

/**
 * Measures how long the thread that answers every call is busy with one thing: each GET call of the policy table on a
 * large set of data, with 250 patients sending, and the evaluation of the clock meanwhile.
 */
export async function benchStalls(): Promise<void> {
  const ward = await startWard(1, { acceptIntendedUse: true });
  const exported = `GET ${calls.exportPatient.path}`;
  try {
    const alertId = await makeOneOfEach(ward);
    await ward.server.stop();
    await multiply(ward, alertId);
    const begun = performance.now();
    await ward.server.start(startWithinMs);
    ward.cookie = await signIn(ward.server);
    const startSeconds = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(`start with ${rows.patients.toLocaleString('en')} patients: ${startSeconds} s\n`);
    const feed = feedEverySecond({ ...ward, patients: Array.from({ length: fed }, (_, index) => index + 1) });
    await feed.first;
    await wait(3_000);
    await measure(ward, 'at rest', async () => {
      await wait(restSeconds * 1_000);
      return `${restSeconds} s`;
    });
    const others = Object.keys(policies).filter((name) => name.startsWith('GET ') && !notAsked.has(name));
    // First of all: it needs a password of the last minutes.
    for (const row of new Set([exported, ...others])) {
      await measure(ward, row, () => read(ward, addressOf(row.slice('GET '.length), alertId)));
    }
    await measure(ward, `${charts} charts of ${chartDays} days at once`, async () => {
      // What a page of a patient draws.
      const address = addressOf(calls.getVitals.path, alertId).replace(/kind=[^&]*/, 'kind=spo2,heartRate,pulseRate');
      const asked = performance.now();
      await Promise.all(Array.from({ length: charts }, () => read(ward, address)));
      return `${((performance.now() - asked) / 1_000).toFixed(1)} s`;
    });
    await feed.stop();
  } finally {
    await ward.server.remove();
  }
}

/** Measures the longest stall of each round. The one in the middle counts: others have the machine as well. */
async function measure(ward: Ward, name: string, work: () => Promise<string>): Promise<void> {
  const stalls: number[] = [];
  let what = '';
  const begun = performance.now();
  while (stalls.length === 0 || (stalls.length < rounds && performance.now() - begun < roundsWithinMs)) {
    stalls.push(
      await longestStall(ward, async () => {
        what = await work();
      }),
    );
  }
  atMost(`${name} (${what})`, [median(stalls)], limitMs, 'ms');
}

/**
 * Resolves with the longest time in which the server did one thing while `work` ran, in milliseconds of the processor:
 * without the share in which its thread waited for a processor that others had. Of work of many seconds, the longest
 * but for a tenth of the seconds, in which that share is not known well enough.
 */
async function longestStall({ server }: Ward, work: () => Promise<void>): Promise<number> {
  await readMetric(server, 'nodejs_eventloop_lag_max_seconds');
  const stalls: number[] = [];
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const before = scheduled(server.pid());
    await Promise.race([done, wait(1_000)]);
    // The watch has looked again after it.
    await wait(2 * lookedMs);
    const longestMs = (await readMetric(server, 'nodejs_eventloop_lag_max_seconds')) * 1_000 - lookedMs;
    const after = scheduled(server.pid());
    const [ran, waited] = [after.ran - before.ran, after.waited - before.waited];
    stalls.push(Math.max(0, longestMs) * (ran === 0 ? 1 : ran / (ran + waited)));
  }
  stalls.sort((one, other) => one - other);
  return stalls[Math.ceil(stalls.length * 0.9) - 1] ?? Number.NaN;
}

/** Returns for how long the first thread of a process ran and waited to run; 0 where that is unknown. */
function scheduled(pid: number): { ran: number; waited: number } {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  const [ran = 0, waited = 0] = existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : [];
  return { ran, waited };
}

/** Reads a whole response; resolves with its status and its size. */
async function read({ server, cookie }: Ward, address: string): Promise<string> {
  const response = await fetch(`${server.url}${address}`, { headers: { cookie } });
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
  }
  return `${response.status}, ${(bytes / 1_000).toFixed(0)} kB`;
}

/** Returns an address of a call that asks for as much as the call gives. */
function addressOf(path: string, alertId: number): string {
  const [now, year] = [new Date().toISOString(), new Date(Date.now() - 364 * dayMs).toISOString()];
  const weeks = new Date(Date.now() - chartDays * dayMs).toISOString();
  const queries: Record<string, string> = {
    [calls.listPatients.path]: '?pageSize=500',
    [calls.listSparks.path]: `?ids=${Array.from({ length: 200 }, (_, index) => index + 1).join(',')}`,
    [calls.getVitals.path]: `?kind=${vitalKinds.join(',')}&from=${weeks}&to=${now}&points=2000`,
    [calls.listAlerts.path]: '?pageSize=100',
    [calls.getChartMarks.path]: `?from=${weeks}&to=${now}`,
    [calls.getSymptomStrip.path]: `?from=${year}&to=${now}`,
    [calls.exportPatient.path]: '?kind=symptoms',
    [calls.listAudit.path]: '?pageSize=100',
    [calls.getAssignments.path]: '?unit=1',
  };
  const id = path.startsWith('/api/v2/alerts/') ? alertId : 1;
  return `${path.replace(':id', String(id))}${queries[path] ?? ''}`;
}

const withId = z.object({ id: z.int() });
const version = z.object({ version: z.int() });
const listed = z.object({ items: z.array(z.object({ id: z.int(), version: z.int() })).min(1) });

/** Makes a row of each kind by calls, which `multiply` copies; resolves with the id of an alert that is over. */
async function makeOneOfEach({ server, cookie }: Ward): Promise<number> {
  const xsrf = /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? '';
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json', cookie, 'X-XSRF-TOKEN': xsrf };
    const response = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) {
      throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`);
    }
    return response.status === 204 ? null : await response.json();
  };
  const { id: authorId } = withId.parse(await call('GET', '/api/user/getCurrentUser'));
  await call('POST', '/api/v2/patients/1/symptoms', { answers: { chestPain: 'severe', cough: 'mild' } });
  const note = { clientId: randomUUID(), authorId, type: 'nursing', text: 'Slept well. '.repeat(40) };
  const { id, ...made } = z
    .object({ id: z.int(), version: z.int() })
    .parse(await call('POST', '/api/v2/patients/1/notes', note));
  await call('POST', `/api/v2/notes/${id}/sign`, version.parse(made));
  await call('POST', '/api/v2/reports', { ...newReport(), authorId });
  const [alert] = listed.parse(await call('GET', '/api/v2/alerts')).items;
  const { items } = listed.parse({
    items: [await call('POST', `/api/v2/alerts/${alert?.id ?? 0}/accept`, { version: alert?.version })],
  });
  await call('POST', `/api/v2/alerts/${alert?.id ?? 0}/resolve`, {
    version: items[0]?.version,
    outcome: 'intervention',
  });
  return alert?.id ?? 0;
}

/** Copies the rows of a stopped server until they are as many as a large ward has after a year. */
async function multiply({ server: { dataDir } }: Ward, alertId: number): Promise<void> {
  const db = await openStoreForCommand({ dataDir, databaseUrl: null });
  const now = Date.now();
  const random = 'lower(hex(randomblob(16)))';
  const patient = `1 + n % ${rows.patients}`;
  try {
    const units = Array.from({ length: 40 }, (_, unit) => ({ site_id: 1, name: `Ward ${unit}`, created_at: 0 }));
    await db.insertInto('units').values(units).execute();
    await copy(db, 'patients', rows.patients - 1, { id: 'n + 1', mrn: "'M' || n", unit_id: '1 + n % 40', bed: 'n' });
    await copy(db, 'patient_stays', rows.patients - 1, { id: 'n + 1', patient_id: 'n + 1' });
    await copy(db, 'users', rows.users, {
      id: 'n + 1',
      email: "'bench' || n || '@example.org'",
      username: "'bench' || n",
      lname: "'Person ' || n",
    });
    await copy(db, 'devices', rows.devices, { id: 'n + 1', token_hash: random, name: "'monitor ' || n" });
    await copy(db, 'notes', rows.notes, { id: 'n + 1', client_id: random, event_at: `event_at - n * 3600000` });
    await copy(db, 'symptom_reports', rows.symptoms, {
      id: 'n + 1',
      reported_at: 'reported_at - n * 28800000',
      recorded_at: 'recorded_at - n * 28800000',
    });
    await copy(db, 'issue_reports', rows.reports, { id: 'n + 1', client_id: random, title: "'Report ' || n" });
    const ofAlert = { patient_id: patient, raised_at: 'raised_at - n * 12000', closed_at: 'closed_at - n * 12000' };
    const id = `${afterAlerts} + n`;
    await copy(db, 'alerts', rows.alerts, { ...ofAlert, id }, `id = ${alertId}`);
    await copy(db, 'alert_history', rows.alerts, { ...ofAlert, alert_id: id }, `alert_id = ${alertId}`);
    const head = await db.selectFrom('audit_head').select('last_id').executeTakeFirstOrThrow();
    await copy(db, 'audit', rows.audit, { id: `${head.last_id} + n`, at: 'at + n', details: `'{"count":20}'` });
    await db
      .updateTable('audit_head')
      .set({ last_id: head.last_id + rows.audit })
      .execute();
    const minute = Math.floor(now / 60_000);
    for (const kind of vitalKinds) {
      await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${chartDays * 1_440})
        INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
        SELECT 1, ${kinds[kind].code}, ${minute} - n, 1, 90 + n % 8, 92 + n % 8, 91 + n % 8, 60, 0, 0
        FROM n`.execute(db);
    }
  } finally {
    await db.destroy();
  }
}

/** Copies a row of a table that many times, the first one without `where`; `n` in an expression counts from 1. */
async function copy(
  db: Kysely<Database>,
  table: keyof Database,
  times: number,
  expressions: Record<string, string>,
  where = 'true',
): Promise<void> {
  const { rows: columns } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(db);
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => expressions[name] ?? name);
  await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${times})
    INSERT INTO ${sql.table(table)} (${sql.raw(names.join(', '))})
    SELECT ${sql.raw(values.join(', '))} FROM
      (SELECT * FROM ${sql.table(table)} WHERE ${sql.raw(where)} LIMIT 1), n`.execute(db);
}

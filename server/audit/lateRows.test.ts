import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { appendLateRows } from '../../test/appendLateRows';
import { engines } from '../../test/database';
import { refuseWrites } from '../../test/refuseWrites';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { untilWritable } from '../../test/untilWritable';
import { toInstant } from '../../lib/time/schema';
import { system } from './actor';
import { openLateRows, type LateRow } from './lateRows';
import { verifyAudit } from './verify';

const url = '/api/v2/patients';

describe.each(engines)('while nothing can be stored on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patientId: number;
  let heal: () => Promise<void>;

  // A server of its own: no one can store anything meanwhile.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    patientId = await test.addPatient(site);
    heal = await refuseWrites(test);
  });
  afterEach(async () => {
    await recover();
    await untilWritable(test.store);
  });
  afterAll(() => test.stop());

  const rows = () => test.store.db.selectFrom('audit').where('site_id', '=', site).selectAll().orderBy('id').execute();
  const marker = (): string => path.join(test.server.env.dataDir, 'audit-waiting');
  const marked = (): unknown => JSON.parse(readFileSync(marker(), 'utf8'));
  /** Lets the store take writes again, and waits until all rows are written. */
  const recover = async (lateRows = test.server.lateRows): Promise<void> => {
    await heal();
    heal = () => Promise.resolve();
    await appendLateRows(lateRows);
  };

  it('refuses every act, and what it writes before it shows', async () => {
    const answers = [
      await nurse.call('PATCH', `${url}/${patientId}`, { version: 1, familyName: 'Changed' }),
      await nurse.call('POST', `${url}/${patientId}/readings`, {
        takenAt: toInstant(test.now()),
        readings: { spo2: 97 },
      }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  });

  it('shows patients, and has each view later, in its order and with its time', async () => {
    const looks = [
      () => nurse.call('GET', url),
      () => nurse.call('POST', `${url}/search`, { text: 'sam' }),
      () => nurse.call('GET', `${url}/${patientId}`),
      () => nurse.call('GET', `${url}/${patientId}/vitals`),
      () => nurse.call('GET', `${url}/sparks?ids=${patientId}`),
      () => nurse.call('GET', `${url}/${patientId}/notes`),
      () => nurse.call('GET', '/api/v2/alerts'),
    ];
    const times: number[] = [];
    for (const look of looks) {
      test.advance(1_000);
      times.push(test.now());
      expect((await look()).statusCode).toBe(200);
    }
    test.advance(60_000);
    // Input is not lost either, as long as this process runs.
    expect((await nurse.call('POST', '/api/v2/auth/activity')).statusCode).toBe(204);
    await expect(rows()).resolves.toHaveLength(1);
    expect(marked()).toEqual({ from: times[0], sites: [[site, test.server.lateRows.count()]] });

    await recover();
    const written = (await rows()).slice(1).map(({ at, action, actor_id }) => [at, action, actor_id]);
    expect(written).toEqual(
      [
        [times[0], 'list_patients'],
        [times[1], 'search_patients'],
        [times[2], 'read_patient'],
        [times[3], 'read_vitals'],
        [times[4], 'read_sparks'],
        [times[5], 'read_notes'],
      ].map((row) => [...row, nurse.userId]),
    );
    await expect(verifyAudit(test.store.db, null)).resolves.toMatchObject({ fault: null });
    expect(marked()).toBeNull();
  });

  it('lets a user leave: the session ends at once, and in the store as soon as it takes that', async () => {
    const endedAt = test.now();
    const answer = await nurse.call('POST', '/api/v2/auth/sign-out');
    expect(answer.statusCode).toBe(204);
    expect(answer.cookies.filter(({ value }) => value !== '')).toEqual([]);
    expect((await nurse.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(401);
    test.advance(5_000);
    await recover();
    const [session] = await test.store.db
      .selectFrom('sessions')
      .select('ended_at')
      .where('user_id', '=', nurse.userId)
      .execute();
    expect([session?.ended_at, (await rows()).at(-1)?.action]).toEqual([endedAt, 'sign_out']);
  });

  it('shows no patient if the disk cannot even say that views wait', async () => {
    rmSync(marker());
    mkdirSync(marker());
    const answer = await nurse.call('GET', `${url}/${patientId}`);
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      503,
      'storage_unavailable',
    ]);
    expect(test.server.lateRows.count()).toBe(0);
    rmdirSync(marker());
  });

  it('keeps no more rows than it may, and takes others when those are written', async () => {
    const row: LateRow = {
      at: test.now(),
      actor: { ...system, siteId: site },
      event: { action: 'read_patient', outcome: 'done' },
    };
    const few = await openLateRows(test.store, test.server.env.dataDir, test.now, 120);
    for (let view = 0; view < 120; view += 1) {
      await few.write(row);
    }
    await expect(few.write(row)).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' });
    expect(marked()).toEqual({ from: row.at, sites: [[site, 120]] });
    await recover(few);
    await few.write(row);
    await expect(rows()).resolves.toHaveLength(122);
    expect(marked()).toBeNull();
  });

  it('records that views were lost if it crashes, also if that has to wait once more', async () => {
    const from = test.now();
    await nurse.call('GET', url);
    test.advance(1_000);
    await nurse.call('GET', `${url}/${patientId}`);
    const { env } = test.server;
    const afterCrash = await openLateRows(test.store, env.dataDir, test.now);
    expect(afterCrash.count()).toBe(1);
    const afterAnother = await openLateRows(test.store, env.dataDir, test.now);
    expect(marked()).toEqual({ from, sites: [[site, 2]] });
    await recover(afterAnother);
    expect((await rows()).at(-1)).toMatchObject({
      actor: 'system',
      site_id: site,
      action: 'lose_views',
      details: JSON.stringify({ count: 2, from: toInstant(from) }),
    });
  });
});

describe('a SQLite file that may not grow', () => {
  it('refuses acts with 503, shows patients, and has their views once it may', async () => {
    const test = await startTestServer('sqlite');
    const site = await test.addSite();
    const nurse = await test.signIn(site, 'nurse');
    const patients: number[] = [];
    for (let patient = 0; patient < 60; patient += 1) {
      patients.push(await test.addPatient(site));
    }
    const sqlite = test.store.engine === 'sqlite' ? test.store.sqlite : null;
    sqlite?.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true }))}`);
    // Takes the room that is left in the file.
    const fill = async (): Promise<void> => {
      for (;;) {
        await test.store.db
          .insertInto('sites')
          .values({ name: 'x'.repeat(5_000), time_zone: 'UTC', created_at: 0 })
          .execute();
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    const views = await Promise.all(patients.map((id) => nurse.call('GET', `${url}/${id}`)));
    expect(new Set(views.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const waiting = test.server.lateRows.count();
    expect(waiting).toBeGreaterThan(0);
    const change = { version: 1, familyName: 'x'.repeat(100), givenName: 'y'.repeat(100) };
    const acts = await Promise.all(patients.map((id) => nurse.call('PATCH', `${url}/${id}`, change)));
    expect(acts.map(({ statusCode }) => statusCode)).toContain(503);
    expect(acts.map(({ statusCode }) => statusCode)).not.toContain(500);

    sqlite?.pragma('max_page_count = 1000000');
    await test.server.lateRows.append();
    const seen = await test.store.db
      .selectFrom('audit')
      .select('object_id')
      .where('action', '=', 'read_patient')
      .execute();
    expect(seen.map(({ object_id }) => object_id)).toEqual(patients);
    await expect(verifyAudit(test.store.db, null)).resolves.toMatchObject({ fault: null });
    await test.stop();
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path, { join } from 'node:path';
import fc from 'fast-check';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditResponse } from '../../lib/audit/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { appendLateRows } from '../../test/appendLateRows';
import { countTurns } from '../../test/countTurns';
import { apiEngines, createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { newReport } from '../../test/newReport';
import { refuseWrites } from '../../test/refuseWrites';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { makeTestFolder } from '../../test/testFolder';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { untilWritable } from '../../test/untilWritable';
import { audit, createViewLog } from '../audit';
import { openStore, type Store } from '../db/open';
import type { Database } from '../db/schema';
import { addDevice } from '../devices/commands';
import { type Actor, system } from './actor';
import { type AuditRow, chainHash } from './chain';
import { exportAudit } from './exportAudit';
import { headKey, isSigned, publicHalf, signHead } from './headKey';
import { type LateRow, openLateRows } from './lateRows';
import { auditReachOf, auditRows } from './queries';
import { listRefusalReaders } from './refusalReaders';
import { createSearchLog, type SearchDetails } from './searchLog';
import { readHead, verifyAudit } from './verify';

const url = '/api/v2/patients';

describe.each(apiEngines)('the file of the audit on %s', (engine) => {
  const rows = 5_000;
  const atOnce = 500;

  it('lets others have the thread after each 500 rows, and has every row', async () => {
    const database = await createTestDatabase(engine, true);
    const { db, close } = await openStore(database);
    const siteId = 1;
    await db.insertInto('sites').values({ id: siteId, name: 'Test ward', time_zone: 'UTC', created_at: 0 }).execute();
    const { id, ...row } = {
      id: 1,
      at: 0,
      site_id: siteId,
      actor: 'system',
      actor_id: null,
      session: null,
      ip: null,
      request_id: null,
      action: 'set_clock',
      object_type: null,
      object_id: null,
      outcome: 'done',
      details: null,
      hash: '',
    };
    for (let first = 0; first < rows; first += atOnce) {
      const part = Array.from({ length: atOnce }, (_, index) => ({ ...row, id: id + first + index }));
      await db.insertInto('audit').values(part).execute();
    }
    let lines = 0;
    const read = async (): Promise<void> => {
      for await (const part of exportAudit(db, { siteId, named: null, of: 'site' }, {})) {
        lines += part.split('\n').length - 1;
      }
    };
    await expect(countTurns(read)).resolves.toBeGreaterThanOrEqual(rows / atOnce);
    expect(lines).toBe(rows + 1);
    await close();
    await database.remove();
  });
});

describe('the key of the audit’s heads', () => {
  const head = { id: 7, hash: 'ab'.repeat(32) };

  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder('head-key');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['no key', 'hello'],
    ['a key of another kind', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ])('is not replaced where its file holds %s', (_, text) => {
    const file = join(folder, 'audit-head.pem');
    writeFileSync(file, text);
    expect(() => headKey(folder)).toThrow();
    expect(readFileSync(file, 'utf8')).toBe(String(text));
  });

  it('is made once, for its owner alone', () => {
    const made = publicHalf(headKey(folder));
    expect(publicHalf(headKey(folder))).toBe(made);
    expect(statSync(join(folder, 'audit-head.pem')).mode & 0o777).toBe(0o600);
  });

  it('signs a head that no one can change or pass off as another’s', () => {
    const key = headKey(folder);
    const known = publicHalf(key);
    const signature = signHead(key, head);
    expect(isSigned(known, head, signature)).toBe(true);
    expect(isSigned(known, { ...head, id: 8 }, signature)).toBe(false);
    expect(isSigned(known, { ...head, hash: 'ac'.repeat(32) }, signature)).toBe(false);
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(isSigned(known, head, signHead(other, head))).toBe(false);
    expect(isSigned(publicHalf(other), head, signature)).toBe(false);
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, text) => !isSigned(key, head, text) && !isSigned(known, head, text)),
      { numRuns: 200 },
    );
  });
});

describe('lateRows', () => {
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

    const rows = () =>
      test.store.db.selectFrom('audit').where('site_id', '=', site).selectAll().orderBy('id').execute();
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
      // A server of its own: its file may not grow.
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
});

describe('routes', () => {
  const url = '/api/v2/audit';

  describe.each(engines)('the audit that people read on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let lead: Caller;
    let admin: Caller;
    let stranger: Caller;
    let north: number;
    let south: number;

    // A server of its own: it gets rows that break the chain.
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    beforeEach(async () => {
      site = await test.addSite();
      const otherSite = await test.addSite('Other ward');
      [north, south] = [
        await test.addPatient(site, { location: { unit: 'North', bed: '1' } }),
        await test.addPatient(site, { location: { unit: 'South', bed: '1' } }),
      ];
      nurse = await test.signIn(site, 'nurse');
      lead = await test.signIn(site, 'ward_lead');
      admin = await test.signIn(site, 'administrator', true);
      stranger = await test.signIn(otherSite, 'administrator', true);
      for (const id of [north, south]) {
        test.advance(1_000);
        await nurse.call('GET', `/api/v2/patients/${id}`);
      }
    });
    afterAll(() => test.stop());

    async function read(caller: Caller, query = ''): Promise<AuditResponse> {
      const answer = await caller.call('GET', `${url}?${query}`);
      expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.any(String)]);
      return answer.json<AuditResponse>();
    }
    /** The rows but those that this very reading leaves. */
    const acts = async (caller: Caller, query = ''): Promise<string[]> => actsIn(await read(caller, query));
    const actsIn = ({ items }: AuditResponse): string[] =>
      items
        .filter(({ action }) => action !== 'read_audit')
        .map(({ action, actorId, objectId }) => `${actorId ?? ''} ${action} ${objectId ?? ''}`);

    async function enterUnit(caller: Caller, name: string | null): Promise<void> {
      await test.store.db.deleteFrom('user_units').where('user_id', '=', caller.userId).execute();
      if (name !== null) {
        await test.addUnit(site, name, [caller.userId]);
      }
      await test.server.sessions.reload([caller.userId]);
    }

    it.each([
      'page=2',
      'pageSize=0',
      'pageSize=501',
      'before=x',
      'actor=0',
      'action=nonsense',
      'action=constructor',
      'from=yesterday',
      'patientId=1e3',
    ])('refuses %s', async (query) => {
      expect((await admin.call('GET', `${url}?${query}`)).statusCode).toBe(400);
    });

    it('shows an administrator all of the site and nothing of another one', async () => {
      const mine = await acts(admin);
      expect(mine).toEqual([
        `${nurse.userId} read_patient ${south}`,
        `${nurse.userId} read_patient ${north}`,
        `${admin.userId} sign_in ${admin.userId}`,
        `${lead.userId} sign_in ${lead.userId}`,
        `${nurse.userId} sign_in ${nurse.userId}`,
      ]);
      await expect(acts(stranger)).resolves.toEqual([`${stranger.userId} sign_in ${stranger.userId}`]);
      await expect(acts(stranger, `patientId=${north}`)).resolves.toEqual([]);
      await expect(acts(stranger, `actor=${nurse.userId}`)).resolves.toEqual([]);
    });

    it('shows people their own rows, with their name and that of the patient with the bed', async () => {
      const items = (await read(nurse)).items.filter(({ action }) => action !== 'read_audit');
      expect(items).toHaveLength(3);
      expect(items[0]).toMatchObject({
        actor: 'user',
        actorId: nurse.userId,
        actorName: expect.stringMatching(/^Robin Example\d+$/) as unknown,
      });
      expect(items.map(({ objectType, about }) => [objectType, about])).toEqual([
        ['patient', expect.stringMatching(/^Sample\d+ S\., 1$/)],
        ['patient', expect.stringMatching(/^Sample\d+ S\., 1$/)],
        ['user', items[0]?.actorName],
      ]);
      const stored = await test.store.db.selectFrom('audit').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain('Sample');
      await expect(acts(nurse, `actor=${lead.userId}`)).resolves.toEqual([]);
    });

    it('shows a ward lead their own rows and the patients of their units, of the site if they have none', async () => {
      const own = `${lead.userId} sign_in ${lead.userId}`;
      await expect(acts(lead)).resolves.toEqual([
        `${nurse.userId} read_patient ${south}`,
        `${nurse.userId} read_patient ${north}`,
        own,
      ]);
      await enterUnit(lead, 'North');
      await expect(acts(lead)).resolves.toEqual([`${nurse.userId} read_patient ${north}`, own]);
      await enterUnit(lead, null);
    });

    it('finds by person, action, patient and time', async () => {
      const at = test.now();
      await expect(acts(admin, `patientId=${north}`)).resolves.toEqual([`${nurse.userId} read_patient ${north}`]);
      await expect(acts(admin, `actor=${nurse.userId}&action=sign_in`)).resolves.toEqual([
        `${nurse.userId} sign_in ${nurse.userId}`,
      ]);
      await expect(acts(admin, `from=${toInstant(at)}`)).resolves.toEqual([`${nurse.userId} read_patient ${south}`]);
      await expect(acts(admin, `from=${toInstant(at - 1_000)}&to=${toInstant(at)}`)).resolves.toEqual([
        `${nurse.userId} read_patient ${north}`,
      ]);
      await expect(acts(admin, 'action=export_audit')).resolves.toEqual([]);
    });

    it('turns its pages without losing or repeating a row, also of one millisecond', async () => {
      const whole = await acts(admin);
      const paged: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const answer: AuditResponse = await read(admin, `pageSize=2${next === '' ? '' : `&before=${next}`}`);
        paged.push(...actsIn(answer));
        next = answer.next;
      }
      expect(paged).toEqual(whole);
      // Nothing follows a page that the last row fills.
      const last = await read(admin, `actor=${nurse.userId}&action=sign_in&pageSize=1`);
      expect([last.items.length, last.next]).toEqual([1, null]);
    });

    it('names whom it can be asked about: the site, or the reader alone', async () => {
      const people = async (caller: Caller) =>
        (await caller.call('GET', `${url}/people`)).json<{ items: { id: number }[] }>().items.map(({ id }) => id);
      expect((await people(admin)).toSorted()).toEqual([nurse.userId, lead.userId, admin.userId].toSorted());
      await expect(people(nurse)).resolves.toEqual([nurse.userId]);
      await expect(people(stranger)).resolves.toEqual([stranger.userId]);
    });

    describe('as a file', () => {
      it('is for administrators, is itself on record, and holds what the filter lets through', async () => {
        expect((await lead.call('GET', `${url}/export`)).statusCode).toBe(403);
        const answer = await admin.call('GET', `${url}/export?actor=${nurse.userId}`);
        expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
          200,
          'text/csv; charset=utf-8',
          'attachment; filename="audit-2026-05-01.csv"',
        ]);
        const lines = answer.body.trimEnd().split('\r\n');
        expect(lines[0]).toBe(
          '\uFEFFid,at,actor,actor_id,actor_name,action,object_type,object_id,outcome,details,session,ip,' +
            'request_id,hash',
        );
        const actions = lines.slice(1).map((line) => line.split(',')[5]);
        expect(actions.filter((action) => action !== 'read_audit')).toEqual([
          'read_patient',
          'read_patient',
          'sign_in',
        ]);
        const [row] = (await read(admin, 'action=export_audit')).items;
        expect(row).toMatchObject({ actorId: admin.userId, details: { filters: ['actor'] } });
      });

      it('runs no formula that is part of a name', async () => {
        const { db } = test.store;
        await db.updateTable('users').set({ fname: '=1+1' }).where('id', '=', nurse.userId).execute();
        const { body } = await admin.call('GET', `${url}/export?action=sign_in&actor=${nurse.userId}`);
        expect(body).toContain(",'=1+1 Example");
      });

      it('has every row of more than a page of the store', async () => {
        const { db } = test.store;
        const last = await db.selectFrom('audit_head').select('last_id').executeTakeFirstOrThrow();
        const numbers = Array.from({ length: 2_500 }, (_, index) => last.last_id + 1 + index);
        const rows = numbers.map((id) => ({
          id,
          at: 5,
          site_id: stranger.siteId,
          actor: 'system',
          action: 'set_up',
          outcome: 'done',
          hash: 'x',
        }));
        for (let start = 0; start < rows.length; start += 500) {
          await db
            .insertInto('audit')
            .values(rows.slice(start, start + 500))
            .execute();
        }
        await db
          .updateTable('audit_head')
          .set({ last_id: last.last_id + rows.length })
          .execute();
        const { body } = await stranger.call('GET', `${url}/export?action=set_up`);
        const ids = body
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => Number(line.split(',')[0]));
        expect(ids).toEqual(numbers.toReversed());
      });
    });

    it.each([
      ['of the site', {}, 'audit_by_site'],
      ['of a time', { from: '2026-04-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }, 'audit_by_site'],
      ['of an action', { action: 'set_up' as const }, 'audit_by_action'],
      ['of a person', { actor: 1 }, 'audit_by_actor'],
      ['of a patient', { patientId: 1 }, 'audit_by_object'],
    ])('reads a page %s by its key, in its order', async (_, filter, index) => {
      const behind = { at: 1, id: 1 };
      const session = test.server.sessions.find(admin.cookies.token, admin.cookies['token.sig']);
      if (session === null) {
        throw new Error('signed out');
      }
      const plan = await planOf(
        auditRows(test.store.db, auditReachOf(session, test.now()), filter, behind, 50).compile(),
      );
      expect(plan).toMatch(
        engine === 'sqlite'
          ? new RegExp(`SEARCH audit USING INDEX ${index} `)
          : new RegExp(`Scan Backward using ${index} on audit`),
      );
      expect(plan).not.toMatch(/SCAN audit|Seq Scan on audit|TEMP B-TREE/);
    });

    async function planOf({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<string> {
      if (test.store.engine === 'sqlite') {
        return test.store.sqlite
          .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
          .all(...parameters)
          .map(({ detail }) => detail)
          .join('\n');
      }
      const client = await test.store.pool.connect();
      await client.query(
        'BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off',
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, [...parameters]);
      await client.query('ROLLBACK');
      client.release();
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }
  });

  describe.each(engines)('a rejected call of a signed-in user on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    beforeEach(async () => {
      test = await sharedTestServer(engine);
      site = await test.addSite();
      nurse = await test.signIn(site, 'nurse');
    });

    const refusals = () =>
      test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'object_id', 'details'])
        .where('site_id', '=', site)
        .where('action', '=', 'refused_call')
        .orderBy('id')
        .execute();

    it('is on record once a session, route and minute, however many come at once', async () => {
      const flood = () =>
        Promise.all(Array.from({ length: 30 }, (_, index) => nurse.call('GET', `/api/v2/patients/${9_000 + index}`)));
      await flood();
      await flood();
      await expect(refusals()).resolves.toHaveLength(1);
      test.advance(60_000);
      await flood();
      await expect(refusals()).resolves.toHaveLength(2);
      await (await test.signIn(site, 'nurse')).call('GET', '/api/v2/patients/9000');
      await expect(refusals()).resolves.toHaveLength(3);
    });

    it('is still rejected if it cannot be recorded', async () => {
      const logged = test.logLines.length;
      await sql`ALTER TABLE audit RENAME TO audit_is_away`.execute(test.store.db);
      const answer = await nurse.call('GET', '/api/v2/patients/9000');
      await sql`ALTER TABLE audit_is_away RENAME TO audit`.execute(test.store.db);
      expect(answer.statusCode).toBe(404);
      expect(test.logLines.slice(logged).some(({ msg }) => msg === 'a rejected call could not be recorded')).toBe(true);
      await nurse.call('GET', '/api/v2/patients/9000');
      await expect(refusals()).resolves.toHaveLength(1);
    });

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it('is on record by route pattern: a missing permission, a row out of reach, a foreign origin', async () => {
      const other = await test.addPatient(await test.addSite('Other ward'));
      await nurse.call('GET', '/api/v2/audit/export');
      await nurse.call('GET', `/api/v2/patients/${other}/vitals`);
      await test.app.inject({
        method: 'POST',
        url: '/api/v2/patients/search',
        cookies: nurse.cookies,
        payload: { text: 'canary' },
      });
      const rows = await refusals();
      const of = (route: string, code: string) => ({
        actor_id: nurse.userId,
        object_id: null,
        details: JSON.stringify({ route, code }),
      });
      expect(rows).toEqual([
        of('GET /api/v2/audit/export', 'forbidden'),
        of('GET /api/v2/patients/:id/vitals', 'not_found'),
        of('POST /api/v2/patients/search', 'xsrf'),
      ]);
    });

    it('leaves no row without a session, for a bad request and for an address that does not exist', async () => {
      await test.app.inject('/api/v2/patients');
      await nurse.call('GET', '/api/v2/patients/x');
      await nurse.call('GET', '/api/v2/nothing');
      await expect(refusals()).resolves.toEqual([]);
    });
  });

  describe.each(engines)('a call about a row out of reach on %s', (engine) => {
    const missing = 999_999_999;
    let test: TestServer;
    let site: number;
    let otherSite: number;
    let nurse: Caller;
    let admin: Caller;
    let west: number;
    let foreign: number;
    beforeEach(async () => {
      test = await sharedTestServer(engine);
      [site, otherSite] = [await test.addSite(), await test.addSite('Other ward')];
      nurse = await test.signIn(site, 'nurse');
      admin = await test.signIn(site, 'administrator', true);
      await test.addUnit(site, 'East', [nurse.userId]);
      west = await test.addPatient(site, { familyName: 'Westerly', location: { unit: 'West', bed: 'W77' } });
      foreign = await test.addPatient(otherSite, { familyName: 'Farley', location: { unit: 'Far', bed: 'F88' } });
    });

    const read = async (caller: Caller, query = ''): Promise<AuditResponse['items']> =>
      (await caller.call('GET', `${url}?${query}`)).json<AuditResponse>().items;
    const fileOf = async (caller: Caller): Promise<string[][]> =>
      (await caller.call('GET', `${url}/export?action=refused_call`)).body
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(','));
    const countRows = async (): Promise<number> =>
      (await test.store.db.selectFrom('audit').select('id').execute()).length;
    /** Calls, and returns how many rows the audit has more. */
    const refuse = async (caller: Caller, path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET'): Promise<number> => {
      test.advance(60_000);
      const before = await countRows();
      const body = method === 'POST' ? {} : undefined;
      expect([403, 404]).toContain((await caller.call(method, path, body)).statusCode);
      return (await countRows()) - before;
    };
    const tried = (caller: Caller) => read(caller, 'action=refused_subject');

    it('is on record for the ward lead of the patient: with the name of a colleague, of no one else', async () => {
      const leads = [await test.signIn(site, 'ward_lead'), await test.signIn(otherSite, 'ward_lead')] as const;
      await test.addUnit(site, 'West', [leads[0].userId]);
      await test.addUnit(otherSite, 'Far', [leads[1].userId]);
      const officer = await test.signIn(otherSite, 'administrator', true);
      await refuse(nurse, `/api/v2/patients/${west}`);
      await refuse(nurse, `/api/v2/patients/${foreign}`);
      const row = { action: 'refused_subject', outcome: 'refused', details: { route: 'GET /api/v2/patients/:id' } };
      const ours = { ...row, actorId: nurse.userId, actorName: expect.stringContaining('Robin') as unknown };
      const about = { objectType: 'patient', objectId: west, about: 'Westerly S., W77' };
      await expect(tried(leads[0])).resolves.toMatchObject([{ ...ours, ...about }]);
      await expect(tried(admin)).resolves.toMatchObject([{ ...ours, ...about }]);
      const theirs = { ...row, actor: 'user', actorId: null, actorName: null, ip: null };
      for (const reader of [leads[1], officer]) {
        const rows = await tried(reader);
        expect(rows).toMatchObject([{ ...theirs, objectType: 'patient', objectId: foreign, about: 'Farley S., F88' }]);
        await expect(read(reader, `actor=${nurse.userId}`)).resolves.toEqual([]);
      }
      const file = (await officer.call('GET', `${url}/export?action=refused_subject`)).body;
      const session = nurse.cookies.token?.slice(0, 8) ?? '';
      expect(file.split('\r\n')[1]).toMatch(
        new RegExp(`^\\d+,[^,]+,user,,,refused_subject,patient,${foreign},refused,[^h]*GET[^h]*,,,,[0-9a-f]{64}$`),
      );
      expect(file).not.toContain(session);
      // The row says who it was, for those who keep the database.
      const stored = test.store.db.selectFrom('audit').select('actor_id').where('object_id', '=', foreign);
      await expect(stored.where('site_id', '=', otherSite).execute()).resolves.toEqual([{ actor_id: nurse.userId }]);
      await expect(verifyAudit(test.store.db, null)).resolves.toMatchObject({ fault: null });
    });

    it('is on record for the row’s site whatever it is about: an alert, a device, a user, a unit', async () => {
      const officer = await test.signIn(otherSite, 'administrator', true);
      const user = (await test.addUser(otherSite, 'nurse')).id;
      const unit = await test.addUnit(otherSite, 'Far');
      const { id: device } = await test.addDevice(otherSite);
      const alert = await test.addAlert(otherSite);
      const asked = [
        [nurse, 'GET', 'alerts/:id/events', 'alert', alert],
        [admin, 'POST', 'devices/:id/revoke', 'device', device],
        [nurse, 'GET', 'users/:id/picture', 'user', user],
        [admin, 'POST', 'admin/users/:id/reject', 'user', user],
        [nurse, 'DELETE', 'units/:id', 'unit', unit],
      ] as const;
      for (const [caller, method, path, , id] of asked) {
        const of = (row: number) => refuse(caller, `/api/v2/${path.replace(':id', String(row))}`, method);
        expect([path, await of(id)]).toEqual([path, await of(missing)]);
      }
      const rows = await tried(officer);
      expect(rows.map(({ objectType, objectId }) => [objectType, objectId])).toEqual(
        asked.toReversed().map(([, , , type, id]) => [type, id]),
      );
    });

    it('that an earlier release recorded names no one whom its reader may not see', async () => {
      const lead = await test.signIn(site, 'ward_lead');
      const colleague = await test.addUser(otherSite, 'nurse');
      const far = await test.addUnit(otherSite, 'Farthest');
      const { id: device } = await test.addDevice(otherSite, { name: 'Farmonitor' });
      const alert = await test.addAlert(otherSite);
      const actor: Actor = { ...system, actor: 'user', actorId: nurse.userId, siteId: site };
      for (const [objectType, objectId] of [
        ['patient', west],
        ['patient', foreign],
        ['patient', missing],
        ['alert', alert],
        ['user', colleague.id],
        ['unit', far],
        ['device', device],
      ] as const) {
        await audit(test.store.db, test.now(), actor, {
          action: 'refused_call',
          outcome: 'refused',
          ...{ objectType, objectId },
          details: { route: 'GET /api/v2/patients/:id', code: 'not_found', userId: colleague.id, unitId: far },
        });
      }
      const named = async (reader: Caller) =>
        (await read(reader, 'action=refused_call')).map(({ about, names }) => [about, names]);
      const nothing = Array.from({ length: 7 }, () => [null, {}]);
      await expect(named(nurse)).resolves.toEqual(nothing);
      const siteWide = [...nothing.slice(1), ['Westerly S., W77', {}]];
      await expect(named(admin)).resolves.toEqual(siteWide);
      await expect(named(lead)).resolves.toEqual([
        [null, {}],
        [null, {}],
        ['Westerly S., W77', {}],
      ]);
    });

    it('that an earlier release recorded is listed with those who may have read a name there', async () => {
      const lead = await test.signIn(site, 'ward_lead');
      const other = await test.signIn(site, 'nurse');
      const at = test.now();
      const actor: Actor = { ...system, actor: 'user', actorId: nurse.userId, siteId: site };
      const record = (action: 'refused_call' | 'read_audit', who: Caller, when: number, objectId?: number) =>
        audit(
          test.store.db,
          when,
          { ...actor, actorId: who.userId },
          {
            ...(objectId === undefined ? {} : { objectType: 'patient', objectId }),
            ...{ action, outcome: action === 'read_audit' ? 'done' : 'refused' },
          },
        );
      const second = await test.addPatient(otherSite);
      for (const id of [west, foreign, foreign, second, missing]) {
        await record('refused_call', nurse, at, id);
      }
      // One row of a view covers all that its reader sees within 15 minutes.
      await record('read_audit', nurse, at - 14 * 60_000);
      await record('read_audit', nurse, at + 60_000);
      await record('read_audit', admin, at - 16 * 60_000);
      await record('read_audit', lead, at + 120_000);
      await record('read_audit', other, at);
      const listed = async (until: number) =>
        (await listRefusalReaders(test.store.db, until)).filter(({ siteId }) => siteId === site);
      const row = (who: Caller) => ({ siteId: site, userId: who.userId, otherSites: 2 });
      await expect(listed(at + 120_001)).resolves.toMatchObject([
        { ...row(nurse), ownSite: 1, first: at - 14 * 60_000, last: at + 60_000 },
        { ...row(lead), ownSite: 0, first: at + 120_000, last: at + 120_000 },
      ]);
      await expect(listed(at + 120_000)).resolves.toMatchObject([row(nurse)]);
    });

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it('leaves the same with its caller for another unit’s, another site’s and a missing patient', async () => {
      const added: number[] = [];
      for (const id of [west, foreign, missing]) {
        added.push(await refuse(nurse, `/api/v2/patients/${id}`));
      }
      // No gap in the numbers of the caller's rows says whether there was something to write.
      expect(added).toEqual([2, 2, 2]);
      for (const reader of [nurse, admin]) {
        const rows = await read(reader, 'action=refused_call');
        expect(rows).toHaveLength(3);
        const [first, ...others] = rows.map(({ id: _, at: __, ...row }) => row);
        others.forEach((row) => expect(row).toEqual(first));
        expect(first).toMatchObject({ objectId: null, about: null, details: { code: 'not_found' } });
      }
      const lines = (await fileOf(admin)).map((cells) => cells.slice(2, 11));
      expect(lines).toHaveLength(3);
      lines.forEach((cells) => expect(cells).toEqual(lines[0]));
      expect(JSON.stringify(await read(nurse))).not.toMatch(/Westerly|W77|Farley|F88/);
      expect(JSON.stringify(await read(admin))).not.toMatch(/Farley|F88/);
      await expect(tried(nurse)).resolves.toEqual([]);
    });

    it('is on record also where the query or the body names the row', async () => {
      const officer = await test.signIn(otherSite, 'administrator', true);
      const unit = await test.addUnit(otherSite, 'Far');
      const lead = await test.signIn(site, 'ward_lead');
      const calls: [method: 'GET' | 'POST', path: string, body?: object][] = [
        ['POST', '/api/v2/patients/swap-beds', { patients: [foreign, missing].map((id) => ({ id, version: 1 })) }],
        ['POST', '/api/v2/alerts/take', { alerts: [{ id: await test.addAlert(otherSite), version: 1 }] }],
        ['POST', '/api/v2/reports', { ...newReport({ patientId: foreign, unitId: unit }), authorId: lead.userId }],
        ['GET', `/api/v2/assignments?unit=${unit}`],
      ];
      for (const [method, path, body] of calls) {
        test.advance(60_000);
        expect([path, (await lead.call(method, path, body)).statusCode]).toEqual([path, 404]);
      }
      const rows = (await tried(officer)).map(({ objectType, details }) => [details.route, objectType]);
      expect(rows.toReversed()).toEqual([
        ['POST /api/v2/patients/swap-beds', 'patient'],
        ['POST /api/v2/alerts/take', 'alert'],
        ['POST /api/v2/reports', 'unit'],
        ['POST /api/v2/reports', 'patient'],
        ['GET /api/v2/assignments', 'unit'],
      ]);
      const { rows: all } = await sql<{ site_id: number | null }>`SELECT site_id FROM audit
        WHERE action = 'refused_subject' AND actor_id = ${lead.userId} ORDER BY id`.execute(test.store.db);
      const [first, ...others] = rows.map(() => otherSite);
      expect(all.map(({ site_id }) => site_id)).toEqual([first, null, ...others]);
    });

    it('is on record once a session, patient and minute, for each of several, and for sixty at most', async () => {
      const officer = await test.signIn(otherSite, 'administrator', true);
      const second = await test.addPatient(otherSite);
      for (const id of [foreign, second, foreign, second]) {
        await nurse.call('GET', `/api/v2/patients/${id}`);
        await nurse.call('GET', `/api/v2/patients/${id}/vitals`);
      }
      expect((await tried(officer)).map(({ objectId }) => objectId)).toEqual([second, foreign]);
      test.advance(60_000);
      const before = await countRows();
      await Promise.all(Array.from({ length: 90 }, (_, index) => nurse.call('GET', `/api/v2/patients/${8e8 + index}`)));
      expect((await countRows()) - before).toBe(61);
    });

    it('names a patient in own rows as long as they are within reach', async () => {
      const east = await test.addPatient(site, { familyName: 'Easterly', location: { unit: 'East', bed: '1' } });
      await nurse.call('GET', `/api/v2/patients/${east}`);
      const seen = async () => (await read(nurse, `patientId=${east}`)).map(({ about }) => about);
      await expect(seen()).resolves.toEqual(['Easterly S., 1']);
      await test.store.db
        .updateTable('patients')
        .set({ unit_id: await test.addUnit(site, 'West') })
        .where('id', '=', east)
        .execute();
      await expect(seen()).resolves.toEqual([null]);
    });
  });

  describe.each(apiEngines)('a look at the audit on %s', (engine) => {
    it('has a row for each filter, none for a poll, a page turn or a refusal', async () => {
      const test = await sharedTestServer(engine);
      const site = await test.addSite();
      const reader = await test.signIn(site, 'administrator', true);
      const read = async (query: string): Promise<AuditResponse> =>
        (await reader.call('GET', `${url}?${query}`)).json<AuditResponse>();
      const looks = async () =>
        (
          await test.store.db
            .selectFrom('audit')
            .select('details')
            .where('site_id', '=', site)
            .where('action', '=', 'read_audit')
            .execute()
        ).map(({ details }) => details);
      const unfiltered = '{"filters":[]}';
      const { next } = await read('pageSize=1');
      await expect(looks()).resolves.toEqual([unfiltered]);
      await read(`pageSize=1&before=${next ?? '1-1'}`);
      for (let poll = 0; poll < 5; poll += 1) {
        await read('');
      }
      expect((await reader.call('GET', `${url}?actor=0`)).statusCode).toBe(400);
      await expect(looks()).resolves.toEqual([unfiltered]);
      await read('patientId=7');
      await expect(looks()).resolves.toEqual([unfiltered, '{"filters":["patientId"]}']);
    });
  });

  describe.each(apiEngines)('a poll on %s', (engine) => {
    it('writes nothing once its view is on record', async () => {
      const test = await sharedTestServer(engine);
      const nurse = await test.signIn(await test.addSite(), 'nurse');
      await nurse.call('GET', '/api/v2/patients');
      const changes = async (): Promise<unknown> =>
        test.store.engine === 'sqlite'
          ? test.store.sqlite.prepare('SELECT total_changes() AS n').get()
          : (await test.store.pool.query('SELECT pg_current_wal_insert_lsn() AS n, last_id FROM audit_head')).rows.map(
              (row: { last_id: number }) => row.last_id,
            );
      const before = await changes();
      for (let poll = 0; poll < 10; poll += 1) {
        expect((await nurse.call('GET', '/api/v2/patients')).json<{ items: Patient[] }>().items).toEqual([]);
      }
      await expect(changes()).resolves.toEqual(before);
    });
  });
});

describe('the log of searches', () => {
  let now: number;
  let written: SearchDetails[];
  let actors: Actor[];
  let isBroken: boolean;
  let log: ReturnType<typeof createSearchLog>;
  beforeEach(() => {
    [now, written, actors, isBroken] = [0, [], [], false];
    log = createSearchLog(
      () => now,
      async (actor, details) => {
        await Promise.resolve();
        if (isBroken) {
          throw new Error('The audit cannot be written');
        }
        written.push(details);
        actors.push(actor);
      },
    );
  });

  const search = (patientIds: number[], isOpened = false) =>
    log.note(`nurse ${String(isOpened)}`, system, { filters: ['text'], patientIds, isOpened });
  const row = (searches: number, ...patientIds: number[]) => ({
    searches,
    count: patientIds.length,
    filters: ['text'],
    patientIds,
  });

  it('lets no search through whose row cannot be written, and counts it with the next', async () => {
    isBroken = true;
    await expect(search([1])).rejects.toThrow('The audit');
    await expect(search([2])).rejects.toThrow('The audit');
    isBroken = false;
    await search([3]);
    expect(written).toEqual([row(3, 1, 2, 3)]);
  });

  it('refuses searches a minute after a row that could not be written, not before', async () => {
    await search([1]);
    isBroken = true;
    expect(search([2])).toBeNull();
    now = 60_000;
    await expect(log.flush()).rejects.toThrow('The audit');
    await expect(search([3])).rejects.toThrow('The audit');
    isBroken = false;
    await log.flush();
    expect(written).toEqual([row(1, 1), row(2, 2, 3)]);
  });

  it('answers no search of a minute before the row of its first is written', async () => {
    const [first, second] = [search([1]), search([2])];
    expect(second).toBe(first);
    await first;
    expect(search([3])).toBeNull();
    await log.flush(true);
    expect(written).toEqual([row(1, 1), row(2, 2, 3)]);
  });

  it('writes nothing for a session that has stopped searching', async () => {
    await search([1]);
    now = 60_000;
    await log.flush();
    await log.flush(true);
    expect(written).toEqual([row(1, 1)]);
  });

  it('keeps nothing of a session that has stopped searching', async () => {
    await search([1]);
    now = 60_000;
    await log.flush();
    const elsewhere = { ...system, ip: '192.0.2.7' };
    await log.note('nurse false', elsewhere, { filters: [], patientIds: [], isOpened: false });
    expect(actors).toEqual([system, elsewhere]);
  });

  it('keeps fifty ids and the number of all', async () => {
    const ids = Array.from({ length: 60 }, (_, place) => place + 1);
    await search(ids);
    expect(written).toEqual([{ ...row(1, ...ids.slice(0, 50)), count: 60 }]);
  });

  it('marks searches under an emergency access, which have a row of their own', async () => {
    await search([1]);
    await search([2], true);
    expect(written).toEqual([row(1, 1), { ...row(1, 2), breakGlass: true }]);
  });
});

describe('verify', () => {
  const rowCount = 40;
  const beganAt = Date.UTC(2026, 4, 1, 10);
  /** What undoes a tampering in a test, whatever became of it. */
  class Undo extends Error {}

  /** Numbers that look random and are the same in every run (Lehmer's generator). */
  function dice(seed: number): (sides: number) => number {
    let state = seed;
    return (sides) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % sides;
    };
  }

  describe.each(engines)('the chain of the audit on %s', (engine) => {
    let database: TestDatabase;
    let store: Store;
    let exported: string;
    beforeAll(async () => {
      database = await createTestDatabase(engine, true);
      store = await openStore(database);
      for (let row = 1; row <= rowCount; row += 1) {
        await audit(
          store.db,
          beganAt + row,
          { ...system, siteId: 1, actorId: row, session: `s${row}`, ip: '127.0.0.1', requestId: `r${row}` },
          { action: 'read_patient', outcome: 'done', objectType: 'patient', objectId: row, details: { count: row } },
        );
      }
      exported = (await readHead(store.db)).hash;
    });
    afterAll(async () => {
      await store.close();
      await database.remove();
    });

    const rowsOf = (db: Kysely<Database>) => db.selectFrom('audit').selectAll().orderBy('id').execute();

    /** Changes the audit as only the database's owner can, verifies it, and undoes the change. */
    async function tampered(tamper: (db: Kysely<Database>) => Promise<void>, head: string | null = exported) {
      let found: Awaited<ReturnType<typeof verifyAudit>> | undefined;
      const tampering = store.db.transaction().execute(async (db) => {
        const triggers =
          engine === 'sqlite' ? ['audit_keeps_rows', 'audit_keeps_words', 'audit_keeps_places'] : ['audit_keeps_rows'];
        for (const name of triggers) {
          await sql.raw(`DROP TRIGGER ${name} ${engine === 'sqlite' ? '' : 'ON audit'}`).execute(db);
        }
        await tamper(db);
        found = await verifyAudit(db, head);
        throw new Undo();
      });
      await expect(tampering).rejects.toThrow(Undo);
      return found?.fault ?? null;
    }

    const put = async (db: Kysely<Database>, rows: AuditRow[]): Promise<void> => {
      await db.deleteFrom('audit').execute();
      if (rows.length > 0) {
        await db.insertInto('audit').values(rows).execute();
      }
    };
    const setHead = async (db: Kysely<Database>, last: AuditRow | undefined): Promise<void> => {
      await db
        .updateTable('audit_head')
        .set({ last_id: last?.id ?? 0, hash: last?.hash ?? '' })
        .execute();
    };
    const chained = (rows: AuditRow[]): AuditRow[] => {
      let previous = '';
      return rows.map((row, index) => {
        const renumbered = { ...row, id: index + 1 };
        previous = chainHash(previous, renumbered);
        return { ...renumbered, hash: previous };
      });
    };

    it('is whole as it was written, with an exported head and without', async () => {
      for (const head of [null, exported, (await rowsOf(store.db))[7]?.hash ?? '']) {
        await expect(verifyAudit(store.db, head)).resolves.toEqual({
          head: { id: rowCount, hash: exported },
          fault: null,
        });
      }
    });

    it('is whole before anything was written', async () => {
      const other = await createTestDatabase(engine, true);
      const empty = await openStore(other);
      await expect(verifyAudit(empty.db, null)).resolves.toEqual({ head: { id: 0, hash: '' }, fault: null });
      await empty.close();
      await other.remove();
    });

    const kinds = ['edit', 'delete', 'insert', 'swap', 'cut off', 'rewrite'] as const;
    const roll = dice(20_260_501);
    const cases = Array.from({ length: 50 }, (_, index) => ({
      kind: kinds[index % kinds.length] ?? 'edit',
      at: roll(rowCount - 1),
      by: roll(1_000),
    }));

    interface Tampering {
      rows: AuditRow[];
      /** Whether the head in the database is made to fit. */
      fits: boolean;
      fault: { row: number | null; why: unknown };
    }

    function tamperingOf({ kind, at, by }: (typeof cases)[number], rows: AuditRow[]): Tampering {
      const row = rows[at];
      const other = rows[at + 1 + (by % (rowCount - at - 1))];
      if (row === undefined || other === undefined) {
        throw new Error('no such row');
      }
      const forged: AuditRow = { ...row, actor_id: 7_000 + by };
      const changed = { row: row.id, why: 'is not what was written' };
      const gone = { row: null, why: expect.stringContaining('exported head') as unknown };
      switch (kind) {
        case 'edit': {
          const columns = [
            'at',
            'site_id',
            'actor_id',
            'object_id',
            'session',
            'ip',
            'request_id',
            'action',
            'outcome',
            'details',
            'hash',
          ] as const;
          const column = columns[by % columns.length] ?? 'at';
          const edited = { ...row, [column]: typeof row[column] === 'number' ? 9_999 : `x${String(row[column])}` };
          return { rows: rows.with(at, edited), fits: false, fault: changed };
        }
        case 'delete':
          return { rows: rows.toSpliced(at, 1), fits: false, fault: { row: row.id, why: 'is missing' } };
        case 'insert': {
          const later = rows.slice(at).map((each) => ({ ...each, id: each.id + 1 }));
          return { rows: [...rows.slice(0, at), forged, ...later], fits: true, fault: changed };
        }
        case 'swap': {
          const swapped = rows.with(at, { ...other, id: row.id }).with(rows.indexOf(other), { ...row, id: other.id });
          return { rows: swapped, fits: false, fault: changed };
        }
        case 'cut off':
          return { rows: rows.slice(0, at), fits: true, fault: gone };
        case 'rewrite':
          return { rows: chained(rows.with(at, forged)), fits: true, fault: gone };
        default:
          return kind satisfies never;
      }
    }

    it.each(cases)('shows a tampering: $kind at $at ($by)', async (each) => {
      const { rows, fits, fault } = tamperingOf(each, await rowsOf(store.db));
      const found = tampered(async (db) => {
        await put(db, rows);
        if (fits) {
          await setHead(db, rows.at(-1));
        }
      });
      await expect(found).resolves.toEqual(fault);
    });

    it('shows rows that were added before the first one or behind the last one', async () => {
      const rows = await rowsOf(store.db);
      const [first] = rows;
      if (first === undefined) {
        throw new Error('no row');
      }
      await expect(tampered((db) => put(db, [{ ...first, id: 0 }, ...rows]), null)).resolves.toEqual({
        row: 0,
        why: 'is not what was written',
      });
      const longer = chained([...rows, first]);
      await expect(tampered((db) => put(db, longer), null)).resolves.toEqual({
        row: rowCount + 1,
        why: 'was not written by Wardlight',
      });
    });

    it('shows a cut-off end also without an exported head, unless the head in the database was changed', async () => {
      const rows = await rowsOf(store.db);
      await expect(tampered((db) => put(db, rows.slice(0, -1)), null)).resolves.toEqual({
        row: rowCount,
        why: 'is missing',
      });
      await expect(tampered((db) => put(db, []), null)).resolves.toEqual({ row: 1, why: 'is missing' });
    });
  });

  describe.each(engines)('concurrent actions on %s', (engine) => {
    it('make one chain without a fork or a gap, and a failed action leaves none', async () => {
      const database = await createTestDatabase(engine, true);
      const { db, close } = await openStore(database);
      const act = (index: number) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('progress')
            .values({ name: `act ${index}`, value: index })
            .execute();
          await audit(transaction, beganAt, system, {
            action: 'read_patient',
            outcome: 'done',
            objectType: 'patient',
            objectId: index,
          });
          if (index % 5 === 0) {
            throw new Error('the act failed');
          }
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, index) => act(index)));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(12);
      const { head, fault } = await verifyAudit(db, null);
      expect([head.id, fault]).toEqual([48, null]);
      await expect(
        db.selectFrom('progress').select('name').where('name', 'like', 'act %').execute(),
      ).resolves.toHaveLength(48);
      await close();
      await database.remove();
    });
  });
});

describe.each(engines)('the audit on %s', (engine) => {
  const sam = { mrn: 'MRN-1', givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patientId: number;

  beforeEach(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    patientId = await test.addPatient(site, { mrn: 'MRN-0', familyName: 'Canarius' });
  });

  const rows = () => test.store.db.selectFrom('audit').where('site_id', '=', site).selectAll().orderBy('id').execute();
  const viewed = async (): Promise<string[]> =>
    (await rows()).map(({ action }) => action).filter((action) => /read|list|search/.test(action));

  const statements: [string, RawBuilder<unknown>][] = [
    ['changed', sql`UPDATE audit SET outcome = 'done', actor_id = 1`],
    ['changed, one by one', sql`UPDATE audit SET ip = NULL WHERE id = 1`],
    ['deleted', sql`DELETE FROM audit`],
    [
      'changed by an insert',
      sql`INSERT INTO audit (id, at, actor, action, outcome, hash) VALUES (1, 0, 'x', 'x', 'x', 'x')
        ON CONFLICT (id) DO UPDATE SET at = 0`,
    ],
    engine === 'sqlite'
      ? ['replaced', sql`REPLACE INTO audit (id, at, actor, action, outcome, hash) VALUES (1, 0, 'x', 'x', 'x', 'x')`]
      : ['emptied', sql`TRUNCATE audit`],
  ];

  it.each(statements)('cannot be %s', async (_, statement) => {
    const before = await rows();
    expect(before).toHaveLength(1);
    await expect(statement.execute(test.store.db)).rejects.toThrow('the audit is append-only');
    await expect(rows()).resolves.toEqual(before);
  });

  describe('that cannot be written', () => {
    beforeEach(() => sql`ALTER TABLE audit RENAME TO audit_is_away`.execute(test.store.db));
    afterEach(() => sql`ALTER TABLE audit_is_away RENAME TO audit`.execute(test.store.db));

    const everything = async (): Promise<string> => {
      const { db } = test.store;
      const tables = [
        db.selectFrom('patients').selectAll(),
        db.selectFrom('sessions').selectAll(),
        db.selectFrom('devices').selectAll(),
      ];
      const stored = await Promise.all(tables.map((table) => table.execute()));
      return JSON.stringify([
        ...stored,
        [...test.server.liveState.patients.values()],
        test.server.liveState.version(site),
      ]);
    };

    it('keeps patients from being added, changed or viewed', async () => {
      const before = await everything();
      const answers = [
        await nurse.call('POST', url, sam),
        await nurse.call('PATCH', `${url}/${patientId}`, { version: 1, familyName: 'Changed' }),
        await nurse.call('GET', url),
        await nurse.call('POST', `${url}/search`, { text: 'c' }),
        await nurse.call('GET', `${url}/${patientId}`),
        await nurse.call('GET', `${url}/${patientId}/vitals`),
        await nurse.call('GET', `${url}/sparks?ids=${patientId}`),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500, 500, 500, 500]);
      expect(answers.map(({ body }) => body).join()).not.toContain('Canarius');
      await expect(everything()).resolves.toBe(before);
    });

    it('keeps devices from being added and people from signing in', async () => {
      const before = await everything();
      const device = { siteId: site, name: 'gateway', expectedEveryMs: null, expiresAt: null };
      await expect(addDevice(test.store.db, test.now(), system, device)).rejects.toThrow('audit');
      const { email, password } = await test.addUser(site, 'nurse');
      const answer = await test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: { email, password },
      });
      expect([answer.statusCode, answer.cookies]).toEqual([500, []]);
      await expect(everything()).resolves.toBe(before);
    });

    it('keeps a session alive that was to end, so that it can be ended again', async () => {
      expect((await nurse.call('POST', '/api/v2/auth/sign-out')).statusCode).toBe(500);
      expect((await nurse.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(200);
    });
  });

  it('keeps the numbers of fifty patients of a longer list', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 51; count += 1) {
      ids.push(await test.addPatient(site));
    }
    await nurse.call('GET', `${url}/sparks?ids=${ids.join()}`);
    expect(JSON.parse((await rows()).at(-1)?.details ?? '')).toEqual({ count: 51, patientIds: ids.slice(0, 50) });
  });

  it('says who did what to whom and from where, in kinds and counts, without a name or a value', async () => {
    const physician = await test.signIn(site, 'physician');
    await physician.call('PATCH', `${url}/${patientId}`, {
      version: 1,
      familyName: 'Canaretta',
      location: { unit: 'Canary unit', bed: '7' },
    });
    const unit = test.server.liveState.unitByName(site, 'Canary unit')?.id ?? 0;
    await physician.call('GET', `${url}?unit=${unit}&state=active`);
    await physician.call('GET', `${url}?mine=true&state=active`);
    await physician.call('POST', `${url}/search`, { text: 'canar' });
    const all = await rows();
    const who = {
      actor: 'user',
      actor_id: physician.userId,
      site_id: site,
      ip: '127.0.0.1',
      at: test.now(),
      outcome: 'done',
    };
    expect(all.slice(-4)).toMatchObject([
      {
        ...who,
        action: 'change_patient',
        object_type: 'patient',
        object_id: patientId,
        details: '{"fields":["familyName","location"]}',
      },
      {
        ...who,
        action: 'list_patients',
        object_type: null,
        object_id: null,
        details: JSON.stringify({ count: 1, filters: ['active', 'unit'], patientIds: [patientId] }),
      },
      { action: 'list_patients', details: JSON.stringify({ count: 0, filters: ['active', 'mine'], patientIds: [] }) },
      {
        ...who,
        action: 'search_patients',
        object_type: null,
        object_id: null,
        details: JSON.stringify({ searches: 1, count: 1, filters: ['text', 'active'], patientIds: [patientId] }),
      },
    ]);
    expect(JSON.stringify(all)).not.toMatch(/canar/i);
    expect(JSON.stringify(all)).not.toContain(physician.cookies['token.sig']);
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it('has a view once and again after 15 minutes, not once a poll', async () => {
    for (let poll = 0; poll < 3; poll += 1) {
      await nurse.call('GET', url);
      await nurse.call('GET', `${url}/${patientId}`);
      await nurse.call('GET', `${url}/${patientId}/vitals?points=100`);
    }
    const once = ['list_patients', 'read_patient', 'read_vitals'];
    await expect(viewed()).resolves.toEqual(once);
    test.advance(15 * 60_000 - 1);
    await nurse.call('POST', '/api/v2/auth/activity');
    await nurse.call('GET', url);
    await expect(viewed()).resolves.toEqual(once);
    test.advance(1);
    await nurse.call('GET', url);
    await expect(viewed()).resolves.toEqual([...once, 'list_patients']);
  });

  it('has every other view: another user, patient or page, and the same after a new sign-in', async () => {
    const other = await test.addPatient(site);
    const colleague = await test.signIn(site, 'nurse');
    for (const look of [url, `${url}?page=2`, `${url}?unit=1`, `${url}/${patientId}`, `${url}/${other}`]) {
      await nurse.call('GET', look);
      await colleague.call('GET', look);
    }
    await expect(viewed()).resolves.toHaveLength(10);
  });

  it('has a view of spark lines once and again after 15 minutes, and new patients in it at once', async () => {
    const others = [await test.addPatient(site), await test.addPatient(site)];
    const look = async (...ids: number[]): Promise<(string | null)[]> => {
      expect((await nurse.call('GET', `${url}/sparks?ids=${ids.join()}`)).statusCode).toBe(200);
      return (await rows()).filter(({ action }) => action === 'read_sparks').map(({ details }) => details);
    };
    const both = JSON.stringify({ count: 2, patientIds: others });
    const joined = JSON.stringify({ count: 3, patientIds: [patientId, ...others] });
    await expect(look(...others)).resolves.toEqual([both]);
    await expect(look(...others)).resolves.toHaveLength(1);
    await expect(look(patientId, ...others)).resolves.toEqual([both, '{"count":1}']);
    await expect(look(...others)).resolves.toHaveLength(2);
    test.advance(15 * 60_000 - 1);
    await nurse.call('POST', '/api/v2/auth/activity');
    test.advance(1);
    await expect(look(patientId, ...others)).resolves.toEqual([both, '{"count":1}', joined]);
    // A row is about a patient who is the only new one.
    const about = (await rows()).filter(({ action }) => action === 'read_sparks').map(({ object_id }) => object_id);
    expect(about).toEqual([null, patientId, null]);
  });

  it('has the searches of a session once a minute, with their number and whom they showed', async () => {
    const other = await test.addPatient(site, { familyName: 'Bergman' });
    const search = (text: string) => nurse.call('POST', `${url}/search`, { text });
    const searched = async () =>
      (await rows())
        .filter(({ action }) => action === 'search_patients')
        .map(({ details }) => JSON.parse(details ?? '') as unknown);
    const row = (searches: number, ...patientIds: number[]) => ({
      searches,
      count: patientIds.length,
      filters: ['text', 'active'],
      patientIds,
    });
    for (const text of ['c', 'ca', 'can', 'b', 'be']) {
      await search(text);
      await search(text);
    }
    await expect(searched()).resolves.toEqual([row(1, patientId)]);
    test.advance(59_999);
    await test.server.flushSearches();
    await expect(searched()).resolves.toHaveLength(1);
    test.advance(1);
    await test.server.flushSearches();
    await expect(searched()).resolves.toEqual([row(1, patientId), row(4, patientId, other)]);
    await search('berg');
    await test.restart();
    await expect(searched()).resolves.toEqual([row(1, patientId), row(4, patientId, other), row(1, other)]);
  });

  it('names the patient of a look at their alerts, even if there are none, and at their last hour alone', async () => {
    for (let poll = 0; poll < 2; poll += 1) {
      await nurse.call('GET', `/api/v2/alerts?patientId=${patientId}`);
      await nurse.call('GET', `${url}/sparks?ids=${patientId}`);
    }
    const views = (await rows()).filter(({ actor_id, action }) => actor_id === nurse.userId && action !== 'sign_in');
    expect(views.map(({ action, object_type, object_id }) => [action, object_type, object_id])).toEqual([
      ['read_alerts', 'patient', patientId],
      ['read_sparks', 'patient', patientId],
    ]);
  });

  it('refuses a session that opens more views in a minute than a person can, and no other', async () => {
    const statuses: number[] = [];
    for (let page = 1; page <= 601; page += 1) {
      statuses.push((await nurse.call('GET', `${url}?page=${page}`)).statusCode);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(600);
    const refused = await nurse.call('GET', `${url}?page=999`);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await nurse.call('GET', url)).statusCode).toBe(200);
    expect((await (await test.signIn(site, 'nurse')).call('GET', `${url}?page=999`)).statusCode).toBe(200);
    test.advance(60_000);
    expect((await nurse.call('GET', `${url}?page=999`)).statusCode).toBe(200);
  });

  it('has no view of what was refused', async () => {
    await nurse.call('GET', `${url}/999999`);
    await nurse.call('GET', `${url}/999999/vitals`);
    await nurse.call('GET', `${url}?page=0`);
    await nurse.call('GET', `${url}/sparks?ids=999999`);
    await nurse.call('GET', `${url}/sparks?ids=0`);
    await (await test.signIn(site, 'administrator')).call('GET', url);
    await expect(viewed()).resolves.toEqual([]);
  });
});

describe('createViewLog', () => {
  it('of more than 50,000 views forgets the one that was written longest ago, and writes it again', async () => {
    let now = 0;
    const log = createViewLog(() => now);
    const written: number[] = [];
    const look = (patientId: number): Promise<void> | null =>
      log('a session', { action: 'read_patient', patientId }, () => {
        written.push(patientId);
        return Promise.resolve();
      });
    const lookAtAll = async (first: number, last: number): Promise<void> => {
      for (let patientId = first; patientId <= last; patientId += 1) {
        await look(patientId);
      }
    };
    await look(1);
    now = 14 * 60_000;
    await lookAtAll(2, 50_000);
    now = 15 * 60_000;
    await look(1);
    await look(50_001);
    written.length = 0;
    await lookAtAll(1, 2);
    await look(50_001);
    expect(written).toEqual([2]);
  });
});

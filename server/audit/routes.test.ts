import { sql } from 'kysely';
import type { AuditResponse } from '../../lib/audit/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines, engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { auditReachOf, auditRows } from './queries';

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

  it('shows a ward lead their own rows and the patients of their units, or of the site if they have none', async () => {
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
        '\uFEFFid,at,actor,actor_id,actor_name,action,object_type,object_id,outcome,details,session,ip,request_id,hash',
      );
      const actions = lines.slice(1).map((line) => line.split(',')[5]);
      expect(actions.filter((action) => action !== 'read_audit')).toEqual(['read_patient', 'read_patient', 'sign_in']);
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
    const { user } = test.server.sessions.find(admin.cookies.token, admin.cookies['token.sig']) ?? {};
    if (user === undefined) {
      throw new Error('signed out');
    }
    const plan = await planOf(auditRows(test.store.db, auditReachOf(user), filter, behind, 50).compile());
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
    const of = (route: string, code: string, object_id: number | null = null) => ({
      actor_id: nurse.userId,
      object_id,
      details: JSON.stringify({ route, code }),
    });
    expect(rows).toEqual([
      of('GET /api/v2/audit/export', 'forbidden'),
      of('GET /api/v2/patients/:id/vitals', 'not_found', other),
      of('POST /api/v2/patients/search', 'xsrf'),
    ]);
  });

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

  it('leaves no row without a session, for a bad request and for an address that does not exist', async () => {
    await test.app.inject('/api/v2/patients');
    await nurse.call('GET', '/api/v2/patients/x');
    await nurse.call('GET', '/api/v2/nothing');
    await expect(refusals()).resolves.toEqual([]);
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

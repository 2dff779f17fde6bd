import { sql, type RawBuilder } from 'kysely';
import { engines } from '../test/database';
import { restartableTestServer } from '../test/sharedServer';
import type { Caller, TestServer } from '../test/testServer';
import { system } from './audit/actor';
import { addDevice } from './devices/commands';

const url = '/api/v2/patients';
const sam = { mrn: 'MRN-1', givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };

describe.each(engines)('the audit on %s', (engine) => {
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

  it('keeps the numbers of fifty patients of a longer list', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 51; count += 1) {
      ids.push(await test.addPatient(site));
    }
    await nurse.call('GET', `${url}/sparks?ids=${ids.join()}`);
    expect(JSON.parse((await rows()).at(-1)?.details ?? '')).toEqual({ count: 51, patientIds: ids.slice(0, 50) });
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

  it('says who did what to whom and from where, in kinds and counts, without a name or a value', async () => {
    const physician = await test.signIn(site, 'physician');
    await physician.call('PATCH', `${url}/${patientId}`, {
      version: 1,
      familyName: 'Canaretta',
      location: { unit: 'Canary unit', bed: '7' },
    });
    const unit = test.server.liveState.unitByName(site, 'Canary unit')?.id ?? 0;
    await physician.call('GET', `${url}?unit=${unit}&state=active`);
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
    expect(all.slice(-3)).toMatchObject([
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
});

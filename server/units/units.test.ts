import { setImmediate } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import { engines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { Unit } from '../../lib/units/schema';

const url = '/api/v2/units';
const patients = '/api/v2/patients';
const sam = { givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };
const inUnit = (unit: string) => ({ unit, bed: '1' });
interface Refused {
  error: { code: string; id?: number; fields?: Record<string, string> };
}

describe.each(engines)('a unit on %s', (engine) => {
  let test: TestServer;
  let admin: Caller;
  let physician: Caller;
  let site: number;
  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    admin = await test.signIn(site, 'administrator', true);
    physician = await test.signIn(site, 'physician');
  });

  const list = async (who: Caller): Promise<Unit[]> => (await who.call('GET', url)).json<{ items: Unit[] }>().items;
  const named = async (name: string): Promise<Unit | undefined> =>
    (await list(admin)).find((unit) => unit.name === name);
  const refusal = async (call: ReturnType<Caller['call']>): Promise<[number, string]> => {
    const answer = await call;
    return [answer.statusCode, answer.statusCode < 400 ? 'done' : answer.json<Refused>().error.code];
  };

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'ICU', siteId: 2 }, 'siteId'],
  ])('is not made of %j, and the answer names %s', async (body, field) => {
    const answer = await admin.call('POST', url, body);
    expect([answer.statusCode, Object.keys(answer.json<Refused>().error.fields ?? {})]).toEqual([422, [field]]);
    await expect(list(admin)).resolves.toEqual([]);
  });

  it('is made once, in whatever letters its name is written', async () => {
    const made = await admin.call('POST', url, { name: ' Intensive Care ' });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      { id: expect.any(Number) as number, name: 'Intensive Care', patients: 0, people: 0, isOpen: false },
    ]);
    const again = await admin.call('POST', url, { name: 'intensive CARE' });
    expect([again.statusCode, again.json<Refused>().error]).toMatchObject([
      409,
      { code: 'unit_exists', id: made.json<Unit>().id },
    ]);
    await expect(
      refusal(admin.call('PATCH', `${url}/${await test.addUnit(site, 'Other')}`, { name: 'INTENSIVE care' })),
    ).resolves.toEqual([409, 'unit_exists']);
  });

  it('is made once by several who do it at the same moment', async () => {
    const answers = await Promise.all(
      ['East', 'EAST', 'east', 'East'].map((name) => admin.call('POST', url, { name })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
    await expect(list(admin)).resolves.toHaveLength(1);
  });

  it('is made with the first patient in it, and the next patient comes into the same one', async () => {
    const answers = await Promise.all(
      ['Medical 4', 'MEDICAL 4', 'medical 4'].map((unit, index) =>
        physician.call('POST', patients, {
          ...{ ...sam, familyName: `Sample${index}` },
          ...{ mrn: `M${index}-${site}`, location: { unit, bed: String(index) } },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    const units = await list(admin);
    expect(units).toMatchObject([{ patients: 3, people: 0 }]);
    expect(new Set(answers.map((answer) => answer.json<Patient>().location?.unit))).toEqual(new Set([units[0]?.name]));
  });

  it('is made by a move, and not by one that is refused', async () => {
    const id = await test.addPatient(site);
    await physician.call('PATCH', `${patients}/${id}`, { version: 7, location: inUnit('Nowhere') });
    await expect(list(admin)).resolves.toEqual([]);
    await physician.call('PATCH', `${patients}/${id}`, { version: 1, location: inUnit('Here') });
    await expect(list(admin)).resolves.toMatchObject([{ name: 'Here', patients: 1 }]);
  });

  it('keeps its patients and its people under a new name', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const id = await test.addUnit(site, 'Old', [nurse.userId]);
    const patient = await test.addPatient(site, { location: inUnit('Old') });
    const renamed = await admin.call('PATCH', `${url}/${id}`, { name: 'New' });
    expect(renamed.json()).toMatchObject({ id, name: 'New', patients: 1, people: 1 });
    const seen = await nurse.call('GET', `${patients}/${patient}`);
    expect([seen.statusCode, seen.json<Patient>().location?.unit]).toEqual([200, 'New']);
    expect((await nurse.call('GET', '/api/user/getCurrentUser')).json()).toMatchObject({
      units: [{ id, name: 'New' }],
    });
    // A form that was opened before must not bring the old name back.
    const late = await physician.call('PATCH', `${patients}/${patient}`, { version: 1, location: inUnit('Old') });
    expect([late.statusCode, late.json<Refused>().error.code]).toEqual([409, 'changed_meanwhile']);
    await expect(list(admin)).resolves.toHaveLength(1);
  });

  it.each([
    ['twice', ['Second', 'Third']],
    ['twice, the second time to its own name', ['Second', 'Second']],
  ])('that was renamed %s does not get a name back from a form that was opened before', async (_, names) => {
    const nurse = await test.signIn(site, 'nurse');
    const id = await test.addUnit(site, 'First', [nurse.userId]);
    const patient = await test.addPatient(site, { location: inUnit('First') });
    for (const name of names) {
      await admin.call('PATCH', `${url}/${id}`, { name });
    }
    const late = physician.call('PATCH', `${patients}/${patient}`, { version: 1, location: inUnit('First') });
    await expect(refusal(late)).resolves.toEqual([409, 'changed_meanwhile']);
    expect((await nurse.call('GET', `${patients}/${patient}`)).statusCode).toBe(200);
    expect((await list(admin)).map(({ name }) => name)).toEqual(names.slice(1));
  });

  it('does not get a name back from a form that readmits a discharged patient', async () => {
    await test.addUnit(site, 'First');
    const patient = await test.addPatient(site, { location: inUnit('First') });
    const one = `${patients}/${patient}`;
    expect((await physician.call('PATCH', one, { version: 1, state: 'discharged' })).statusCode).toBe(200);
    const [unit] = await list(admin);
    await admin.call('PATCH', `${url}/${unit?.id}`, { name: 'Second' });
    const late = physician.call('PATCH', one, { version: 2, state: 'active', location: inUnit('First') });
    await expect(refusal(late)).resolves.toEqual([409, 'changed_meanwhile']);
    expect((await list(admin)).map(({ name }) => name)).toEqual(['Second']);
  });

  it('that swapped its name with another one keeps its patients when a late form names it', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const east = await test.addUnit(site, 'East', [nurse.userId]);
    const west = await test.addUnit(site, 'West');
    const patient = await test.addPatient(site, { location: inUnit('East') });
    await admin.call('PATCH', `${url}/${east}`, { name: 'Between' });
    await admin.call('PATCH', `${url}/${west}`, { name: 'East' });
    await admin.call('PATCH', `${url}/${east}`, { name: 'West' });
    const late = physician.call('PATCH', `${patients}/${patient}`, { version: 1, location: inUnit('East') });
    await expect(refusal(late)).resolves.toEqual([409, 'changed_meanwhile']);
    const seen = await nurse.call('GET', `${patients}/${patient}`);
    expect([seen.statusCode, seen.json<Patient>().location?.unit]).toEqual([200, 'West']);
  });

  it('writes nothing when it is renamed to its own name', async () => {
    const id = await test.addUnit(site, 'Same');
    const patient = await test.addPatient(site, { location: inUnit('Same') });
    const stored = async () => [
      await test.store.db.selectFrom('units').selectAll().where('id', '=', id).execute(),
      await test.store.db.selectFrom('patients').selectAll().where('id', '=', patient).execute(),
      await test.store.db
        .selectFrom('audit')
        .select('id')
        .where('site_id', '=', site)
        .where('action', '=', 'rename_unit')
        .execute(),
    ];
    const before = await stored();
    await expect(refusal(admin.call('PATCH', `${url}/${id}`, { name: 'Same' }))).resolves.toEqual([200, 'done']);
    await expect(stored()).resolves.toEqual(before);
  });

  it('shows its new name everywhere at once, and raises the versions of its patients only', async () => {
    const id = await test.addUnit(site, 'Before');
    const patient = await test.addPatient(site, { location: inUnit('Before') });
    const discharged = await test.addPatient(site, { location: inUnit('Before') });
    await physician.call('PATCH', `${patients}/${discharged}`, { version: 1, state: 'discharged' });
    const outside = await test.addPatient(site, { location: inUnit('Other') });
    const versions = () =>
      test.store.db
        .selectFrom('patients')
        .select(['id', 'version'])
        .where('site_id', '=', site)
        .orderBy('id')
        .execute();
    await physician.call('GET', patients);
    await admin.call('PATCH', `${url}/${id}`, { name: 'After' });
    const page = (await physician.call('GET', `${patients}?unit=${id}`)).json<PatientsPage>();
    expect(page).toMatchObject({
      units: [{ id, name: 'After' }, { name: 'Other' }],
      items: [{ id: patient, location: inUnit('After'), version: 2 }],
    });
    await expect(versions()).resolves.toEqual([
      { id: patient, version: 2 },
      { id: discharged, version: 3 },
      { id: outside, version: 1 },
    ]);
    await test.restart();
    expect((await physician.call('GET', `${patients}/${patient}`)).json<Patient>().location?.unit).toBe('After');
  });

  it('may be written in other letters', async () => {
    const id = await test.addUnit(site, 'icu');
    await expect(refusal(admin.call('PATCH', `${url}/${id}`, { name: 'ICU' }))).resolves.toEqual([200, 'done']);
  });

  it('is deleted only when it has no patients and no users', async () => {
    const nurse = await test.addUser(site, 'nurse');
    const withPeople = await test.addUnit(site, 'People', [nurse.id]);
    const withPatient = await test.addUnit(site, 'Patients');
    const patient = await test.addPatient(site, { location: inUnit('Patients') });
    for (const id of [withPeople, withPatient]) {
      await expect(refusal(admin.call('DELETE', `${url}/${id}`))).resolves.toEqual([409, 'unit_not_empty']);
    }
    await physician.call('PATCH', `${patients}/${patient}`, { version: 1, state: 'discharged' });
    await expect(refusal(admin.call('DELETE', `${url}/${withPatient}`))).resolves.toEqual([204, 'done']);
    await expect(named('Patients')).resolves.toBeUndefined();
    // Who was discharged from it keeps the name of the unit, also after a restart.
    await test.restart();
    await expect(named('Patients')).resolves.toBeUndefined();
    expect((await physician.call('GET', `${patients}/${patient}`)).json<Patient>().location?.unit).toBe('Patients');
    await physician.call('PATCH', `${patients}/${patient}`, { version: 2, state: 'active' });
    await expect(named('Patients')).resolves.toMatchObject({ patients: 1 });
  });

  it('of another site is nothing, and its name is free here', async () => {
    const other = await test.addSite('Other');
    const id = await test.addUnit(other, 'East');
    for (const [method, body] of [
      ['PATCH', { name: 'Stolen' }],
      ['DELETE', undefined],
    ] as const) {
      const there = await admin.call(method, `${url}/${id}`, body);
      const nowhere = await admin.call(method, `${url}/888888`, body);
      expect([there.statusCode, there.body]).toEqual([404, nowhere.body]);
    }
    await expect(refusal(admin.call('POST', url, { name: 'East' }))).resolves.toEqual([201, 'done']);
    await expect(list(admin)).resolves.toHaveLength(1);
  });

  it('is on record with who made, renamed and deleted it, without its name', async () => {
    const { id } = (await admin.call('POST', url, { name: 'Recorded' })).json<Unit>();
    await admin.call('PATCH', `${url}/${id}`, { name: 'Recorded twice' });
    await admin.call('DELETE', `${url}/${id}`);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'details'])
      .where('object_type', '=', 'unit')
      .where('object_id', '=', id)
      .orderBy('id')
      .execute();
    expect(rows).toEqual(
      ['create_unit', 'rename_unit', 'delete_unit'].map((action) => ({
        action,
        actor_id: admin.userId,
        details: null,
      })),
    );
  });

  it('that was retired is taken into use again under its name, with those who were discharged from it', async () => {
    const nurse = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Own', [nurse.userId]);
    const id = await test.addUnit(site, 'Summer');
    const patient = await test.addPatient(site, { location: inUnit('Summer') });
    await physician.call('PATCH', `${patients}/${patient}`, { version: 1, state: 'discharged' });
    await expect(refusal(admin.call('DELETE', `${url}/${id}`))).resolves.toEqual([204, 'done']);
    expect((await nurse.call('GET', `${patients}/${patient}`)).statusCode).toBe(404);
    await expect(refusal(admin.call('PATCH', `${url}/${id}`, { name: 'Winter' }))).resolves.toEqual([404, 'not_found']);
    const again = await admin.call('POST', url, { name: 'SUMMER' });
    expect([again.statusCode, again.json()]).toMatchObject([201, { id, name: 'SUMMER', patients: 0 }]);
    await test.addUnit(site, 'Summer', [nurse.userId]);
    expect((await nurse.call('GET', `${patients}/${patient}`)).statusCode).toBe(200);
  });

  /** Waits until another transaction waits for this one. On SQLite they run one after another anyway. */
  const blocksAnother = async (transaction: Kysely<Database>): Promise<void> => {
    const waiting = sql`SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`;
    while (engine === 'postgres' && (await waiting.execute(transaction)).rows.length === 0) {
      await setImmediate();
    }
  };

  /** Makes a call while the unit is renamed: the site is locked before the call, and the unit once the call waits. */
  const whileRenamed = async (id: number, call: () => ReturnType<Caller['call']>): Promise<number> => {
    const { answer } = await test.store.db.transaction().execute(async (transaction) => {
      await hold(transaction, 'sites', site);
      const called = { answer: call() };
      await blocksAnother(transaction);
      await hold(transaction, 'units', id);
      return called;
    });
    return (await answer).statusCode;
  };

  it('does not deadlock with a readmission into it while it is taken into use again', async () => {
    const id = await test.addUnit(site, 'Summer');
    const patient = await test.addPatient(site, { location: inUnit('Summer') });
    await physician.call('PATCH', `${patients}/${patient}`, { version: 1, state: 'discharged' });
    await admin.call('DELETE', `${url}/${id}`);
    const readmit = () => physician.call('PATCH', `${patients}/${patient}`, { version: 2, state: 'active' });
    await expect(whileRenamed(id, readmit)).resolves.toBe(200);
    await expect(named('Summer')).resolves.toMatchObject({ id, patients: 1 });
  });

  it('does not deadlock with an invitation to it while it is renamed', async () => {
    const id = await test.addUnit(site, 'Here');
    const guest = { email: `guest${engine}${site}@example.org`, type: 'nurse', isAdmin: false, unitIds: [id] };
    await expect(whileRenamed(id, () => admin.call('POST', '/api/v2/admin/invitations', guest))).resolves.toBe(201);
  });

  it('that was retired takes no users', async () => {
    const nurse = await test.addUser(site, 'nurse');
    const id = await test.addUnit(site, 'Retired');
    await admin.call('DELETE', `${url}/${id}`);
    const users = (await admin.call('GET', '/api/v2/admin/users')).json<{ items: { id: number; version: number }[] }>()
      .items;
    const { version } = users.find((user) => user.id === nurse.id) ?? { version: 0 };
    const joined = await admin.call('PATCH', `/api/v2/admin/users/${nurse.id}`, { version, unitIds: [id] });
    expect(joined.statusCode).toBe(422);
  });
});

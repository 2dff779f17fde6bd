import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { versionOf } from '../../lib/assignments/versionOf';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { UserType } from '../../lib/session/userTypes';
import type { Unit, UnitsResponse } from '../../lib/units/schema';
import { apiEngines, engines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import { bedId } from '../patients/queries';

describe('units', () => {
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
      expect(new Set(answers.map((answer) => answer.json<Patient>().location?.unit))).toEqual(
        new Set([units[0]?.name]),
      );
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
      await expect(refusal(admin.call('PATCH', `${url}/${id}`, { name: 'Winter' }))).resolves.toEqual([
        404,
        'not_found',
      ]);
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
      const users = (await admin.call('GET', '/api/v2/admin/users')).json<{
        items: { id: number; version: number }[];
      }>().items;
      const { version } = users.find((user) => user.id === nurse.id) ?? { version: 0 };
      const joined = await admin.call('PATCH', `/api/v2/admin/users/${nurse.id}`, { version, unitIds: [id] });
      expect(joined.statusCode).toBe(422);
    });
  });
});

describe('assignments', () => {
  const url = '/api/v2/assignments';
  const hourMs = 3_600_000;
  const inBed = (bed: string) => ({ unit: 'East', bed });
  interface Refused {
    error: { code: string; fields?: Record<string, string> };
  }

  describe.each(engines)('assignments on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let east: number;
    let west: number;
    let lead: Caller;
    let nurse: Caller;
    let first: number;
    let second: number;
    beforeAll(async () => {
      // A server of its own: its clock goes back.
      test = await startTestServer(engine);
    });
    beforeEach(async () => {
      // 11:00 in London: the day shift began at 07:30 and ends at 19:30 (18:30 UTC).
      site = await test.addSite();
      // The tests' clock jumps over hours without input.
      await test.store.db.updateTable('sites').set({ idle_minutes: 1_440 }).where('id', '=', site).execute();
      east = await test.addUnit(site, 'East');
      west = await test.addUnit(site, 'West');
      lead = await test.signIn(site, 'ward_lead');
      nurse = await test.signIn(site, 'nurse');
      first = await test.addPatient(site, { location: inBed('2') });
      second = await test.addPatient(site, { location: inBed('10') });
    });
    afterAll(() => test.stop());

    const read = async (who: Caller, shift = 'current', unit = east): Promise<AssignmentsResponse> =>
      (await who.call('GET', `${url}?unit=${unit}&shift=${shift}`)).json<AssignmentsResponse>();
    interface Change {
      unitId?: number;
      shift?: string;
      role?: string;
      patientId?: number | null;
      version?: number;
      [key: string]: unknown;
    }
    const set = (who: Caller, version: number, change: Change) =>
      who.call('PUT', url, {
        unitId: east,
        shift: 'current',
        role: 'nurse',
        patientId: first,
        userId: nurse.userId,
        version,
        ...change,
      });
    /** Changes the current assignment. */
    const put = async (who: Caller, change: Change) => {
      const { unitId = east, shift = 'current', role = 'nurse', patientId = first } = change;
      const seen = await lead.call('GET', `${url}?unit=${unitId}&shift=${shift}`);
      const version = seen.statusCode === 200 ? versionOf(seen.json<AssignmentsResponse>(), { role, patientId }) : 0;
      return await set(who, version, change);
    };
    const refusal = async (call: ReturnType<Caller['call']>): Promise<[number, string]> => {
      const answer = await call;
      return [answer.statusCode, answer.statusCode < 400 ? 'done' : answer.json<Refused>().error.code];
    };
    const mine = async (who: Caller): Promise<number[]> => {
      const listed = (await who.call('GET', '/api/v2/patients?mine=true')).json<PatientsPage>();
      const found = (
        await who.call('POST', '/api/v2/patients/search', { text: 'sample', mine: true })
      ).json<PatientsPage>();
      const ids = listed.items.map(({ id }) => id).sort((a, b) => a - b);
      expect(found.items.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
      return ids;
    };

    it('are carried over until changed, for a patient and for the unit, and survive a restart', async () => {
      await put(lead, {});
      await put(lead, { role: 'charge_nurse', patientId: null, userId: lead.userId });
      await put(lead, { shift: 'next', userId: lead.userId });
      await test.restart();
      const [now, next] = [await read(lead), await read(lead, 'next')];
      expect(now.patients[0]?.holders.nurse).toMatchObject({ userId: nurse.userId, isCarriedOver: false });
      expect(next.patients[0]?.holders.nurse).toMatchObject({ userId: lead.userId, isCarriedOver: false });
      expect(next.roles.charge_nurse).toMatchObject({
        userId: lead.userId,
        isCarriedOver: true,
        since: now.shift.start,
      });
    });

    it('can be taken back for a shift, which then is carried over too', async () => {
      await put(lead, {});
      await put(lead, { shift: 'next', userId: null });
      expect((await read(lead)).patients[0]?.holders.nurse).toMatchObject({ userId: nurse.userId });
      expect((await read(lead, 'next')).patients[0]?.holders.nurse).toMatchObject({
        userId: null,
        name: null,
        formerName: null,
      });
    });

    it('take one of several concurrent changes, and refuse the others as changed meanwhile', async () => {
      const people = await Promise.all(
        ['nurse', 'nurse', 'ward_lead'].map((type) => test.addUser(site, type as UserType)),
      );
      for (const version of [0, 1]) {
        const answers = await Promise.all(people.map(({ id }) => refusal(set(lead, version, { userId: id }))));
        expect(answers.sort()).toEqual([
          [200, 'done'],
          [409, 'changed_meanwhile'],
          [409, 'changed_meanwhile'],
        ]);
        const rows = await test.store.db
          .selectFrom('assignments')
          .select(['user_id', 'version'])
          .where('unit_id', '=', east)
          .execute();
        expect(rows).toEqual([
          { user_id: (await read(lead)).patients[0]?.holders.nurse?.userId, version: version + 1 },
        ]);
      }
    });

    it('are not overwritten by who has not seen them, in this shift, in the next and after a restart', async () => {
      const other = await test.addUser(site, 'nurse');
      expect((await set(lead, 0, {})).statusCode).toBe(200);
      const carried = (await read(lead, 'next')).patients[0]?.holders.nurse?.version ?? 0;
      await expect(refusal(set(lead, 0, { userId: other.id }))).resolves.toEqual([409, 'changed_meanwhile']);
      await expect(refusal(set(lead, 0, { shift: 'next', userId: other.id }))).resolves.toEqual([
        409,
        'changed_meanwhile',
      ]);
      expect((await set(lead, carried, { shift: 'next', userId: other.id })).statusCode).toBe(200);
      await expect(refusal(set(lead, carried, { shift: 'next', userId: null }))).resolves.toEqual([
        409,
        'changed_meanwhile',
      ]);
      // What was said for the next shift takes nothing from this one.
      expect((await set(lead, carried, { userId: null })).statusCode).toBe(200);
      await test.restart();
      await expect(refusal(set(lead, carried, {}))).resolves.toEqual([409, 'changed_meanwhile']);
      expect([
        (await read(lead)).patients[0]?.holders.nurse?.userId,
        (await read(lead, 'next')).patients[0]?.holders.nurse?.userId,
      ]).toEqual([null, other.id]);
    });

    it('take a word that was said already for said, once, and so also one whose answer was lost', async () => {
      expect((await set(lead, 0, {})).statusCode).toBe(200);
      expect((await set(lead, 0, {})).statusCode).toBe(200);
      const { version } = (await read(lead)).patients[0]?.holders.nurse ?? {};
      const rows = await test.store.db
        .selectFrom('audit')
        .select('id')
        .where('action', '=', 'assign')
        .where('object_id', '=', first)
        .execute();
      expect([version, rows.length]).toEqual([1, 1]);
      // What is only carried over was not said for the next shift.
      await expect(refusal(set(lead, 0, { shift: 'next' }))).resolves.toEqual([409, 'changed_meanwhile']);
    });

    it('are on record with who was assigned to whom', async () => {
      await put(lead, {});
      const row = await test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'object_type', 'details'])
        .where('action', '=', 'assign')
        .where('object_id', '=', first)
        .executeTakeFirstOrThrow();
      expect({ ...row, details: JSON.parse(row.details ?? '') as unknown }).toEqual({
        actor_id: lead.userId,
        object_type: 'patient',
        details: { role: 'nurse', unitId: east, shiftStart: Date.parse('2026-05-01T06:30:00Z'), userId: nurse.userId },
      });
    });

    it('show a gap, and who it was, if the holder is disabled or moved to another unit', async () => {
      await put(lead, {});
      await put(lead, { patientId: second, userId: lead.userId });
      await test.store.db
        .updateTable('users')
        .set({ disabled_at: test.now() })
        .where('id', '=', nurse.userId)
        .execute();
      await test.addUnit(site, 'West', [lead.userId]);
      const { patients, staff } = await read(await test.signIn(site, 'physician'));
      for (const { holders } of patients) {
        expect(holders.nurse).toMatchObject({
          userId: null,
          name: null,
          formerName: expect.stringMatching(/^Robin Example\d+$/) as string,
        });
      }
      expect(staff.map(({ id }) => id)).not.toContain(nurse.userId);
      await expect(mine(lead)).resolves.toEqual([]);
    });

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it.each([
      ['a nurse of no patient', { patientId: null }, 422],
      ['a charge nurse of a patient', { role: 'charge_nurse' }, 422],
      ['an unknown role', { role: 'chief' }, 422],
      ['a shift that is not the next one', { shift: 'yesterday' }, 422],
      ['more than it asks', { siteId: 1 }, 422],
    ])('refuse %s', async (_, change, status) => {
      expect((await put(lead, change)).statusCode).toBe(status);
      expect((await read(lead)).patients[0]?.holders.nurse).toBeNull();
    });

    it('refuse who cannot hold a role, and do not say whether the account exists', async () => {
      const other = await test.addSite('Other');
      const strangers = [
        999_999,
        (await test.addUser(other, 'nurse')).id,
        (await test.addUser(site, 'viewer')).id,
        (await test.addUser(site, 'physician')).id,
      ];
      const ofWest = await test.addUser(site, 'nurse');
      await test.addUnit(site, 'West', [ofWest.id]);
      const disabled = await test.addUser(site, 'nurse');
      await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', disabled.id).execute();
      const bodies = new Set<string>();
      for (const userId of [...strangers, ofWest.id, disabled.id]) {
        const answer = await put(lead, { userId });
        expect(answer.statusCode).toBe(422);
        bodies.add(answer.body);
      }
      expect(bodies.size).toBe(1);
    });

    it('refuse a patient of another unit, and one of another site as if they did not exist', async () => {
      const elsewhere = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
      await expect(refusal(put(lead, { patientId: elsewhere }))).resolves.toEqual([409, 'patient_moved']);
      const foreign = await test.addPatient(await test.addSite('Other'), { location: inBed('1') });
      const [there, nowhere] = await Promise.all([
        put(lead, { patientId: foreign }),
        put(lead, { patientId: 888_888 }),
      ]);
      expect([there.statusCode, there.body]).toEqual([404, nowhere.body]);
    });

    it('refuse what was meant for another shift than the one that is on', async () => {
      const { shift } = await read(lead, 'next');
      await expect(refusal(put(lead, { shiftStart: shift.start }))).resolves.toEqual([409, 'shift_changed']);
      await expect(refusal(put(lead, { shift: 'next', shiftStart: shift.start }))).resolves.toEqual([200, 'done']);
    });

    it('of a unit beyond reach, or of another site, are nothing', async () => {
      const member = await test.signIn(site, 'nurse');
      await test.addUnit(site, 'East', [member.userId]);
      const foreign = await test.addUnit(await test.addSite('Other'), 'East');
      const missing = await member.call('GET', `${url}?unit=888888`);
      for (const unit of [west, foreign]) {
        const answer = await member.call('GET', `${url}?unit=${unit}`);
        expect([answer.statusCode, answer.body]).toEqual([404, missing.body]);
        const change = await put(member, { unitId: unit });
        expect([change.statusCode, change.body]).toEqual([404, missing.body]);
      }
      expect((await read(member)).unit).toEqual({ id: east, name: 'East' });
    });

    it('are offered only of units whose assignments are within reach, also during emergency access', async () => {
      const member = await test.signIn(site, 'nurse');
      await test.addUnit(site, 'East', [member.userId]);
      const offered = async (): Promise<number[]> =>
        (await member.call('GET', '/api/v2/units'))
          .json<UnitsResponse>()
          .items.flatMap(({ id, isOpen }) => (isOpen ? [id] : []));
      await expect(offered()).resolves.toEqual([east]);
      await member.call('POST', '/api/v2/auth/break-glass', { reason: 'Somebody collapsed in the corridor.' });
      await expect(offered()).resolves.toEqual([east]);
      expect((await member.call('GET', `${url}?unit=${west}`)).statusCode).toBe(404);
    });

    it.each([
      ['viewer', 200, 403],
      ['respiratory_therapist', 200, 403],
      ['administrator', 403, 403],
    ] as const)('are for a %s to read %d and to change %d', async (type, reads, changes) => {
      const person = await test.signIn(site, type);
      expect((await person.call('GET', `${url}?unit=${east}`)).statusCode).toBe(reads);
      expect((await put(person, {})).statusCode).toBe(changes);
    });

    it('show the shift, the unit’s patients by bed, its roles and who could hold what', async () => {
      const physician = await test.addUser(site, 'physician');
      await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
      const answer = await read(lead);
      expect(answer.shift).toEqual({
        which: 'current',
        start: '2026-05-01T06:30:00.000Z',
        end: '2026-05-01T18:30:00.000Z',
      });
      expect(answer.patients.map(({ id, bed, holders }) => [id, bed, holders])).toEqual([
        [first, '2', { nurse: null, buddy: null }],
        [second, '10', { nurse: null, buddy: null }],
      ]);
      expect(answer.roles).toEqual({
        charge_nurse: null,
        duty_clinician: null,
        ward_lead: null,
        on_call_physician: null,
      });
      const fits = new Map(answer.staff.map(({ id, roles }) => [id, roles]));
      expect(fits.get(physician.id)).toEqual(['duty_clinician', 'on_call_physician']);
      expect(fits.get(nurse.userId)).toEqual(['nurse', 'buddy', 'charge_nurse', 'ward_lead']);
      expect((await read(lead, 'next')).shift).toMatchObject({
        start: '2026-05-01T18:30:00.000Z',
        end: '2026-05-02T06:30:00.000Z',
      });
    });

    it.each([undefined, -1, 1.5, '0', null])('are not changed with the version %p', async (version) => {
      const body = { unitId: east, shift: 'current', role: 'nurse', patientId: first, userId: nurse.userId, version };
      expect((await lead.call('PUT', url, body)).statusCode).toBe(422);
    });

    describe('make patients mine', () => {
      it('as nurse or buddy in the shift that is on, and not in another', async () => {
        await expect(mine(nurse)).resolves.toEqual([]);
        await put(lead, {});
        await put(lead, { patientId: second, role: 'buddy' });
        await put(lead, { role: 'charge_nurse', patientId: null });
        await expect(mine(nurse)).resolves.toEqual([first, second]);
        await expect(mine(lead)).resolves.toEqual([]);
        await put(lead, { shift: 'next', userId: lead.userId });
        await expect(mine(nurse)).resolves.toEqual([first, second]);
        test.advance(9 * hourMs);
        await expect(mine(nurse)).resolves.toEqual([second]);
        await expect(mine(lead)).resolves.toEqual([first]);
        test.advance(-9 * hourMs);
      });

      it('until the patient moves to another unit', async () => {
        await put(lead, {});
        await lead.call('PATCH', `/api/v2/patients/${first}`, { version: 1, location: { unit: 'West', bed: '3' } });
        await expect(mine(nurse)).resolves.toEqual([]);
      });

      it('under the unit’s new name, and after a restart', async () => {
        const admin = await test.signIn(site, 'administrator', true);
        await put(lead, {});
        await admin.call('PATCH', `/api/v2/units/${east}`, { name: 'East wing' });
        await expect(mine(nurse)).resolves.toEqual([first]);
        await test.restart();
        await expect(mine(nurse)).resolves.toEqual([first]);
      });

      it('in the very next answer, and the answers carry nothing of who asks', async () => {
        const twin = await test.signIn(site, 'nurse');
        const before = (await nurse.call('GET', '/api/v2/patients?mine=true')).json<PatientsPage>();
        await put(lead, {});
        const after = await nurse.call('GET', `/api/v2/patients?mine=true&after=${before.version}`);
        expect(after.json<PatientsPage>().items.map(({ id }) => id)).toEqual([first]);
        await put(lead, { role: 'buddy', userId: twin.userId });
        const [one, other] = await Promise.all(
          [nurse, twin].map((who) => who.call('GET', '/api/v2/patients?mine=true')),
        );
        expect(one?.body).toBe(other?.body);
      });

      it('only where the value is true or false', async () => {
        expect((await nurse.call('GET', '/api/v2/patients?mine=1')).statusCode).toBe(400);
        const all = (await nurse.call('GET', '/api/v2/patients?mine=false')).json<PatientsPage>();
        expect(all.total).toBe(2);
      });
    });

    it('filter by bed, and name the beds of the unit that was asked for', async () => {
      const page = async (query: string): Promise<PatientsPage> =>
        (await nurse.call('GET', `/api/v2/patients${query}`)).json<PatientsPage>();
      expect((await page('')).beds).toEqual([]);
      const { beds } = await page(`?unit=${east}`);
      expect(beds.map(({ name }) => name)).toEqual(['2', '10']);
      expect((await page(`?unit=${east}&bed=${beds[1]?.id ?? ''}`)).items.map(({ id }) => id)).toEqual([second]);
      expect((await page(`?bed=${bedId(east, '11')}`)).total).toBe(0);
    });
  });
});

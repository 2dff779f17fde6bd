import type { AlertsPage } from '../../lib/alerts/schema';
import type { DevicesResponse, ListedDevice, RefusedResponse } from '../../lib/devices/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { addDevice } from './commands';
import { findDevice } from './findDevice';
import { listDevices } from './queries';

const url = '/api/v2/devices';
const dayMs = 86_400_000;
let counter = 0;

describe.each(apiEngines)('devices on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let admin: Caller;
  let technician: Caller;
  let nurse: Caller;
  let patientId: number;
  let mrn: string;
  let device: { id: number; token: string };

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    admin = await test.signIn(site, 'administrator', true);
    technician = await test.signIn(site, 'technician');
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    mrn = `MRN-${(counter += 1)}-417`;
    patientId = await test.addPatient(site, {
      mrn,
      familyName: 'Okafor',
      givenName: 'Ada',
      location: { unit: 'East', bed: '4' },
    });
    device = await test.addDevice(site, { name: 'monitor 1' });
  });

  const of = (path: string): string => `${url}/${device.id}/${path}`;
  const list = async (caller: Caller): Promise<ListedDevice[]> =>
    (await caller.call('GET', url)).json<DevicesResponse>().items;
  const listed = async (caller: Caller): Promise<ListedDevice | undefined> =>
    (await list(caller)).find(({ id }) => id === device.id);
  const assign = (
    caller: Caller,
    body: { mrn: string; dateOfBirth: string } = { mrn, dateOfBirth: '1950-03-07' },
    id = device.id,
  ) => caller.call('POST', `${url}/${id}/assignment`, body);
  const sample = (more: object = {}): object => ({
    patientId,
    kind: 'spo2',
    value: 97,
    takenAt: toInstant(test.now()),
    ...more,
  });
  const send = async (samples: object[], token = device.token) => (await test.ingest(token, samples)).statusCode;
  const actions = async (): Promise<string[]> => {
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'outcome'])
      .where('object_type', '=', 'device')
      .where('object_id', '=', device.id)
      .orderBy('id')
      .execute();
    return rows.map(({ action, outcome }) => `${action} ${outcome}`);
  };
  const openRows = () =>
    test.store.db
      .selectFrom('device_assignments')
      .selectAll()
      .where('device_id', '=', device.id)
      .orderBy('id')
      .execute();

  /** Signs in a nurse who belongs to one unit only. */
  async function nurseOf(unit: string): Promise<Caller> {
    const caller = await test.signIn(site, 'nurse');
    const { id } = await test.store.db
      .insertInto('units')
      .values({ site_id: site, name: `${unit} ${mrn}`, created_at: test.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await test.store.db.insertInto('user_units').values({ user_id: caller.userId, unit_id: id }).execute();
    await test.server.sessions.reload([caller.userId]);
    return caller;
  }

  describe('a token', () => {
    it('is shown once, to an administrator, and lets the device send', async () => {
      const answer = await admin.call('POST', url, { name: 'monitor 2', expectedEveryMs: 5_000, expiresInDays: 1 });
      expect(answer.statusCode).toBe(201);
      const { id, token } = answer.json<{ id: number; token: string }>();
      await expect(send([], token)).resolves.toBe(200);
      const seen = await list(admin);
      expect(seen.find((one) => one.id === id)).toMatchObject({
        expectedEveryMs: 5_000,
        expiresAt: toInstant(test.now() + dayMs),
      });
      expect(JSON.stringify(seen)).not.toContain(token);
      await expect(
        findDevice(test.store.db, test.now() + dayMs - 1, `Bearer ${token}`, new Map()),
      ).resolves.toMatchObject({ id });
      await expect(findDevice(test.store.db, test.now() + dayMs, `Bearer ${token}`, new Map())).rejects.toThrow(
        'expired',
      );
    });

    it('that is new makes the old one worthless, on the same device', async () => {
      await send([sample()]);
      const { id, token } = (await admin.call('POST', of('token'), {})).json<{ id: number; token: string }>();
      expect(id).toBe(device.id);
      expect([await send([sample()]), await send([sample()], token)]).toEqual([401, 200]);
      expect((await listed(admin))?.lastSeenAt).toBe(toInstant(test.now()));
    });

    it('that is renewed ends when the one before would have, unless another end is named', async () => {
      const endsAt = test.now() + 10 * dayMs;
      const dated = await test.addDevice(site, { expiresAt: endsAt });
      const renew = (body: object = {}) => admin.call('POST', `${url}/${dated.id}/token`, body);
      const end = async () => (await list(admin)).find(({ id }) => id === dated.id)?.expiresAt;
      expect((await renew()).statusCode).toBe(201);
      await expect(end()).resolves.toBe(toInstant(endsAt));
      expect((await renew({ expiresInDays: 20 })).statusCode).toBe(201);
      await expect(end()).resolves.toBe(toInstant(test.now() + 20 * dayMs));
    });

    it('that has expired is renewed only with a new expiry, because it would not work otherwise', async () => {
      const dated = await test.addDevice(site, { expiresAt: test.now() });
      const renew = (body: object = {}) => admin.call('POST', `${url}/${dated.id}/token`, body);
      const refused = await renew();
      expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([409, 'end_passed']);
      const { token } = (await renew({ expiresInDays: 1 })).json<{ token: string }>();
      await expect(send([sample()], token)).resolves.toBe(200);
    });

    it('gets another end, or none, without becoming another token', async () => {
      const change = (expiresAt: string | null) => admin.call('PATCH', `${url}/${device.id}`, { expiresAt });
      const soon = toInstant(test.now() + 2 * dayMs);
      expect((await change(soon)).json()).toMatchObject({ expiresAt: soon });
      await expect(send([sample()])).resolves.toBe(200);
      await expect(
        findDevice(test.store.db, test.now() + 2 * dayMs, `Bearer ${device.token}`, new Map()),
      ).rejects.toThrow('expired');
      const past = await change(toInstant(test.now()));
      expect([past.statusCode, past.json<{ error: { fields: object } }>().error.fields]).toEqual([
        422,
        { expiresAt: 'lies in the past' },
      ]);
      expect((await change('tomorrow')).statusCode).toBe(422);
      expect((await change(null)).json()).toMatchObject({ expiresAt: null });
      await expect(actions()).resolves.toEqual(['add_device done', 'change_device done', 'change_device done']);
    });

    it('that is revoked is refused at once, until there is a new one', async () => {
      await test.store.db.updateTable('devices').set({ name: mrn }).where('id', '=', device.id).execute();
      expect((await admin.call('POST', of('revoke'))).json()).toMatchObject({ revokedAt: toInstant(test.now()) });
      const first = toInstant(test.now());
      test.advance(1_000);
      expect((await admin.call('POST', of('revoke'))).json()).toMatchObject({ revokedAt: first });
      await expect(send([sample()])).resolves.toBe(401);
      expect((await assign(nurse)).json()).toMatchObject({ error: { code: 'device_revoked' } });
      const { token } = (await admin.call('POST', of('token'), { expiresInDays: 2 })).json<{ token: string }>();
      await expect(send([sample()], token)).resolves.toBe(200);
      await expect(listed(admin)).resolves.toMatchObject({
        revokedAt: null,
        expiresAt: toInstant(test.now() + 2 * dayMs),
      });
      await expect(actions()).resolves.toEqual(['add_device done', 'revoke_device done', 'renew_device_token done']);
    });

    it.each([
      { name: '' },
      { name: 'x', expectedEveryMs: 1 },
      { name: 'x', expiresInDays: 0 },
      { name: 'x', siteId: 1 },
      {},
    ])('is not made for %j', async (body) => {
      expect((await admin.call('POST', url, body)).statusCode).toBe(422);
    });
  });

  describe('an assignment', () => {
    it.each([
      ['a wrong number', () => ({ mrn: 'MRN-0', dateOfBirth: '1950-03-07' })],
      ['another date of birth', () => ({ mrn, dateOfBirth: '1950-03-08' })],
      ['both wrong', () => ({ mrn: 'MRN-0', dateOfBirth: '1950-03-08' })],
    ])('is refused to %s with the same answer, and nothing changes but the record', async (_, body) => {
      const answer = await assign(technician, body());
      expect([answer.statusCode, answer.json<{ error: object }>().error]).toEqual([
        422,
        {
          code: 'patient_not_matched',
          message: 'These two do not name one patient of yours who is admitted. Compare both with the wristband.',
        },
      ]);
      await expect(openRows()).resolves.toEqual([]);
      await expect(actions()).resolves.toEqual(['add_device done', 'assign_device refused']);
    });

    it('is refused in the same way for a patient who is discharged or out of reach', async () => {
      const west = await nurseOf('West');
      const elsewhere = await test.addPatient(await test.addSite('Other ward'), { mrn: `OTHER-${mrn}` });
      const gone = await test.addPatient(site, { mrn: `GONE-${mrn}` });
      await nurse.call('PATCH', `/api/v2/patients/${gone}`, { version: 1, state: 'discharged' });
      const answers = [
        await assign(west),
        await assign(nurse, { mrn: `OTHER-${mrn}`, dateOfBirth: '1950-03-07' }),
        await assign(nurse, { mrn: `GONE-${mrn}`, dateOfBirth: '1950-03-07' }),
      ];
      expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
        answers.map(() => [422, answers[0]?.body]),
      );
      expect(test.server.liveState.patients.get(elsewhere)?.mrn).toBe(`OTHER-${mrn}`);
      await expect(openRows()).resolves.toEqual([]);
    });

    it('ends the one before in the same act, and both are on record', async () => {
      const other = await test.addPatient(site, { mrn: `${mrn}-2`, dateOfBirth: '1960-01-02' });
      expect((await assign(nurse)).statusCode).toBe(200);
      expect((await assign(nurse)).statusCode).toBe(200);
      test.advance(1_000);
      expect((await assign(technician, { mrn: `${mrn}-2`, dateOfBirth: '1960-01-02' })).statusCode).toBe(200);
      const rows = await openRows();
      expect(rows.map((row) => [row.patient_id, row.assigned_by, row.ended_by])).toEqual([
        [patientId, nurse.userId, technician.userId],
        [other, technician.userId, null],
      ]);
      await expect(actions()).resolves.toEqual([
        'add_device done',
        'assign_device done',
        'unassign_device done',
        'assign_device done',
      ]);
    });

    it('is said beside the values of the device, while it lasts', async () => {
      await send([sample()]);
      const said = async (): Promise<unknown> =>
        (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<Patient>().latest.spo2?.isAssigned;
      await expect(said()).resolves.toBeUndefined();
      await assign(nurse);
      await expect(said()).resolves.toBe(true);
      await technician.call('DELETE', of('assignment'));
      await expect(said()).resolves.toBeUndefined();
    });

    it('is one of two that race, never both', async () => {
      await test.addPatient(site, { mrn: `${mrn}-2` });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          assign(nurse, { mrn: n % 2 === 0 ? mrn : `${mrn}-2`, dateOfBirth: '1950-03-07' }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 10 }, () => 200));
      const open = (await openRows()).filter((row) => row.ended_at === null);
      expect(open.map((row) => row.patient_id)).toEqual([test.server.liveState.assigned.get(device.id)]);
    });

    it('ends when a user ends it, also twice, and with the discharge of the patient', async () => {
      await assign(nurse);
      expect((await technician.call('DELETE', of('assignment'))).statusCode).toBe(204);
      expect((await technician.call('DELETE', of('assignment'))).statusCode).toBe(204);
      expect((await listed(nurse))?.patient).toBeNull();
      await assign(nurse);
      await nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version: 1, state: 'discharged' });
      expect((await listed(nurse))?.patient).toBeNull();
      expect((await openRows()).filter((row) => row.ended_at === null)).toEqual([]);
    });

    describe('of a patient whose discharge is taken back', () => {
      let own: number;
      let other: number;
      const set = (id: number, state: 'active' | 'discharged', version: number) =>
        nurse.call('PATCH', `/api/v2/patients/${id}`, { version, state });
      const alerts = async () =>
        (await nurse.call('GET', `/api/v2/alerts`))
          .json<AlertsPage>()
          .items.filter(({ patient, rule }) => patient?.mrn === `${mrn}-own` && rule === 'monitor.none');

      beforeEach(async () => {
        await test.startRules(site);
        const born = { dateOfBirth: '1950-03-07', familyName: mrn, givenName: 'Ada' };
        const added = await nurse.call('POST', '/api/v2/patients', { ...born, mrn: `${mrn}-own` });
        own = added.json<{ id: number }>().id;
        other = await test.addPatient(site, { mrn: `${mrn}-2` });
        await assign(nurse, { mrn: `${mrn}-own`, dateOfBirth: '1950-03-07' });
        await set(own, 'discharged', 1);
        test.advance(60_000);
      });

      it('is there again, also if it has ended for another one, over a restart', async () => {
        const second = await test.addDevice(site, { name: 'monitor 2' });
        await set(own, 'active', 2);
        expect((await listed(nurse))?.patient?.identity?.id).toBe(own);
        await assign(nurse, { mrn: `${mrn}-own`, dateOfBirth: '1950-03-07' }, second.id);
        await set(own, 'discharged', 3);
        await assign(nurse, { mrn: `${mrn}-2`, dateOfBirth: '1950-03-07' }, second.id);
        await nurse.call('DELETE', `${url}/${second.id}/assignment`);
        await set(own, 'active', 4);
        await test.restart();
        expect([...test.server.liveState.assigned].filter(([, patient]) => patient === own)).toEqual([
          [device.id, own],
        ]);
        await expect(actions()).resolves.toEqual([
          ...['add_device done', 'assign_device done', 'unassign_device done', 'assign_device done'],
          ...['unassign_device done', 'assign_device done'],
        ]);
        await expect(alerts()).resolves.toEqual([]);
      });

      it('asks for another one with MEDIUM where somebody has it now, until there is one', async () => {
        await assign(nurse, { mrn: `${mrn}-2`, dateOfBirth: '1950-03-07' });
        await set(own, 'active', 2);
        expect((await listed(nurse))?.patient?.identity?.id).toBe(other);
        await expect(alerts()).resolves.toMatchObject([{ priority: 'medium', condition: 'active' }]);
        await test.restart();
        await expect(alerts()).resolves.toHaveLength(1);
        const second = await test.addDevice(site, { name: 'monitor 2' });
        await assign(nurse, { mrn: `${mrn}-own`, dateOfBirth: '1950-03-07' }, second.id);
        await expect(alerts()).resolves.toEqual([]);
      });

      it('asks for another one also if a newer one had ended before the discharge', async () => {
        await set(own, 'active', 2);
        const second = await test.addDevice(site, { name: 'monitor 2' });
        const identifiers = { mrn: `${mrn}-own`, dateOfBirth: '1950-03-07' };
        await assign(nurse, identifiers, second.id);
        await nurse.call('DELETE', `${url}/${second.id}/assignment`);
        test.advance(60_000);
        await set(own, 'discharged', 3);
        await assign(nurse, { mrn: `${mrn}-2`, dateOfBirth: '1950-03-07' });
        await set(own, 'active', 4);
        await expect(alerts()).resolves.toMatchObject([{ priority: 'medium', condition: 'active' }]);
      });

      it('asks until somebody says that none is needed', async () => {
        await assign(nurse, { mrn: `${mrn}-2`, dateOfBirth: '1950-03-07' });
        await set(own, 'active', 2);
        const [alert] = await alerts();
        const outcome = { version: alert?.version, outcome: 'known_accepted', note: 'Spot checks are enough' };
        expect((await nurse.call('POST', `/api/v2/alerts/${alert?.id}/resolve`, outcome)).json()).toMatchObject({});
        test.advance(60_000);
        await test.server.alerts.reconsider(own);
        await test.restart();
        await expect(alerts()).resolves.toEqual([]);
      });

      it('is not there a day later: that is another admission', async () => {
        const before = { moved_at: test.now() - dayMs - 1 };
        await test.store.db.updateTable('patient_moves').set(before).where('patient_id', '=', own).execute();
        await set(own, 'active', 2);
        expect((await listed(nurse))?.patient).toBeNull();
        await expect(alerts()).resolves.toEqual([]);
      });
    });

    it('outlives a restart', async () => {
      await assign(nurse);
      await test.restart();
      expect((await listed(nurse))?.patient?.identity?.id).toBe(patientId);
    });

    it('never moves what was measured: each value stays with the patient whom its sample named', async () => {
      const other = await test.addPatient(site, { mrn: `${mrn}-2` });
      await send([sample({ value: 88 })]);
      await assign(nurse, { mrn: `${mrn}-2`, dateOfBirth: '1950-03-07' });
      test.advance(1_000);
      await send([sample({ value: 89 })]);
      const value = async (id: number) =>
        (await nurse.call('GET', `/api/v2/patients/${id}`)).json<{ latest: { spo2?: object } }>().latest.spo2;
      await expect(value(patientId)).resolves.toMatchObject({ value: 89 });
      await expect(value(other)).resolves.toBeUndefined();
      const rows = await test.store.db
        .selectFrom('samples')
        .select('patient_id')
        .where('device_id', '=', device.id)
        .execute();
      expect(rows.map((row) => row.patient_id)).toEqual([patientId, patientId]);
    });
  });

  describe('the list', () => {
    it.each<[string, () => Caller]>([
      ['a technician', () => technician],
      ['an administrator without a clinical type', () => admin],
    ])('tells %s the place and the end of the number, and no name', async (_, who) => {
      await assign(nurse);
      const answer = await who().call('GET', url);
      expect(answer.json<DevicesResponse>().items.find(({ id }) => id === device.id)?.patient).toEqual({
        location: { unit: 'East', bed: '4' },
        mrnEnd: '417',
        isTrial: false,
        identity: null,
      });
      expect(answer.body).not.toMatch(new RegExp(`Okafor|Ada|${mrn}|1950`));
    });

    it('tells who reads patients the name, and that is on record once', async () => {
      await assign(nurse);
      const newcomer = await test.signIn(site, 'viewer');
      expect((await newcomer.call('GET', url)).statusCode).toBe(403);
      const physician = await test.signIn(site, 'physician');
      expect((await listed(physician))?.patient?.identity).toEqual({ id: patientId, name: 'Okafor, Ada', mrn });
      await list(physician);
      const looks = await test.store.db
        .selectFrom('audit')
        .select('outcome')
        .where('actor_id', '=', physician.userId)
        .where('action', '=', 'list_devices')
        .execute();
      expect(looks).toEqual([{ outcome: 'done' }]);
    });

    it('leaves out what hangs on a patient of a unit beyond reach, which cannot be touched either', async () => {
      const west = await nurseOf('West');
      expect((await listed(west))?.name).toBe('monitor 1');
      await assign(nurse);
      await expect(listed(west)).resolves.toBeUndefined();
      const missing = await west.call('DELETE', `${url}/999999999/assignment`);
      const beyond = await west.call('DELETE', of('assignment'));
      expect([beyond.statusCode, beyond.body]).toEqual([404, missing.body]);
      expect((await west.call('GET', of('quarantine'))).statusCode).toBe(404);
    });

    it('says when the newest sample came, also after a restart, without a write on the way of a sample', async () => {
      expect((await listed(nurse))?.lastSeenAt).toBeNull();
      await send([sample()]);
      const seen = toInstant(test.now());
      // Another device is newer, and a repeat is nothing new.
      const other = await test.addDevice(site, { name: 'monitor 10' });
      test.advance(2_000);
      await send([sample()], other.token);
      expect((await listed(nurse))?.lastSeenAt).toBe(seen);
      await test.restart();
      const both = (await list(nurse)).filter(({ id }) => id === device.id || id === other.id);
      expect(both.map(({ name, lastSeenAt }) => [name, lastSeenAt])).toEqual([
        ['monitor 1', seen],
        ['monitor 10', toInstant(test.now())],
      ]);
    });

    it('counts what was refused in the last day, and no further than 1000', async () => {
      const refused = async (): Promise<number | undefined> => {
        const reach = { devices: { siteId: site, unitIds: null }, patients: null };
        return (await listDevices(test.server, test.now() + dayMs, reach, device.id))[0]?.refused;
      };
      await send([{}, {}]);
      test.advance(1);
      await send([{}]);
      await expect(refused()).resolves.toBe(0);
      test.advance(-1);
      await expect(refused()).resolves.toBe(1);
      test.advance(1);
      await send(Array.from({ length: 1_200 }, () => ({})));
      expect((await listed(nurse))?.refused).toBe(1_000);
    });
  });

  describe('a name', () => {
    const named = (name: string) => admin.call('POST', url, { name });
    const idOf = async (name: string) => (await named(name)).json<{ id: number }>().id;
    const taken = {
      code: 'device_exists',
      message: 'Another device of this site has this name.',
      fields: { name: 'is the name of another device' },
    };
    const stored = async (name: string) =>
      (await list(admin)).filter((one) => one.name.toLowerCase() === name.toLowerCase()).length;

    it('belongs to one device of a site, whatever its capitals and the blanks around it', async () => {
      await named('Pod 1');
      const second = await named('  pod 1 ');
      expect([second.statusCode, second.json<{ error: object }>().error]).toEqual([409, taken]);
      await expect(stored('pod 1')).resolves.toBe(1);
      const elsewhere = { siteId: await test.addSite('North'), name: 'Pod 1', expectedEveryMs: null, expiresAt: null };
      await expect(addDevice(test.store.db, test.now(), system, elsewhere)).resolves.toMatchObject({});
    });

    it('goes to one of two who add it at once', async () => {
      const codes = await Promise.all(['Pod 2', 'pod 2', 'POD 2'].map(async (name) => (await named(name)).statusCode));
      expect(codes.sort()).toEqual([201, 409, 409]);
      await expect(stored('pod 2')).resolves.toBe(1);
    });

    it('cannot be given to another device, but its own can be written in another way', async () => {
      const id = await idOf('Pod 3');
      await named('Pod 4');
      const rename = (name: string) => admin.call('PATCH', `${url}/${id}`, { name });
      expect((await rename('pod 4')).json<{ error: object }>().error).toEqual(taken);
      expect((await rename('POD 3')).statusCode).toBe(200);
      const both = await Promise.all([rename('Pod 5'), named('pod 5')]);
      expect(both.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1);
      await expect(stored('pod 5')).resolves.toBe(1);
    });

    it('is free once its device is revoked, which then comes back only under another one', async () => {
      const id = await idOf('Pod 6');
      await admin.call('POST', `${url}/${id}/revoke`);
      expect((await named('Pod 6')).statusCode).toBe(201);
      expect((await admin.call('POST', `${url}/${id}/token`, {})).json<{ error: object }>().error).toEqual(taken);
      expect((await admin.call('PATCH', `${url}/${id}`, { name: 'Pod 7' })).statusCode).toBe(200);
      expect((await admin.call('POST', `${url}/${id}/token`, {})).statusCode).toBe(201);
    });

    it('that two devices have from before hinders neither: each is changed and gets a new token', async () => {
      const [one, two] = [await test.addDevice(site, { name: 'Twin' }), await test.addDevice(site, { name: 'Twin' })];
      for (const { id } of [one, two]) {
        const change = await admin.call('PATCH', `${url}/${id}`, { name: 'Twin', expectedEveryMs: 5_000 });
        expect(change.statusCode).toBe(200);
        expect((await admin.call('POST', `${url}/${id}/token`, {})).statusCode).toBe(201);
      }
      await test.restart();
      await expect(stored('twin')).resolves.toBe(2);
    });
  });

  describe('a change', () => {
    it('shows at once as the source of values and in how long they are fresh', async () => {
      await send([sample()]);
      const answer = await admin.call('PATCH', `${url}/${device.id}`, { name: 'bed 4', expectedEveryMs: 30_000 });
      expect(answer.json()).toMatchObject({ name: 'bed 4', expectedEveryMs: 30_000 });
      const { latest } = (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<{
        latest: { spo2: object };
      }>();
      expect(latest.spo2).toMatchObject({ source: 'bed 4', expectedEveryMs: 30_000 });
      expect((await admin.call('PATCH', `${url}/${device.id}`, { expectedEveryMs: null })).json()).toMatchObject({
        name: 'bed 4',
        expectedEveryMs: null,
      });
      await expect(actions()).resolves.toEqual(['add_device done', 'change_device done', 'change_device done']);
    });

    it('of nothing leaves no record', async () => {
      expect((await admin.call('PATCH', `${url}/${device.id}`, {})).statusCode).toBe(200);
      await expect(actions()).resolves.toEqual(['add_device done']);
    });
  });

  describe('refused samples', () => {
    const refused = async (page = 1): Promise<RefusedResponse> =>
      (await technician.call('GET', of(`quarantine?page=${page}`))).json<RefusedResponse>();

    it('show their reason, time and kind, but neither the value nor the patient', async () => {
      await send([
        { mrn: 'SECRET-NAME-123', kind: 'spo2', value: 61, takenAt: toInstant(test.now()) },
        { mrn: 7, kind: 'Okafor', value: 62, takenAt: toInstant(test.now()), note: 'x'.repeat(2_000) },
      ]);
      const answer = await technician.call('GET', of('quarantine'));
      expect(answer.json<RefusedResponse>().items.map(({ code, kind, mrnEnd }) => [code, kind, mrnEnd])).toEqual([
        ['unknown_kind', null, null],
        ['unknown_patient', 'spo2', '123'],
      ]);
      expect(answer.json<RefusedResponse>().items[1]).toMatchObject({
        receivedAt: toInstant(test.now()),
        reason: 'No patient of this site has the number that it named.',
      });
      expect(answer.body).not.toMatch(/SECRET|Okafor|61|62/);
    });

    it('are no longer shown in a unit that the device has left, and looking is on record once', async () => {
      const [east, west] = [await nurseOf('East'), await nurseOf('West')];
      const [here, there] = [`${mrn}-1`, `${mrn}-2`];
      await test.addPatient(site, { mrn: here, location: { unit: `East ${mrn}`, bed: '1' } });
      await test.addPatient(site, { mrn: there, location: { unit: `West ${mrn}`, bed: '1' } });
      const seenBy = async (caller: Caller): Promise<number> =>
        (await caller.call('GET', of('quarantine'))).json<RefusedResponse>().total;
      const sendAndSee = async () => {
        test.advance(1_000);
        await send([{}]);
        return [await seenBy(east), await seenBy(technician)];
      };
      expect((await assign(east, { mrn: here, dateOfBirth: '1950-03-07' })).statusCode).toBe(200);
      await expect(sendAndSee()).resolves.toEqual([1, 1]);
      await east.call('DELETE', of('assignment'));
      expect((await assign(west, { mrn: there, dateOfBirth: '1950-03-07' })).statusCode).toBe(200);
      test.advance(1_000);
      await send([{}]);
      await expect(seenBy(west)).resolves.toBe(1);
      await west.call('DELETE', of('assignment'));
      await expect(sendAndSee()).resolves.toEqual([1, 3]);
      const looks = await test.store.db
        .selectFrom('audit')
        .select(['object_type', 'object_id'])
        .where('actor_id', '=', east.userId)
        .where('action', '=', 'read_quarantine')
        .execute();
      expect(looks).toEqual([{ object_type: 'device', object_id: device.id }]);
    });

    it('come in pages, newest first, each once', async () => {
      for (let call = 0; call < 4; call += 1) {
        test.advance(1_000);
        await send(Array.from({ length: 30 }, () => ({})));
      }
      const pages = [await refused(1), await refused(2), await refused(3), await refused(4)];
      expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
        [50, 120],
        [50, 120],
        [20, 120],
        [0, 120],
      ]);
      const items = pages.flatMap((page) => page.items);
      expect(new Set(items.map(({ id }) => id)).size).toBe(120);
      const times = items.map(({ receivedAt }) => receivedAt);
      expect(times).toEqual(times.toSorted().reverse());
      expect((await technician.call('GET', of('quarantine?page=0'))).statusCode).toBe(400);
    });
  });

  // Moves the clock by weeks: those before are signed out.
  describe('whose values a token writes', () => {
    let token: string;
    let other: number;
    let first: Caller;
    let second: Caller;

    const answer = async (...samples: object[]): Promise<unknown> => (await test.ingest(token, samples)).json();
    const refused = {
      accepted: 0,
      rejected: [{ code: 'unknown_patient', message: 'this device sends for no such patient at that time' }],
    };
    const quarantined = async (): Promise<string[]> => {
      const rows = test.store.db.selectFrom('quarantine').select('code').where('device_id', '=', device.id);
      return (await rows.orderBy('id').execute()).map(({ code }) => code);
    };
    const alerts = async (): Promise<string[]> => {
      await test.server.alerts.evaluateClock();
      return test.server.alerts
        .listOpen(site)
        .filter(({ deviceId, alert }) => deviceId === device.id && alert.condition === 'active')
        .map(({ alert: { rule, priority } }) => `${rule} ${priority}`);
    };

    beforeEach(async () => {
      device = await test.addDevice(site, { name: 'bound', isOwn: true });
      ({ token } = device);
      first = await test.signIn(site, 'administrator', true);
      second = await test.signIn(site, 'administrator', true);
      nurse = await test.signIn(site, 'nurse');
      other = await test.addPatient(site, { location: { unit: 'East', bed: `${(counter += 1)}` } });
    });

    it('are those of its patient when they were taken, also after it has another', async () => {
      await expect(answer(sample())).resolves.toMatchObject(refused);
      await assign(nurse);
      const takenAt = toInstant(test.now());
      test.advance(60_000);
      test.server.liveState.deviceStays.put(device.id, other, test.now());
      await expect(answer(sample({ takenAt }))).resolves.toMatchObject({ accepted: 1, rejected: [] });
      await expect(answer(sample())).resolves.toMatchObject(refused);
      await expect(answer(sample({ patientId: other }))).resolves.toMatchObject({ accepted: 1 });
      await expect(answer(sample({ patientId: other, takenAt }))).resolves.toMatchObject(refused);
    });

    it('are known again after a restart, also of the patient before', async () => {
      await assign(nurse);
      const takenAt = toInstant(test.now());
      test.advance(1_000);
      await nurse.call('DELETE', of('assignment'));
      await test.restart();
      await expect(answer(sample({ takenAt }))).resolves.toMatchObject({ accepted: 1 });
      await expect(answer(sample())).resolves.toMatchObject(refused);
    });

    it('are none of a time when it was on the patient by mistake, if it may send for any, over a restart', async () => {
      const until = test.now() + dayMs;
      await test.store.db.updateTable('devices').set({ gateway_until: until }).where('id', '=', device.id).execute();
      await assign(nurse);
      const takenAt = toInstant(test.now());
      test.advance(1_000);
      const [stay] = await openRows();
      const body = { patientId, stayId: stay?.id, reason: 'Of bed 9' };
      expect((await nurse.call('POST', of('wrong-patient'), body)).statusCode).toBe(204);
      await expect(answer(sample({ takenAt }))).resolves.toMatchObject(refused);
      await test.restart();
      await expect(answer(sample({ takenAt }))).resolves.toMatchObject(refused);
      await expect(answer(sample())).resolves.toMatchObject({ accepted: 1 });
    });

    it('are refused alike for every other patient, and are one alert for an hour', async () => {
      await test.startRules(site);
      await assign(nurse);
      const elsewhere = await test.addPatient(await test.addSite());
      const { json } = await test.ingest(
        token,
        [other, elsewhere, 99_999].map((id) => sample({ patientId: id })),
      );
      const { rejected } = json<{ rejected: { code: string; message: string }[] }>();
      expect(new Set(rejected.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
      await expect(quarantined()).resolves.toEqual(['not_its_patient', 'other_site_patient', 'unknown_patient']);
      await expect(alerts()).resolves.toEqual(['monitor.patient low']);
      test.advance(59 * 60_000);
      await answer(sample());
      await expect(alerts()).resolves.toEqual(['monitor.patient low']);
      test.advance(60_000);
      await answer(sample());
      await expect(alerts()).resolves.toEqual([]);
    });

    it('are those of the units of a gateway with the date of birth, once two persons have said so', async () => {
      const unit = test.server.liveState.patients.get(patientId)?.unit_id ?? 0;
      const far = await test.addPatient(site, { location: { unit: 'West', bed: `${(counter += 1)}` } });
      const want = async (caller: Caller, unitIds: number[]): Promise<unknown> =>
        (await caller.call('PATCH', `${url}/${device.id}`, { unitIds })).json();
      const named = (id: number, more: object = {}) => sample({ patientId: id, dateOfBirth: '1950-03-07', ...more });
      await expect(want(first, [999_999])).resolves.toMatchObject({ error: { code: 'invalid' } });
      await want(first, [unit]);
      await expect(want(first, [unit])).resolves.toMatchObject({ gateway: { unitIds: [], proposedUnitIds: [unit] } });
      await expect(answer(named(other))).resolves.toMatchObject(refused);
      await expect(want(second, [unit])).resolves.toMatchObject({ gateway: { unitIds: [unit], proposedUnitIds: [] } });
      await expect(answer(named(patientId), named(other))).resolves.toMatchObject({ accepted: 2, rejected: [] });
      await expect(answer(named(other, { dateOfBirth: '1950-03-08' }))).resolves.toMatchObject(refused);
      await expect(answer(sample({ patientId: other }))).resolves.toMatchObject(refused);
      await expect(answer(named(far))).resolves.toMatchObject(refused);
      await expect(want(second, [])).resolves.toMatchObject({ gateway: { unitIds: [] } });
      await expect(answer(named(other))).resolves.toMatchObject(refused);
    });

    it('are those of any patient while it is to be confirmed, which is an alert, and not after it', async () => {
      await test.startRules(site);
      const until = test.now() + 14 * dayMs;
      await test.store.db.updateTable('devices').set({ gateway_until: until }).where('id', '=', device.id).execute();
      const unit = test.server.liveState.patients.get(patientId)?.unit_id ?? 0;
      const want = (caller: Caller) => caller.call('PATCH', `${url}/${device.id}`, { unitIds: [unit] });
      await expect(answer(sample(), sample({ patientId: other }))).resolves.toMatchObject({ accepted: 2 });
      await expect(alerts()).resolves.toEqual(['monitor.unconfirmed low']);
      await want(first);
      // It would fall silent.
      expect((await want(second)).json()).toMatchObject({ error: { code: 'gateway_not_ready' } });
      test.advance(11 * dayMs);
      second = await test.signIn(site, 'administrator', true);
      await answer(sample({ dateOfBirth: '1950-03-07' }));
      await expect(alerts()).resolves.toEqual(['monitor.unconfirmed medium']);
      expect((await want(second)).json()).toMatchObject({ gateway: { unitIds: [unit], until: null } });
      await answer(sample({ dateOfBirth: '1950-03-07' }));
      await expect(alerts()).resolves.toEqual([]);
      await test.store.db.updateTable('devices').set({ gateway_units: null, gateway_until: until }).execute();
      test.advance(3 * dayMs);
      await expect(answer(sample())).resolves.toMatchObject(refused);
    });
  });
});

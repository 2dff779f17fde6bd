import { patient as patientSchema } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { engines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/patients';
const sam = { mrn: 'MRN-1', givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };

interface Refused {
  error: { code: string; id?: number; fields?: Record<string, string> };
}

describe.each(engines)('a patient on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let elsewhere: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    elsewhere = await test.signIn(await test.addSite('Other ward'), 'physician');
  });

  const rows = () => test.store.db.selectFrom('patients').selectAll().where('site_id', '=', site).execute();
  const audits = (action: string) =>
    test.store.db
      .selectFrom('audit')
      .select(['action', 'object_id', 'actor_id', 'details'])
      .where('site_id', '=', site)
      .where('action', '=', action)
      .orderBy('id')
      .execute();
  const versionOf = (id: number): number => test.server.liveState.patients.get(id)?.version ?? 0;

  it.each([
    [{ mrn: undefined }, ['mrn']],
    [{ mrn: '  ' }, ['mrn']],
    [{ mrn: 'x'.repeat(65) }, ['mrn']],
    [{ mrn: 7 }, ['mrn']],
    [{ mrn: 'MRN\u0000' }, ['mrn']],
    [{ mrn: 'MRN \ud800' }, ['mrn']],
    [{ givenName: '' }, ['givenName']],
    [{ givenName: 'Sam\nSample' }, ['givenName']],
    [{ familyName: 'x'.repeat(101) }, ['familyName']],
    [{ dateOfBirth: undefined }, ['dateOfBirth']],
    [{ dateOfBirth: '2026-02-30' }, ['dateOfBirth']],
    [{ dateOfBirth: '07.03.1950' }, ['dateOfBirth']],
    [{ dateOfBirth: '2090-01-02' }, ['dateOfBirth']],
    [{ sex: 'f' }, ['sex']],
    [{ location: { unit: 'ICU' } }, ['location.bed']],
    [{ location: { unit: 'x'.repeat(61), bed: '1' } }, ['location.unit']],
    [{ profile: 'ward' }, ['profile']],
    [{ spo2Scale: 3 }, ['spo2Scale']],
    [{ spo2Scale: '1' }, ['spo2Scale']],
    [{ siteId: 2 }, ['siteId']],
    [{ id: 5, version: 9, state: 'discharged' }, ['id', 'version', 'state']],
    [{ mrn: '', dateOfBirth: 'x' }, ['mrn', 'dateOfBirth']],
  ])('is not added with %j, and the answer names %j', async (more, fields) => {
    const answer = await physician.call('POST', url, { ...sam, ...more });
    const { error } = answer.json<Refused>();
    expect([answer.statusCode, error.code, Object.keys(error.fields ?? {})]).toEqual([422, 'invalid', fields]);
    await expect(rows()).resolves.toEqual([]);
    await expect(audits('create_patient')).resolves.toEqual([]);
  });

  it('is not born the day after tomorrow; tomorrow has come somewhere already', async () => {
    const born = (days: number) => toInstant(test.now() + days * 86_400_000).slice(0, 10);
    const statusOf = async (dateOfBirth: string) =>
      (await physician.call('POST', url, { ...sam, dateOfBirth })).statusCode;
    await expect(statusOf(born(2))).resolves.toBe(422);
    await expect(statusOf(born(1))).resolves.toBe(201);
  });

  it.each([['[]'], ['null'], ['"text"'], ['1']])('is not added from the body %s', async (payload) => {
    const { cookies } = nurse;
    const headers = { 'content-type': 'application/json', 'x-xsrf-token': cookies['XSRF-TOKEN'] };
    const answer = await test.app.inject({ method: 'POST', url, cookies, headers, payload });
    expect([answer.statusCode, answer.json<Refused>().error.fields]).toEqual([
      422,
      { body: expect.any(String) as unknown },
    ]);
  });

  it('is added with what is known of them, the rest by default', async () => {
    const answer = await nurse.call('POST', url, { ...sam, familyName: '  Nu\u0301n\u0303ez ' });
    expect(answer.statusCode).toBe(201);
    const added = answer.json<{ id: number }>();
    expect(added).toEqual({
      id: added.id,
      ...sam,
      familyName: 'Núñez',
      sex: 'unknown',
      location: null,
      profile: 'continuous',
      spo2Scale: 1,
      news2ExemptFor: null,
      isTrial: false,
      state: 'active',
      version: 1,
      latest: {},
      standby: null,
      comfortCare: null,
      symptoms: null,
      deviceAlarms: [],
      alerts: [],
    });
    const read = { ...added, news2: expect.objectContaining({ complete: false, range: [0, 20] }) as unknown };
    expect((await nurse.call('GET', `${url}/${added.id}`)).json()).toEqual(read);
    await expect(audits('create_patient')).resolves.toEqual([
      { action: 'create_patient', object_id: added.id, actor_id: nurse.userId, details: null },
    ]);
    await test.restart();
    expect((await nurse.call('GET', `${url}/${added.id}`)).json()).toEqual(read);
  });

  it('has an MRN that is taken once a site: 409 names who has it', async () => {
    const { id } = (await nurse.call('POST', url, { ...sam, mrn: 'TAKEN' })).json<{ id: number }>();
    const again = await nurse.call('POST', url, { ...sam, givenName: 'Samuel', mrn: ' TAKEN ' });
    expect([again.statusCode, again.json<Refused>().error]).toMatchObject([
      409,
      { code: 'mrn_exists', id, fields: { mrn: expect.any(String) as unknown } },
    ]);
    expect((await elsewhere.call('POST', url, { ...sam, mrn: 'TAKEN' })).statusCode).toBe(201);

    const other = await test.addPatient(site);
    const patched = await nurse.call('PATCH', `${url}/${other}`, { version: 1, mrn: 'TAKEN' });
    expect([patched.statusCode, patched.json<Refused>().error.id]).toEqual([409, id]);
    expect((await nurse.call('PATCH', `${url}/${id}`, { version: 1, mrn: 'TAKEN' })).statusCode).toBe(200);
  });

  it('has an MRN that is taken by a patient beyond the caller’s reach: 409 names no one', async () => {
    const hidden = await test.addPatient(site, { mrn: 'HIDDEN', location: { unit: 'Far', bed: '1' } });
    const near = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Near', [near.userId]);
    const mine = await test.addPatient(site, { location: { unit: 'Near', bed: '1' } });
    const answers = [
      await near.call('POST', url, { ...sam, mrn: 'HIDDEN', location: { unit: 'Near', bed: '2' } }),
      await near.call('PATCH', `${url}/${mine}`, { version: 1, mrn: 'HIDDEN' }),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json<Refused>().error.code])).toEqual(
      Array(2).fill([409, 'mrn_exists']),
    );
    expect(answers.map((answer) => answer.json<Refused>().error.id)).toEqual([undefined, undefined]);
    expect((await nurse.call('POST', url, { ...sam, mrn: 'HIDDEN' })).json<Refused>().error.id).toBe(hidden);
  });

  it('is added once when several add the same MRN at once; the others of its user are that one', async () => {
    const answers = await Promise.all(
      [nurse, physician, nurse, physician].map(({ call }) => call('POST', url, { ...sam, mrn: 'RACE' })),
    );
    const added = answers
      .filter(({ statusCode }) => statusCode === 201)
      .map((answer) => answer.json<{ id: number }>().id);
    expect([added.length, new Set(added).size]).toEqual([2, 1]);
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(
      refused.map((answer) => [answer.statusCode, answer.json<Refused>().error.code, answer.json<Refused>().error.id]),
    ).toEqual(Array(2).fill([409, 'mrn_exists', added[0]]));
  });

  it('sent again after a lost response is the one that is there, in one stay, until someone changes it', async () => {
    await test.addUnit(site, 'Again');
    const body = { ...sam, mrn: 'AGAIN', location: { unit: 'Again', bed: 'A1' } };
    const first = await nurse.call('POST', url, body);
    const again = await nurse.call('POST', url, { ...body, location: { unit: 'AGAIN', bed: 'a1' } });
    expect([again.statusCode, again.json<unknown>()]).toEqual([201, first.json<unknown>()]);
    const { id } = first.json<{ id: number }>();
    const moves = test.store.db.selectFrom('patient_moves').select('kind').where('patient_id', '=', id).execute();
    await expect(moves).resolves.toEqual([{ kind: 'admitted' }]);
    for (const [who, other] of [
      [physician, body],
      [nurse, { ...body, dateOfBirth: '1950-03-08' }],
      [nurse, { ...body, location: { unit: 'Again', bed: 'A2' } }],
      [nurse, { ...body, location: null }],
      [nurse, { ...body, isTrial: true }],
    ] as const) {
      expect((await who.call('POST', url, other)).json<Refused>().error).toMatchObject({ code: 'mrn_exists', id });
    }
    await nurse.call('PATCH', `${url}/${id}`, { version: 1, sex: 'female' });
    expect((await nurse.call('POST', url, body)).json<Refused>().error).toMatchObject({ code: 'mrn_exists', id });
  });

  it('is on trial for good, or never', async () => {
    const added = await nurse.call('POST', url, { ...sam, mrn: 'TRIAL', isTrial: true });
    expect(added.json<unknown>()).toMatchObject({ isTrial: true });
    const { id } = added.json<{ id: number }>();
    expect((await nurse.call('PATCH', `${url}/${id}`, { version: 1, isTrial: false })).statusCode).toBe(422);
    expect((await nurse.call('GET', `${url}/${id}`)).json<unknown>()).toMatchObject({ isTrial: true, version: 1 });
  });

  it('comes on SpO2 scale 2 from a physician only', async () => {
    expect((await nurse.call('POST', url, { ...sam, mrn: 'SCALE', spo2Scale: 2 })).statusCode).toBe(403);
    expect((await physician.call('POST', url, { ...sam, mrn: 'SCALE', spo2Scale: 2 })).json()).toMatchObject({
      spo2Scale: 2,
    });
  });

  it('gets another SpO2 scale only together with a target and a reason', async () => {
    const id = await test.addPatient(site);
    expect((await physician.call('PATCH', `${url}/${id}`, { version: 1, spo2Scale: 2 })).statusCode).toBe(422);
    expect(versionOf(id)).toBe(1);
  });

  it('is not changed on the strength of an older version', async () => {
    const id = await test.addPatient(site, { familyName: 'First' });
    const [one, two] = await Promise.all([
      nurse.call('PATCH', `${url}/${id}`, { version: 1, familyName: 'Second' }),
      physician.call('PATCH', `${url}/${id}`, { version: 1, familyName: 'Third' }),
    ]);
    expect([one.statusCode, two.statusCode].sort()).toEqual([200, 409]);
    const refused = [one, two].find(({ statusCode }) => statusCode === 409);
    expect(refused?.json<Refused>().error).toMatchObject({ code: 'changed_meanwhile', id });
    expect(versionOf(id)).toBe(2);
    expect((await nurse.call('PATCH', `${url}/${id}`, { version: 3, familyName: 'Fourth' })).statusCode).toBe(409);
  });

  it.each([
    [{}, ['version']],
    [{ version: 0 }, ['version']],
    [{ version: 1, siteId: 2 }, ['siteId']],
    [{ version: 1, state: 'dead' }, ['state']],
    [{ version: 1, location: { unit: 'ICU', bed: null } }, ['location.bed']],
  ])('is not changed by %j, and the answer names %j', async (patch, fields) => {
    const id = await test.addPatient(site);
    const answer = await nurse.call('PATCH', `${url}/${id}`, patch);
    expect([answer.statusCode, Object.keys(answer.json<Refused>().error.fields ?? {})]).toEqual([422, fields]);
    expect(versionOf(id)).toBe(1);
  });

  it('changed again after a lost response is changed once; by another user it is refused', async () => {
    const id = await test.addPatient(site);
    const change = (who: Caller) => who.call('PATCH', `${url}/${id}`, { version: 1, familyName: 'Second' });
    const [one, two] = await Promise.all([change(nurse), change(nurse)]);
    expect([one.statusCode, two.statusCode, two.json<unknown>()]).toEqual([200, 200, one.json<unknown>()]);
    expect([versionOf(id), (await audits('change_patient')).filter((row) => row.object_id === id).length]).toEqual([
      2, 1,
    ]);
    expect((await change(physician)).json<Refused>().error.code).toBe('changed_meanwhile');
    await physician.call('PATCH', `${url}/${id}`, { version: 2, sex: 'female' });
    expect((await change(nurse)).json<Refused>().error.code).toBe('changed_meanwhile');
  });

  it('changes only in the named fields, and the audit names the fields without their values', async () => {
    const id = await test.addPatient(site, { givenName: 'Robin', location: { unit: 'ICU', bed: '7' } });
    const before = patientSchema.parse((await nurse.call('GET', `${url}/${id}`)).json());
    const moved = await nurse.call('PATCH', `${url}/${id}`, { version: 1, location: null, sex: 'female' });
    expect(moved.json()).toEqual({ ...before, location: null, sex: 'female', version: 2 });
    const discharged = await nurse.call('PATCH', `${url}/${id}`, { version: 2, state: 'discharged' });
    expect(discharged.json()).toMatchObject({ state: 'discharged', version: 3, sex: 'female' });
    const [first, second] = (await audits('change_patient')).slice(-2);
    expect([first?.details, second?.details]).toEqual(['{"fields":["sex","location"]}', '{"fields":["state"]}']);
  });

  it('of another site gives the same bytes as one who does not exist, and is not changed', async () => {
    const id = await test.addPatient(site);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { version: 1, familyName: 'Stolen' }],
    ] as const) {
      const other = await elsewhere.call(method, `${url}/${id}`, body);
      const missing = await elsewhere.call(method, `${url}/888888`, body);
      expect([other.statusCode, other.body]).toEqual([404, missing.body]);
    }
    expect(versionOf(id)).toBe(1);
  });
});

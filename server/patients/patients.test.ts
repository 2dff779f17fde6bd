import { gunzipSync } from 'node:zlib';
import {
  patient as patientSchema,
  patientResponse,
  type PatientResponse,
  type PatientsPage,
} from '../../lib/patients/schema';
import type { Spo2Target } from '../../lib/patients/spo2TargetSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines, engines } from '../../test/database';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/patients';

describe.each(engines)('a patient on %s', (engine) => {
  const sam = { mrn: 'MRN-1', givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };

  interface Refused {
    error: { code: string; id?: number; fields?: Record<string, string> };
  }

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
    [{ familyName: '', givenName: '' }, ['familyName']],
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

  it('is asked about if somebody of the same name and birth, or with a look-alike MRN, is here', async () => {
    const add = async (more: object, who = nurse) => {
      const answer = await who.call('POST', url, { ...sam, ...more });
      const { error, id } = answer.json<{
        error?: { code: string; confirm?: number[]; message: string };
        id?: number;
      }>();
      return { status: answer.statusCode, id: id ?? 0, error };
    };
    const { id: first } = await add({ mrn: 'A-10', location: { unit: 'Near', bed: '1' } });
    const { id: second } = await add({ mrn: 'X 7', givenName: 'Zoe\u0308', familyName: '\u0644\u200c\u0645' });
    const likely = (...confirm: number[]) => ({ status: 409, error: { code: 'likely_duplicate', confirm } });
    // Cyrillic, full width, Arabic digits, the letter O, and blanks.
    for (const mrn of ['\u0410-10', '\uff21-\uff11\uff10', 'a\u2010\u0661\u0660', 'A-1O', 'A 1 0', 'A10']) {
      await expect(add({ mrn, givenName: 'Ola' })).resolves.toMatchObject(likely(first));
    }
    await expect(add({ mrn: 'B-1', givenName: 'SAM' })).resolves.toMatchObject(likely(first));
    await expect(add({ mrn: 'B-1', givenName: 'Sample', familyName: 'Sam' })).resolves.toMatchObject(likely(first));
    await expect(add({ mrn: 'x7' })).resolves.toMatchObject(likely(first, second));
    await expect(add({ mrn: 'x7', confirm: [first] })).resolves.toMatchObject(likely(first, second));
    const joined = { givenName: 'zoe', familyName: '\u0644\u0645' };
    await expect(add({ mrn: 'C-1', ...joined })).resolves.toMatchObject(likely(second));
    const { id: zeros } = await add({ mrn: '0042', givenName: '', familyName: 'Đặng', confirm: [] });
    await expect(add({ mrn: '42', givenName: 'Ola' })).resolves.toMatchObject(likely(zeros));
    await expect(add({ mrn: '99', givenName: '', familyName: 'DANG' })).resolves.toMatchObject(likely(zeros));
    await expect(add({ mrn: '99', familyName: 'Dang' })).resolves.toMatchObject({ status: 201 });
    // Others are not asked about.
    await expect(add({ mrn: 'A-11', dateOfBirth: '1950-03-08' })).resolves.toMatchObject({ status: 201 });
    await expect(add({ mrn: 'A-10' }, elsewhere)).resolves.toMatchObject({ status: 201 });
    const near = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Other', [near.userId]);
    const location = { unit: 'Other', bed: '1' };
    const hidden = await add({ mrn: 'A-1O', location, confirm: [first] }, near);
    expect(hidden).toMatchObject({
      status: 409,
      error: { message: 'A patient with this number is in another unit. Ask the ward lead.' },
    });
    expect(hidden.error?.confirm).toBeUndefined();
    const { status, id: third } = await add({ mrn: 'D-1', location }, near);
    expect(status).toBe(201);
    await expect(add({ mrn: 'x7', confirm: [first, second, third] })).resolves.toMatchObject({ status: 201 });
  });

  it('is listed with those who are likely the same, in the caller’s reach alone, as one view', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const near = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Near', [near.userId]);
    const at = (unit: string, bed: string) => ({ location: { unit, bed } });
    const one = { familyName: 'Sample', givenName: 'Sam', dateOfBirth: '1950-03-07' };
    const add = (mrn: string, more: object) => test.addPatient(site, { mrn, ...more });
    const first = await add('P-10', { ...one, ...at('Near', '1') });
    const swapped = await add('Q-1', { ...one, familyName: 'Sam', givenName: 'Sample', ...at('Near', '2') });
    const alike = await add('P-1O', { familyName: 'Other', ...at('Far', '1') });
    await add('P-11', { familyName: 'Sample', givenName: 'Sam', dateOfBirth: '1950-03-08', ...at('Near', '3') });
    const pairs = async (who: Caller): Promise<number[][]> => {
      const answer = await who.call('GET', `${url}/duplicates`);
      return answer.json<{ items: { id: number }[][] }>().items.map((pair) => pair.map(({ id }) => id));
    };
    await expect(pairs(lead)).resolves.toEqual([
      [first, swapped],
      [first, alike],
    ]);
    await expect(pairs(near)).resolves.toEqual([[first, swapped]]);
    await expect(pairs(elsewhere)).resolves.toEqual([]);
    await pairs(lead);
    const views = (await audits('list_patients')).filter(({ actor_id }) => actor_id === lead.userId);
    expect(views.map(({ details }) => details)).toEqual([
      JSON.stringify({ count: 4, filters: ['duplicates'], patientIds: [first, swapped, first, alike] }),
    ]);
    // One of the two is not discharged.
    for (const id of [first, alike]) {
      expect((await lead.call('PATCH', `${url}/${id}`, { version: 1, state: 'discharged' })).statusCode).toBe(200);
    }
    await expect(pairs(lead)).resolves.toEqual([[first, swapped]]);
  });

  it('of two who look alike each is found by the exact number', async () => {
    const [first, second] = [
      await test.addPatient(site, { mrn: 'L-10' }),
      await test.addPatient(site, { mrn: 'L-1O' }),
    ];
    expect(['L-10', 'L-1O', 'l-10'].map((mrn) => test.server.liveState.patientByMrn(mrn, site)?.id)).toEqual([
      first,
      second,
      undefined,
    ]);
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

describe.each(apiEngines)('the list of patients on %s', (engine) => {
  /** Six people whom each order of the list sorts differently. */
  const people = [
    {
      mrn: 'A10',
      givenName: 'Ann',
      familyName: 'Oak',
      dateOfBirth: '1950-01-01',
      location: { unit: 'ICU', bed: '10' },
    },
    { mrn: 'A9', givenName: 'Bo', familyName: 'Oak', dateOfBirth: '1940-01-01', location: { unit: 'ICU', bed: '2' } },
    {
      mrn: 'B1',
      givenName: 'Cy',
      familyName: 'Núñez',
      dateOfBirth: '1960-01-01',
      location: { unit: 'ICU 1', bed: '1' },
    },
    { mrn: 'C1', givenName: 'Di', familyName: 'birch', dateOfBirth: '1930-12-31', location: null },
    { mrn: 'D1', givenName: 'Ed', familyName: 'Ash', dateOfBirth: '1931-01-01', location: { unit: 'Ward', bed: '1' } },
    { mrn: 'E1', givenName: 'Flo', familyName: 'Yew', dateOfBirth: '2001-06-05', location: null },
  ];

  let test: TestServer;
  let nurse: Caller;
  let viewer: Caller;
  let unitElsewhere: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    const site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    viewer = await test.signIn(site, 'viewer');
    const elsewhere = await test.addSite('Other ward');
    await test.addPatient(elsewhere, {
      mrn: 'A10',
      givenName: 'Zed',
      familyName: 'Elsewhere',
      location: { unit: 'Secret', bed: '1' },
    });
    unitElsewhere = test.server.liveState.unitByName(elsewhere, 'Secret')?.id ?? 0;
    for (const person of people) {
      await test.addPatient(site, person);
    }
    const gone = await test.addPatient(site, {
      mrn: 'F1',
      givenName: 'Gus',
      familyName: 'Elm',
      location: { unit: 'Closed', bed: '1' },
    });
    await nurse.call('PATCH', `${url}/${gone}`, { version: 1, state: 'discharged' });

    const { token } = await test.addDevice(site);
    const sample = (mrn: string, kind: string, value: number, ageMs = 0, quality = 'good') => ({
      mrn,
      kind,
      value,
      takenAt: new Date(test.now() - ageMs).toISOString(),
      quality,
    });
    await test.ingest(token, [
      sample('A10', 'spo2', 97),
      sample('A9', 'spo2', 0),
      sample('B1', 'spo2', 88),
      sample('D1', 'spo2', 99, 3_600_000),
      sample('E1', 'spo2', 91, 0, 'invalid'),
      sample('A10', 'heartRate', 0),
      sample('A9', 'pulseRate', 110),
      sample('D1', 'heartRate', 70),
      sample('D1', 'pulseRate', 30),
    ]);
  });

  const ask = async (query: string, caller = nurse): Promise<PatientsPage> =>
    (await caller.call('GET', `${url}${query}`)).json<PatientsPage>();
  const names = async (query: string): Promise<string> =>
    (await ask(query)).items.map(({ givenName }) => givenName).join(' ');

  it.each([
    '?page=0',
    '?page=-1',
    '?page=1.5',
    '?page=x',
    '?page=',
    '?page=1&page=2',
    '?pageSize=0',
    '?pageSize=501',
    '?sort=givenName',
    '?sort=--mrn',
    '?state=all',
    '?unit=',
    '?unit=ICU',
    '?bed=M1',
    '?mine=1',
    '?text=sam',
    '?siteId=2',
    '?page[]=1',
    '?after=' + 'x'.repeat(61),
  ])('refuses %s', async (query) => {
    const answer = await nurse.call('GET', `${url}${query}`);
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      400,
      'malformed_request',
    ]);
  });

  it.each([
    ['', 'Ed Di Cy Ann Bo Flo'],
    ['?sort=familyName', 'Ed Di Cy Ann Bo Flo'],
    ['?sort=-familyName', 'Flo Ann Bo Cy Di Ed'],
    ['?sort=mrn', 'Bo Ann Cy Di Ed Flo'],
    ['?sort=-mrn', 'Flo Ed Di Cy Ann Bo'],
    ['?sort=dateOfBirth', 'Di Ed Bo Ann Cy Flo'],
    ['?sort=-dateOfBirth', 'Flo Cy Ann Bo Ed Di'],
    ['?sort=location', 'Bo Ann Cy Ed Di Flo'],
    ['?sort=-location', 'Ed Cy Ann Bo Di Flo'],
    ['?sort=spo2', 'Cy Ann Ed Di Bo Flo'],
    ['?sort=-spo2', 'Ann Cy Ed Di Bo Flo'],
    ['?sort=heartRate', 'Ann Ed Bo Di Cy Flo'],
    ['?sort=-heartRate', 'Bo Ed Ann Di Cy Flo'],
  ])('%s: patients with nothing to show come last', async (query, expected) => {
    await expect(names(query)).resolves.toBe(expected);
  });

  it('comes in pages that hold every patient once', async () => {
    const pages = [await ask('?pageSize=4'), await ask('?pageSize=4&page=2'), await ask('?pageSize=4&page=3')];
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [4, 6],
      [2, 6],
      [0, 6],
    ]);
    const all = (await ask('')).items.map(({ id }) => id);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all);
  });

  it('is filtered by unit and state, and names the units of those who are here', async () => {
    const { units } = await ask('');
    const [icu, , ward] = units.map(({ id }) => id);
    await expect(names(`?unit=${icu ?? 0}`)).resolves.toBe('Ann Bo');
    await expect(ask(`?unit=${unitElsewhere}`)).resolves.toMatchObject({ items: [], units, beds: [] });
    await expect(names('?state=discharged')).resolves.toBe('Gus');
    expect(units.map(({ name }) => name)).toEqual(['ICU', 'ICU 1', 'Ward']);
    const { beds } = await ask(`?unit=${ward ?? 0}`);
    const found = await Promise.all(beds.map(({ id }) => names(`?unit=${ward ?? 0}&bed=${id}`)));
    expect([found.join(' '), found.includes('')]).toEqual([await names(`?unit=${ward ?? 0}&sort=location`), false]);
    await expect(names(`?unit=${icu ?? 0}&bed=${beds[0]?.id ?? ''}`)).resolves.toBe('');
  });

  it('shows no patient of another site and nothing about the user who asks', async () => {
    const answers = [await nurse.call('GET', url), await viewer.call('GET', url)];
    expect(answers[0]?.rawPayload.equals(answers[1]?.rawPayload ?? Buffer.of())).toBe(true);
    expect(Object.keys((await ask('')).items[0] ?? {}).sort()).toEqual(
      [
        'id',
        'mrn',
        'givenName',
        'familyName',
        'dateOfBirth',
        'sex',
        'location',
        'profile',
        'spo2Scale',
        'news2ExemptFor',
        'state',
        'symptoms',
        'deviceAlarms',
        'isTrial',
        'version',
        'latest',
        'standby',
        'comfortCare',
        'alerts',
      ].sort(),
    );
    expect(answers[0]?.body).not.toMatch(/Elsewhere|Secret/);
  });

  describe('searched by text', () => {
    const search = (body: object) => nurse.call('POST', `${url}/search`, body);
    const found = async (text: string): Promise<string> =>
      (await search({ text }))
        .json<PatientsPage>()
        .items.map(({ givenName }) => givenName)
        .join(' ');

    it.each([
      [{}, ['text']],
      [{ text: 'x'.repeat(201) }, ['text']],
      [{ text: 'sam', page: '1' }, ['page']],
      [{ text: 'sam', mine: 'yes' }, ['mine']],
    ])('refuses %j', async (body, fields) => {
      const answer = await search(body);
      expect([answer.statusCode, Object.keys(answer.json<{ error: { fields: object } }>().error.fields)]).toEqual([
        422,
        fields,
      ]);
    });

    it.each([
      ['oak', 'Ann Bo'],
      ['OAK, ann', 'Ann'],
      ['nunez', 'Cy'],
      ['a1', 'Ann'],
      ['elm', ''],
      ['elsewhere', ''],
      ['', 'Ed Di Cy Ann Bo Flo'],
    ])('"%s" finds "%s"', async (text, expected) => {
      await expect(found(text)).resolves.toBe(expected);
    });

    it('says "unchanged" to the same query only', async () => {
      const { version } = (await search({ text: 'oak' })).json<PatientsPage>();
      expect((await search({ text: 'oak', after: version })).json()).toEqual({ unchanged: true, version });
      expect((await search({ text: 'ash', after: version })).json<PatientsPage>().items).toHaveLength(1);
    });
  });
});

describe('the polled answer', () => {
  let test: TestServer;
  let nurse: Caller;
  let token: string;
  let site: number;

  beforeAll(async () => {
    test = await restartableTestServer('sqlite');
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    await test.addPatient(site, { mrn: 'A1' });
    ({ token } = await test.addDevice(site));
  });

  const ask = async (query = ''): Promise<PatientsPage> =>
    (await nurse.call('GET', `${url}${query}`)).json<PatientsPage>();
  const measure = (value: number) =>
    test.ingest(token, [
      { mrn: 'A1', kind: 'spo2', value, takenAt: new Date(test.now()).toISOString(), quality: 'good' },
    ]);
  const shown = async (): Promise<number | undefined> => (await ask()).items[0]?.latest.spo2?.value;

  it('is "unchanged" for a caller who has it, and whole for any other query', async () => {
    const { version } = await ask();
    await expect(ask(`?after=${version}`)).resolves.toEqual({ unchanged: true, version });
    for (const query of ['?page=2', '?pageSize=24', '?sort=-familyName', '?state=discharged', '?unit=1']) {
      await expect(ask(`${query}&after=${version}`)).resolves.toHaveProperty('items');
    }
    await expect(ask('?after=unheard-of')).resolves.toHaveProperty('items');
  });

  it('of before a restart does not pass for one of after it', async () => {
    const { version } = await ask();
    await test.restart();
    await expect(ask(`?after=${version}`)).resolves.toHaveProperty('items');
  });

  it('is rebuilt for samples at most once a second', async () => {
    test.advance(1_000);
    await measure(97);
    await expect(shown()).resolves.toBe(97);
    test.advance(999);
    await measure(93);
    await expect(shown()).resolves.toBe(97);
    test.advance(1);
    await expect(shown()).resolves.toBe(93);
  });

  it('holds a patient the moment they are added or changed', async () => {
    const before = await ask();
    const added = await nurse.call('POST', url, {
      mrn: 'NEW',
      givenName: 'New',
      familyName: 'Person',
      dateOfBirth: '1990-01-01',
    });
    const { id } = added.json<{ id: number }>();
    expect((await ask(`?after=${before.version}`)).total).toBe(before.total + 1);
    await nurse.call('PATCH', `${url}/${id}`, { version: 1, state: 'discharged' });
    expect((await ask()).total).toBe(before.total);
  });

  it('is the same compressed', async () => {
    const plain = await nurse.call('GET', url);
    const compressed = await test.app.inject({
      url,
      cookies: nurse.cookies,
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'cache-control': 'no-store',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
    expect(compressed.headers['content-type']).toBe(plain.headers['content-type']);
  });
});

describe.each(apiEngines)('the SpO2 target on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let physician: Caller;
  let nurse: Caller;
  let patient: number;
  const urlOf = (id: number): string => `/api/v2/patients/${id}/spo2-target`;
  const wanted = { version: 1, scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide' };

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    physician = await test.signIn(site, 'physician');
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
  });

  const read = async (): Promise<Spo2Target> => (await nurse.call('GET', urlOf(patient))).json<Spo2Target>();

  it.each([
    [{ scale: 3 }, 'scale'],
    [{ low: 69 }, 'low'],
    [{ high: 101 }, 'high'],
    [{ low: 92 }, 'high'],
    [{ low: 93 }, 'high'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'why' }, 'reason'],
    [{ low: 88.5 }, 'low'],
    [{ version: 0 }, 'version'],
  ])('is refused with %j', async (change, field) => {
    const answer = await physician.call('PUT', urlOf(patient), { ...wanted, ...change });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
    await expect(read()).resolves.toMatchObject({ version: 1, isConfirmed: false });
  });

  it('is set by physicians alone, of their own site, and on the strength of what they saw', async () => {
    expect((await nurse.call('PUT', urlOf(patient), wanted)).statusCode).toBe(403);
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('PUT', urlOf(patient), wanted)).statusCode).toBe(404);
    expect((await stranger.call('GET', urlOf(patient))).statusCode).toBe(404);
    const late = await physician.call('PUT', urlOf(patient), { ...wanted, version: 2 });
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'changed_meanwhile' } }]);
    await expect(read()).resolves.toEqual({ version: 1, scale: 1, low: 94, high: 98, isConfirmed: false, history: [] });
  });

  it('names no user while it is the usual target of its scale', async () => {
    patient = await test.addPatient(site, { spo2Scale: 2 });
    await expect(read()).resolves.toMatchObject({ scale: 2, low: 88, high: 92, isConfirmed: false });
  });

  it('holds with its reason, its author and its time, and leaves the ones before readable', async () => {
    const first = await physician.call('PUT', urlOf(patient), wanted);
    expect(first.statusCode).toBe(200);
    const firstAt = toInstant(test.now());
    test.advance(60_000);
    await physician.call('PUT', urlOf(patient), {
      ...wanted,
      version: 2,
      scale: 1,
      low: 92,
      high: 96,
      reason: 'Blood gases are normal',
    });
    await test.restart();
    const shown = await read();
    expect(shown).toMatchObject({ version: 3, scale: 1, low: 92, high: 96, isConfirmed: true });
    expect(shown.history).toMatchObject([
      {
        scale: 1,
        low: 92,
        high: 96,
        reason: 'Blood gases are normal',
        setAt: toInstant(test.now()),
        setBy: { id: physician.userId },
      },
      { scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide', setAt: firstAt },
    ]);
    expect((await nurse.call('GET', `/api/v2/patients/${patient}`)).json()).toMatchObject({ spo2Scale: 1, version: 3 });
  });

  it('is set once when two physicians set it at the same moment', async () => {
    const other = await test.signIn(site, 'physician');
    const answers = await Promise.all([physician, other].map((one) => one.call('PUT', urlOf(patient), wanted)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await read()).history).toHaveLength(1);
  });

  it('is on record without its reason', async () => {
    await physician.call('PUT', urlOf(patient), wanted);
    const row = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'set_spo2_target')
      .where('object_id', '=', patient)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ actor_id: physician.userId, details: null });
  });
});

describe.each(apiEngines)('NEWS2 in the answer of one patient on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    nurse = await test.signIn(await test.addSite(), 'nurse');
  });

  const add = async (mrn: string, dateOfBirth = '1950-03-07'): Promise<number> => {
    const answer = await nurse.call('POST', url, { mrn, givenName: 'Sam', familyName: 'Sample', dateOfBirth });
    return answer.json<{ id: number }>().id;
  };
  const type = async (id: number, readings: object): Promise<number> =>
    (await nurse.call('POST', `${url}/${id}/readings`, { readings })).statusCode;
  const read = async (id: number): Promise<PatientResponse> =>
    patientResponse.parse((await nurse.call('GET', `${url}/${id}`)).json());

  it('is an interval until all seven are known, and then a score with its parts', async () => {
    const id = await add('N-1');
    await expect(type(id, { spo2: 91, pulseRate: 112 })).resolves.toBeLessThan(300);
    expect((await read(id)).news2).toMatchObject({
      complete: false,
      score: null,
      range: [5, 19],
      band: 'unknown',
      atLeast: 'medium',
    });
    const rest = { respiratoryRate: 16, oxygenFlow: 0, systolic: 120, consciousness: 'A', temperature: 37 };
    await expect(type(id, rest)).resolves.toBeLessThan(300);
    expect((await read(id)).news2).toMatchObject({
      complete: true,
      score: 5,
      range: [5, 5],
      band: 'medium',
      parts: { spo2: { value: 91, points: 3 }, consciousness: { value: 'A', points: 0 } },
      missing: [],
    });
  });

  it('is null for a child', async () => {
    const year = new Date(test.now()).getUTCFullYear() - 10;
    expect((await read(await add('N-2', `${year}-01-01`))).news2).toBeNull();
  });
});

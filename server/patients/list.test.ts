import type { PatientsPage } from '../../lib/patients/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/patients';

/** Six people whom each order of the list sorts differently. */
const people = [
  { mrn: 'A10', givenName: 'Ann', familyName: 'Oak', dateOfBirth: '1950-01-01', location: { unit: 'ICU', bed: '10' } },
  { mrn: 'A9', givenName: 'Bo', familyName: 'Oak', dateOfBirth: '1940-01-01', location: { unit: 'ICU', bed: '2' } },
  { mrn: 'B1', givenName: 'Cy', familyName: 'Núñez', dateOfBirth: '1960-01-01', location: { unit: 'ICU 1', bed: '1' } },
  { mrn: 'C1', givenName: 'Di', familyName: 'birch', dateOfBirth: '1930-12-31', location: null },
  { mrn: 'D1', givenName: 'Ed', familyName: 'Ash', dateOfBirth: '1931-01-01', location: { unit: 'Ward', bed: '1' } },
  { mrn: 'E1', givenName: 'Flo', familyName: 'Yew', dateOfBirth: '2001-06-05', location: null },
];

describe.each(apiEngines)('the list of patients on %s', (engine) => {
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

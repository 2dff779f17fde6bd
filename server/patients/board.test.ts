import { gunzipSync } from 'node:zlib';
import type { PatientsPage } from '../../lib/patients/schema';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/patients';

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

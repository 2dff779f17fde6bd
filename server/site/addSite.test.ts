import type { AlertsPage } from '../../lib/alerts/schema';
import { intendedUseVersion } from '../../lib/site/intendedUse';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, testPassword, type Caller, type TestServer } from '../../test/testServer';
import { parseSiteOptions } from '../cli/parseSiteOptions';
import { UsageError } from '../cli/UsageError';
import { addSite } from './addSite';

describe('parseSiteOptions', () => {
  const needed = ['--name', 'North ward', '--time-zone', 'Europe/Oslo', '--admin', 'Ann@Example.org'];

  it.each([
    [[], '--name'],
    [['--name', ' ', ...needed.slice(2)], '--name'],
    [['--name', 'North\nward', ...needed.slice(2)], '--name'],
    [needed.slice(0, 2), '--time-zone'],
    [[...needed.slice(0, 3), 'Mars/Olympus', ...needed.slice(4)], '--time-zone'],
    [needed.slice(0, 4), '--admin'],
    [[...needed.slice(0, 5), 'ann'], '--admin'],
    [[...needed, '--password', 'x'], '--password'],
    [[...needed, 'stray'], 'stray'],
  ])('refuses %j and says that it is %s', (args, says) => {
    expect(() => parseSiteOptions(args)).toThrow(UsageError);
    expect(() => parseSiteOptions(args)).toThrow(says);
  });

  it('reads a site', () => {
    expect(parseSiteOptions(needed)).toEqual({
      name: 'North ward',
      timeZone: 'Europe/Oslo',
      adminEmail: 'ann@example.org',
    });
    expect(parseSiteOptions(['--help'])).toBe('help');
  });
});

describe.each(apiEngines)('a site added beside a running server on %s', (engine) => {
  let test: TestServer;
  let firstSite: number;
  let firstNurse: Caller;
  let firstAdmin: Caller;
  // A server of its own: the first site is another one there.
  beforeAll(async () => {
    test = await startTestServer(engine);
    firstSite = await test.addSite('South ward');
    firstNurse = await test.signIn(firstSite, 'nurse');
    firstAdmin = await test.signIn(firstSite, 'administrator', true);
    await test.startRules(firstSite);
  });
  afterAll(() => test.stop());

  const newSite = { name: 'North ward', timeZone: 'Europe/Oslo', adminEmail: 'ann@example.org' };
  const signUp = (invitation: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-up',
      payload: { invitation, fname: 'Ann', lname: 'North', password: testPassword },
    });

  it('is refused for an address that has an account, and nothing is kept', async () => {
    const { email } = await test.addUser(firstSite, 'nurse');
    await expect(addSite(test.store.db, test.now(), { ...newSite, adminEmail: email }, null)).rejects.toMatchObject({
      status: 409,
      code: 'email_exists',
    });
    await expect(test.store.db.selectFrom('sites').select('id').execute()).resolves.toEqual([{ id: firstSite }]);
  });

  it('is refused for a name that a site has, and nothing is kept', async () => {
    await expect(addSite(test.store.db, test.now(), { ...newSite, name: 'south WARD' }, null)).rejects.toMatchObject({
      status: 409,
      code: 'site_exists',
    });
    await expect(test.store.db.selectFrom('sites').select('id').execute()).resolves.toEqual([{ id: firstSite }]);
  });

  it('has an administrator by its one-use link, raises alerts at once, and shares nothing with the first', async () => {
    const { id, secret } = await addSite(test.store.db, test.now(), newSite, null);
    const joined = await signUp(secret);
    expect([joined.statusCode, (await signUp(secret)).statusCode]).toEqual([201, 404]);
    const patientId = await test.addPatient(id, { mrn: 'N1', familyName: 'Northern' });
    const cookies = Object.fromEntries(joined.cookies.map(({ name, value }) => [name, value]));
    const accepted = await test.app.inject({
      method: 'POST',
      url: '/api/v2/site/intended-use',
      cookies,
      headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
      payload: { accepted: true, version: intendedUseVersion },
    });
    expect(accepted.statusCode).toBe(200);
    const device = await test.addDevice(id);
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId,
      kind: 'spo2',
      value: 80,
      takenAt: toInstant(test.now() + (place + 1) * 1_000),
      quality: 'good',
    }));
    test.advance(16_000);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const nurse = await test.signIn(id, 'nurse');
    const alertsOf = async (caller: Caller): Promise<unknown[]> =>
      (await caller.call('GET', '/api/v2/alerts')).json<AlertsPage>().items.map((alert) => alert.patientId);
    await expect(alertsOf(nurse)).resolves.toEqual([patientId]);

    await expect(alertsOf(firstNurse)).resolves.toEqual([]);
    const patients = (caller: Caller) => caller.call('GET', '/api/v2/patients');
    expect((await patients(firstNurse)).body).not.toContain('Northern');
    expect((await patients(nurse)).body).toContain('Northern');
    expect((await firstNurse.call('GET', `/api/v2/patients/${patientId}`)).statusCode).toBe(404);
    const users = await firstAdmin.call('GET', '/api/v2/admin/users');
    expect(users.body).not.toContain('ann@example.org');
    const actions = await test.store.db
      .selectFrom('audit')
      .select(['action', 'site_id', 'object_id'])
      .where('action', '=', 'add_site')
      .execute();
    expect(actions).toEqual([{ action: 'add_site', site_id: id, object_id: id }]);
  });
});

import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { addDevice } from '../devices/commands';
import { parseDeviceOptions } from './parseDeviceOptions';
import { UsageError } from './UsageError';

describe('parseDeviceOptions', () => {
  const needed = ['--site', '1', '--name', 'gateway'];

  it.each([
    [[], '--site'],
    [['--name', 'gateway'], '--site'],
    [['--site', '0', '--name', 'gateway'], '--site'],
    [['--site', '1.5', '--name', 'gateway'], '--site'],
    [['--site', '1e30', '--name', 'gateway'], '--site'],
    [['--site', 'one', '--name', 'gateway'], '--site'],
    [['--site', '1'], '--name'],
    [['--site', '1', '--name', '  '], '--name'],
    [['--site', '1', '--name', 'x'.repeat(61)], '--name'],
    [['--site', '1', '--name', 'gate\nway'], '--name'],
    [[...needed, '--expected-every', '0'], '--expected-every'],
    [[...needed, '--expected-every', '0.0001'], '--expected-every'],
    [[...needed, '--expected-every', '604801'], '--expected-every'],
    [[...needed, '--expected-every', 'Infinity'], '--expected-every'],
    [[...needed, '--expected-every', '1e-9'], '--expected-every'],
    [[...needed, '--days', '0'], '--days'],
    [[...needed, '--days', '3651'], '--days'],
    [[...needed, '--days=-1'], '--days'],
    [[...needed, '--token', 'x'], '--token'],
    [[...needed, 'stray'], 'stray'],
    [['--site', '1', '--name'], '--name'],
  ])('refuses %j and says that it is %s', (args, says) => {
    expect(() => parseDeviceOptions(args)).toThrow(UsageError);
    expect(() => parseDeviceOptions(args)).toThrow(says);
  });

  it('reads durations into whole milliseconds', () => {
    expect(parseDeviceOptions([...needed, '--expected-every', '0.5', '--days', '0.3333333'])).toEqual({
      siteId: 1,
      name: 'gateway',
      expectedEveryMs: 500,
      lastsMs: 28_799_997,
    });
  });

  it('leaves out what is not said', () => {
    expect(parseDeviceOptions(needed)).toEqual({ siteId: 1, name: 'gateway', expectedEveryMs: null, lastsMs: null });
    expect(parseDeviceOptions(['--help'])).toBe('help');
  });
});

describe.each(apiEngines)('a device added on %s', (engine) => {
  let test: TestServer;
  let site: number;
  beforeEach(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
  });

  const rows = () => test.store.db.selectFrom('devices').where('site_id', '=', site).selectAll().execute();
  const deviceOf = (siteId: number) =>
    addDevice(test.store.db, test.now(), system, { siteId, name: 'gateway', expectedEveryMs: null, expiresAt: null });
  const status = async (token: string): Promise<number> => (await test.ingest(token, [])).statusCode;

  it('is refused for a site that does not exist, and nothing is kept or recorded', async () => {
    const before = await test.store.db.selectFrom('audit').selectAll().execute();
    await expect(deviceOf(999_999)).rejects.toMatchObject({ status: 404, code: 'unknown_site' });
    await expect(rows()).resolves.toEqual([]);
    await expect(test.store.db.selectFrom('audit').selectAll().execute()).resolves.toEqual(before);
  });

  it('is admitted by its token, which the store has as a hash only', async () => {
    const { id, token } = await deviceOf(site);
    // Never a dash first: `replay --token` would take it for an option.
    expect(token).toMatch(/^wl_[\w-]{43}$/);
    await expect(status(token)).resolves.toBe(200);
    const stored = JSON.stringify([await rows(), await test.store.db.selectFrom('audit').selectAll().execute()]);
    expect(stored).not.toContain(token);
    expect(JSON.stringify(test.logLines)).not.toContain(token);
    const { action, object_id, site_id, actor } = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('site_id', '=', site)
      .executeTakeFirstOrThrow();
    expect({ action, object_id, site_id, actor }).toEqual({
      action: 'add_device',
      object_id: id,
      site_id: site,
      actor: 'system',
    });
  });

  it('is refused from the moment its token ends', async () => {
    const { token } = await test.addDevice(site, { expiresAt: test.now() + 60_000 });
    test.advance(59_999);
    await expect(status(token)).resolves.toBe(200);
    test.advance(1);
    await expect(status(token)).resolves.toBe(401);
  });

  it('is refused from the moment it is revoked, although the server runs', async () => {
    const { id, token } = await test.addDevice(site);
    await test.store.db.updateTable('devices').set({ revoked_at: test.now() }).where('id', '=', id).execute();
    await expect(status(token)).resolves.toBe(401);
  });
});

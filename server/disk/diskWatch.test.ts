import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { engines } from '../../test/database';
import { makeTestFolder } from '../../test/testFolder';
import { startTestServer, type TestServer } from '../../test/testServer';
import type { User } from '../../lib/session/schema';
import { createDiskWatch, type DiskWatch } from './diskWatch';
import { isDiskLow, lowBelowBytes } from './isDiskLow';
import { reserveIn, reserveSize } from './reserve';

const gigabyte = 1_000_000_000;

describe('isDiskLow', () => {
  it('is so below a tenth of a small disk, and below 2 GB of a large one', () => {
    expect(lowBelowBytes({ totalBytes: 5 * gigabyte })).toBe(0.5 * gigabyte);
    expect(lowBelowBytes({ totalBytes: 500 * gigabyte })).toBe(2 * gigabyte);
    expect(isDiskLow({ freeBytes: 2 * gigabyte - 1, totalBytes: 500 * gigabyte }, false)).toBe(true);
    expect(isDiskLow({ freeBytes: 2 * gigabyte, totalBytes: 500 * gigabyte }, false)).toBe(false);
  });

  it('ends with a tenth more, so that it does not come and go', () => {
    expect(isDiskLow({ freeBytes: 2.1 * gigabyte, totalBytes: 500 * gigabyte }, true)).toBe(true);
    expect(isDiskLow({ freeBytes: 2.2 * gigabyte, totalBytes: 500 * gigabyte }, true)).toBe(false);
  });
});

describe.each(engines)('the watch over the disk with the data, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let free: number;
  let at: number;
  let watch: DiskWatch;

  const watchOf = (): DiskWatch =>
    createDiskWatch({
      store: test.store,
      dataDir: test.server.env.dataDir,
      alerts: test.server.alerts,
      sessions: test.server.sessions,
      log: pino({ level: 'silent' }),
      elapsed: () => at,
      readSpace: () => Promise.resolve({ freeBytes: free, totalBytes: 100 * gigabyte }),
    });
  const look = async (): Promise<unknown[]> => {
    await watch.look();
    await test.server.alerts.evaluateClock();
    return test.server.alerts
      .listOpen(site)
      .map(({ id, alert: { rule, priority, condition } }) => [id, rule, priority, condition]);
  };

  // A server of its own: its disk is that of all sites.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    [free, at] = [50 * gigabyte, 0];
    watch = watchOf();
  });
  afterAll(() => test.stop());

  if (engine === 'postgres') {
    it('looks at nothing: the disk is another computer’s', async () => {
      free = 0;
      await expect(look()).resolves.toEqual([]);
      expect(watch.space()).toBeNull();
    });
    return;
  }

  it('is one alert of low priority, over a restart too, and shown to administrators, until there is room', async () => {
    const admin = await test.signIn(site, 'administrator');
    const isShown = async (): Promise<boolean> =>
      (await admin.call('GET', '/api/user/getCurrentUser')).json<User>().site.isDiskLow;
    await expect(look()).resolves.toEqual([]);
    free = 1.9 * gigabyte;
    const raised = await look();
    expect(raised).toEqual([[expect.any(Number), 'disk.low', 'low', 'active']]);
    await expect(isShown()).resolves.toBe(true);

    await test.restart();
    // Until it has looked, it knows nothing.
    await test.server.alerts.evaluateClock();
    watch = watchOf();
    await expect(look()).resolves.toEqual(raised);
    await expect(isShown()).resolves.toBe(true);

    free = 3 * gigabyte;
    await expect(look()).resolves.not.toContainEqual(expect.arrayContaining(['active']));
    await expect(isShown()).resolves.toBe(false);
  });

  it('is in the metrics once it has looked', async () => {
    expect((await test.app.inject('/metrics')).body).toContain('\nwardlight_free_bytes Nan\n');
    await test.server.disk.look();
    expect((await test.app.inject('/metrics')).body).toMatch(/\nwardlight_free_bytes \d+/);
  });

  it('makes the reserve a minute after a start, with room to spare, and again after it was given up', async () => {
    const reserve = reserveIn(test.server.env.dataDir);
    await watch.look();
    expect(reserve.exists()).toBe(false);
    at = 60_000;
    free = 2 * gigabyte + reserveSize;
    await watch.look();
    expect(reserve.exists()).toBe(false);
    free += 1;
    await watch.look();
    expect(reserve.exists()).toBe(true);
    const { blocks, size } = statSync(path.join(test.server.env.dataDir, 'reserve'));
    expect([size, blocks * 512]).toEqual([reserveSize, reserveSize]);
    expect([reserve.giveUp(), reserve.giveUp(), reserve.exists()]).toEqual([true, false, false]);
    // What it gave is no room to spare.
    free = 2 * gigabyte + reserveSize - 1;
    await expect(look()).resolves.toEqual([[expect.any(Number), 'disk.low', 'low', 'active']]);
    expect(reserve.exists()).toBe(false);
    free = 2.2 * gigabyte + reserveSize;
    await watch.look();
    expect(reserve.exists()).toBe(true);
  });
});

describe('a reserve for which there is no room', () => {
  it('leaves nothing behind', async () => {
    const dataDir = makeTestFolder('disk');
    writeFileSync(path.join(dataDir, 'file'), '');
    const reserve = reserveIn(path.join(dataDir, 'file'), 10);
    await expect(reserve.make()).rejects.toThrow();
    expect(reserve.exists()).toBe(false);
  });
});

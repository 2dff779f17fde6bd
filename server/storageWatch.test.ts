import { engines } from '../test/database';
import { refuseWrites } from '../test/refuseWrites';
import { startTestServer } from '../test/testServer';
import { createStorageWatch } from './storageWatch';

describe('createStorageWatch', () => {
  it('says since when nothing could be stored, after 10 s, and heals with the next check', async () => {
    let time = 1_000_000;
    let isFull = true;
    const clock = (): number => time;
    const checkWritable = () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve());
    const watch = createStorageWatch({ checkWritable }, clock, clock);
    time += 60_000;
    watch.started();
    isFull = false;
    await watch.check();
    isFull = true;
    for (let second = 0; second <= 10; second += 1) {
      await expect(watch.check()).rejects.toThrow('full');
      expect(watch.notStoredSince()).toBeNull();
      time += 1_000;
    }
    expect(watch.notStoredSince()).toBe(1_060_000);
    isFull = false;
    await watch.check();
    expect(watch.notStoredSince()).toBeNull();
  });

  it('says so at once after a start, if the first check fails, and not before that', async () => {
    let time = 1_000_000;
    let isFull = true;
    const clock = (): number => time;
    const checkWritable = () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve());
    const watch = createStorageWatch({ checkWritable }, clock, clock);
    time += 2_000;
    watch.started();
    expect(watch.notStoredSince()).toBeNull();
    time += 1;
    await expect(watch.check()).rejects.toThrow('full');
    expect(watch.notStoredSince()).toBe(1_002_000);
    isFull = false;
    await watch.check();
    expect(watch.notStoredSince()).toBeNull();
    isFull = true;
    await expect(watch.check()).rejects.toThrow('full');
    expect(watch.notStoredSince()).toBeNull();
  });

  it('counts a check from its beginning: one that hangs has stored nothing yet', async () => {
    let time = 0;
    const clock = (): number => time;
    const end: (() => void)[] = [];
    const watch = createStorageWatch(
      { checkWritable: () => new Promise((resolve) => end.push(resolve)) },
      clock,
      clock,
    );
    const first = watch.check();
    time = 30_000;
    expect(watch.notStoredSince()).toBe(0);
    end.forEach((resolve) => {
      resolve();
    });
    await first;
    expect(watch.notStoredSince()).toBe(0);
  });

  it.each([-3_600_000, 7_200_000])('is not deceived by a step of the wall clock by %i ms', (step) => {
    let [wall, time] = [Date.UTC(2026, 4, 1), 5_000];
    const watch = createStorageWatch(
      { checkWritable: () => Promise.reject(new Error('full')) },
      () => wall,
      () => time,
    );
    time += 9_000;
    wall += 9_000 + step;
    expect(watch.notStoredSince()).toBeNull();
    time += 1_001;
    wall += 1_001;
    expect(watch.notStoredSince()).toBe(wall - 10_001);
  });
});

describe.each(engines)('a store that takes no writes, on %s', (engine) => {
  it('is in every response after 10 s, and at /readyz', async () => {
    const test = await startTestServer(engine);
    const nurse = await test.signIn(await test.addSite(), 'nurse');
    const { storage } = test.server;
    const headers = async (): Promise<unknown[]> => [
      (await nurse.call('GET', '/api/user/getCurrentUser')).headers['x-not-stored-since'],
      (await nurse.call('GET', '/api/v2/patients?page=x')).headers['x-not-stored-since'],
      (await test.app.inject('/nowhere')).headers['x-not-stored-since'],
      (await test.app.inject('/healthz')).headers['x-not-stored-since'],
    ];
    // The first request: before it SQLite waits for others for longer.
    await expect(headers()).resolves.toEqual([undefined, undefined, undefined, undefined]);
    const since = test.now();
    await storage.check();
    const heal = await refuseWrites(test);
    for (let second = 0; second < 11; second += 1) {
      test.advance(1_000);
      await expect(storage.check()).rejects.toThrow();
    }
    await expect(headers()).resolves.toEqual([since, since, since, since].map(String));
    const ready = await test.app.inject('/readyz');
    expect([ready.statusCode, ready.json<{ error: { code: string } }>().error.code]).toEqual([
      503,
      'storage_unavailable',
    ]);
    await heal();
    // One write a second tries a file that was locked.
    while ((await headers())[0] !== undefined) {
      await storage.check().catch(() => undefined);
    }
    await expect(headers()).resolves.toEqual([undefined, undefined, undefined, undefined]);
    await test.stop();
  });
});

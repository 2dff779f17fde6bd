import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import { toInstant } from '../../lib/time/schema';
import { sparkMinutes } from '../../lib/vitals/spark';
import { sparksResponse, type SparksResponse } from '../../lib/vitals/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const minuteMs = 60_000;
const url = '/api/v2/patients/sparks';

type Minute = [minutesAgo: number, text: string];

describe.each(apiEngines)('spark lines on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let signedInAt: number;
  let siteId: number;
  let token: string;
  let patientId: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    siteId = await test.addSite();
    // The tests' clock jumps over hours, in which no page is used.
    await test.store.db.updateTable('sites').set({ idle_minutes: 1_440 }).where('id', '=', siteId).execute();
    nurse = await test.signIn(siteId, 'nurse');
    signedInAt = test.now();
    patientId = await test.addPatient(siteId);
    ({ token } = await test.addDevice(siteId));
    // In the middle of a minute that no restart has cut in two.
    test.advance(2 * minuteMs + 30_000 - (test.now() % minuteMs));
    await catchUp();
  });

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const wire = (msAgo: number, value: number, more: object = {}): object => ({
    patientId,
    kind: 'spo2',
    value,
    quality: 'good',
    takenAt: toInstant(test.now() - msAgo),
    ...more,
  });
  const send = async (...samples: object[]): Promise<void> => {
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      rejected: [],
    });
  };
  /** A session locks itself while the clock runs on without its user. */
  const awake = async (): Promise<Caller> => {
    if (test.now() - signedInAt > 5 * minuteMs) {
      nurse = await test.signIn(siteId, 'nurse');
      signedInAt = test.now();
    }
    return nurse;
  };
  const ask = async (ids: (number | string)[] = [patientId], caller?: Caller): Promise<SparksResponse> =>
    sparksResponse.parse((await (caller ?? (await awake())).call('GET', `${url}?ids=${ids.join()}`)).json());
  /** The minutes of a line that are not empty. */
  const minutes = async (kind: 'spo2' | 'heartRate' | 'pulseRate' = 'spo2'): Promise<Minute[]> => {
    const [item] = (await ask()).items;
    return (item?.[kind] ?? '')
      .split(',')
      .flatMap((text, at): Minute[] => (text === '' ? [] : [[sparkMinutes - 1 - at, text]]));
  };

  it.each([
    '',
    '?ids=',
    '?ids=0',
    '?ids=1,',
    '?ids=1, 2',
    '?ids=a',
    '?ids=1&ids=2',
    '?ids=9007199254740993',
    `?ids=${Array.from({ length: 501 }, (_, index) => index + 1).join()}`,
    '?ids=1&page=1',
  ])('are refused for %s', async (query) => {
    expect((await nurse.call('GET', url + query)).statusCode).toBe(400);
  });

  it('are of the own site’s patients only: another’s is as if there were none', async () => {
    const other = await test.addSite('Other ward');
    const theirs = await test.signIn(other, 'nurse');
    await send(wire(0, 97));
    expect((await ask([patientId], theirs)).items).toEqual([]);
    expect((await ask([patientId, 999_999_999], theirs)).items).toEqual([]);
    expect((await ask([999_999_999, patientId, patientId])).items.map(({ id }) => id)).toEqual([patientId]);
  });

  it('are of the own units’ patients only', async () => {
    const north = await test.addPatient(siteId, { location: { unit: 'North', bed: '1' } });
    const south = await test.addPatient(siteId, { location: { unit: 'South', bed: '1' } });
    await test.addUnit(siteId, 'North', [nurse.userId]);
    await test.restart();
    expect((await ask([south, north])).items.map(({ id }) => id)).toEqual([north]);
  });

  it('are empty where nothing came, and then leave the kind out', async () => {
    await send(wire(0, 36.6, { kind: 'temperature' }));
    const answer = await ask();
    expect(answer.items).toEqual([{ id: patientId }]);
    expect(Date.parse(answer.from)).toBe(Math.floor(test.now() / minuteMs) * minuteMs - 59 * minuteMs);
  });

  it('show the extremes of each minute as screens round them, also of the one that goes on', async () => {
    await send(wire(2_000, 96.6), wire(1_000, 81.4), wire(0, 95));
    await expect(minutes()).resolves.toEqual([[0, '81-97']]);
    test.advance(minuteMs);
    await send(wire(0, 94));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [1, '81-97'],
      [0, '94'],
    ]);
  });

  it('tell a minute without a signal from one in which nothing came, and mark the questionable', async () => {
    await send(wire(0, 0, { kind: 'pulseRate' }), wire(0, 0, { kind: 'heartRate' }));
    await send(wire(3_000, 97), wire(2_000, 80, { quality: 'questionable' }), wire(1_000, 12, { quality: 'invalid' }));
    test.advance(3 * minuteMs);
    await send(wire(2_000, 97), wire(1_000, 96), wire(0, 70, { quality: 'questionable' }));
    await expect(minutes()).resolves.toEqual([
      [3, '80-97?'],
      [0, '70-97?'],
    ]);
    await expect(minutes('pulseRate')).resolves.toEqual([[3, 'x']]);
    await expect(minutes('heartRate')).resolves.toEqual([[3, '0']]);
  });

  it('are an hour long', async () => {
    await send(wire(0, 97));
    await catchUp();
    test.advance(59 * minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[59, '97']]);
    test.advance(minuteMs);
    await expect(minutes()).resolves.toEqual([]);
    await send(wire(0, 91));
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[1, '91']]);
  });

  it('take in what comes late and what is corrected', async () => {
    await send(wire(0, 97));
    test.advance(10 * minuteMs);
    await catchUp();
    await send(wire(10 * minuteMs, 40), wire(20 * minuteMs, 88), wire(70 * minuteMs, 50));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [20, '88'],
      [10, '40'],
    ]);
    await send(wire(20 * minuteMs, 87, { quality: 'invalid' }));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [20, 'x'],
      [10, '40'],
    ]);
  });

  it('forget a value that was corrected while its minute went on, when that is over', async () => {
    await send(wire(0, 45), wire(1_000, 96));
    await send(wire(0, 95));
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[1, '95-96']]);
  });

  it('are the same after a restart, as are those of the discharged', async () => {
    await send(wire(30 * minuteMs, 88), wire(0, 97), wire(1_000, 95), wire(0, 70, { kind: 'heartRate' }));
    test.advance(2 * minuteMs);
    await catchUp();
    await send(wire(0, 91));
    const patient = await nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version: 1, state: 'discharged' });
    expect(patient.statusCode).toBe(200);
    const before = await ask();
    await test.restart();
    await catchUp();
    await expect(ask()).resolves.toEqual(before);
    await expect(minutes()).resolves.toEqual([
      [32, '88'],
      [2, '95-97'],
      [0, '91'],
    ]);
  });

  it('do not lose the hour to a device whose clock runs a day ahead', async () => {
    const ahead = 86_400_000;
    await send(wire(minuteMs, 97));
    await test.ingest(token, [wire(-ahead, 80)], { sentAt: toInstant(test.now() + ahead) });
    await test.restart();
    await test.ingest(token, [wire(-ahead - 1_000, 81)], { sentAt: toInstant(test.now() + ahead) });
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[2, '97']]);
  });

  it('ask the store for nothing', async () => {
    await send(wire(minuteMs, 97), wire(0, 96));
    await catchUp();
    const before = await ask();
    await sql`ALTER TABLE minutes RENAME TO minutes_away`.execute(test.store.db);
    await sql`ALTER TABLE samples RENAME TO samples_away`.execute(test.store.db);
    await expect(ask()).resolves.toEqual(before);
    await sql`ALTER TABLE samples_away RENAME TO samples`.execute(test.store.db);
    await sql`ALTER TABLE minutes_away RENAME TO minutes`.execute(test.store.db);
  });

  it('are compressed for who can read that', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => test.addPatient(siteId)));
    await send(...ids.map((id) => wire(0, 97, { patientId: id })));
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await test.app.inject({ url: `${url}?ids=${ids.join()}`, cookies: nurse.cookies, headers });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
    expect(sparksResponse.parse(JSON.parse(gunzipSync(answer.rawPayload).toString())).items).toHaveLength(100);
  });

  it('say of any samples, in any order, with closings and restarts between, what the stored minutes say', async () => {
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(fc.record({ ago: fc.nat(75 * 60), value: fc.integer({ min: 60, max: 100 }) }), {
          minLength: 1,
        }),
      },
      { weight: 4, arbitrary: fc.constant('catch up' as const) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 200 }) },
      { weight: 3, arbitrary: fc.constant('restart' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        patientId = await test.addPatient(siteId);
        for (const one of steps) {
          if (one === 'catch up') {
            await catchUp();
          } else if (one === 'restart') {
            await test.restart();
          } else if (typeof one === 'number') {
            test.advance(one * 1_000);
          } else {
            await send(...one.map(({ ago, value }) => wire(ago * 1_000, value)));
          }
        }
        // The minute of now is over then, so that all of them are stored.
        test.advance(2 * minuteMs);
        await catchUp();
        const stored = await test.store.db
          .selectFrom('minutes')
          .selectAll()
          .where('patient_id', '=', patientId)
          .orderBy('minute')
          .execute();
        const now = Math.floor(test.now() / minuteMs);
        const expected = stored
          .filter(({ minute }) => minute > now - sparkMinutes)
          .map(({ minute, min, max }): Minute => [now - minute, min === max ? `${min}` : `${min}-${max}`]);
        await expect(minutes()).resolves.toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });
});

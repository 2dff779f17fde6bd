import { toInstant } from '../../lib/time/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { engines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';
import { applyRetention } from './retention';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const rawDays = 15;

describe.each(engines)('retention on %s', (engine) => {
  let test: TestServer;
  let siteId: number;
  let token: string;
  let patientId: number;
  /** The beginning of a minute, a little before the test's now. */
  let start: number;

  beforeAll(async () => {
    // A server of its own: years pass, and what all sites have is deleted.
    test = await startTestServer(engine);
    siteId = await test.addSite();
    ({ token } = await test.addDevice(siteId));
  });
  beforeEach(async () => {
    patientId = await test.addPatient(siteId);
    test.advance(10 * minuteMs - (test.now() % minuteMs));
    start = test.now() - minuteMs;
  });
  afterAll(() => test.stop());

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const retain = (signal = new AbortController().signal): Promise<number> =>
    applyRetention(test.store, {
      rolledUpTo: test.server.rollups.rolledUpTo(),
      now: test.now(),
      rawDays,
      log: test.server.log,
      signal,
    });
  /** Sends values a second apart from `takenAt` on. */
  const send = async (
    takenAt: number,
    values: readonly number[],
    kind: VitalKind = 'spo2',
    to = patientId,
  ): Promise<void> => {
    const samples = values.map((value, second) => ({
      patientId: to,
      kind,
      value,
      takenAt: toInstant(takenAt + second * 1_000),
    }));
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      accepted: values.length,
    });
  };
  const values = async (kind: VitalKind = 'spo2', of = patientId): Promise<number[]> =>
    (
      await test.store.db
        .selectFrom('samples')
        .select('value')
        .where('patient_id', '=', of)
        .where('kind', '=', kinds[kind].code)
        .orderBy('taken_at')
        .execute()
    ).map((row) => row.value);
  const minutes = async (): Promise<(number | null)[][]> =>
    (
      await test.store.db
        .selectFrom('minutes')
        .selectAll()
        .where('patient_id', '=', patientId)
        .orderBy('minute')
        .execute()
    ).map((row) => [row.minute - start / minuteMs, row.min, row.max, row.last, row.count]);
  /** Lets the samples of `start` become as old as they may, and `ms` older. */
  const age = async (ms: number): Promise<void> => {
    test.advance(start + rawDays * dayMs + ms - test.now());
    await catchUp();
  };

  it('keeps a minute until all of it is older than the raw days, then deletes it but not its rollup', async () => {
    await send(start, [97, 60]);
    await age(minuteMs - 1);
    await expect(retain()).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97, 60]);
    await age(minuteMs);
    await expect(retain()).resolves.toBe(2);
    await expect(values()).resolves.toEqual([]);
    await expect(minutes()).resolves.toEqual([[0, 60, 97, 60, 2]]);
    await expect(retain()).resolves.toBe(0);
  });

  it('deletes nothing more once the server stops, and goes on with the next run', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await send(start, [97, 60]);
    await age(minuteMs);
    await expect(retain(stopping.signal)).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97, 60]);
    await expect(retain()).resolves.toBe(2);
  });

  it('keeps spot readings and everything of a patient at home', async () => {
    const home = await test.addPatient(siteId, { profile: 'home' });
    await send(start, [37], 'temperature');
    await send(start, [97], 'spo2', home);
    await age(dayMs);
    await expect(retain()).resolves.toBe(0);
    await expect(Promise.all([values('temperature'), values('spo2', home)])).resolves.toEqual([[37], [97]]);
  });

  it('keeps what was typed in by hand beside what a monitor sent', async () => {
    const nurse = await test.signIn(siteId, 'nurse');
    await send(start, [97, 96]);
    await nurse.call('POST', `/api/v2/patients/${patientId}/readings`, {
      readings: { spo2: 93 },
      takenAt: toInstant(start + 500),
    });
    await age(dayMs);
    await expect(retain()).resolves.toBe(2);
    await expect(values()).resolves.toEqual([93]);
    await expect(minutes()).resolves.toEqual([[0, 93, 97, 96, 3]]);
  });

  it('deletes nothing that is not rolled up yet', async () => {
    await send(start, [97]);
    test.advance(rawDays * dayMs + 2 * minuteMs);
    await expect(retain()).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97]);
    await catchUp();
    await expect(retain()).resolves.toBe(1);
  });

  it('deletes no late sample before its minute has taken it in, and then deletes it too', async () => {
    await send(start, [97, 96]);
    await age(dayMs);
    await retain();
    await send(start + 10_000, [60]);
    await expect(retain()).resolves.toBe(0);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 60, 97, 96, 2]]);
    await expect(retain()).resolves.toBe(1);
    await expect(values()).resolves.toEqual([]);
  });

  it('never lets a late sample overwrite a minute whose samples are deleted, however few it had', async () => {
    await send(start, [70]);
    await age(dayMs);
    await retain();
    for (const late of [95, 96]) {
      await send(start + late * 100, [late]);
      await catchUp();
    }
    await expect(minutes()).resolves.toEqual([[0, 70, 96, 70, 2]]);
  });

  it('redoes an old minute whose samples are all there from them alone', async () => {
    await send(start, [37, 41], 'temperature');
    await age(dayMs);
    await retain();
    const corrected = { patientId, kind: 'temperature', value: 38, takenAt: toInstant(start + 1_000) };
    await test.ingest(token, [corrected], { sentAt: toInstant(test.now()) });
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 37, 38, 38, 2]]);
  });

  it('does not look at old minutes again that hold nothing to delete', async () => {
    await send(start, [37], 'temperature');
    await age(dayMs);
    await retain();
    const read = jest.spyOn(test.store.db, 'transaction');
    await retain();
    expect(read).not.toHaveBeenCalled();
  });

  it('deletes whatever many minutes a stretch holds, and lets others in between', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, minute) => send(start + minute * minuteMs - 40 * minuteMs, [97, 96, 95])),
    );
    await age(dayMs);
    const retained = retain();
    const answer = await test.ingest(token, [{ patientId, kind: 'spo2', value: 90, takenAt: toInstant(test.now()) }]);
    expect(answer.json()).toMatchObject({ accepted: 1 });
    await expect(retained).resolves.toBe(90);
    await expect(values()).resolves.toEqual([90]);
  });

  it('deletes the samples of two days a run, and the others with the next ones', async () => {
    for (const day of [0, 1, 2, 5]) {
      await send(start - day * dayMs, [97, 96]);
    }
    await age(dayMs);
    const left: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      await retain();
      left.push((await values()).length);
    }
    expect(left).toEqual([6, 2, 0]);
  });

  it('keeps minutes for 400 days and quarantine for 30', async () => {
    await send(start, [97]);
    await test.ingest(token, [{}]);
    const quarantined = async (): Promise<number> =>
      (await test.store.db.selectFrom('quarantine').select('id').execute()).length;
    test.advance(30 * dayMs);
    await catchUp();
    await retain();
    await expect(quarantined()).resolves.toBe(1);
    test.advance(1);
    await retain();
    await expect(quarantined()).resolves.toBe(0);
    test.advance(start + 400 * dayMs + minuteMs - 1 - test.now());
    await retain();
    await expect(minutes()).resolves.toHaveLength(1);
    test.advance(1);
    await retain();
    await expect(minutes()).resolves.toEqual([]);
  });

  it('deletes minutes and quarantine of two days a run, so that a wrong clock can be stopped', async () => {
    const left = async (): Promise<number[]> => [
      (await minutes()).length,
      (await test.store.db.selectFrom('quarantine').select('id').execute()).length,
    ];
    for (let day = 0; day < 3; day += 1) {
      await send(test.now() - minuteMs, [97]);
      await test.ingest(token, [{}]);
      test.advance(dayMs);
    }
    await catchUp();
    test.advance(500 * dayMs);
    const found = [await left()];
    for (let run = 0; run < 2; run += 1) {
      await retain();
      found.push(await left());
    }
    expect(found).toEqual([
      [3, 3],
      [1, 1],
      [0, 0],
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { addSender } from '../../test/addSender';
import { holdWrites } from '../../test/holdWrites';
import { refuseCommits } from '../../test/refuseCommits';
import { apiEngines, engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { loadSqlite } from '../db/loadSqlite';
import type { Sample } from '../vitals/sample';
import { postgresWriter } from './postgresWriter';
import { createRecorder, type Delivery } from './record';
import type { Sender } from './waitingParts';
import { newRequest } from './writer';

let test: TestServer;
let site: number;
let device: { id: number; token: string };
let patientId: number;
/** When the test began. */
let begin: number;

const wire = (second: number, value = 97): object => ({
  patientId,
  kind: 'spo2',
  value,
  takenAt: toInstant(begin + second * 1_000),
});
const delivery = (samples: object[], more: Partial<Delivery> = {}): Delivery => ({
  deviceId: device.id,
  siteId: site,
  receivedAt: test.now(),
  sentAt: undefined,
  battery: null,
  samples,
  ...more,
});
/** A call as it comes over HTTP: it can be refused, and is live or late. */
const byDevice = (samples: object[]): Delivery => delivery(samples, { connection: { isGone: () => false } });
/** A recorder that says how many transactions it has begun. */
const countingRecorder = () => {
  const closedUntil = jest.fn(test.server.rollups.closedUntil);
  const { store, server } = test;
  const recorder = createRecorder(store, server.liveState, { ...server.rollups, closedUntil }, server.alerts);
  return { recorder, transactions: () => closedUntil.mock.calls.length };
};
const storedSeconds = async (): Promise<number[]> => {
  const rows = await test.store.db
    .selectFrom('samples')
    .select('taken_at')
    .where('patient_id', '=', patientId)
    .orderBy('taken_at')
    .execute();
  return rows.map((row) => (row.taken_at - begin) / 1_000);
};
const quarantined = async (): Promise<number> =>
  (await test.store.db.selectFrom('quarantine').select('id').where('site_id', '=', site).execute()).length;

async function start(engine: (typeof engines)[number]): Promise<void> {
  test = await sharedTestServer(engine);
  site = await test.addSite();
  device = await test.addDevice(site);
  patientId = await test.addPatient(site);
  begin = test.now();
}

/** Reads through a connection that is not the server's: it sees what is committed and nothing else. */
async function countElsewhere(): Promise<number> {
  const { databaseUrl, dataDir } = test.server.env;
  const text = `SELECT count(*) AS n FROM samples WHERE patient_id = ${patientId}`;
  if (databaseUrl === null) {
    const sqlite = new (loadSqlite())(`${dataDir}/wardlight.db`, { readonly: true });
    const row = sqlite.prepare<[], { n: number }>(text).get();
    sqlite.close();
    return row?.n ?? Number.NaN;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(text);
  await client.end();
  return Number(rows[0]?.n);
}

describe.each(engines)('ingest on %s', (engine) => {
  beforeEach(() => start(engine));

  it('puts what its caller refuses into quarantine, and learns no clock from it', async () => {
    const refused = [{ code: 'training' as const, sample: { mrn: 'A', takenAt: toInstant(begin - 60_000) } }];
    const before = test.server.liveState.deviceClocks.get(device.id);
    const answer = await test.server.recorder.record(delivery([wire(0)], { refused }));
    expect(answer).toEqual({ accepted: 1, duplicates: 0, corrections: 0, rejected: [] });
    const rows = await test.store.db.selectFrom('quarantine').selectAll().where('site_id', '=', site).execute();
    expect(rows).toEqual([expect.objectContaining({ code: 'training', device_id: device.id, site_id: site })]);
    expect(test.server.liveState.deviceClocks.get(device.id)).toEqual(before);
  });

  it('stores nothing of a call that fails, and all of those that share its transaction', async () => {
    const before = await quarantined();
    // A time of arrival that no column takes breaks the call after its first rows.
    const broken = delivery([wire(10), {}, wire(11)], { receivedAt: Number.NaN });
    const outcomes = await Promise.allSettled([
      test.server.recorder.record(delivery([wire(1)])),
      test.server.recorder.record(broken),
      test.server.recorder.record(delivery([wire(2)])),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(storedSeconds()).resolves.toEqual([1, 2]);
    await expect(quarantined()).resolves.toBe(before);
    expect(test.server.liveState.latestOf(patientId).get(kinds.spo2.code)?.sample.takenAt).toBe(begin + 2_000);
  });

  it('acknowledges no call when the commit itself fails, and takes the same calls afterwards', async () => {
    const allowCommits = await refuseCommits(test.store);
    const calls = [delivery([wire(1)]), delivery([wire(2)])];
    const failed = await Promise.allSettled(calls.map((call) => test.server.recorder.record(call)));
    await allowCommits();
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(storedSeconds()).resolves.toEqual([]);
    expect(test.server.liveState.latestOf(patientId).size).toBe(0);
    const repeated = await Promise.all(calls.map((call) => test.server.recorder.record(call)));
    expect(repeated.map(({ accepted }) => accepted)).toEqual([1, 1]);
    await expect(storedSeconds()).resolves.toEqual([1, 2]);
  });

  describe('together', () => {
    const many = 3_000;
    const backfill = () => Array.from({ length: many }, (_, index) => wire(-100 - index));
    /** A row that nothing else writes. */
    const ending = () =>
      test.store.db
        .insertInto('hl7_answers')
        .values({ sender_id: senderId, digest, answered_at: 1, answer: Buffer.of(1) });
    const ended = async () =>
      (await test.store.db.selectFrom('hl7_answers').select('id').where('digest', '=', digest).execute()).length;
    let senderId: number;
    let digest: string;
    let sender: Sender;
    beforeEach(async () => {
      sender = { deviceId: device.id, isGone: () => false };
      senderId = (await addSender(test, site, { application: randomUUID() })).id;
      digest = randomUUID();
    });

    it.each([
      ['the last call', 1, (broken: Delivery) => [delivery([wire(1)]), broken]],
      ['the first call', 1, (broken: Delivery) => [broken, delivery([wire(1)])]],
      ['a call in an earlier transaction', many, (broken: Delivery) => [broken, byDevice(backfill())]],
    ])('ends nothing if %s fails, and stores the others', async (_name, stored, callsWith) => {
      // A time of arrival that no column takes breaks the call.
      const calls = callsWith(delivery([wire(2)], { receivedAt: Number.NaN }));
      await expect(test.server.recorder.recordTogether(calls, sender, () => ending().compile())).rejects.toThrow();
      await expect(ended()).resolves.toBe(0);
      await expect(countElsewhere()).resolves.toBe(stored);
    });

    it('tells two sources with values of the same times apart, also where one is corrected', async () => {
      const other = await test.addDevice(site);
      const ofOther = (samples: object[]): Delivery => delivery(samples, { deviceId: other.id });
      const record = async (calls: readonly Delivery[]) =>
        (await test.server.recorder.recordTogether(calls, sender, () => null)).responses;
      const first = [delivery([wire(1), wire(2)]), ofOther([wire(1, 88), wire(2, 88), {}]), delivery([])];
      await expect(record(first)).resolves.toMatchObject([
        { accepted: 2, duplicates: 0, rejected: [] },
        { accepted: 2, duplicates: 0, rejected: [{ index: 2 }] },
        { accepted: 0, duplicates: 0, rejected: [] },
      ]);
      const second = [delivery([wire(1), wire(2)]), ofOther([wire(2, 90), wire(1, 88), wire(2, 91)])];
      await expect(record(second)).resolves.toMatchObject([
        { accepted: 0, duplicates: 2, corrections: 0 },
        { accepted: 2, duplicates: 1, corrections: 2 },
      ]);
      const rows = await test.store.db
        .selectFrom('samples')
        .select(['device_id', 'value'])
        .where('patient_id', '=', patientId)
        .orderBy('device_id')
        .orderBy('taken_at')
        .execute();
      expect(rows.map(({ device_id, value }) => [device_id === other.id, value])).toEqual([
        [false, 97],
        [false, 97],
        [true, 88],
        [true, 91],
      ]);
    });

    it('ends with the last part of several transactions, and with the commit', async () => {
      const { recorder, transactions } = countingRecorder();
      const calls = [byDevice(backfill()), byDevice([wire(1)])];
      const got: unknown[] = [];
      const end = (rejected: readonly unknown[]) => {
        got.push(...rejected);
        return ending().compile();
      };
      const { responses, isEnded } = await recorder.recordTogether(calls, sender, end);
      expect([responses.map(({ accepted }) => accepted), isEnded, got]).toEqual([[many, 1], true, [[], []]]);
      expect(transactions()).toBeGreaterThan(1);
      await expect(ended()).resolves.toBe(1);
      await expect(recorder.recordTogether([delivery([])], sender, () => ending().compile())).resolves.toMatchObject({
        isEnded: false,
      });
      await expect(ended()).resolves.toBe(1);
    });

    it('ends nothing while commits fail, and once afterwards', async () => {
      const allowCommits = await refuseCommits(test.store);
      const record = () => test.server.recorder.recordTogether([delivery([wire(1)])], sender, () => ending().compile());
      await expect(record()).rejects.toThrow();
      await allowCommits();
      await expect(ended()).resolves.toBe(0);
      await record();
      await expect(ended()).resolves.toBe(1);
    });
  });

  it('answers a fault of the store with 5xx and shows its cause in the log alone', async () => {
    const allowCommits = await refuseCommits(test.store);
    const answer = await test.ingest(device.token, [wire(1)]);
    await allowCommits();
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ error: { code: 'internal_error' } });
    expect(answer.body).not.toMatch(/refus|constraint|foreign/i);
  });

  it('puts calls that arrive in the same turn into one transaction', async () => {
    const closedUntil = jest.fn(test.server.rollups.closedUntil);
    const recorder = createRecorder(
      test.store,
      test.server.liveState,
      { ...test.server.rollups, closedUntil },
      test.server.alerts,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, second) => recorder.record(delivery([wire(second)]))),
    );
    expect(answers.map(({ accepted }) => accepted)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(closedUntil).toHaveBeenCalledTimes(1);
  });

  it('stores a call of 5,000 rows in several transactions, and answers after the last', async () => {
    const { recorder, transactions } = countingRecorder();
    const rows = (from: number) => Array.from({ length: 5_000 }, (_, index) => wire(from - index));
    const [large, live] = [recorder.record(byDevice(rows(-100))), recorder.record(byDevice([wire(0)]))];
    await live;
    const stored = await storedSeconds();
    expect(stored.at(-1)).toBe(0);
    expect(stored.length).toBeLessThanOrEqual(2_001);
    await expect(large).resolves.toMatchObject({ accepted: 5_000, duplicates: 0, rejected: [] });
    expect(transactions()).toBeGreaterThanOrEqual(3);
    await expect(countElsewhere()).resolves.toBe(5_001);
    await expect(recorder.record(byDevice(rows(-100)))).resolves.toMatchObject({ accepted: 0, duplicates: 5_000 });
  });

  it('writes live samples first, also those of a call that came after a back-fill', async () => {
    const { recorder } = countingRecorder();
    const order: string[] = [];
    const calls = [
      recorder.record(byDevice(Array.from({ length: 3_000 }, (_, index) => wire(-100 - index)))).then(() => {
        order.push('back-fill');
      }),
      recorder.record(byDevice([wire(0)])).then(() => {
        order.push('live');
      }),
    ];
    await Promise.all(calls);
    expect(order).toEqual(['live', 'back-fill']);
  });

  it('answers after the commit', async () => {
    const counts: number[] = [];
    for (const second of [1, 2, 3]) {
      expect((await test.ingest(device.token, [wire(second)])).statusCode).toBe(200);
      counts.push(await countElsewhere());
    }
    expect(counts).toEqual([1, 2, 3]);
  });

  it('gives each sample of concurrent equal calls to one of them and calls it a duplicate in the others', async () => {
    const samples = Array.from({ length: 50 }, (_, second) => wire(second));
    const answers = await Promise.all(Array.from({ length: 4 }, () => test.ingest(device.token, samples)));
    const sum = (field: 'accepted' | 'duplicates' | 'corrections') =>
      answers.reduce((total, answer) => total + answer.json<Record<typeof field, number>>()[field], 0);
    expect([sum('accepted'), sum('duplicates'), sum('corrections')]).toEqual([50, 150, 0]);
  });

  it('knows a value that was committed although its answer was lost', async () => {
    const [sample] = await withoutWard([wire(5, 88)]);
    expect(test.server.liveState.latestOf(patientId).size).toBe(0);
    expect((await test.ingest(device.token, [wire(5, 88)])).json()).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(test.server.liveState.latestOf(patientId).get(kinds.spo2.code)).toMatchObject({
      sample,
      valid: { value: 88 },
    });
  });

  /** Stores samples as a process does that dies between the commit and taking them in. */
  async function withoutWard(samples: object[]): Promise<Sample[]> {
    const taken: Sample[] = [];
    const ward = Object.assign(Object.create(test.server.liveState) as typeof test.server.liveState, {
      takeSample: (sample: Sample) => taken.push(sample),
      changed: () => undefined,
    });
    await createRecorder(test.store, ward, test.server.rollups, test.server.alerts).record(delivery(samples));
    return taken;
  }

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it('refuses what is too much with Retry-After, never what people type in, and loses nothing', async () => {
    const open = holdWrites(test.store);
    const nurse = await test.signIn(site, 'nurse');
    const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => wire(from - index));
    const devices = await Promise.all(Array.from({ length: 5 }, () => test.addDevice(site)));
    const fifth = devices[4]?.token ?? '';
    const taken = devices.slice(0, 4).map(({ token }, index) => test.ingest(token, rows(-1_000 * (index + 1), 5_000)));
    try {
      const untilWaiting = async (count: number): Promise<void> => {
        while (test.server.recorder.waitingRows() < count) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      // One transaction has been taken off what waits.
      await untilWaiting(18_000);
      taken.push(test.ingest(fifth, rows(-100, 2_000)));
      await untilWaiting(20_000);
      const again = await test.ingest(devices[0]?.token ?? '', rows(-10_000, 5_000));
      // Its part of what may wait is 4,000 rows.
      const other = await test.ingest(fifth, rows(-10_000, 2_001));
      expect([again.statusCode, other.statusCode]).toEqual([429, 503]);
      expect(again.json()).toMatchObject({ error: { code: 'too_many_rows' } });
      for (const refused of [again, other]) {
        expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      }
      const typed = nurse.call('POST', `/api/v2/patients/${patientId}/readings`, {
        readings: { spo2: 91 },
      });
      open();
      expect((await typed).statusCode).toBeLessThan(300);
    } finally {
      open();
    }
    for (const answer of await Promise.all(taken)) {
      expect(answer.statusCode).toBe(200);
    }
    expect((await test.ingest(fifth, rows(-10_000, 1))).json()).toMatchObject({ accepted: 1 });
  });

  it('refuses a call for which there is no room before it is parsed, by the times in its text', async () => {
    const open = holdWrites(test.store);
    const devices = await Promise.all(Array.from({ length: 4 }, () => test.addDevice(site)));
    const rows = Array.from({ length: 5_000 }, (_, index) => wire(-1_000 - index));
    const taken = devices.map(({ token }) => test.ingest(token, rows));
    try {
      while (test.server.recorder.waitingRows() < 18_000) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const refuse = (text: string) => () => {
        test.server.recorder.refuseUnparsed(devices[0]?.id ?? 0, test.now(), text);
      };
      const late = JSON.stringify({ samples: rows });
      expect(refuse(late)).toThrow('faster than its rows are stored');
      expect(refuse(late.slice(0, -1))).toThrow('faster than its rows are stored');
      // Live rows wait in a lane of their own, and what cannot be read is for the parser to judge.
      expect(refuse(JSON.stringify({ samples: [wire(0)] }))).not.toThrow();
      expect(refuse('{"samples":"takenAt"')).not.toThrow();
    } finally {
      open();
    }
    await Promise.all(taken);
  });

  it('knows a back-fill by the beginning of its text, so that long bodies of live values wait behind none', () => {
    const begins = (samples: object[], more: object = {}): boolean =>
      test.server.recorder.beginsLate(device.id, test.now(), JSON.stringify({ ...more, samples }).slice(0, -1));
    expect([begins([wire(-3_600), wire(-3_599)]), begins([wire(0), wire(-1)]), begins([])]).toEqual([
      true,
      false,
      false,
    ]);
    // A clock that is an hour slow, as the call says.
    expect(begins([wire(-3_600)], { sentAt: toInstant(test.now() - 3_600_000) })).toBe(false);
  });

  it('dates a call by the moment in which it had arrived, however long its body waits for its turn', async () => {
    const begun = test.now();
    const turn = jest.spyOn(test.server.recorder, 'refuseUnparsed').mockImplementation(() => {
      test.advance(4_000);
    });
    const { statusCode } = await test.ingest(device.token, [wire(0)], { sentAt: toInstant(begun) });
    turn.mockRestore();
    expect(statusCode).toBe(200);
    const rows = await test.store.db
      .selectFrom('samples')
      .select(['received_at', 'offset_ms'])
      .where('patient_id', '=', patientId)
      .execute();
    expect(rows).toEqual([{ received_at: begun, offset_ms: 0 }]);
  });

  it('refuses the further calls of a device that has 64 open, and no other device', async () => {
    const open = holdWrites(test.store);
    const record = jest.spyOn(test.server.recorder, 'record');
    const other = await test.addDevice(site);
    const taken = Array.from({ length: 64 }, (_, second) => test.ingest(device.token, [wire(second)]));
    try {
      while (record.mock.calls.length < 64) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const further = await test.ingest(device.token, [wire(100)]);
      expect([further.statusCode, Number(further.headers['retry-after']) >= 1]).toEqual([429, true]);
      expect(further.json()).toMatchObject({ error: { code: 'too_many_calls' } });
      taken.push(test.ingest(other.token, [wire(101)]));
    } finally {
      open();
      record.mockRestore();
    }
    expect(new Set((await Promise.all(taken)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await test.ingest(device.token, [wire(100)])).statusCode).toBe(200);
  });

  it('refuses a long body before it is read while too many are open, and takes short ones', async () => {
    const open = holdWrites(test.store);
    const record = jest.spyOn(test.server.recorder, 'record');
    const devices = await Promise.all(Array.from({ length: 4 }, () => test.addDevice(site)));
    const long = (token: string, second: number) =>
      test.ingest(token, [wire(second)], { battery: 'x'.repeat(2 * 1_048_576 - 1_000) });
    // 8 of 2 MiB are what one device may have open, 24 what all may have.
    const taken = devices
      .slice(0, 3)
      .flatMap(({ token }, device) => Array.from({ length: 8 }, (_, call) => long(token, 10 * device + call)));
    try {
      while (record.mock.calls.length < 24) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const [own, other] = await Promise.all([0, 3].map((device) => long(devices[device]?.token ?? '', 100)));
      expect([own?.statusCode, own?.json()]).toMatchObject([429, { error: { code: 'too_many_calls' } }]);
      expect([other?.statusCode, other?.json()]).toMatchObject([503, { error: { code: 'busy' } }]);
      expect(Number(other?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      taken.push(test.ingest(devices[3]?.token ?? '', [wire(101)]));
    } finally {
      open();
      record.mockRestore();
    }
    expect(new Set((await Promise.all(taken)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await long(devices[3]?.token ?? '', 100)).statusCode).toBe(200);
  });
});

describe('ingest on postgres alone', () => {
  beforeEach(() => start('postgres'));

  it('does not answer while the commit is held up', async () => {
    const client = new pg.Client({ connectionString: String(test.server.env.databaseUrl) });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE samples IN ACCESS EXCLUSIVE MODE');
    let answered = false;
    const answer = test.ingest(device.token, [wire(1)]).then((response) => {
      answered = true;
      return response;
    });
    const isWaiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'samples'::regclass`;
    while ((await client.query(isWaiting)).rows.length === 0) {
      // Asked until the server has come to the lock.
    }
    expect(answered).toBe(false);
    await client.query('COMMIT');
    await client.end();
    expect((await answer).statusCode).toBe(200);
  });

  it('treats a row that another connection is writing as a duplicate or a correction, and never loses it', async () => {
    const connectionString = String(test.server.env.databaseUrl);
    const pools = [new pg.Pool({ connectionString }), new pg.Pool({ connectionString })];
    const sampleAt = (second: number, value: number): Sample => ({
      minute: Math.floor(begin / 60_000),
      patientId,
      kind: kinds.spo2.code,
      takenAt: begin + second,
      deviceId: device.id,
      siteId: site,
      value,
      quality: 0,
      receivedAt: begin,
      offsetMs: 0,
    });
    for (let round = 0; round < 20; round += 1) {
      const seconds = Array.from({ length: 50 }, (_, index) => round * 50 + index);
      // Half of them with the same value in both calls, half with another.
      const outcomes = await Promise.all(
        pools.map(async (pool, index) => {
          const samples = seconds.map((second) => sampleAt(second, second % 2 === 0 ? 97 : 90 + index));
          const [outcome] = await postgresWriter({ pool, fence: test.store.fence })(
            [newRequest({ samples, isClockEstablished: true })],
            Math.floor(begin / 60_000),
            test.server.alerts.begin().evaluate,
            () => undefined,
          );
          return outcome instanceof Error || outcome === undefined ? [] : outcome;
        }),
      );
      seconds.forEach((second, place) => {
        expect(outcomes.map((outcome) => outcome[place]).sort()).toEqual(
          second % 2 === 0 ? ['duplicate', 'new'] : ['correction', 'new'],
        );
      });
    }
    await Promise.all(pools.map((pool) => pool.end()));
    const corrections = await test.store.db
      .selectFrom('sample_corrections')
      .select('old_value')
      .where('patient_id', '=', patientId)
      .execute();
    expect([(await storedSeconds()).length, corrections.length]).toEqual([1_000, 500]);
  });
});

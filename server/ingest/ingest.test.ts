import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { errorBody } from '../../lib/api/errorBody';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { ingestResponse, type IngestResponse, maxSamplesPerCall } from '../../lib/vitals/schema';
import { apiEngines } from '../../test/database';
import { holdWrites } from '../../test/holdWrites';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type TestServer } from '../../test/testServer';
import { HttpError } from '../http/httpError';
import { qualityOf } from '../vitals/qualityCode';
import { createBodyTurns } from './bodyTurns';
import { bodyLimit, openLimits } from './limitCalls';
import { rowsPerPart } from './partsOf';
import { createReadTurns } from './readTurns';
import { createWaitingParts, type Sender, waitingLimits, type WaitingPart } from './waitingParts';
import { newRequest, type Written } from './writer';

describe.each(apiEngines)('POST /api/v2/vitals on %s', (engine) => {
  const url = '/api/v2/vitals';
  const tables = [
    'samples',
    'sample_corrections',
    'quarantine',
    'minutes',
    'minutes_to_redo',
    'latest_values',
    'audit',
    'progress',
  ] as const;

  let test: TestServer;
  let site: number;
  let token: string;
  let mrn: string;
  let patientId: number;
  let counter = 0;
  /** When the test began. */
  let begin: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    ({ token } = await test.addDevice(site));
  });
  beforeEach(async () => {
    counter += 1;
    mrn = `INGEST${counter}`;
    patientId = await test.addPatient(site, { mrn });
    begin = test.now();
  });

  const at = (seconds: number): string => toInstant(begin + seconds * 1000);
  const sample = (more: object = {}): object => ({
    mrn,
    kind: 'spo2',
    value: 97,
    takenAt: at(0),
    quality: 'good',
    ...more,
  });
  const send = async (...samples: unknown[]): Promise<IngestResponse> => {
    // With its own time, so that no test learns from the samples of another how wrong the device's clock is.
    const answer = await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.statusCode).toBe(200);
    return ingestResponse.strict().parse(answer.json());
  };
  const sendText = (payload: string | Buffer, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    test.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload,
    });
  const countRows = async (): Promise<number[]> =>
    await Promise.all(
      tables.map(async (table) =>
        Number(
          (await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(test.store.db)).rows[0]?.n,
        ),
      ),
    );
  const stored = () =>
    test.store.db
      .selectFrom('samples')
      .select(['kind', 'taken_at', 'value', 'quality', 'site_id'])
      .where('patient_id', '=', patientId)
      .orderBy('taken_at')
      .execute();

  describe('refuses', () => {
    let before: number[];
    beforeEach(async () => {
      before = await countRows();
    });
    const expectRefusal = async (answer: LightMyRequestResponse, status: number, code: string): Promise<void> => {
      expect([answer.statusCode, errorBody.parse(answer.json()).error.code]).toEqual([status, code]);
      await expect(countRows()).resolves.toEqual(before);
    };

    it.each<[string, Record<string, string>]>([
      ['no token', {}],
      ['an empty token', { authorization: 'Bearer ' }],
      ['a token that no device has', { authorization: `Bearer ${'x'.repeat(43)}` }],
      ['a token without its scheme', { authorization: 'x'.repeat(43) }],
      ['a password', { authorization: 'Basic cm9iaW46cm9iaW4=' }],
    ])('%s', async (_, headers) => {
      await expectRefusal(
        await test.app.inject({ method: 'POST', url, headers, payload: { samples: [sample()] } }),
        401,
        'device_refused',
      );
    });

    it('an expired token from its last millisecond on, and a revoked one', async () => {
      const short = await test.addDevice(site, { expiresAt: test.now() + 1 });
      const revoked = await test.addDevice(site);
      before = await countRows();
      expect((await test.ingest(short.token, [])).statusCode).toBe(200);
      test.advance(1);
      await expectRefusal(await test.ingest(short.token, [sample()]), 401, 'device_refused');
      await test.store.db.updateTable('devices').set({ revoked_at: test.now() }).where('id', '=', revoked.id).execute();
      await expectRefusal(await test.ingest(revoked.token, [sample()]), 401, 'device_refused');
    });

    it('the session of a person, with its cookies and XSRF token', async () => {
      const nurse = await test.signIn(site, 'nurse');
      before = await countRows();
      await expectRefusal(await nurse.call('POST', url, { samples: [sample()] }), 401, 'device_refused');
    });

    const one = '{"mrn":"INGEST1","kind":"spo2","value":97,"takenAt":"2026-05-01T10:00:00Z"}';
    const notUtf8 = Buffer.from(`{"samples":[${one.replace('INGEST1', 'INGEST1\u00ff')}]}`, 'latin1');
    it.each<[string, string | Buffer, number, string]>([
      ['an empty body', '', 400, 'malformed_json'],
      ['half a body', '{"samples":[', 400, 'malformed_json'],
      ['bytes that are not UTF-8', notUtf8, 400, 'malformed_json'],
      ['NaN', `{"samples":[${one.replace('97', 'NaN')}]}`, 400, 'malformed_json'],
      ['100,000 nested lists', `{"samples":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, 'json_too_deep'],
      ['100,000 nested objects', `${'{"samples":'.repeat(100_000)}0${'}'.repeat(100_000)}`, 400, 'json_too_deep'],
      ['a key twice', `{"samples":[],"samples":[${one}]}`, 400, 'duplicate_key'],
      ['a key twice in a sample', `{"samples":[${one.replace('{', '{"value":50,')}]}`, 400, 'duplicate_key'],
      ['__proto__', `{"samples":[${one.replace('{', '{"__proto__":{"value":1},')}]}`, 400, 'forbidden_key'],
      ['an escaped __proto__', `{"\\u005f_proto__":1,"samples":[${one}]}`, 400, 'forbidden_key'],
      ['a body that is a list', `[${one}]`, 422, 'invalid'],
      ['a body that is null', 'null', 422, 'invalid'],
      ['no samples', '{}', 422, 'invalid'],
      ['samples that are no list', '{"samples":{"0":1}}', 422, 'invalid'],
      ['a sentAt that does not exist', `{"sentAt":"2026-02-30T10:00:00Z","samples":[${one}]}`, 422, 'invalid'],
      ['a sentAt that is a number', `{"sentAt":1,"samples":[${one}]}`, 422, 'invalid'],
    ])('%s', async (_, body, status, code) => {
      await expectRefusal(await sendText(body), status, code);
    });

    it('a body of 10 MB and one just over the limit, whatever is in it', async () => {
      await expectRefusal(await sendText(`{"samples":["${'x'.repeat(10_485_760)}"]}`), 413, 'body_too_large');
      await expectRefusal(await sendText(`{"samples":[]}${' '.repeat(2_097_152)}`), 413, 'body_too_large');
    });

    it('more than 5,000 samples', async () => {
      const answer = await sendText(
        JSON.stringify({ samples: Array.from({ length: maxSamplesPerCall + 1 }, () => 0) }),
      );
      await expectRefusal(answer, 413, 'too_many_samples');
      expect(errorBody.parse(answer.json()).error.fields).toEqual({ samples: 'holds more than 5000' });
    });

    it.each([
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'x',
    ])('the content type %s', async (type) => {
      await expectRefusal(
        await sendText(`{"samples":[${one}]}`, { 'content-type': type }),
        415,
        'unsupported_media_type',
      );
    });

    it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])('the content encoding %s', async (encoding) => {
      await expectRefusal(
        await sendText(`{"samples":[${one}]}`, { 'content-encoding': encoding }),
        415,
        'unsupported_encoding',
      );
    });
  });

  describe('answers', () => {
    it('nothing to an empty call', async () => {
      await expect(send()).resolves.toEqual({ accepted: 0, duplicates: 0, corrections: 0, rejected: [] });
    });

    it('a battery that it can read, and ignores a wrong one with the reason, without losing a sample', async () => {
      const record = jest.spyOn(test.server.recorder, 'record');
      const sendWith = async (battery: unknown): Promise<unknown> =>
        (await test.ingest(token, [sample()], { battery })).json();
      const taken = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };
      const repeated = { ...taken, accepted: 0, duplicates: 1 };
      await expect(sendWith('80 %')).resolves.toEqual({ ...taken, batteryFault: 'battery is not an object' });
      await expect(sendWith({ percent: 120 })).resolves.toEqual({
        ...repeated,
        batteryFault: 'battery.percent is not a number from 0 to 100',
      });
      await expect(sendWith({ percent: 9, minutesLeft: 0 })).resolves.toEqual(repeated);
      await expect(sendWith(undefined)).resolves.toEqual(repeated);
      expect(record.mock.calls.map(([{ battery }]) => battery)).toEqual([
        null,
        null,
        { percent: 9, minutesLeft: 0 },
        null,
      ]);
      record.mockRestore();
    });

    it('5,000 samples in one call', async () => {
      const call = Array.from({ length: maxSamplesPerCall }, (_, second) => sample({ takenAt: at(-second) }));
      await expect(send(...call)).resolves.toMatchObject({ accepted: maxSamplesPerCall, rejected: [] });
      await expect(stored()).resolves.toHaveLength(maxSamplesPerCall);
    });

    it('what was accepted, and shows it as the latest value', async () => {
      await expect(
        send(sample(), sample({ mrn: undefined, patientId, kind: 'heartRate', value: 0, quality: undefined })),
      ).resolves.toEqual({
        accepted: 2,
        duplicates: 0,
        corrections: 0,
        rejected: [],
      });
      await expect(stored()).resolves.toEqual(
        expect.arrayContaining([
          { kind: 1, taken_at: begin, value: 97, quality: 0, site_id: site },
          { kind: 2, taken_at: begin, value: 0, quality: 4, site_id: site },
        ]),
      );
      const nurse = await test.signIn(site, 'nurse');
      const shown = (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<{
        latest: Record<string, unknown>;
      }>().latest;
      expect(shown).toMatchObject({
        spo2: { value: 97, unit: '%', takenAt: at(0), source: 'gateway' },
        heartRate: { value: 0, quality: 'good' },
      });
    });

    it('repeats as duplicates, inside a call and across calls', async () => {
      await expect(send(sample(), sample(), sample({ takenAt: at(1) }))).resolves.toMatchObject({
        accepted: 2,
        duplicates: 1,
        corrections: 0,
      });
      await expect(send(sample(), sample({ takenAt: at(1) }), sample({ takenAt: at(2) }))).resolves.toMatchObject({
        accepted: 1,
        duplicates: 2,
      });
      await expect(stored()).resolves.toHaveLength(3);
    });

    it('the same instant with another offset or more digits as a duplicate', async () => {
      await send(sample());
      const inParis = toInstant(begin + 2 * 3_600_000).replace(/Z$/, '999+02:00');
      await expect(send(sample({ takenAt: inParis }))).resolves.toMatchObject({
        accepted: 0,
        duplicates: 1,
      });
    });

    it('another value or quality of a known sample as a correction, which keeps the old row', async () => {
      await send(sample());
      test.advance(1_000);
      await expect(send(sample({ value: 91 }))).resolves.toEqual({
        accepted: 1,
        duplicates: 0,
        corrections: 1,
        rejected: [],
      });
      await expect(send(sample({ value: 91, quality: 'questionable' }))).resolves.toMatchObject({
        accepted: 1,
        corrections: 1,
      });
      await expect(stored()).resolves.toEqual([{ kind: 1, taken_at: begin, value: 91, quality: 1, site_id: site }]);
      const old = await test.store.db
        .selectFrom('sample_corrections')
        .select(['old_value', 'old_quality', 'site_id', 'kind', 'taken_at'])
        .where('patient_id', '=', patientId)
        .orderBy('id')
        .execute();
      expect(old).toEqual(
        [97, 91].map((value) => ({ old_value: value, old_quality: 0, site_id: site, kind: 1, taken_at: begin })),
      );
    });

    it('a sample and its correction in one call as accepted and corrected, and the call again as repeats', async () => {
      const call = [sample(), sample({ value: 50 }), sample({ value: 96 })];
      await expect(send(...call)).resolves.toMatchObject({ accepted: 3, duplicates: 0, corrections: 2 });
      const rows = await countRows();
      await expect(send(...call)).resolves.toEqual({ accepted: 0, duplicates: 3, corrections: 0, rejected: [] });
      await expect(countRows()).resolves.toEqual(rows);
      await expect(stored()).resolves.toMatchObject([{ value: 96 }]);
    });

    it('a repeat without a quality as a duplicate, although its source has stated one since', async () => {
      await send(sample({ quality: undefined }));
      await send(sample({ takenAt: at(1) }));
      await expect(send(sample({ quality: undefined }))).resolves.toMatchObject({ duplicates: 1, corrections: 0 });
      await expect(send(sample({ takenAt: at(1), quality: undefined }))).resolves.toMatchObject({
        duplicates: 1,
        corrections: 0,
      });
      await expect(stored()).resolves.toMatchObject([{ quality: 4 }, { quality: 0 }]);
    });

    it('each bad sample among good ones by its index and code, and keeps it in quarantine as it came', async () => {
      const elsewhere = await test.addPatient(await test.addSite('Other ward'));
      const bad: [string, object][] = [
        ['unknown_patient', sample({ mrn: 'nobody\u0000é' })],
        ['other_site_patient', sample({ mrn: undefined, patientId: elsewhere })],
        ['unknown_kind', sample({ kind: 'mood' })],
        ['impossible_value', sample({ value: 'A' })],
        ['unparsable_time', sample({ takenAt: '2026-02-30T10:00:00Z' })],
        ['time_in_future', sample({ takenAt: toInstant(test.now() + 300_001) })],
        ['malformed_sample', { note: `${'x'.repeat(990)}\u{1F600}` }],
      ];
      const answer = await send(sample(), ...bad.map(([, raw]) => raw), sample({ takenAt: at(1) }));
      expect(answer).toMatchObject({ accepted: 2, duplicates: 0, corrections: 0 });
      expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual(
        bad.map(([code], index) => [index + 1, code === 'other_site_patient' ? 'unknown_patient' : code]),
      );
      // A token learns of no patient elsewhere.
      expect(answer.rejected[1]?.message).toBe(answer.rejected[0]?.message);
      await expect(stored()).resolves.toHaveLength(2);
      const kept = await test.store.db
        .selectFrom('quarantine')
        .selectAll()
        .where('site_id', '=', site)
        .orderBy('id', 'desc')
        .limit(bad.length)
        .execute();
      expect(kept.reverse().map(({ code, site_id, sample: text }) => [code, site_id, text])).toEqual(
        bad.map(([code, raw]) => [code, site, JSON.stringify(raw).slice(0, code === 'malformed_sample' ? 999 : 1_000)]),
      );
    });

    it('what no patient can have as accepted, stored as no value, and its repeat as a duplicate', async () => {
      const samples = [sample({ value: 127 }), sample({ kind: 'temperature', value: -999, quality: undefined })];
      await expect(send(...samples)).resolves.toEqual({ accepted: 2, duplicates: 0, corrections: 0, rejected: [] });
      await expect(send(...samples)).resolves.toMatchObject({ accepted: 0, duplicates: 2, corrections: 0 });
      const kept = (await stored()).map(({ value, quality }) => [value, qualityOf(quality)]);
      expect(kept.sort()).toEqual([
        [0, 'invalid'],
        [10, 'invalid'],
      ]);
    });

    it.each([
      ['255 beside an SpO2 of 127', 'pulseRate', 255, 127, 'invalid'],
      ['255 beside one that is invalid', 'heartRate', 255, 0, 'invalid'],
      ['255 alone', 'pulseRate', 255, null, 'invalid'],
      ['255 beside an SpO2', 'pulseRate', 255, 80, 'good'],
      ['127 beside an SpO2 of 127', 'heartRate', 127, 127, 'good'],
      ['a pressure of 255', 'systolic', 255, 127, 'good'],
    ])('a rate of %s', async (_, kind, value, spo2, quality) => {
      const beside = spo2 === null ? sample({ value: 97, takenAt: at(1) }) : sample({ value: spo2 });
      await send(sample({ kind, value }), beside);
      const rows = await stored();
      expect(rows.find((row) => row.kind !== kinds.spo2.code)).toMatchObject({ value });
      expect(rows.filter((row) => row.kind !== kinds.spo2.code).map((row) => qualityOf(row.quality))).toEqual([
        quality,
      ]);
    });

    it('an infinite value as impossible, for that sample alone', async () => {
      const answer = await sendText(
        `{"samples":[${JSON.stringify(sample()).replace('97', '1e999')},${JSON.stringify(sample())}]}`,
      );
      expect(answer.json()).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'impossible_value' }] });
    });
  });
});

describe('limitCalls', () => {
  let test: TestServer;
  let port: number;
  let token: string;

  beforeAll(async () => {
    // A server of its own: it listens on a port, and its open connections are counted.
    test = await startTestServer('sqlite');
    port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
    ({ token } = await test.addDevice(await test.addSite()));
  });
  afterAll(() => test.stop());

  /** Sends the beginning of some calls on a connection of its own, and resolves when the server reads their bodies. */
  async function begin(head: string, body: string, calls = 1): Promise<Socket> {
    const known = jest.spyOn(test.server.liveState.devices, 'set');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const call =
      `POST /api/v2/vitals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\n${head}\r\n\r\n${body}`;
    socket.write(call.repeat(calls));
    while (known.mock.calls.length < calls) {
      await turn();
    }
    known.mockRestore();
    // The device is known now, and its body is read.
    await turn();
    return socket;
  }

  /** Resolves with the status of the response that comes next. */
  async function statusOf(socket: Socket): Promise<string> {
    return String(await once(socket, 'data')).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  }

  async function breakOff(socket: Socket): Promise<void> {
    const closed = once(socket, 'close');
    socket.resetAndDestroy();
    await closed;
  }

  /** One sample, of no patient: it goes to quarantine. */
  const whole = '{"samples":[{"patientId":999,"kind":"spo2","value":97,"takenAt":"2026-03-01T08:00:00Z"}]}';

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      test.app.server.getConnections((error, count) => {
        if (error === null) {
          resolve(count);
        } else {
          reject(error);
        }
      });
    });

  async function untilClosed(): Promise<void> {
    while ((await openConnections()) > 0) {
      await turn();
    }
  }

  describe('the calls of a device that are open', () => {
    it.each([
      ['in the middle of a body', 'Content-Length: 2000000', '{"samples":['],
      ['in the middle of a body without a length', 'Transfer-Encoding: chunked', '5\r\n{"sam\r\n'],
      ['after the whole call', `Content-Length: ${whole.length}`, whole],
    ])('are not those whose connection broke %s', async (_, head, body) => {
      const open = holdWrites(test.store);
      for (let count = 0; count < openLimits.callsOfDevice + 10; count += 1) {
        await breakOff(await begin(head, body));
      }
      await untilClosed();
      open();
      await test.server.recorder.idle();
      const { statusCode } = await test.ingest(token, []);
      expect(statusCode).toBe(200);
    });

    it('are not those that waited behind another one on a connection that broke', async () => {
      const open = holdWrites(test.store);
      for (let count = 0; count < 5; count += 1) {
        await breakOff(await begin(`Content-Length: ${whole.length}`, whole, 16));
      }
      await untilClosed();
      open();
      await test.server.recorder.idle();
      const { statusCode } = await test.ingest(token, []);
      expect(statusCode).toBe(200);
    });

    it('are those of a client that has gone too, while their bodies are kept', async () => {
      const open = holdWrites(test.store);
      const record = jest.spyOn(test.server.recorder, 'record');
      const body = whole.padEnd(bodyLimit, ' ');
      for (let count = 1; count <= openLimits.bytesOfDevice / bodyLimit; count += 1) {
        const socket = await begin(`Content-Length: ${body.length}`, body);
        while (record.mock.calls.length < count) {
          await turn();
        }
        await breakOff(socket);
      }
      record.mockRestore();
      await untilClosed();
      const during = await test.ingest(token, []);
      open();
      await test.server.recorder.idle();
      const after = await test.ingest(token, []);
      expect([during.statusCode, after.statusCode]).toEqual([429, 200]);
    });

    it('end with those that came when there were many already, and not with the first', async () => {
      const head = `Connection: close\r\nContent-Length: ${whole.length}`;
      const sockets: Socket[] = [];
      for (let count = 0; count < openLimits.callsOfDevice + 6; count += 1) {
        sockets.push(await begin(head, whole.slice(0, 10)));
      }
      const statuses: string[] = [];
      for (const socket of sockets) {
        socket.write(whole.slice(10));
        statuses.push(await statusOf(socket));
      }
      expect(statuses).toEqual(sockets.map((_, place) => (place < openLimits.callsOfDevice ? '200' : '429')));
    });

    it('count for as long as they are once they are read, if they came without a length', async () => {
      const open = holdWrites(test.store);
      const chunked = `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
      const sockets: Socket[] = [];
      for (let count = 0; count < 2 * (openLimits.bytesOfDevice / bodyLimit); count += 1) {
        sockets.push(await begin('Transfer-Encoding: chunked\r\nConnection: close', chunked));
      }
      open();
      const statuses = await Promise.all(sockets.map(statusOf));
      expect(statuses).toEqual(sockets.map(() => '200'));
    });

    it('wait for no long body that does not end', async () => {
      const long = whole.padEnd(openLimits.longBody + 1, ' ');
      const head = `Connection: close\r\nContent-Length: ${long.length}`;
      const slow: Socket[] = [];
      for (let count = 0; count < 2 * openLimits.longBodiesRead; count += 1) {
        slow.push(await begin(head, long.slice(0, 10)));
      }
      await expect(statusOf(await begin(head, long))).resolves.toBe('200');
      await Promise.all(slow.map(breakOff));
      await untilClosed();
    });

    it('are refused with 413 if they are too long, however long', async () => {
      const socket = await begin(`Content-Length: ${openLimits.bytes + 1}`, '{');
      await expect(statusOf(socket)).resolves.toBe('413');
      await breakOff(socket);
    });
  });
});

describe('bodyTurns', () => {
  let now = 0;
  let done: string[] = [];
  beforeEach(() => {
    now = 0;
    done = [];
  });
  const inTurn = createBodyTurns(turn, () => now);
  const work = (deviceId: number, name: string, { ms = 0, isLong = false } = {}) =>
    inTurn({ deviceId, isLong }, () => {
      done.push(name);
      now += ms;
      return name;
    });
  /** What is done in each turn of the event loop until all is. */
  const inTurns = async (all: Promise<unknown>[]): Promise<string[][]> => {
    let isOver = false;
    const over = Promise.allSettled(all).then(() => (isOver = true));
    const turns: string[][] = [];
    while (!isOver) {
      await turn();
      turns.push(done.splice(0));
    }
    await over;
    return turns.filter((names) => names.length > 0);
  };

  describe('the bodies of devices', () => {
    it('have turns by device, so that one that sends much keeps no other waiting', async () => {
      const turns = await inTurns([work(1, 'a1'), work(1, 'a2'), work(1, 'a3'), work(2, 'b1'), work(3, 'c1')]);
      expect(turns.flat()).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    });

    it('leave the thread to others after 5 ms', async () => {
      await expect(inTurns([1, 2, 3, 4, 5].map((id) => work(id, `${id}`, { ms: 3 })))).resolves.toEqual([
        ['1', '2'],
        ['3', '4'],
        ['5'],
      ]);
    });

    it('are one long one in each turn, after the short ones', async () => {
      const long = [1, 2, 3].map((id) => work(id, `long ${id}`, { isLong: true, ms: 15 }));
      await expect(inTurns([...long, work(9, 'short')])).resolves.toEqual([
        ['short', 'long 1'],
        ['long 2'],
        ['long 3'],
      ]);
    });

    it('fail each for itself', async () => {
      const failing = inTurn({ deviceId: 1, isLong: false }, () => {
        throw new Error('no JSON');
      });
      const other = work(1, 'a');
      await expect(failing).rejects.toThrow('no JSON');
      await expect(other).resolves.toBe('a');
    });
  });
});

describe('readTurns', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe('long bodies', () => {
    it('are read two at a time, in the order in which they came', () => {
      const [read, turns] = [[] as number[], createReadTurns(2, 100)];
      const ends = [1, 2, 3, 4].map((body) => turns(() => read.push(body)));
      expect(read).toEqual([1, 2]);
      ends[1]?.();
      expect(read).toEqual([1, 2, 3]);
      ends[1]?.();
      expect(read).toEqual([1, 2, 3]);
      ends[0]?.();
      expect(read).toEqual([1, 2, 3, 4]);
    });

    it('keep no one waiting for longer than their time', () => {
      const [read, turns] = [[] as number[], createReadTurns(1, 100)];
      const ends = [1, 2, 3].map((body) => turns(() => read.push(body)));
      jest.advanceTimersByTime(99);
      expect(read).toEqual([1]);
      jest.advanceTimersByTime(1);
      expect(read).toEqual([1, 2]);
      // Its time was over: it ends no other's.
      ends[0]?.();
      expect(read).toEqual([1, 2]);
    });

    it('that are given up are not read, and leave no one out', () => {
      const [read, turns] = [[] as number[], createReadTurns(1, 100)];
      const ends = [1, 2, 3].map((body) => turns(() => read.push(body)));
      ends[1]?.();
      ends[0]?.();
      expect(read).toEqual([1, 3]);
    });
  });
});

describe('waitingParts', () => {
  const request = newRequest({ isClockEstablished: true });

  let now: number;
  let waiting: ReturnType<typeof createWaitingParts>;

  beforeEach(() => {
    now = 0;
    waiting = createWaitingParts(
      () => now,
      () => 3,
    );
  });

  const sender = (deviceId: number, more: Partial<Sender> = {}): Sender => ({
    deviceId,
    isGone: () => false,
    ...more,
  });
  const part = (rows: number, more: Partial<WaitingPart> = {}): WaitingPart => ({
    request,
    settle: () => undefined,
    sender: sender(1),
    rows,
    isLate: false,
    ...more,
  });
  /** What a call of a device gets: "waits", or the status of its refusal. */
  /** Device 2 has something waiting, as has every device that is to be refused. */
  const ask = (deviceId: number, rows: { live?: number; late?: number }): string | number => {
    try {
      waiting.admit(deviceId, { live: 0, late: 0, ...rows });
      return 'waits';
    } catch (error) {
      expect(error).toBeInstanceOf(HttpError);
      expect(error).toHaveProperty('details.retryAfter', 3);
      return error instanceof HttpError ? error.status : Number.NaN;
    }
  };
  /** So many devices that the share of each is the least there is. */
  const callOfOthers = (): void => {
    for (let deviceId = 100; deviceId < 150; deviceId += 1) {
      ask(deviceId, { live: 1 });
    }
  };

  describe('what waits for the store', () => {
    it.each([
      ['as many live rows as may wait', { rows: waitingLimits.rows - 1, isLate: false }, { live: 1 }, 503],
      ['as many late rows as may wait', { rows: waitingLimits.rows - 400, isLate: true }, { late: 1 }, 503],
      ['one live row fewer', { rows: waitingLimits.rows - 401, isLate: false }, { live: 1 }, 'waits'],
    ])('with %s refuses a further row of a device that has its part waiting', (_, { rows, isLate }, more, expected) => {
      callOfOthers();
      waiting.add(part(rows, { isLate }));
      waiting.add(part(400, { sender: sender(2), isLate }));
      expect(ask(2, more)).toBe(expected);
    });

    it('takes the first call of a device although others have filled what may wait, up to twice as much', () => {
      waiting.add(part(waitingLimits.rows));
      expect([ask(2, { live: waitingLimits.rows }), ask(2, { live: waitingLimits.rows + 1 })]).toEqual(['waits', 503]);
    });

    it('takes further calls of a device that has less than its part waiting, however much others have', () => {
      callOfOthers();
      waiting.add(part(waitingLimits.rows));
      waiting.add(part(100, { sender: sender(2) }));
      // 20,000 rows of 51 devices.
      expect([ask(2, { live: 292 }), ask(2, { live: 293 })]).toEqual(['waits', 503]);
    });

    it('keeps no live value out for late ones, of the same device or of others', () => {
      waiting.add(part(waitingLimits.rows, { isLate: true }));
      callOfOthers();
      expect([ask(1, { live: 500 }), ask(2, { live: 500, late: 1 }), ask(1, { late: 1 })]).toEqual([
        'waits',
        'waits',
        429,
      ]);
    });

    it('refuses calls of a device whose oldest one waits for more than 10 s, and of no other', () => {
      waiting.add(part(1));
      now = waitingLimits.ageMs;
      expect(ask(1, { live: 1 })).toBe('waits');
      now += 1;
      expect([ask(1, { live: 1 }), ask(1, { late: 1 }), ask(2, { live: 1 })]).toEqual([503, 'waits', 'waits']);
    });

    it('gives a device its share alone, and at least 5,000 rows', () => {
      callOfOthers();
      waiting.add(part(4_000));
      expect([ask(1, { live: 1_000 }), ask(1, { live: 1_001 }), ask(2, { live: 5_000 })]).toEqual([
        'waits',
        429,
        'waits',
      ]);
    });

    it('gives a device more while fewer of them have called within a minute', () => {
      callOfOthers();
      waiting.add(part(5_000));
      expect(ask(1, { live: 1 })).toBe(429);
      now = 60_000;
      waiting.take(1);
      waiting.add(part(5_000));
      expect([ask(1, { live: 5_000 }), ask(1, { late: waitingLimits.rows - 5_000 })]).toEqual(['waits', 'waits']);
    });

    it('takes a first call of a device whatever its share is', () => {
      callOfOthers();
      expect(ask(1, { late: 5_000 })).toBe('waits');
    });

    it('hands out live parts first, in the order in which they came, and no more rows than fit', () => {
      const parts = [
        part(300, { isLate: true }),
        part(400),
        part(500, { isLate: true }),
        part(600),
        part(100, { isLate: true }),
      ];
      parts.forEach(waiting.add);
      const rows = (): number[] => waiting.take(1_300).map((taken) => taken.rows);
      expect([rows(), rows(), rows()]).toEqual([[400, 600, 300], [500, 100], []]);
      expect([waiting.isEmpty(), waiting.rows()]).toEqual([true, 0]);
    });

    it('hands out parts of devices in turn, so that none waits for all that another has sent', () => {
      const of = (deviceId: number): WaitingPart => part(500, { sender: sender(deviceId) });
      [of(1), of(1), of(1), of(2), of(3), of(2)].forEach(waiting.add);
      const devices = (rows: number): unknown[] => waiting.take(rows).map((taken) => taken.sender?.deviceId);
      expect([devices(1_000), devices(1_500), devices(1_000)]).toEqual([[1, 2], [3, 1, 2], [1]]);
    });

    it('hands out as many rows of a device with short calls as of one with long calls', () => {
      const of = (deviceId: number, rows: number): WaitingPart => part(rows, { sender: sender(deviceId) });
      [of(1, rowsPerPart), of(1, rowsPerPart)].forEach(waiting.add);
      Array.from({ length: 12 }, () => of(2, rowsPerPart / 10)).forEach(waiting.add);
      const devices = (): string =>
        waiting
          .take(2 * rowsPerPart)
          .map((taken) => taken.sender?.deviceId)
          .join('');
      expect([devices(), devices()]).toEqual(['12222222222', '122']);
    });

    it('lets no device whose turn a transaction cut off begin the next one', () => {
      [1, 1, 1, 2].forEach((deviceId) => {
        waiting.add(part(300, { sender: sender(deviceId) }));
      });
      const devices = (): unknown[] => waiting.take(400).map((taken) => taken.sender?.deviceId);
      expect([devices(), devices(), devices(), devices()]).toEqual([[1], [2], [1], [1]]);
    });

    it('hands out a part that is larger than what fits, alone', () => {
      [part(3_000), part(1)].forEach(waiting.add);
      expect(waiting.take(100).map(({ rows }) => rows)).toEqual([3_000]);
    });

    it('drops a call whose client has gone for a second, and nothing of people', () => {
      const outcomes: (Written | Error)[] = [];
      const isGone = (): boolean => true;
      waiting.add(part(10, { sender: sender(1, { isGone }), settle: (outcome) => outcomes.push(outcome) }));
      waiting.add(part(20, { sender: null }));
      now = 1_001;
      waiting.add(part(30, { sender: sender(2, { isGone }) }));
      expect(waiting.take(1_000).map(({ rows }) => rows)).toEqual([20, 30]);
      expect(outcomes).toEqual([expect.any(HttpError)]);
      expect(waiting.rows()).toBe(0);
    });

    it('counts what a device has waiting down as it is taken, live and late rows each', () => {
      callOfOthers();
      [part(4_000), part(1_000), part(5_000, { isLate: true })].forEach(waiting.add);
      expect([ask(1, { live: 1 }), ask(1, { late: 1 })]).toEqual([429, 429]);
      waiting.take(4_000);
      expect([ask(1, { live: 4_000 }), ask(1, { live: 4_001 }), ask(1, { late: 1 })]).toEqual(['waits', 429, 429]);
    });
  });
});

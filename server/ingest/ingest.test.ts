import { sql } from 'kysely';
import type { LightMyRequestResponse } from 'fastify';
import { errorBody } from '../../lib/api/errorBody';
import { toInstant } from '../../lib/time/schema';
import { ingestResponse, maxSamplesPerCall, type IngestResponse } from '../../lib/vitals/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';

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

describe.each(apiEngines)('POST /api/v2/vitals on %s', (engine) => {
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
    const answer = await test.ingest(token, samples);
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
        ['impossible_value', sample({ value: 101 })],
        ['unparsable_time', sample({ takenAt: '2026-02-30T10:00:00Z' })],
        ['time_in_future', sample({ takenAt: toInstant(test.now() + 300_001) })],
        ['malformed_sample', { note: `${'x'.repeat(990)}\u{1F600}` }],
      ];
      const answer = await send(sample(), ...bad.map(([, raw]) => raw), sample({ takenAt: at(1) }));
      expect(answer).toMatchObject({ accepted: 2, duplicates: 0, corrections: 0 });
      expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual(
        bad.map(([code], index) => [index + 1, code]),
      );
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

    it('an infinite value as impossible, for that sample alone', async () => {
      const answer = await sendText(
        `{"samples":[${JSON.stringify(sample()).replace('97', '1e999')},${JSON.stringify(sample())}]}`,
      );
      expect(answer.json()).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'impossible_value' }] });
    });
  });
});

import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import type { z } from 'zod';
import { errorBody } from '../../lib/api/errorBody';
import { patientsResponse } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { vitalKinds } from '../../lib/vitals/kinds';
import { ingestResponse, qualities, vitalsResponse } from '../../lib/vitals/schema';
import { engines } from '../../test/database';
import { startOfTest, startTestServer, type Caller, type TestServer } from '../../test/testServer';

/** FUZZ_ROUNDS=100000 for a long run; FUZZ_SEED=1 for one that can be repeated. */
const { FUZZ_ROUNDS = '150', FUZZ_SEED } = process.env;
const numRuns = Number(FUZZ_ROUNDS);
const runs = { numRuns, ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }) };
// Many cases, which on a busy machine take longer than jest's 5 s.
jest.setTimeout(Math.max(60_000, numRuns * 20));

/** Texts that have broken servers before, among any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    'null',
    '\u0000',
    '\ud800',
    '%00',
    "'",
    '"',
    '2026-02-30',
    '__proto__',
    '9'.repeat(400),
  ),
);
const recent = fc.integer({ min: startOfTest - 86_400_000, max: startOfTest + 600_000 }).map(toInstant);
const extremes = [
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999-14:00',
  '9999-12-31T23:59:59Z',
  '1970-01-01T00:00:00+14:00',
];
const instant = fc.oneof(
  { weight: 6, arbitrary: recent },
  { weight: 2, arbitrary: fc.constantFrom(...extremes) },
  { weight: 1, arbitrary: text },
);
/** Objects with keys that JavaScript itself asks for: unparsed, they pass for a list, a text or a promise. */
const posing = fc.dictionary(
  fc.constantFrom('length', 'toString', 'valueOf', 'then', 'toJSON'),
  fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(-1, 0, 1e9, 2 ** 32)),
  { minKeys: 1 },
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  text,
  instant,
  fc.double(),
  fc.bigInt().map(Number),
  posing,
  fc.array(posing, { maxLength: 3 }),
);
const mostly = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: likely }, { weight: 1, arbitrary: anything });

describe.each(engines)('whatever is sent to %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let token: string;
  let patientId: number;

  beforeAll(async () => {
    test = await startTestServer(engine, { SESSION_CALLS_PER_MINUTE: '1000000000' });
    const site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    ({ token } = await test.addDevice(site));
    patientId = await test.addPatient(site, { mrn: 'FUZZ' });
  });
  afterAll(() => test.stop());

  const expectRefusal = (answer: LightMyRequestResponse, statuses: readonly number[]): void => {
    expect(statuses).toContain(answer.statusCode);
    expect(errorBody.strict().safeParse(answer.json()).error).toBeUndefined();
  };
  const expectAnswer = (answer: LightMyRequestResponse, schema: z.ZodType, refusals: readonly number[]): void => {
    if (answer.statusCode !== 200) {
      expectRefusal(answer, refusals);
      return;
    }
    expect(schema.safeParse(answer.json()).error).toBeUndefined();
  };
  const ingestText = (payload: string): Promise<LightMyRequestResponse> =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload,
    });
  /** The pages can show whatever was taken in. */
  const expectReadable = async (): Promise<void> => {
    const shown = await nurse.call('GET', `/api/v2/patients/${patientId}`);
    expect(shown.statusCode).toBe(200);
    const list = await nurse.call('POST', '/api/v2/patients/search', { text: '' });
    expect(patientsResponse.safeParse(list.json()).error).toBeUndefined();
  };

  it('ingest refuses any text that is not its JSON, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          text,
          fc.json({ maxDepth: 4 }),
          anything.map((value) => JSON.stringify(value) ?? ''),
        ),
        async (body) => {
          expectRefusal(await ingestText(body), [400, 422]);
        },
      ),
      runs,
    );
  });

  it('ingest answers for any samples, counts each of them once, and what it took can be shown', async () => {
    const valid = fc.record(
      {
        mrn: mostly(fc.constant('FUZZ')),
        kind: mostly(fc.constantFrom(...vitalKinds)),
        value: mostly(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom('A', 'U'))),
        takenAt: mostly(instant),
        quality: mostly(fc.constantFrom(...qualities)),
      },
      { requiredKeys: ['mrn', 'kind', 'value', 'takenAt'] },
    );
    const sample = mostly(
      fc.oneof(
        { weight: 6, arbitrary: valid },
        { weight: 1, arbitrary: valid.map((one) => ({ ...one, patientId: 1 })) },
      ),
    );
    const samples = fc.array(sample, { maxLength: 8 });
    const sentAt = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(undefined, toInstant(startOfTest)) },
      { weight: 1, arbitrary: instant },
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(sentAt, samples, async (clock, call) => {
        const answer = await ingestText(JSON.stringify({ sentAt: clock, samples: call }));
        if (answer.statusCode !== 200) {
          expectRefusal(answer, [400, 422]);
          return;
        }
        const counts = ingestResponse.strict().parse(answer.json());
        expect(counts.accepted + counts.duplicates + counts.rejected.length).toBe(call.length);
        accepted += counts.accepted;
        await expectReadable();
      }),
      runs,
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('the list of patients answers any query with a page or says what is wrong with it', async () => {
    const likely = fc.constantFrom(
      'active',
      'discharged',
      '1',
      '2',
      '500',
      'familyName',
      '-spo2',
      'heartRate',
      'Ward 1',
    );
    await fc.assert(
      fc.asyncProperty(queryOf(['state', 'unit', 'page', 'pageSize', 'sort', 'after'], likely), async (query) => {
        const answer = await nurse.call('GET', `/api/v2/patients?${query}`);
        expectAnswer(answer, patientsResponse, [400]);
      }),
      runs,
    );
  });

  it('the vitals of a patient answer any address and query with series or say what is wrong with it', async () => {
    const likely = fc.oneof(
      instant,
      fc.constantFrom('spo2', 'spo2,heartRate', vitalKinds.join(','), '2', '1000', '2000'),
    );
    const id = fc.oneof(
      { weight: 5, arbitrary: fc.constant(String(patientId)) },
      { weight: 1, arbitrary: text.map(encode) },
    );
    await fc.assert(
      fc.asyncProperty(id, queryOf(['kind', 'from', 'to', 'points'], likely), async (patient, query) => {
        const answer = await nurse.call('GET', `/api/v2/patients/${patient}/vitals?${query}`);
        expectAnswer(answer, vitalsResponse, patient === String(patientId) ? [400] : [400, 404, 414]);
      }),
      runs,
    );
  });
});

/** As part of an address; half a surrogate pair, which no address can hold, becomes the replacement character. */
function encode(part: string): string {
  return encodeURIComponent(Buffer.from(part).toString());
}

function queryOf(names: readonly string[], likely: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text });
  const value = fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: text });
  const pair = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(name, value).map(([left, right]) => `${encode(left)}=${encode(right)}`) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz=%', '&&', '=', 'page[]=1', 'page[a]=1', 'points', '%00=%00') },
  );
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));
}

import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import type { z } from 'zod';
import { errorBody } from '../../lib/api/errorBody';
import { patientsResponse } from '../../lib/patients/schema';
import { ingestResponse, vitalsResponse } from '../../lib/vitals/schema';
import { apiEngines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { malformedInputs, type MalformedInputs } from '../../test/malformedInputs';
import { startOfTest, startTestServer, type Caller, type TestServer } from '../../test/testServer';

// Many cases, which on a busy machine take longer than jest's 5 s.
jest.setTimeout(Math.max(600_000, fuzzRuns.numRuns * 20));

describe.each(apiEngines)('whatever is sent to %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let token: string;
  let patientId: number;
  let inputs: MalformedInputs;
  let port: number;

  beforeAll(async () => {
    // A server of its own: it listens on a port.
    test = await startTestServer(engine, { SESSION_CALLS_PER_MINUTE: '1000000000' });
    const site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    ({ token } = await test.addDevice(site));
    patientId = await test.addPatient(site, { mrn: 'FUZZ' });
    const cookie = Object.entries(nurse.cookies).map(([name, value]) => `${name}=${value}`);
    const secrets = { authorization: `Bearer ${token}`, cookie: cookie.join('; ') };
    inputs = malformedInputs(startOfTest, { id: patientId, mrn: 'FUZZ' }, secrets);
    port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
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
      fc.asyncProperty(inputs.bodies, async (body) => {
        expectRefusal(await ingestText(body), [400, 422]);
      }),
      fuzzRuns,
    );
  });

  it('ingest answers for any samples, counts each of them once, and what it took can be shown', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(inputs.calls, async (call) => {
        const answer = await ingestText(JSON.stringify(call));
        if (answer.statusCode !== 200) {
          expectRefusal(answer, [400, 422]);
          return;
        }
        const counts = ingestResponse.strict().parse(answer.json());
        expect(counts.accepted + counts.duplicates + counts.rejected.length).toBe(call.samples.length);
        accepted += counts.accepted;
        await expectReadable();
      }),
      fuzzRuns,
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('the list of patients answers any query with a page or says what is wrong with it', async () => {
    await fc.assert(
      fc.asyncProperty(inputs.listQueries, async (query) => {
        const answer = await nurse.call('GET', `/api/v2/patients?${query}`);
        expectAnswer(answer, patientsResponse, [400]);
      }),
      fuzzRuns,
    );
  });

  it('the vitals of a patient answer any address and query with series or say what is wrong with it', async () => {
    await fc.assert(
      fc.asyncProperty(inputs.vitals, async ([patient, query]) => {
        const answer = await nurse.call('GET', `/api/v2/patients/${patient}/vitals?${query}`);
        expectAnswer(answer, vitalsResponse, patient === String(patientId) ? [400] : [400, 404, 414]);
      }),
      fuzzRuns,
    );
  });

  it('a request of any bytes is answered or its connection closed, and never fails', async () => {
    const send = async (bytes: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      socket.on('error', () => undefined);
      socket.end(bytes, 'latin1');
      return await readText(socket).catch(() => '');
    };
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(inputs.requests, async (bytes) => {
        const answer = await send(bytes);
        expect(answer).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
        expect(answer).not.toMatch(/HTTP\/1\.1 5\d\d /);
        answered += answer === '' ? 0 : 1;
      }),
      fuzzRuns,
    );
    expect(answered).toBeGreaterThan(50);
  });
});

import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { patientResponse, type PatientResponse } from '../../lib/patients/schema';

const url = '/api/v2/patients';

describe.each(apiEngines)('NEWS2 in the answer of one patient on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    nurse = await test.signIn(await test.addSite(), 'nurse');
  });

  const add = async (mrn: string, dateOfBirth = '1950-03-07'): Promise<number> => {
    const answer = await nurse.call('POST', url, { mrn, givenName: 'Sam', familyName: 'Sample', dateOfBirth });
    return answer.json<{ id: number }>().id;
  };
  const type = async (id: number, readings: object): Promise<number> =>
    (await nurse.call('POST', `${url}/${id}/readings`, { readings })).statusCode;
  const read = async (id: number): Promise<PatientResponse> =>
    patientResponse.parse((await nurse.call('GET', `${url}/${id}`)).json());

  it('is an interval until all seven are known, and then a score with its parts', async () => {
    const id = await add('N-1');
    await expect(type(id, { spo2: 91, pulseRate: 112 })).resolves.toBeLessThan(300);
    expect((await read(id)).news2).toMatchObject({
      complete: false,
      score: null,
      range: [5, 19],
      band: 'unknown',
      atLeast: 'medium',
    });
    const rest = { respiratoryRate: 16, oxygenFlow: 0, systolic: 120, consciousness: 'A', temperature: 37 };
    await expect(type(id, rest)).resolves.toBeLessThan(300);
    expect((await read(id)).news2).toMatchObject({
      complete: true,
      score: 5,
      range: [5, 5],
      band: 'medium',
      parts: { spo2: { value: 91, points: 3 }, consciousness: { value: 'A', points: 0 } },
      missing: [],
    });
  });

  it('is null for a child', async () => {
    const year = new Date(test.now()).getUTCFullYear() - 10;
    expect((await read(await add('N-2', `${year}-01-01`))).news2).toBeNull();
  });
});

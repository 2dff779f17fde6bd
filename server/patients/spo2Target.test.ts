import type { Spo2Target } from '../../lib/patients/spo2TargetSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe.each(apiEngines)('the SpO2 target on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let physician: Caller;
  let nurse: Caller;
  let patient: number;
  const urlOf = (id: number): string => `/api/v2/patients/${id}/spo2-target`;
  const wanted = { version: 1, scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide' };

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    physician = await test.signIn(site, 'physician');
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
  });

  const read = async (): Promise<Spo2Target> => (await nurse.call('GET', urlOf(patient))).json<Spo2Target>();

  it.each([
    [{ scale: 3 }, 'scale'],
    [{ low: 69 }, 'low'],
    [{ high: 101 }, 'high'],
    [{ low: 92 }, 'high'],
    [{ low: 93 }, 'high'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'why' }, 'reason'],
    [{ low: 88.5 }, 'low'],
    [{ version: 0 }, 'version'],
  ])('is refused with %j', async (change, field) => {
    const answer = await physician.call('PUT', urlOf(patient), { ...wanted, ...change });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
    await expect(read()).resolves.toMatchObject({ version: 1, isConfirmed: false });
  });

  it('is set by physicians alone, of their own site, and on the strength of what they saw', async () => {
    expect((await nurse.call('PUT', urlOf(patient), wanted)).statusCode).toBe(403);
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('PUT', urlOf(patient), wanted)).statusCode).toBe(404);
    expect((await stranger.call('GET', urlOf(patient))).statusCode).toBe(404);
    const late = await physician.call('PUT', urlOf(patient), { ...wanted, version: 2 });
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'changed_meanwhile' } }]);
    await expect(read()).resolves.toEqual({ version: 1, scale: 1, low: 94, high: 98, isConfirmed: false, history: [] });
  });

  it('names no user while it is the usual target of its scale', async () => {
    patient = await test.addPatient(site, { spo2Scale: 2 });
    await expect(read()).resolves.toMatchObject({ scale: 2, low: 88, high: 92, isConfirmed: false });
  });

  it('holds with its reason, its author and its time, and leaves the ones before readable', async () => {
    const first = await physician.call('PUT', urlOf(patient), wanted);
    expect(first.statusCode).toBe(200);
    const firstAt = toInstant(test.now());
    test.advance(60_000);
    await physician.call('PUT', urlOf(patient), {
      ...wanted,
      version: 2,
      scale: 1,
      low: 92,
      high: 96,
      reason: 'Blood gases are normal',
    });
    await test.restart();
    const shown = await read();
    expect(shown).toMatchObject({ version: 3, scale: 1, low: 92, high: 96, isConfirmed: true });
    expect(shown.history).toMatchObject([
      {
        scale: 1,
        low: 92,
        high: 96,
        reason: 'Blood gases are normal',
        setAt: toInstant(test.now()),
        setBy: { id: physician.userId },
      },
      { scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide', setAt: firstAt },
    ]);
    expect((await nurse.call('GET', `/api/v2/patients/${patient}`)).json()).toMatchObject({ spo2Scale: 1, version: 3 });
  });

  it('is set once when two physicians set it at the same moment', async () => {
    const other = await test.signIn(site, 'physician');
    const answers = await Promise.all([physician, other].map((one) => one.call('PUT', urlOf(patient), wanted)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await read()).history).toHaveLength(1);
  });

  it('is on record without its reason', async () => {
    await physician.call('PUT', urlOf(patient), wanted);
    const row = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'set_spo2_target')
      .where('object_id', '=', patient)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ actor_id: physician.userId, details: null });
  });
});

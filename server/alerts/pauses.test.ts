import type { ComfortCareResponse, StandbyResponse } from '../../lib/alerts/pausesSchema';
import type { PatientResponse, PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { Hung } from '../db/untilHung';

const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(apiEngines)('on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
    await signIn();
  });

  async function signIn(): Promise<void> {
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  }
  /** Lets so much time pass that screens would be locked by then. */
  async function pass(ms: number): Promise<void> {
    test.advance(ms);
    await signIn();
  }

  const urlOf = (rest: string): string => `/api/v2/patients/${patient}/${rest}`;
  const read = async (): Promise<PatientResponse> =>
    (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<PatientResponse>();
  const listed = async () => {
    const { items } = (await nurse.call('GET', '/api/v2/patients?pageSize=500&sort=familyName')).json<PatientsPage>();
    const { standby, comfortCare } = items.find(({ id }) => id === patient) ?? {};
    return { standby, comfortCare };
  };
  const codeOf = (answer: Awaited<ReturnType<Caller['call']>>): [number, string] => [
    answer.statusCode,
    answer.json<{ error: { code: string } }>().error.code,
  ];
  const audited = async () =>
    await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'details'])
      .where('object_type', '=', 'patient')
      .where('object_id', '=', patient)
      .where('action', 'in', ['set_standby', 'end_standby', 'confirm_comfort_care', 'end_comfort_care'])
      .orderBy('id')
      .execute();
  /** The queue gives the next work up while its transaction commits, which nothing can stop. */
  const giveCommitUp = (): void => {
    const { writeQueue } = test.store;
    jest.spyOn(test.store, 'writeQueue').mockImplementationOnce((work) =>
      writeQueue((givenUp) => {
        const ask = jest.spyOn(givenUp, 'throwIfAborted').mockReturnValueOnce();
        ask.mockImplementationOnce(() => {
          throw new Hung();
        });
        return work(givenUp);
      }),
    );
  };
  const discharge = () => nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });

  describe('a standby', () => {
    const start = (minutes: number, reason = 'A wash') => nurse.call('POST', urlOf('standby'), { reason, minutes });
    const end = () => nurse.call('POST', urlOf('standby/end'));

    it.each([
      [{ minutes: 0 }, 'minutes'],
      [{ minutes: 61 }, 'minutes'],
      [{ minutes: 2.5 }, 'minutes'],
      [{ minutes: null }, 'minutes'],
      [{ reason: ' no ' }, 'reason'],
      [{ until: '2026-05-01T10:00:00Z' }, 'until'],
    ])('is refused with %j', async (change, field) => {
      const answer = await nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10, ...change });
      expect(answer.statusCode).toBe(422);
      expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
      expect((await read()).standby).toBeNull();
    });

    it('takes a reason of 500 characters and no more', async () => {
      expect((await start(10, 'x'.repeat(501))).statusCode).toBe(422);
      expect((await start(10, 'x'.repeat(500))).statusCode).toBe(201);
    });

    it('is refused for a patient out of reach, and for one who is discharged', async () => {
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      for (const rest of ['standby', 'standby/end']) {
        const body = rest === 'standby' ? { reason: 'A wash', minutes: 10 } : undefined;
        expect((await stranger.call('POST', urlOf(rest), body)).statusCode).toBe(404);
      }
      await discharge();
      expect(codeOf(await start(10))).toEqual([409, 'patient_discharged']);
      expect(codeOf(await end())).toEqual([409, 'patient_discharged']);
      await expect(audited()).resolves.toEqual([]);
    });

    it.each([1, 60])(
      'of %d minutes is shown on the patient and in the list until it ends by itself',
      async (minutes) => {
        const until = toInstant(test.now() + minutes * minute);
        const answer = await start(minutes, ' A wash ');
        expect(answer.statusCode).toBe(201);
        const by = { id: nurse.userId, name: expect.stringMatching(/^Robin Example/) as unknown };
        const standby = { startedAt: toInstant(test.now()), until, reason: 'A wash', by, isRenewal: false };
        expect(answer.json<StandbyResponse>()).toEqual(standby);
        await pass(minutes * minute - 1);
        expect((await read()).standby).toEqual(standby);
        await expect(listed()).resolves.toEqual({ standby: { until }, comfortCare: null });
        test.advance(1);
        expect((await read()).standby).toBeNull();
        await expect(listed()).resolves.toEqual({ standby: null, comfortCare: null });
      },
    );

    it('outlives a restart', async () => {
      await start(20);
      const before = await read();
      await test.restart();
      await expect(read()).resolves.toEqual(before);
    });

    it('is replaced by the next one, also when two begin at once', async () => {
      await start(60, 'A scan');
      const answers = await Promise.all([start(10, 'A wash'), start(20, 'A walk')]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
      const open = await test.store.db
        .selectFrom('standbys')
        .select(['reason', 'until'])
        .where('patient_id', '=', patient)
        .where('ended_at', 'is', null)
        .execute();
      const shown = (await read()).standby;
      expect(open.map(({ reason, until }) => [reason, toInstant(until)])).toEqual([[shown?.reason, shown?.until]]);
      expect(shown?.reason).not.toBe('A scan');
    });

    const left = async (who: Caller): Promise<unknown> => (await who.call('GET', urlOf('standby/left'))).json();

    it('is never longer than 120 min within 4 h, however it is split, and says what is left', async () => {
      await expect(left(nurse)).resolves.toEqual({ minutes: 60, ofBudget: 60 });
      expect((await start(60)).statusCode).toBe(201);
      await pass(30 * minute);
      expect((await start(60)).statusCode).toBe(201);
      await pass(60 * minute);
      await expect(left(nurse)).resolves.toEqual({ minutes: 30, ofBudget: 30 });
      const refused = await start(31);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { error: { fields: { minutes: 'is more than the 30 min left. A physician or ward lead can give more.' } } },
      ]);
      const answers = await Promise.all([start(30), start(30)]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
      await pass(30 * minute);
      await expect(left(nurse)).resolves.toEqual({ minutes: 0, ofBudget: 0 });
      expect((await start(1)).statusCode).toBe(422);
      await pass(119 * minute);
      await expect(left(nurse)).resolves.toEqual({ minutes: 0, ofBudget: 0 });
      // From now on each further minute leaves the four hours.
      await pass(minute);
      await expect(left(nurse)).resolves.toEqual({ minutes: 60, ofBudget: 60 });
    });

    it('is longer if a physician or ward lead starts it, for at most 60 min at once', async () => {
      for (let hours = 0; hours < 2; hours += 1) {
        await start(60);
        await pass(60 * minute);
      }
      expect((await start(10)).statusCode).toBe(422);
      for (const type of ['physician', 'ward_lead'] as const) {
        const caller = await test.signIn(site, type);
        await expect(left(caller)).resolves.toEqual({ minutes: 60, ofBudget: 0 });
        const body = { reason: 'A long scan', minutes: 60 };
        expect((await caller.call('POST', urlOf('standby'), body)).statusCode).toBe(201);
        expect((await caller.call('POST', urlOf('standby'), { ...body, minutes: 61 })).statusCode).toBe(422);
      }
    });

    it('counts the time of one that was ended early, and not what was left of it', async () => {
      await start(60);
      await pass(10 * minute);
      await end();
      await start(60);
      await pass(60 * minute);
      await expect(left(nurse)).resolves.toEqual({ minutes: 50, ofBudget: 50 });
    });

    it('is a renewal if it goes on from another one, and none if it makes that one shorter', async () => {
      const renews = async (minutes: number) => (await start(minutes)).json<StandbyResponse>().isRenewal;
      await expect(renews(20)).resolves.toBe(false);
      await expect(renews(10)).resolves.toBe(false);
      await expect(renews(20)).resolves.toBe(true);
      await test.restart();
      expect((await read()).standby?.isRenewal).toBe(true);
      await expect(renews(10)).resolves.toBe(true);
      await pass(24 * minute);
      await expect(renews(5)).resolves.toBe(true);
      await pass(20 * minute);
      await expect(renews(5)).resolves.toBe(false);
    });

    it('is ended early by any user with the permission, and only while it runs', async () => {
      expect(codeOf(await end())).toEqual([409, 'no_standby']);
      await start(10);
      test.advance(minute);
      const answers = await Promise.all([end(), end()]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
      expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({ endedAt: toInstant(test.now()) });
      expect((await read()).standby).toBeNull();
      await start(10);
      test.advance(10 * minute);
      expect(codeOf(await end())).toEqual([409, 'no_standby']);
    });

    it('ends with a discharge, and does not apply when the patient comes back', async () => {
      await start(60);
      await discharge();
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'active' });
      expect((await read()).standby).toBeNull();
      await test.restart();
      expect((await read()).standby).toBeNull();
    });

    it('is on record without its reason', async () => {
      await start(10);
      await end();
      const by = { actor_id: nurse.userId, details: null };
      await expect(audited()).resolves.toEqual([
        { action: 'set_standby', ...by },
        { action: 'end_standby', ...by },
      ]);
    });
  });

  it.each<[string, 'standby' | 'comfortCare', () => ReturnType<Caller['call']>]>([
    ['standby', 'standby', () => nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10 })],
    ['end of a standby', 'standby', () => nurse.call('POST', urlOf('standby/end'))],
    ['comfort care', 'comfortCare', () => physician.call('PUT', urlOf('comfort-care'), { reason: 'Agreed on' })],
    ['end of comfort care', 'comfortCare', () => physician.call('DELETE', urlOf('comfort-care'))],
  ])('a %s that was given up while it was committed changes nothing that others see', async (name, pause, call) => {
    if (name.startsWith('end')) {
      await nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10 });
      await physician.call('PUT', urlOf('comfort-care'), { reason: 'Agreed on' });
    }
    const before = (await read())[pause];
    giveCommitUp();
    expect((await call()).statusCode).toBeGreaterThanOrEqual(500);
    expect((await read())[pause]).toEqual(before);
  });

  describe('comfort care', () => {
    const confirm = (reason = 'Agreed with the family') => physician.call('PUT', urlOf('comfort-care'), { reason });
    const end = () => physician.call('DELETE', urlOf('comfort-care'));

    it.each([
      [{ reason: '' }, 'reason'],
      [{ reason: 'no' }, 'reason'],
      [{}, 'reason'],
      [{ reason: 'Agreed with the family', hours: 48 }, 'hours'],
    ])('is refused with %j', async (body, field) => {
      const answer = await physician.call('PUT', urlOf('comfort-care'), body);
      expect(answer.statusCode).toBe(422);
      expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
      expect((await read()).comfortCare).toBeNull();
    });

    it('is a physician’s to order and to end, for a patient within reach who is here', async () => {
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      for (const [method, body] of [
        ['PUT', { reason: 'Agreed with the family' }] as const,
        ['DELETE', undefined] as const,
      ]) {
        expect((await nurse.call(method, urlOf('comfort-care'), body)).statusCode).toBe(403);
        expect((await stranger.call(method, urlOf('comfort-care'), body)).statusCode).toBe(404);
      }
      await discharge();
      expect(codeOf(await confirm())).toEqual([409, 'patient_discharged']);
      expect(codeOf(await end())).toEqual([409, 'patient_discharged']);
    });

    it('holds for a day from its last confirmation, over a restart', async () => {
      await confirm();
      await pass(day - 1);
      const confirmedAt = test.now();
      const answer = await confirm('Talked to the family again');
      expect(answer.statusCode).toBe(200);
      const shown: ComfortCareResponse = {
        confirmedAt: toInstant(confirmedAt),
        until: toInstant(confirmedAt + day),
        reason: 'Talked to the family again',
        by: { id: physician.userId, name: expect.stringMatching(/^Robin Example/) as string },
      };
      expect(answer.json()).toEqual(shown);
      await test.restart();
      await pass(day - 1);
      expect((await read()).comfortCare).toEqual(shown);
      await expect(listed()).resolves.toEqual({ standby: null, comfortCare: { until: shown.until } });
      test.advance(1);
      expect((await read()).comfortCare).toBeNull();
      await expect(listed()).resolves.toEqual({ standby: null, comfortCare: null });
      expect(codeOf(await end())).toEqual([409, 'no_comfort_care']);
    });

    it('ends when a physician ends it, and when the patient is discharged', async () => {
      expect(codeOf(await end())).toEqual([409, 'no_comfort_care']);
      await confirm();
      expect((await end()).statusCode).toBe(204);
      expect((await read()).comfortCare).toBeNull();
      await confirm();
      await discharge();
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'active' });
      expect((await read()).comfortCare).toBeNull();
    });

    it('is on record without its reason', async () => {
      await confirm();
      await end();
      const by = { actor_id: physician.userId, details: null };
      await expect(audited()).resolves.toEqual([
        { action: 'confirm_comfort_care', ...by },
        { action: 'end_comfort_care', ...by },
      ]);
    });
  });
});

import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { toInstant } from '../../lib/time/schema';
import { allowLinks, checkInLink, yearOfBirth, type TestLink } from '../../test/checkInLink';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const hour = 3_600_000;
const day = 24 * hour;
const wrongYear = 1900;

describe.each(apiEngines)('wrong years of birth on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterAll(() => test.stop());

  const codeOf = ({ statusCode, body }: LightMyRequestResponse) => [
    statusCode,
    (JSON.parse(body) as { error?: { code: string } }).error?.code,
  ];
  const tryYear = (year: number) => link.post('open', { yearOfBirth: year });
  const lock = async (): Promise<void> => {
    for (let tries = 0; tries < 5; tries += 1) {
      await tryYear(wrongYear);
    }
  };
  const open = (rule: string) =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === rule);
  const reports = () =>
    test.store.db.selectFrom('symptom_reports').selectAll().where('patient_id', '=', link.patientId).execute();
  const calls = () =>
    test.store.db.selectFrom('check_in_calls').selectAll().where('patient_id', '=', link.patientId).execute();
  const audited = async (action: string) =>
    (
      await test.store.db
        .selectFrom('audit')
        .select(['actor', 'outcome', 'details'])
        .where('object_id', '=', link.patientId)
        .where('action', '=', action)
        .orderBy('id')
        .execute()
    ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? '{}') as object }));

  it('once a day never lock a link', async () => {
    for (let days = 0; days < 20; days += 1) {
      expect(codeOf(await tryYear(wrongYear))).toEqual([403, 'wrong_year']);
      expect((await tryYear(yearOfBirth)).statusCode).toBe(200);
      test.advance(day);
    }
  });

  it('lock it with the fifth within a day, whatever right ones come between, also after a restart', async () => {
    for (let tries = 0; tries < 4; tries += 1) {
      await tryYear(wrongYear);
      await tryYear(yearOfBirth);
      test.advance(5 * hour);
    }
    await test.restart();
    expect(codeOf(await tryYear(wrongYear))).toEqual([403, 'wrong_year']);
    expect(codeOf(await tryYear(yearOfBirth))).toEqual([404, 'link_unusable']);
  });

  it('lock it with the tenth within a week', async () => {
    const left: unknown[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      const answer = await tryYear(wrongYear);
      left.push(answer.json<{ error: { triesLeft: number } }>().error.triesLeft);
      test.advance(13 * hour);
    }
    expect(left).toEqual([4, 3, 3, 3, 3, 3, 3, 2, 1, 0]);
    expect(codeOf(await tryYear(yearOfBirth))).toEqual([404, 'link_unusable']);
  });

  it('count as long as they did when someone sets the clock', async () => {
    for (let tries = 0; tries < 4; tries += 1) {
      await tryYear(wrongYear);
    }
    test.setWallClock(30 * hour);
    await test.server.clockWatch.check();
    await tryYear(wrongYear);
    expect(codeOf(await tryYear(yearOfBirth))).toEqual([404, 'link_unusable']);
    test.setWallClock(-30 * hour);
    await test.server.clockWatch.check();
  });

  it('are in the audit, each with its link and no year', async () => {
    await lock();
    await expect(audited('try_check_in_link')).resolves.toEqual(
      [4, 3, 2, 1].map((triesLeft) => ({
        actor: 'anonymous',
        outcome: 'refused',
        details: { link: link.id, triesLeft },
      })),
    );
    await expect(audited('lock_check_in_link')).resolves.toHaveLength(1);
  });

  describe('that have not locked a link', () => {
    const redFlag = () => link.post('reports', { ...link.checkIn({ redFlags: ['blueLips'] }), yearOfBirth: wrongYear });
    const call = () =>
      link.post('call-requests', {
        clientId: randomUUID(),
        sentAt: toInstant(test.now()),
        yearOfBirth: wrongYear,
      });

    it('keep out a check-in without a red flag', async () => {
      const answer = await link.post('reports', { ...link.checkIn(), yearOfBirth: wrongYear });
      expect(codeOf(answer)).toEqual([403, 'wrong_year']);
      await expect(calls()).resolves.toEqual([]);
    });

    it('let a red flag through as a request for a call, say that the year is wrong, and count', async () => {
      const answer = await redFlag();
      expect([answer.statusCode, answer.json()]).toEqual([
        201,
        {
          redFlags: ['blueLips'],
          redReadings: [],
          advice: 'Call 112 now. Do not wait for us.',
          nextDueAt: null,
          yearTriesLeft: 4,
        },
      ]);
      await expect(reports()).resolves.toEqual([]);
      expect(open('symptoms.callRequested')).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
      await expect(audited('request_call')).resolves.toMatchObject([{ details: { link: link.id, wrongYear: true } }]);
    });

    it('let a request for a call through, say that the year is wrong, and count', async () => {
      const answer = await call();
      expect([answer.statusCode, answer.json()]).toMatchObject([201, { yearTriesLeft: 4 }]);
      expect((await call()).json()).toMatchObject({ yearTriesLeft: 3 });
      expect(open('symptoms.callRequested')).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
    });

    it('let each of many at once through, also the one that locks it and those after it', async () => {
      const answers = await Promise.all([...Array.from({ length: 6 }, call), redFlag(), redFlag()]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201));
      const left = answers.map((answer) => answer.json<{ yearTriesLeft: number | null }>().yearTriesLeft);
      expect(left.filter((each) => each !== null).sort()).toEqual([0, 1, 2, 3, 4]);
      expect(open('checkIn.locked')).toHaveLength(1);
      expect(codeOf(await tryYear(yearOfBirth))).toEqual([404, 'link_unusable']);
    });
  });

  describe('that have locked a link', () => {
    beforeEach(lock);
    const body = () => link.checkIn({ redFlags: ['blueLips'], readings: { spo2: 80 } });
    const shown = (answer: LightMyRequestResponse) => [answer.statusCode, answer.body];

    it.each([yearOfBirth, wrongYear])('keep out what asks for no help, with the year %d', async (year) => {
      expect(codeOf(await tryYear(year))).toEqual([404, 'link_unusable']);
      for (const change of [{ redFlags: [] }, { redFlags: [], readings: { spo2: 70 } }]) {
        const answer = await link.post('reports', { ...body(), ...change, yearOfBirth: year });
        expect(codeOf(answer)).toEqual([404, 'link_unusable']);
      }
      await expect(reports()).resolves.toEqual([]);
    });

    it('let a red flag through, which the ward hears of, and say the same for each year', async () => {
      const right = await link.post('reports', body());
      expect(right.json()).toEqual({
        redFlags: ['blueLips'],
        redReadings: [],
        advice: 'Call 112 now. Do not wait for us.',
        nextDueAt: null,
        yearTriesLeft: null,
      });
      expect(open('symptoms.red_flag')).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
      await expect(reports()).resolves.toHaveLength(1);
      // What a person said who does not know the year is not in the patient's record.
      const wrong = await link.post('reports', { ...body(), yearOfBirth: wrongYear });
      expect(shown(wrong)).toEqual(shown(right));
      await expect(reports()).resolves.toHaveLength(1);
      expect(open('symptoms.callRequested')).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
      await expect(audited('request_call')).resolves.toMatchObject([{ details: { link: link.id, locked: true } }]);
    });

    it('do not tell the years apart by what is sent twice under one id', async () => {
      const answers = new Set<string>();
      for (const year of [yearOfBirth, wrongYear]) {
        const first = { ...body(), yearOfBirth: year };
        answers.add(JSON.stringify(shown(await link.post('reports', first))));
        answers.add(JSON.stringify(shown(await link.post('reports', { ...first, readings: {} }))));
      }
      expect(answers.size).toBe(1);
    });

    it('let a request for a call through with any year, once for one id', async () => {
      const request = { clientId: randomUUID(), sentAt: toInstant(test.now()) };
      const right = await link.post('call-requests', request);
      expect(right.statusCode).toBe(201);
      expect(shown(await link.post('call-requests', { ...request, yearOfBirth: wrongYear }))).toEqual(shown(right));
      await expect(calls()).resolves.toHaveLength(1);
      expect(open('symptoms.callRequested')).toHaveLength(1);
    });

    it('let nothing through after the link was revoked, has expired, or its patient was discharged', async () => {
      const request = () => link.post('call-requests', { clientId: randomUUID(), sentAt: toInstant(test.now()) });
      const both = async () => [codeOf(await request()), codeOf(await link.post('reports', body()))];
      const none = [
        [404, 'link_unusable'],
        [404, 'link_unusable'],
      ];
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      await expect(both()).resolves.toEqual(none);
      link = await checkInLink(test, nurse, { lastsDays: 1 });
      await lock();
      test.advance(day);
      await expect(both()).resolves.toEqual(none);
      nurse = await test.signIn(site, 'nurse');
      link = await checkInLink(test, nurse);
      await lock();
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, state: 'discharged' });
      await expect(both()).resolves.toEqual(none);
      await expect(calls()).resolves.toEqual([]);
    });
  });

  it('are not what the audit of an opened link shows: another browser is', async () => {
    const openOn = (agent: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/v2/check-in/open',
        headers: { 'user-agent': agent },
        payload: { secret: link.secret, yearOfBirth },
      });
    for (const agent of ['Phone A', 'Phone A', 'Phone B', 'Phone B', 'Phone A']) {
      expect((await openOn(agent)).statusCode).toBe(200);
    }
    const common = { link: link.id, for: 'patient' };
    await expect(audited('open_check_in')).resolves.toMatchObject([
      { details: common },
      { details: { ...common, otherBrowser: true } },
      { details: { ...common, otherBrowser: true } },
    ]);
  });
});

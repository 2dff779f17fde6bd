import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import { toInstant } from '../../lib/time/schema';
import { allowLinks, checkInLink, type TestLink, yearOfBirth } from '../../test/checkInLink';
import { apiEngines, engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { createBudget } from '../http/budget';
import { errorBodyOf, toHttpError } from '../http/errors';
import { requireLink } from './requireLink';

describe.each(engines)('a check-in link on %s', (engine) => {
  const day = 24 * 3_600_000;
  const codeOf = (answer: LightMyRequestResponse) => [
    answer.statusCode,
    answer.json<{ error?: { code: string } }>().error?.code,
  ];

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;
  /** Misses are counted by network: each test has one of its own. */
  let address = '';
  let tests = 0;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    tests += 1;
    address = `10.0.0.${tests}`;
    link = await checkInLink(test, nurse);
  });

  const open = (secret: string, year: number = yearOfBirth) =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/check-in/open',
      remoteAddress: address,
      payload: { secret, yearOfBirth: year },
    });
  const linksOf = async (patientId: number): Promise<CheckInLink[]> =>
    (await nurse.call('GET', `/api/v2/patients/${patientId}/check-in-links`)).json<{ items: CheckInLink[] }>().items;
  const row = () =>
    test.store.db.selectFrom('check_in_links').selectAll().where('id', '=', link.id).executeTakeFirstOrThrow();
  const discharge = (patientId: number) =>
    nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version: 1, state: 'discharged' });

  it('keeps the emergency number that it shows, until it is revoked', async () => {
    const admin = await test.signIn(site, 'administrator', true);
    const takeAway = async () => {
      const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
      return await admin.call('PATCH', '/api/v2/admin/site', { version, emergencyNumber: null });
    };
    expect(codeOf(await takeAway())).toEqual([409, 'number_in_use']);
    for (const { id } of await test.store.db
      .selectFrom('check_in_links')
      .select('id')
      .where('site_id', '=', site)
      .execute()) {
      await nurse.call('POST', `/api/v2/check-in-links/${id}/revoke`);
    }
    expect((await takeAway()).statusCode).toBe(200);
    await allowLinks(test, site);
  });

  it('is locked by the fifth wrong year, and shows nothing before', async () => {
    const left: unknown[] = [];
    for (let year = 1950; year < 1955; year += 1) {
      const answer = await open(link.secret, year);
      expect(codeOf(answer)).toEqual([403, 'wrong_year']);
      left.push(answer.json<{ error: { triesLeft: number } }>().error.triesLeft);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(codeOf(await open(link.secret))).toEqual([404, 'link_unusable']);
    await expect(linksOf(link.patientId)).resolves.toMatchObject([
      { id: link.id, state: 'locked', wrongTries: 5, openedAt: null },
    ]);
    const rows = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'lock_check_in_link')
      .where('object_id', '=', link.patientId)
      .execute();
    expect(rows).toMatchObject([{ actor: 'anonymous', site_id: site, details: `{"link":${link.id}}` }]);
  });

  it('counts a hundred years that are tried at once one after another', async () => {
    const years = Array.from({ length: 100 }, (_, index) => 2_025 - index);
    const answers = await Promise.all(years.map((year) => open(link.secret, year)));
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 403)).toHaveLength(5);
    // Only if it was one of the first does the right one open: it is as if they had come one after another.
    const place = years.indexOf(yearOfBirth);
    expect(codes.filter((code, index) => code === 200 && index !== place)).toEqual([]);
    await expect(row()).resolves.toMatchObject({ wrong_tries: 5, locked_at: test.now() });
  });

  it('says who made it, and when it was opened on what kind of device; its secret is kept as a hash', async () => {
    const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Mobile/15E148 Safari/604.1';
    const openOn = (agent: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/v2/check-in/open',
        headers: { 'user-agent': agent },
        payload: { secret: link.secret, yearOfBirth },
      });
    const first = test.now();
    await openOn(phone);
    test.advance(5 * 60_000);
    await openOn(phone);
    const [shown] = await linksOf(link.patientId);
    expect(shown).toMatchObject({
      patientId: link.patientId,
      for: 'patient',
      createdBy: { id: nurse.userId },
      state: 'active',
      openedAt: new Date(first).toISOString(),
      lastOpenedAt: new Date(first + 5 * 60_000).toISOString(),
      openedOn: 'phone',
    });
    expect(JSON.stringify([await row(), shown])).not.toContain(link.secret);
  });

  it('asked for again after a lost response is the same link, with another secret and as asked now', async () => {
    const url = `/api/v2/patients/${link.patientId}/check-in-links`;
    const clientId = randomUUID();
    const ask = async (body: object) =>
      (await nurse.call('POST', url, { clientId, ...body })).json<{ link: CheckInLink; secret: string }>();
    const lost = await ask({ for: 'patient', lastsDays: 7 });
    const [again, ...others] = await Promise.all([1, 2, 3].map(() => ask({ for: 'proxy', lastsDays: 30 })));
    expect([again?.link, ...others.map((each) => each.link)].map((each) => each?.id)).toEqual(
      Array.from({ length: 3 }, () => lost.link.id),
    );
    expect((await linksOf(link.patientId)).map(({ id, for: whom }) => [id, whom])).toEqual([
      [lost.link.id, 'proxy'],
      [link.id, 'patient'],
    ]);
    expect((await open(lost.secret)).statusCode).toBe(404);
    const opened = await Promise.all([again, ...others].map((each) => open(each?.secret ?? '')));
    expect(opened.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('is opened, locked and revoked while its patient is discharged, and none waits in a circle', async () => {
    const found = new Set<number>();
    for (let race = 0; race < 6; race += 1) {
      const raced = await checkInLink(test, nurse);
      for (let tries = 0; tries < 4; tries += 1) {
        await raced.post('open', { yearOfBirth: 1900 });
      }
      const answers = await Promise.all([
        discharge(raced.patientId),
        raced.post('open', race % 2 === 0 ? {} : { yearOfBirth: 1900 }),
        nurse.call('POST', `/api/v2/check-in-links/${raced.id}/revoke`),
      ]);
      answers.forEach(({ statusCode }) => found.add(statusCode));
      expect(answers[0].statusCode).toBe(200);
      expect((await linksOf(raced.patientId)).map(({ state }) => state)).toEqual(['revoked']);
    }
    expect([...found].filter((code) => code >= 500)).toEqual([]);
  });

  it('stays revoked by the first who revoked it', async () => {
    const other = await test.signIn(site, 'ward_lead');
    await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
    const again = await other.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
    expect([again.statusCode, again.json<CheckInLink>().revokedBy?.id]).toEqual([200, nurse.userId]);
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it.each([[{}], [{ for: 'stranger' }], [{ for: 'patient', lastsDays: 0 }], [{ for: 'patient', lastsDays: 91 }]])(
    'is refused as %j',
    async (body) => {
      const url = `/api/v2/patients/${link.patientId}/check-in-links`;
      expect(codeOf(await nurse.call('POST', url, body))).toEqual([422, 'invalid']);
    },
  );

  it('is refused without an emergency number, without rules, of a discharged patient and of another unit', async () => {
    const make = (who: Caller, patientId: number) =>
      who.call('POST', `/api/v2/patients/${patientId}/check-in-links`, { for: 'patient' });
    const quiet = await test.addSite('Quiet ward');
    const other = await test.signIn(quiet, 'nurse');
    const patientId = await test.addPatient(quiet);
    expect(codeOf(await make(other, patientId))).toEqual([409, 'no_emergency_number']);
    await test.store.db.updateTable('sites').set({ emergency_number: '112' }).where('id', '=', quiet).execute();
    expect(codeOf(await make(other, patientId))).toEqual([409, 'rules_off']);
    await test.startRules(quiet);
    expect((await make(other, patientId)).statusCode).toBe(201);
    expect(codeOf(await make(other, link.patientId))).toEqual([404, 'not_found']);
    await discharge(link.patientId);
    expect(codeOf(await make(nurse, link.patientId))).toEqual([409, 'patient_discharged']);
    // A nurse of one unit reaches no patient of another.
    const mine = await test.addUnit(site, 'Mine');
    const bound = await test.signIn(site, 'nurse');
    await test.store.db.insertInto('user_units').values({ user_id: bound.userId, unit_id: mine }).execute();
    await test.server.sessions.reload([bound.userId]);
    const theirs = await checkInLink(test, nurse, { unit: 'Theirs' });
    expect(codeOf(await make(bound, theirs.patientId))).toEqual([404, 'not_found']);
    expect(codeOf(await bound.call('POST', `/api/v2/check-in-links/${theirs.id}/revoke`))).toEqual([404, 'not_found']);
  });

  it('answers a guess as it does if it is cut off, expired, revoked, locked or of a discharged patient', async () => {
    const [expired, revoked, locked, left] = await Promise.all(
      [1, 30, 30, 30].map((lastsDays) => checkInLink(test, nurse, { lastsDays })),
    );
    if (expired === undefined || revoked === undefined || locked === undefined || left === undefined) {
      throw new Error('No links');
    }
    await nurse.call('POST', `/api/v2/check-in-links/${revoked.id}/revoke`);
    for (let tries = 0; tries < 5; tries += 1) {
      await open(locked.secret, 1900);
    }
    await discharge(left.patientId);
    test.advance(day);
    nurse = await test.signIn(site, 'nurse');
    const shown = ({ statusCode, body, headers }: LightMyRequestResponse) => {
      const { 'x-request-id': _, date, ...others } = headers;
      return JSON.stringify([statusCode, body, others]);
    };
    const answers = await Promise.all(
      ['x'.repeat(43), '?', link.secret.slice(0, 40), expired.secret, revoked.secret, locked.secret, left.secret].map(
        (secret) => open(secret),
      ),
    );
    expect(new Set(answers.map(shown)).size).toBe(1);
    expect(codeOf(answers[0] as LightMyRequestResponse)).toEqual([404, 'link_unusable']);
    expect((await open(link.secret)).statusCode).toBe(200);
  });

  it('takes back no wrong year for a right one', async () => {
    for (const year of [1950, 1951, yearOfBirth, 1952, 1953, yearOfBirth, 1954]) {
      await open(link.secret, year);
    }
    expect(codeOf(await open(link.secret))).toEqual([404, 'link_unusable']);
  });

  it('opens from an address that guesses, however often, while its guesses are throttled', async () => {
    const codes = new Map<number, number>();
    for (let guess = 0; guess < 100; guess += 1) {
      const { statusCode } = await open(`guess ${guess}`);
      codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1);
    }
    expect(codes.get(404)).toBe(20);
    expect(codes.get(429)).toBe(80);
    expect((await open(link.secret)).statusCode).toBe(200);
    test.advance(60_000);
    expect((await open('one more')).statusCode).toBe(404);
  });

  it('that was opened or revoked is not asked for again: its id makes another one', async () => {
    const url = `/api/v2/patients/${link.patientId}/check-in-links`;
    const clientId = randomUUID();
    const ask = async () =>
      (await nurse.call('POST', url, { clientId, for: 'patient' })).json<{ link: CheckInLink; secret: string }>();
    const first = await ask();
    expect((await open(first.secret)).statusCode).toBe(200);
    const second = await ask();
    await nurse.call('POST', `/api/v2/check-in-links/${second.link.id}/revoke`);
    const third = await ask();
    expect(new Set([first, second, third].map((each) => each.link.id)).size).toBe(3);
    expect((await open(first.secret)).statusCode).toBe(200);
  });

  it('leads to the page with its secret in the fragment', async () => {
    const made = await nurse.call('POST', `/api/v2/patients/${link.patientId}/check-in-links`, { for: 'proxy' });
    const { address: page, secret } = made.json<{ address: string; secret: string }>();
    expect(page).toMatch(new RegExp(`^http://[^/]+/check_in#${secret}$`));
    expect(secret).toMatch(/^[\w-]{43}$/);
  });

  it('ends with the discharge, and does not come back with the patient', async () => {
    const other = await checkInLink(test, nurse, { patientId: link.patientId, for: 'proxy' });
    await discharge(link.patientId);
    expect((await open(link.secret)).statusCode).toBe(404);
    await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 2, state: 'active' });
    for (const { secret } of [link, other]) {
      expect((await open(secret)).statusCode).toBe(404);
    }
    expect((await linksOf(link.patientId)).map(({ state, revokedBy }) => [state, revokedBy?.id])).toEqual([
      ['revoked', nurse.userId],
      ['revoked', nurse.userId],
    ]);
  });
});

describe.each(apiEngines)('wrong years of birth on %s', (engine) => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const wrongYear = 1900;

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

describe('two thousand guesses', () => {
  let test: TestServer;
  beforeAll(async () => {
    // A server of its own: what all links have counted is read.
    test = await startTestServer('sqlite');
  });
  afterAll(() => test.stop());

  it('are throttled and teach nothing, and do not keep out the one who has the link', async () => {
    const site = await test.addSite();
    await allowLinks(test, site);
    const { secret, patientId } = await checkInLink(test, await test.signIn(site, 'nurse'));
    const doors = { mayMiss: createBudget(20, test.now), onLocked: () => Promise.resolve() };
    const open = (given: string, year: number, ip: string) =>
      requireLink(test.server, { ...system, actor: 'anonymous', ip }, { secret: given, yearOfBirth: year }, doors);
    const answers = new Map<string, number>();
    const guess = async (number: number): Promise<void> => {
      // Each differs from the secret by its end alone.
      const end = number.toString(36).padStart(8, '-');
      try {
        await open(`${secret.slice(0, 35)}${end}`, 1930 + (number % 80), `198.51.100.${number % 10}`);
        answers.set('opened', 1);
      } catch (error) {
        const shown = toHttpError(error);
        const answer = JSON.stringify([shown.status, shown.details.retryAfter, errorBodyOf(shown, '')]);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    for (let number = 0; number < 2_000; number += 1) {
      await guess(number);
    }
    const counts = [...answers].map(([answer, count]) => [(JSON.parse(answer) as [number])[0], count]);
    // Two answers, byte for byte, whatever is guessed.
    expect(counts).toEqual([
      [404, 200],
      [429, 1_800],
    ]);
    await expect(open(secret, yearOfBirth, '198.51.100.1')).resolves.toMatchObject({ patient: { id: patientId } });
    await expect(
      test.store.db.selectFrom('check_in_links').select(['wrong_tries', 'locked_at']).execute(),
    ).resolves.toEqual([{ wrong_tries: 0, locked_at: null }]);
  });
});

describe.each(apiEngines)('what one link sends again and again on %s', (engine) => {
  const minute = 60_000;
  const hour = 60 * minute;

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });

  const calls = () =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'symptoms.callRequested');
  const ask = async (clientId: string = randomUUID()) => {
    const answer = await link.post('call-requests', { clientId, sentAt: toInstant(test.now()) });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<{ requestedAt: string }>();
  };
  const act = async (what: string, more: object = {}): Promise<void> => {
    const [record] = calls();
    const body = { version: record?.alert.version, ...more };
    expect((await nurse.call('POST', `/api/v2/alerts/${record?.id}/${what}`, body)).statusCode).toBe(200);
  };
  const rows = () =>
    test.store.db.selectFrom('check_in_calls').select('joined').where('link_id', '=', link.id).orderBy('id').execute();
  const counted = async (what: string): Promise<number> => {
    const { values } = await test.server.metrics.checkInBudget.get();
    return values.find(({ labels }) => labels.what === what)?.value ?? 0;
  };

  it('as requests for a call joins the open alert: it says when the last came, and sounds once', async () => {
    await ask();
    await act('acknowledge');
    test.advance(minute);
    await ask();
    expect(calls()).toMatchObject([{ alert: { episodes: 1, since: test.now() } }]);
    expect(calls()[0]?.alert.acknowledged).not.toBeNull();
    await expect(rows()).resolves.toEqual([{ joined: 0 }, { joined: 1 }]);
    await expect(counted('call_joined')).resolves.toBeGreaterThan(0);
  });

  it('as a request sounds again for someone who still waits after 5 minutes', async () => {
    await ask();
    await act('acknowledge');
    test.advance(5 * minute);
    await ask();
    expect(calls()).toMatchObject([{ alert: { episodes: 2, acknowledged: null } }]);
  });

  it('as a request raises at once if the alert is closed, also just after it joined one', async () => {
    await ask();
    test.advance(minute);
    await ask();
    await act('resolve', { outcome: 'intervention' });
    expect(calls()).toEqual([]);
    test.advance(1_000);
    await ask();
    expect(calls()).toMatchObject([{ alert: { condition: 'active', acknowledged: null } }]);
  });

  it('as a request is raised if its alert was closed while it was stored as joining', async () => {
    await ask();
    test.advance(minute);
    await act('resolve', { outcome: 'intervention' });
    test.advance(1_000);
    await test.store.db
      .insertInto('check_in_calls')
      .values({
        site_id: site,
        patient_id: link.patientId,
        link_id: link.id,
        client_id: randomUUID(),
        requested_at: test.now(),
        joined: 1,
      })
      .execute();
    await test.server.alerts.reconsider(link.patientId);
    expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
  });

  it('as seventy requests at once is one alert, answers each, and keeps few rows', async () => {
    await ask();
    await Promise.all(Array.from({ length: 70 }, () => ask()));
    expect(calls()).toMatchObject([{ alert: { episodes: 1 } }]);
    await expect(rows()).resolves.toHaveLength(60);
    await ask();
    await expect(rows()).resolves.toHaveLength(60);
  });

  it('as check-ins is refused after 20 an hour, with the time to wait, and none that is known', async () => {
    const first = link.checkIn();
    expect((await link.post('reports', first)).statusCode).toBe(201);
    test.advance(minute);
    for (let sent = 1; sent < 20; sent += 1) {
      expect((await link.post('reports', link.checkIn())).statusCode).toBe(201);
    }
    const refused = await link.post('reports', link.checkIn());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3540']);
    expect(refused.json()).toMatchObject({ error: { code: 'too_many_check_ins' } });
    expect((await link.post('reports', first)).statusCode).toBe(201);
    await expect(counted('report_refused')).resolves.toBeGreaterThan(0);
    test.advance(59 * minute);
    expect((await link.post('reports', link.checkIn())).statusCode).toBe(201);
    test.advance(hour);
  });

  it('as thirty RED check-ins at once is one alert and few rows, and each new red flag is stored once', async () => {
    let count = 0;
    const spo2 = () => 70 + ((count += 1) % 15);
    const post = (said: object) => link.post('reports', link.checkIn(said));
    const stored = async (): Promise<number> => {
      const rows = test.store.db.selectFrom('symptom_reports').select('id').where('link_id', '=', link.id);
      return (await rows.execute()).length;
    };
    const misused = () =>
      test.server.alerts
        .listOpen(site)
        .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'checkIn.misused')
        .map(({ alert }) => [alert.priority, alert.condition]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => post({ readings: { spo2: spo2() } })));
    expect(answers.map((answer) => answer.json<{ advice: string }>().advice)).toEqual(
      Array.from({ length: 30 }, () => 'Call 112 now. Do not wait for us.'),
    );
    await expect(stored()).resolves.toBe(20);
    expect(misused()).toEqual([['medium', 'active']]);
    test.advance(2 * minute);
    for (const flags of [['blueLips'], ['blueLips'], ['blueLips', 'seizure'], ['seizure'], ['seizure', 'blueLips']]) {
      const answer = await post({ redFlags: flags, readings: { spo2: spo2() } });
      expect(new Set(answer.json<{ redFlags: string[] }>().redFlags)).toEqual(new Set(flags));
    }
    await expect(stored()).resolves.toBe(22);
    await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
    expect(misused()).toEqual([]);
  });

  it('as RED check-ins rings again once a person has ended the alert', async () => {
    for (let sent = 0; sent < 21; sent += 1) {
      await link.post('reports', link.checkIn({ redFlags: ['blueLips'] }));
    }
    const flags = () =>
      test.server.alerts
        .listOpen(site)
        .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'symptoms.red_flag');
    const [raised] = flags();
    const end = { version: raised?.alert.version, outcome: 'intervention' };
    expect((await nurse.call('POST', `/api/v2/alerts/${raised?.id}/resolve`, end)).statusCode).toBe(200);
    test.advance(2 * minute);
    await link.post('reports', link.checkIn({ redFlags: ['blueLips'] }));
    expect(flags()).toMatchObject([{ alert: { condition: 'active' } }]);
  });

  it('as check-ins is never refused with a red flag or a RED reading; an identical one joins the first', async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      await link.post('reports', link.checkIn());
    }
    const red = { redFlags: ['blueLips'] };
    const [flag, reading, same] = [red, { readings: { spo2: 80 } }, red].map((body) => link.checkIn(body));
    const stored = () =>
      test.store.db.selectFrom('symptom_reports').select('id').where('link_id', '=', link.id).execute();
    expect((await link.post('reports', flag)).json()).toMatchObject({ redFlags: ['blueLips'] });
    expect((await link.post('reports', reading)).json()).toMatchObject({ redReadings: ['spo2'] });
    await expect(stored()).resolves.toHaveLength(22);
    const joined = await link.post('reports', same);
    expect([joined.statusCode, joined.json()]).toMatchObject([
      201,
      { redFlags: ['blueLips'], advice: 'Call 112 now. Do not wait for us.' },
    ]);
    await expect(stored()).resolves.toHaveLength(22);
    const flags = test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'symptoms.red_flag');
    expect(flags).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import { allowLinks, checkInLink, yearOfBirth, type TestLink } from '../../test/checkInLink';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const day = 24 * 3_600_000;
const codeOf = (answer: LightMyRequestResponse) => [
  answer.statusCode,
  answer.json<{ error?: { code: string } }>().error?.code,
];

describe.each(engines)('a check-in link on %s', (engine) => {
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

  it('takes back no wrong year for a right one', async () => {
    for (const year of [1950, 1951, yearOfBirth, 1952, 1953, yearOfBirth, 1954]) {
      await open(link.secret, year);
    }
    expect(codeOf(await open(link.secret))).toEqual([404, 'link_unusable']);
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

  it('is opened, locked and revoked while its patient is discharged, and none waits in a circle', async () => {
    const found = new Set<number>();
    for (let race = 0; race < 12; race += 1) {
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
});

import type { BreakGlassNotices } from '../../lib/breakGlass/schema';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { apiEngines } from '../../test/database';
import { readOutbox } from '../../test/outbox';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const open = '/api/v2/auth/break-glass';
const end = '/api/v2/auth/break-glass/end';
const notices = '/api/v2/admin/break-glass';
const reason = 'Somebody collapsed in the corridor.';
const minuteMs = 60_000;

describe.each(apiEngines)('breaking the glass on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let admin: Caller;
  let west: number;
  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    // The tests' clock jumps over hours without input.
    await test.store.db.updateTable('sites').set({ idle_minutes: 1_440 }).where('id', '=', site).execute();
    nurse = await test.signIn(site, 'nurse');
    admin = await test.signIn(site, 'administrator', true);
    await test.addUnit(site, 'East', [nurse.userId]);
    west = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
  });

  const sees = async (who: Caller = nurse): Promise<number> =>
    (await who.call('GET', `/api/v2/patients/${west}`)).statusCode;
  const listed = async (): Promise<number> => (await nurse.call('GET', '/api/v2/patients')).json<PatientsPage>().total;
  const noticesFor = async (who: Caller = admin): Promise<BreakGlassNotices> =>
    (await who.call('GET', notices)).json<BreakGlassNotices>();

  it.each([
    ['no reason', {}],
    ['a short one', { reason: 'too short' }],
    ['blanks', { reason: ' '.repeat(20) }],
    ['a long one', { reason: 'x'.repeat(501) }],
    ['more than a reason', { reason, minutes: 600 }],
  ])('is refused for %s, and nothing is open', async (_, body) => {
    expect((await nurse.call('POST', open, body)).statusCode).toBe(422);
    await expect(sees()).resolves.toBe(404);
    await expect(noticesFor()).resolves.toEqual({ items: [], total: 0, unseen: 0 });
  });

  it.each(['viewer', 'technician', 'administrator', 'display'] as const)('is not for a %s', async (type) => {
    const person = await test.signIn(site, type, type === 'administrator');
    expect((await person.call('POST', open, { reason })).statusCode).toBe(403);
  });

  it('opens the whole site for reading for 60 minutes, and nothing else', async () => {
    const elsewhere = await test.addPatient(await test.addSite('Other'), { location: { unit: 'West', bed: '1' } });
    await expect(sees()).resolves.toBe(404);
    const answer = await nurse.call('POST', open, { reason });
    expect([answer.statusCode, answer.json<User>().breakGlassUntil]).toEqual([
      200,
      new Date(test.now() + 60 * minuteMs).toISOString(),
    ]);
    await expect(sees()).resolves.toBe(200);
    await expect(listed()).resolves.toBe(1);
    expect((await nurse.call('GET', `/api/v2/patients/${elsewhere}`)).statusCode).toBe(404);
    expect((await nurse.call('PATCH', `/api/v2/patients/${west}`, { version: 1, sex: 'female' })).statusCode).toBe(404);
    test.advance(60 * minuteMs - 1);
    await expect(sees()).resolves.toBe(200);
    test.advance(1);
    await expect(sees()).resolves.toBe(404);
    await expect(listed()).resolves.toBe(0);
  });

  it('is offered only to users for whom it opens more patients', async () => {
    const may = async (who: Caller): Promise<boolean> =>
      (await who.call('GET', '/api/user/getCurrentUser')).json<User>().permissions.includes('breakGlass');
    const ofSite = await test.signIn(site, 'nurse');
    const physician = await test.signIn(site, 'physician');
    await test.addUnit(site, 'East', [physician.userId]);
    expect([await may(nurse), await may(ofSite), await may(physician)]).toEqual([true, false, false]);
  });

  it('is reported to every page of its user when it is over', async () => {
    const until = async (): Promise<string | null> =>
      (await nurse.call('GET', '/api/user/getCurrentUser')).json<User>().breakGlassUntil;
    await nurse.call('POST', open, { reason });
    const during = test.server.sessions.get(nurse.cookies.token ?? '')?.user;
    test.advance(60 * minuteMs - 1);
    await expect(until()).resolves.not.toBeNull();
    test.advance(1);
    await expect(until()).resolves.toBeNull();
    // An event stream reports to its page when the user of its session is another object.
    expect(test.server.sessions.get(nurse.cookies.token ?? '')?.user).not.toBe(during);
  });

  it('ends when its user ends it, and can be repeated', async () => {
    await nurse.call('POST', open, { reason });
    const answer = await nurse.call('POST', end);
    expect([answer.statusCode, answer.json<User>().breakGlassUntil]).toEqual([200, null]);
    await expect(sees()).resolves.toBe(404);
    expect((await nurse.call('POST', end)).statusCode).toBe(200);
    expect((await nurse.call('POST', open, { reason })).statusCode).toBe(200);
    await expect(sees()).resolves.toBe(200);
  });

  it('is not done twice at a time', async () => {
    await nurse.call('POST', open, { reason });
    const again = await nurse.call('POST', open, { reason });
    expect([again.statusCode, again.json<{ error: { code: string } }>().error.code]).toEqual([409, 'already_open']);
    await expect(noticesFor()).resolves.toMatchObject({ total: 1 });
  });

  it('survives a restart and is its user’s alone', async () => {
    const other = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'East', [other.userId]);
    await nurse.call('POST', open, { reason });
    await test.restart();
    await expect(sees()).resolves.toBe(200);
    await expect(sees(other)).resolves.toBe(404);
  });

  it('is on record with each look that it allows, and its reason is not', async () => {
    await nurse.call('POST', open, { reason });
    await sees();
    await listed();
    await nurse.call('POST', end);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('actor_id', '=', nurse.userId)
      .where('action', '!=', 'sign_in')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'break_glass',
      'read_patient',
      'list_patients',
      'end_break_glass',
    ]);
    expect(
      rows.map(({ details }) =>
        details === null ? null : (JSON.parse(details) as { breakGlass?: boolean }).breakGlass,
      ),
    ).toEqual([null, true, true, null]);
    expect(JSON.stringify(rows)).not.toContain('corridor');
  });

  it('puts a look at one’s own patient on record again', async () => {
    const own = await test.addPatient(site, { location: { unit: 'East', bed: '1' } });
    const looks = async (): Promise<(string | null)[]> => {
      await nurse.call('GET', `/api/v2/patients/${own}`);
      const rows = await test.store.db
        .selectFrom('audit')
        .select('details')
        .where('object_id', '=', own)
        .where('action', '=', 'read_patient')
        .execute();
      return rows.map(({ details }) => details);
    };
    await expect(looks()).resolves.toEqual([null]);
    await nurse.call('POST', open, { reason });
    await expect(looks()).resolves.toEqual([null, '{"breakGlass":true}']);
  });

  it('marks nothing for a user who reaches the whole site anyway', async () => {
    const physician = await test.signIn(site, 'physician');
    await physician.call('POST', open, { reason });
    await expect(sees(physician)).resolves.toBe(200);
    const row = await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('actor_id', '=', physician.userId)
      .where('action', '=', 'read_patient')
      .executeTakeFirstOrThrow();
    expect(row.details).toBeNull();
  });

  it('is reported to the site’s administrators, stays listed once read, and names no patient', async () => {
    const elsewhere = await test.signIn(await test.addSite('Other'), 'administrator', true);
    await nurse.call('POST', open, { reason });
    const { items, unseen } = await noticesFor();
    expect(unseen).toBe(1);
    expect(items).toEqual([
      {
        id: expect.any(Number) as number,
        name: expect.stringMatching(/^Robin Example\d+$/) as string,
        type: 'nurse',
        reason,
        startedAt: new Date(test.now()).toISOString(),
        endsAt: new Date(test.now() + 60 * minuteMs).toISOString(),
        seenAt: null,
        seenBy: null,
      },
    ]);
    await expect(noticesFor(elsewhere)).resolves.toMatchObject({ total: 0, unseen: 0 });
    const id = items[0]?.id ?? 0;
    expect((await elsewhere.call('POST', `${notices}/${id}/seen`)).statusCode).toBe(404);
    expect((await admin.call('POST', `${notices}/${id}/seen`)).statusCode).toBe(204);
    expect((await admin.call('POST', `${notices}/${id}/seen`)).statusCode).toBe(204);
    await expect(noticesFor()).resolves.toMatchObject({
      unseen: 0,
      items: [{ id, seenAt: new Date(test.now()).toISOString() }],
    });
    const seen = await test.store.db
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'see_break_glass')
      .where('object_id', '=', id)
      .execute();
    expect(seen).toHaveLength(1);
  });

  it('is mailed to the other administrators of the site, without the reason', async () => {
    const both = await test.signIn(site, 'nurse', true);
    await test.addUnit(site, 'East', [both.userId]);
    const gone = await test.addUser(site, 'administrator', true);
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', gone.id).execute();
    await both.call('POST', open, { reason });
    const addressOf = async (userId: number): Promise<string> => {
      const row = await test.store.db
        .selectFrom('users')
        .select('email')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      return row.email;
    };
    const notified = await Promise.all([admin.userId, both.userId, gone.id].map(addressOf));
    const mails = (await readOutbox(test)).filter(({ to }) => notified.includes(to));
    expect(mails.map(({ kind, to, subject }) => [kind, to, subject])).toEqual([
      ['emergency-access', notified[0], 'Emergency access at Test ward'],
    ]);
    expect(mails[0]?.text).toMatch(/Robin Example\d+ \(Nurse\) has opened every unit/);
    expect(mails[0]?.text).toContain('/admin/emergency_access');
    expect(mails[0]?.text).not.toMatch(/collapsed|corridor|Sample|MRN/);
  });

  it('opens once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => nurse.call('POST', open, { reason })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    await expect(noticesFor()).resolves.toMatchObject({ total: 1 });
  });

  it('opens as often as it is needed, and is mailed three times an hour and listed each time', async () => {
    const { email } = await test.store.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', admin.userId)
      .executeTakeFirstOrThrow();
    const mailed = async (): Promise<number> => (await readOutbox(test)).filter(({ to }) => to === email).length;
    for (let time = 1; time <= 5; time += 1) {
      expect((await nurse.call('POST', open, { reason })).statusCode).toBe(200);
      await expect(mailed()).resolves.toBe(Math.min(time, 3));
      await expect(noticesFor()).resolves.toMatchObject({ unseen: time });
      await nurse.call('POST', end);
    }
    test.advance(60 * minuteMs);
    await nurse.call('POST', open, { reason });
    await expect(mailed()).resolves.toBe(4);
  });

  it('is marked as read by another administrator only, not by the one who did it', async () => {
    const both = await test.signIn(site, 'nurse', true);
    await test.addUnit(site, 'East', [both.userId]);
    await both.call('POST', open, { reason });
    const { items } = await noticesFor(both);
    const own = await both.call('POST', `${notices}/${items[0]?.id ?? 0}/seen`);
    expect([own.statusCode, own.json<{ error: { code: string } }>().error.code]).toEqual([409, 'own_emergency']);
    await expect(noticesFor()).resolves.toMatchObject({ unseen: 1 });
  });
});

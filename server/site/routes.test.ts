import { intendedUseVersion } from '../../lib/site/intendedUse';
import type { SiteSettings } from '../../lib/site/schema';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/admin/site';

describe.each(apiEngines)('the settings of a site on %s', (engine) => {
  let test: TestServer;
  let admin: Caller;
  let nurse: Caller;
  /** A user of another site. */
  let other: Caller;
  beforeAll(async () => {
    test = await restartableTestServer(engine);
    other = await test.signIn(await test.addSite('Other ward'), 'nurse');
    const site = await test.addSite('Harbour ward');
    admin = await test.signIn(site, 'administrator', true);
    nurse = await test.signIn(site, 'nurse');
  });

  const settings = async (): Promise<SiteSettings> => (await admin.call('GET', url)).json<SiteSettings>();
  const patch = async (body: object) =>
    await admin.call('PATCH', url, { version: (await settings()).version, ...body });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ emergencyNumber: 'call me' }, 'emergencyNumber'],
    [{ emergencyNumber: '' }, 'emergencyNumber'],
    [{ signUpMode: 'open' }, 'signUpMode'],
    [{ idleMinutes: 1 }, 'idleMinutes'],
    [{ idleMinutes: 31 }, 'idleMinutes'],
    [{ idleMinutes: 2.5 }, 'idleMinutes'],
    [{ shiftStarts: [] }, 'shiftStarts'],
    [{ shiftStarts: ['24:00'] }, 'shiftStarts.0'],
    [{ shiftStarts: ['07:30', '07:30'] }, 'shiftStarts'],
    [{ checkInTimes: [] }, 'checkInTimes'],
    [{ checkInTimes: ['8:00'] }, 'checkInTimes.0'],
    [{ checkInTimes: ['08:00', '08:00'] }, 'checkInTimes'],
    [{ outOfHoursText: '' }, 'outOfHoursText'],
    [{ outOfHoursText: 'x'.repeat(201) }, 'outOfHoursText'],
    [{ mrnAuthorities: ['HARBOUR', ' '] }, 'mrnAuthorities.1'],
    [{ mrnAuthorities: ['HARBOUR\n1.2.3'] }, 'mrnAuthorities.0'],
    [{ mrnAuthorities: ['x'.repeat(201)] }, 'mrnAuthorities.0'],
    [{ mrnAuthorities: ['HARBOUR', 'HARBOUR '] }, 'mrnAuthorities'],
    [{ mrnAuthorities: Array.from({ length: 21 }, String) }, 'mrnAuthorities'],
    [{ mrnAuthorities: 'HARBOUR' }, 'mrnAuthorities'],
    [{ isDemo: true }, 'isDemo'],
    [{ id: 1 }, 'id'],
  ])('refuse %j at its field, and nothing changes', async (body, field) => {
    const before = await settings();
    const answer = await patch(body);
    expect([answer.statusCode, Object.keys(answer.json<{ error: { fields: object } }>().error.fields)]).toEqual([
      422,
      [field],
    ]);
    await expect(settings()).resolves.toEqual(before);
  });

  it('refuse a change of settings that another user has changed meanwhile', async () => {
    const { version } = await settings();
    expect((await patch({ idleMinutes: 20 })).statusCode).toBe(200);
    const late = await admin.call('PATCH', url, { version, idleMinutes: 5 });
    expect([late.statusCode, late.json<{ error: { code: string } }>().error.code]).toEqual([409, 'changed_meanwhile']);
    expect((await settings()).idleMinutes).toBe(20);
  });

  it('refuse the name that another site has, at its field, also if both sites take it at once', async () => {
    const before = await settings();
    const refused = await patch({ name: ' OTHER Ward ', idleMinutes: 25 });
    expect([refused.statusCode, refused.json<{ error: object }>().error]).toEqual([
      409,
      {
        code: 'site_exists',
        message: 'This installation has a site of that name.',
        fields: { name: 'is the name of another site' },
      },
    ]);
    await expect(settings()).resolves.toEqual(before);
    const lake = await test.signIn(await test.addSite('Lake ward'), 'administrator', true);
    const raced = await Promise.all([
      patch({ name: 'River ward' }),
      lake.call('PATCH', url, { version: 1, name: 'river ward' }),
    ]);
    expect(raced.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('can be saved with the own name in other capitals, and where two sites had one name before', async () => {
    const { name } = await settings();
    expect((await patch({ name: name.toUpperCase() })).statusCode).toBe(200);
    await test.store.db.updateTable('sites').set({ name }).where('id', '=', other.siteId).execute();
    expect((await patch({ name, idleMinutes: 25 })).statusCode).toBe(200);
    await test.store.db.updateTable('sites').set({ name: 'Other ward' }).where('id', '=', other.siteId).execute();
  });

  it('say whose numbers are MRNs, on record, to administrators of the site alone', async () => {
    const mrnAuthorities = ['HARBOUR', '1.2.3, main'];
    const refused = await nurse.call('PATCH', url, { version: (await settings()).version, mrnAuthorities });
    expect(refused.statusCode).toBe(403);
    expect((await settings()).mrnAuthorities).toEqual([]);
    const changed = await patch({ mrnAuthorities });
    expect(changed.json()).toMatchObject({ mrnAuthorities });
    const { ofSite } = test.server.mrnAuthorities;
    expect([ofSite(admin.siteId), ofSite(other.siteId)]).toEqual([mrnAuthorities, []]);
    const { details } = await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'change_site')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(String(details))).toEqual({ fields: ['mrnAuthorities'], mrnAuthorities });
    // A commit whose result was lost counts once somebody sees it on the page.
    const stored = test.store.db.updateTable('sites').where('id', '=', admin.siteId);
    await stored.set({ mrn_authorities: '', version: (await settings()).version + 1 }).execute();
    expect((await settings()).mrnAuthorities).toEqual([]);
    expect(ofSite(admin.siteId)).toEqual([]);
  });

  it('are stored, apply to the next call of all users of the site, and are audited by what changed', async () => {
    const changed = await patch({
      name: 'Lighthouse ward',
      timeZone: 'Europe/Berlin',
      emergencyNumber: '112',
      signUpMode: 'approval',
      idleMinutes: 2,
      shiftStarts: ['20:00', '06:00'],
      checkInTimes: ['21:00', '09:00'],
      outOfHoursText: 'Ward hours 8 to 20',
    });
    expect(changed.json()).toMatchObject({
      name: 'Lighthouse ward',
      timeZone: 'Europe/Berlin',
      emergencyNumber: '112',
      signUpMode: 'approval',
      idleMinutes: 2,
      shiftStarts: ['06:00', '20:00'],
      checkInTimes: ['09:00', '21:00'],
      outOfHoursText: 'Ward hours 8 to 20',
    });
    await expect(settings()).resolves.toEqual(changed.json());
    const { site } = (await nurse.call('GET', '/api/user/getCurrentUser')).json<User>();
    expect(site).toMatchObject({
      name: 'Lighthouse ward',
      timeZone: 'Europe/Berlin',
      emergencyNumber: '112',
      idleMinutes: 2,
    });
    const kept = { name: 'Lighthouse ward', shiftStarts: ['06:00', '20:00'], outOfHoursText: 'Ward hours 8 to 20' };
    const cleared = await patch({ ...kept, emergencyNumber: null });
    expect(cleared.json()).toMatchObject({ ...kept, emergencyNumber: null });
    const others = test.store.db.selectFrom('sites').select('name').where('id', '=', other.siteId);
    await expect(others.execute()).resolves.toEqual([{ name: 'Other ward' }]);
    const rows = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'change_site')
      .orderBy('id')
      .execute();
    expect(rows.at(-1)).toMatchObject({
      actor_id: admin.userId,
      object_id: admin.siteId,
      details: '{"fields":["emergencyNumber"]}',
    });
  });

  it('keep who first accepted the intended use, and when; it turns on the rules and notifies every page', async () => {
    expect((await settings()).intendedUse).toBeNull();
    expect((await admin.call('POST', '/api/v2/site/intended-use', { accepted: false })).statusCode).toBe(422);
    expect((await nurse.call('POST', '/api/v2/site/intended-use', { accepted: true })).statusCode).toBe(403);
    const rulesAreOn = async (who: Caller) =>
      (await who.call('GET', '/api/user/getCurrentUser')).json<User>().site.rulesAreOn;
    await expect(Promise.all([admin, nurse, other].map(rulesAreOn))).resolves.toEqual([false, false, false]);
    const notified = jest.fn();
    test.server.sessions.onChange(notified);
    const at = toInstant(test.now());
    const accepted = await admin.call('POST', '/api/v2/site/intended-use', { accepted: true });
    expect(accepted.json<SiteSettings>().intendedUse).toEqual({
      acceptedAt: at,
      acceptedBy: expect.stringMatching(/^Robin Example/) as unknown,
      isCurrent: true,
    });
    expect(notified).toHaveBeenCalled();
    await expect(Promise.all([admin, nurse, other].map(rulesAreOn))).resolves.toEqual([true, true, false]);
    test.advance(60_000);
    const again = await admin.call('POST', '/api/v2/site/intended-use', { accepted: true });
    expect(again.json<SiteSettings>().intendedUse?.acceptedAt).toBe(at);
    const rows = await test.store.db
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'accept_intended_use')
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('ask for the acceptance again when the intended use has changed, while the rules go on', async () => {
    const url = '/api/v2/site/intended-use';
    const siteOf = async (who: Caller) => (await who.call('GET', '/api/user/getCurrentUser')).json<User>().site;
    await admin.call('POST', url, { accepted: true, version: intendedUseVersion });
    const first = await settings();
    await test.store.db.updateTable('sites').set({ intended_use_version: 0 }).where('id', '=', admin.siteId).execute();
    await test.restart();
    expect((await settings()).intendedUse).toEqual({ ...first.intendedUse, isCurrent: false });
    for (const who of [admin, nurse]) {
      await expect(siteOf(who)).resolves.toMatchObject({ rulesAreOn: true, intendedUseChanged: true });
    }
    expect((await admin.call('POST', url, { accepted: true, version: 0 })).statusCode).toBe(422);
    await expect(siteOf(admin)).resolves.toMatchObject({ intendedUseChanged: true });
    test.advance(1_000);
    const again = (await admin.call('POST', url, { accepted: true, version: intendedUseVersion })).json<SiteSettings>();
    expect(again.intendedUse).toMatchObject({ acceptedAt: toInstant(test.now()), isCurrent: true });
    await expect(siteOf(nurse)).resolves.toMatchObject({ rulesAreOn: true, intendedUseChanged: false });
    const rows = await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'accept_intended_use')
      .where('site_id', '=', admin.siteId)
      .execute();
    expect(rows.map(({ details }) => details)).toEqual([
      `{"version":${intendedUseVersion}}`,
      `{"version":${intendedUseVersion}}`,
    ]);
  });

  it('say that there is no backup', async () => {
    expect((await settings()).backup).toEqual({ takenAt: null, isOverdue: true });
  });
});

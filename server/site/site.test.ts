import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { AlertsPage } from '../../lib/alerts/schema';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { userTypes } from '../../lib/session/userTypes';
import { intendedUseVersion } from '../../lib/site/intendedUse';
import type { ListedSite, SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import type { SecretLink } from '../../lib/users/schema';
import { apiEngines, engines } from '../../test/database';
import { type Call, everyCall } from '../../test/everyCall';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { UsageError } from '../cli/UsageError';
import { parseSiteOptions } from '../cli/parseSiteOptions';
import { policies } from '../http/access';
import { addSite } from './addSite';

describe('addSite', () => {
  describe('parseSiteOptions', () => {
    const needed = ['--name', 'North ward', '--time-zone', 'Europe/Oslo', '--admin', 'Ann@Example.org'];

    it.each([
      [[], '--name'],
      [['--name', ' ', ...needed.slice(2)], '--name'],
      [['--name', 'North\nward', ...needed.slice(2)], '--name'],
      [needed.slice(0, 2), '--time-zone'],
      [[...needed.slice(0, 3), 'Mars/Olympus', ...needed.slice(4)], '--time-zone'],
      [needed.slice(0, 4), '--admin'],
      [[...needed.slice(0, 5), 'ann'], '--admin'],
      [[...needed, '--password', 'x'], '--password'],
      [[...needed, 'stray'], 'stray'],
    ])('refuses %j and says that it is %s', (args, says) => {
      expect(() => parseSiteOptions(args)).toThrow(UsageError);
      expect(() => parseSiteOptions(args)).toThrow(says);
    });

    it('reads a site', () => {
      expect(parseSiteOptions(needed)).toEqual({
        name: 'North ward',
        timeZone: 'Europe/Oslo',
        adminEmail: 'ann@example.org',
      });
    });
  });

  describe.each(apiEngines)('a site added beside a running server on %s', (engine) => {
    let test: TestServer;
    let firstSite: number;
    let firstNurse: Caller;
    let firstAdmin: Caller;
    // A server of its own: the first site is another one there.
    beforeAll(async () => {
      test = await startTestServer(engine);
      firstSite = await test.addSite('South ward');
      firstNurse = await test.signIn(firstSite, 'nurse');
      firstAdmin = await test.signIn(firstSite, 'administrator', true);
      await test.startRules(firstSite);
    });
    afterAll(() => test.stop());

    const newSite = { name: 'North ward', timeZone: 'Europe/Oslo', adminEmail: 'ann@example.org' };
    const signUp = (invitation: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-up',
        payload: { invitation, fname: 'Ann', lname: 'North', password: testPassword },
      });

    it('is refused for an address that has an account, and nothing is kept', async () => {
      const { email } = await test.addUser(firstSite, 'nurse');
      await expect(addSite(test.store.db, test.now(), { ...newSite, adminEmail: email }, null)).rejects.toMatchObject({
        status: 409,
        code: 'email_exists',
      });
      await expect(test.store.db.selectFrom('sites').select('id').execute()).resolves.toEqual([{ id: firstSite }]);
    });

    it('is refused for a name that a site has, and nothing is kept', async () => {
      await expect(addSite(test.store.db, test.now(), { ...newSite, name: 'south WARD' }, null)).rejects.toMatchObject({
        status: 409,
        code: 'site_exists',
      });
      await expect(test.store.db.selectFrom('sites').select('id').execute()).resolves.toEqual([{ id: firstSite }]);
    });

    it('has an administrator by a one-use link, raises alerts at once, and shares nothing with the first', async () => {
      const { id, secret } = await addSite(test.store.db, test.now(), newSite, null);
      const joined = await signUp(secret);
      expect([joined.statusCode, (await signUp(secret)).statusCode]).toEqual([201, 404]);
      const patientId = await test.addPatient(id, { mrn: 'N1', familyName: 'Northern' });
      const cookies = Object.fromEntries(joined.cookies.map(({ name, value }) => [name, value]));
      const accepted = await test.app.inject({
        method: 'POST',
        url: '/api/v2/site/intended-use',
        cookies,
        headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
        payload: { accepted: true, version: intendedUseVersion },
      });
      expect(accepted.statusCode).toBe(200);
      const device = await test.addDevice(id);
      const samples = Array.from({ length: 16 }, (_, place) => ({
        patientId,
        kind: 'spo2',
        value: 80,
        takenAt: toInstant(test.now() + (place + 1) * 1_000),
        quality: 'good',
      }));
      test.advance(16_000);
      await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      const nurse = await test.signIn(id, 'nurse');
      const alertsOf = async (caller: Caller): Promise<unknown[]> =>
        (await caller.call('GET', '/api/v2/alerts')).json<AlertsPage>().items.map((alert) => alert.patientId);
      await expect(alertsOf(nurse)).resolves.toEqual([patientId]);

      await expect(alertsOf(firstNurse)).resolves.toEqual([]);
      const patients = (caller: Caller) => caller.call('GET', '/api/v2/patients');
      expect((await patients(firstNurse)).body).not.toContain('Northern');
      expect((await patients(nurse)).body).toContain('Northern');
      expect((await firstNurse.call('GET', `/api/v2/patients/${patientId}`)).statusCode).toBe(404);
      const users = await firstAdmin.call('GET', '/api/v2/admin/users');
      expect(users.body).not.toContain('ann@example.org');
      const actions = await test.store.db
        .selectFrom('audit')
        .select(['action', 'site_id', 'object_id'])
        .where('action', '=', 'add_site')
        .execute();
      expect(actions).toEqual([{ action: 'add_site', site_id: id, object_id: id }]);
    });
  });
});

describe.each(apiEngines)('the settings of a site on %s', (engine) => {
  const url = '/api/v2/admin/site';

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
      rapidResponseNumber: '112',
      idleMinutes: 2,
    });
    expect((await patch({ rapidResponseNumber: '2222' })).json()).toMatchObject({ rapidResponseNumber: '2222' });
    const after = (await nurse.call('GET', '/api/user/getCurrentUser')).json<User>().site;
    expect(after).toMatchObject({ emergencyNumber: '112', rapidResponseNumber: '2222' });
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

describe('sites', () => {
  const url = '/api/v2/admin/sites';
  const invitations = '/api/v2/admin/site-invitations';
  let counter = 0;
  function newSite(change: object = {}) {
    counter += 1;
    const site = { name: `North ${counter}`, timeZone: 'Europe/Oslo', adminEmail: `ann${counter}@example.org` };
    return { ...site, clientId: randomUUID(), ...change };
  }
  const secretOf = (made: LightMyRequestResponse): string => made.json<SecretLink>().link?.split('=')[1] ?? '';
  const errorOf = (answer: LightMyRequestResponse) => answer.json<{ error: object }>().error;

  async function signUp(test: TestServer, invitation: string): Promise<LightMyRequestResponse> {
    const payload = { invitation, fname: 'Ann', lname: 'North', password: testPassword };
    return await test.app.inject({ method: 'POST', url: '/api/v2/auth/sign-up', payload });
  }

  /** Takes up an invitation and goes on in the browser that did so. */
  async function accept(test: TestServer, invitation: string): Promise<Caller> {
    const joined = await signUp(test, invitation);
    const { id, siteId } = joined.json<User>();
    const cookies = Object.fromEntries(joined.cookies.map(({ name, value }) => [name, value]));
    const headers = { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' };
    return {
      userId: id,
      siteId,
      cookies,
      call: (method, address, body) =>
        test.app.inject({
          method,
          url: address,
          cookies,
          headers,
          ...(body === undefined ? {} : { payload: body as object }),
        }),
    };
  }

  describe.each(engines)('adding a site by the call on %s', (engine) => {
    let test: TestServer;
    let first: number;
    let admin: Caller;
    // A server of its own: the first site is another one there.
    beforeAll(async () => {
      test = await startTestServer(engine);
      first = await test.addSite('South ward');
      admin = await test.signIn(first, 'administrator', true);
    });
    afterAll(() => test.stop());

    const listed = async () => (await admin.call('GET', url)).json<{ items: ListedSite[] }>().items;
    const named = async (name: string) => (await listed()).filter((site) => site.name === name);
    const works = async (secret: string): Promise<boolean> => {
      const payload = { invitation: secret };
      return (await test.app.inject({ method: 'POST', url: '/api/v2/auth/invitation', payload })).statusCode === 200;
    };

    it('is for administrators of the first site, whatever their type, and for no one else', async () => {
      const other = await test.addSite('Other ward');
      for (const type of userTypes) {
        for (const [siteId, isAdmin] of [
          [first, true],
          [first, false],
          [other, true],
          [other, false],
        ] as const) {
          const caller = await test.signIn(siteId, type, isAdmin);
          const mayAdd = siteId === first && isAdmin;
          const own = (await caller.call('GET', '/api/user/getCurrentUser')).json<User>();
          expect([own.administersInstallation, own.permissions.includes('addSites')]).toEqual([mayAdd, mayAdd]);
          const statuses = [await caller.call('GET', url), await caller.call('POST', url, newSite())];
          expect([type, siteId, isAdmin, ...statuses.map(({ statusCode }) => statusCode)]).toEqual([
            type,
            siteId,
            isAdmin,
            ...(mayAdd ? [200, 201] : [403, 403]),
          ]);
        }
      }
    });

    it('is not for an administrator of the first site who waits for confirmation', async () => {
      const guest = await test.signIn(first, 'administrator', true);
      const waits = { unconfirmed_since: test.now() };
      await test.store.db.updateTable('users').set(waits).where('id', '=', guest.userId).execute();
      await test.server.sessions.reload([guest.userId]);
      expect((await guest.call('POST', url, newSite())).statusCode).toBe(403);
    });

    it('lists its name, zone and number of users, makes its first administrator, who sees no patients', async () => {
      const site = newSite();
      const made = await admin.call('POST', url, site);
      expect([made.statusCode, made.json()]).toMatchObject([201, { mailed: false }]);
      await expect(named(site.name)).resolves.toMatchObject([{ timeZone: 'Europe/Oslo', users: 0 }]);
      const ann = await accept(test, secretOf(made));
      const [row] = await named(site.name);
      expect(row).toEqual({
        id: ann.siteId,
        name: site.name,
        timeZone: 'Europe/Oslo',
        createdAt: expect.any(String) as unknown,
        users: 1,
      });
      const own = (await ann.call('GET', '/api/user/getCurrentUser')).json<User>();
      expect(own).toMatchObject({
        email: site.adminEmail,
        type: 'administrator',
        isAdmin: true,
        administersInstallation: false,
        awaitsConfirmation: false,
        site: { name: site.name, timeZone: 'Europe/Oslo', rulesAreOn: false },
      });
      expect(own.permissions).not.toContain('readPatients');
      expect((await ann.call('GET', '/api/v2/patients')).statusCode).toBe(403);
    });

    it('is on record at the site of its maker and at the new one', async () => {
      const ann = await accept(test, secretOf(await admin.call('POST', url, newSite())));
      const rows = await test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'site_id', 'object_id', 'details'])
        .where('action', '=', 'add_site')
        .where('object_id', '=', ann.siteId)
        .orderBy('id')
        .execute();
      const row = { actor_id: admin.userId, object_id: ann.siteId, details: null };
      expect(rows).toEqual([
        { ...row, site_id: ann.siteId },
        { ...row, site_id: first },
      ]);
      for (const caller of [ann, admin]) {
        const { body } = await caller.call('GET', '/api/v2/audit?action=add_site');
        expect(body).toContain(`"objectId":${ann.siteId}`);
      }
    });

    it('makes one site of attempts with one client id, whose newest link works', async () => {
      const site = newSite();
      const answers = [await admin.call('POST', url, site), await admin.call('POST', url, site)];
      answers.push(...(await Promise.all([admin.call('POST', url, site), admin.call('POST', url, site)])));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
      await expect(named(site.name)).resolves.toHaveLength(1);
      const working = await Promise.all(answers.map((made) => works(secretOf(made))));
      expect(working.slice(0, 2)).toEqual([false, false]);
      expect(working.filter((each) => each)).toHaveLength(1);
    });

    it('takes what was corrected before it was repeated, and voids the link to the first address', async () => {
      const wrong = newSite({ name: 'Nort', adminEmail: 'wrong@example.org' });
      const lost = await admin.call('POST', url, wrong);
      const right = newSite({ clientId: wrong.clientId, timeZone: 'Europe/Rome' });
      const made = await admin.call('POST', url, right);
      expect([made.statusCode, await works(secretOf(lost)), await works(secretOf(made))]).toEqual([201, false, true]);
      await expect(named(wrong.name)).resolves.toEqual([]);
      await expect(named(right.name)).resolves.toMatchObject([{ timeZone: 'Europe/Rome' }]);
    });

    it('changes no site that has a user, and none of another maker', async () => {
      const site = newSite();
      await accept(test, secretOf(await admin.call('POST', url, site)));
      const again = { ...newSite(), clientId: site.clientId };
      const refused = await admin.call('POST', url, again);
      expect([refused.statusCode, errorOf(refused)]).toMatchObject([409, { code: 'site_exists' }]);
      const colleague = await test.signIn(first, 'administrator', true);
      expect((await colleague.call('POST', url, again)).statusCode).toBe(201);
      await expect(named(site.name)).resolves.toHaveLength(1);
      await expect(named(again.name)).resolves.toHaveLength(1);
    });

    it('refuses a name that a site has, in any letter case, and keeps nothing', async () => {
      const before = await listed();
      const refused = await admin.call('POST', url, newSite({ name: ' SOUTH Ward ' }));
      expect([refused.statusCode, errorOf(refused)]).toEqual([
        409,
        {
          code: 'site_exists',
          message: 'This installation has a site of that name.',
          fields: { name: 'is the name of another site' },
        },
      ]);
      const two = [newSite({ name: 'West ward' }), newSite({ name: 'West ward' })];
      const raced = await Promise.all(two.map((site) => admin.call('POST', url, site)));
      expect(raced.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
      await expect(listed()).resolves.toHaveLength(before.length + 1);
    });

    it('refuses an address that has an account, without its number, and keeps nothing', async () => {
      const { email } = await test.addUser(await test.addSite('Far ward'), 'nurse');
      const site = newSite({ adminEmail: email });
      const refused = await admin.call('POST', url, site);
      expect([refused.statusCode, errorOf(refused)]).toEqual([
        409,
        {
          code: 'email_exists',
          message: 'This e-mail address has an account already.',
          fields: { email: 'has an account already' },
        },
      ]);
      await expect(named(site.name)).resolves.toEqual([]);
    });

    it.each([
      [{ name: ' ' }, 'name'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ adminEmail: 'ann' }, 'adminEmail'],
      [{ clientId: 'x' }, 'clientId'],
    ])('refuses %j at its field', async (change, field) => {
      const refused = await admin.call('POST', url, newSite(change));
      expect([refused.statusCode, errorOf(refused)]).toMatchObject([
        422,
        { fields: { [field]: expect.any(String) as unknown } },
      ]);
    });

    it('invites the first administrator again while the site has no user, voiding the invitation before', async () => {
      const site = newSite();
      const lost = secretOf(await admin.call('POST', url, site));
      const [row] = await named(site.name);
      const again = { siteId: row?.id, adminEmail: 'right@example.org' };
      const made = await admin.call('POST', invitations, again);
      expect([made.statusCode, await works(lost)]).toEqual([201, false]);
      const joined = await accept(test, secretOf(made));
      expect(joined.siteId).toBe(row?.id);
      const late = await admin.call('POST', invitations, { ...again, adminEmail: 'x@example.org' });
      expect([late.statusCode, errorOf(late)]).toMatchObject([409, { code: 'site_has_users' }]);
      const none = await admin.call('POST', invitations, { ...again, siteId: 999_999 });
      expect(none.statusCode).toBe(404);
      const rows = await test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'site_id', 'object_id'])
        .where('action', '=', 'invite_to_site')
        .orderBy('id')
        .execute();
      const done = { actor_id: admin.userId, object_id: row?.id };
      expect(rows).toEqual([
        { ...done, site_id: row?.id },
        { ...done, site_id: first },
      ]);
    });

    it('invites no one to a site of users from another one', async () => {
      const other = await test.signIn(await test.addSite('Lake ward'), 'administrator', true);
      const body = { siteId: first, adminEmail: 'x@example.org' };
      expect((await other.call('POST', invitations, body)).statusCode).toBe(403);
      expect((await admin.call('POST', invitations, body)).statusCode).toBe(409);
    });

    it('ends the invitation of a maker who is no administrator any more', async () => {
      const maker = await test.signIn(first, 'nurse', true);
      const secret = secretOf(await maker.call('POST', url, newSite()));
      await admin.call('PATCH', `/api/v2/admin/users/${maker.userId}`, { version: 1, isAdmin: false });
      await expect(works(secret)).resolves.toBe(false);
    });
  });

  it('shows no link where a mail server is configured', async () => {
    const test = await startTestServer('sqlite', {
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: 'http://127.0.0.1:3000',
    });
    const admin = await test.signIn(await test.addSite(), 'administrator', true);
    expect((await admin.call('POST', url, newSite())).json()).toMatchObject({ link: null });
    await test.stop();
  });

  it('is not for the administrator of a demo, nor for its operator', async () => {
    // A server of its own: the demo ward is its only site.
    const test = await startTestServer('sqlite');
    const demo = await test.addSite('Demo ward');
    await test.store.db.updateTable('sites').set({ is_demo: 1 }).where('id', '=', demo).execute();
    const admin = await test.signIn(demo, 'administrator', true);
    expect((await admin.call('POST', url, newSite())).statusCode).toBe(403);
    await expect(addSite(test.store.db, test.now(), newSite(), null)).rejects.toMatchObject({
      status: 409,
      code: 'demo_ward',
      message: 'This installation is a demo ward, which gets no further sites.',
    });
    await expect(test.store.db.selectFrom('sites').select('id').execute()).resolves.toEqual([{ id: demo }]);
    await test.stop();
  });

  describe.each(apiEngines)('a site added by the call on %s', (engine) => {
    let test: TestServer;
    const people = new Map<'south' | 'north', Caller[]>();

    /** Fills a site with rows of each kind that are marked with a word. */
    async function fill(siteId: number, mark: string): Promise<void> {
      const unit = `${mark} unit`;
      const patientId = await test.addPatient(siteId, {
        mrn: `${mark}-1`,
        familyName: mark,
        location: { unit, bed: `${mark} 1` },
      });
      const device = await test.addDevice(siteId, { name: `${mark} monitor` });
      await test.ingest(device.token, [
        { patientId, kind: 'spo2', value: 80, takenAt: new Date(test.now()).toISOString() },
      ]);
      await test.addAlert(siteId);
      await test.store.db.updateTable('users').set({ lname: mark }).where('site_id', '=', siteId).execute();
      await test.store.db.updateTable('devices').set({ name: mark }).where('site_id', '=', siteId).execute();
      await test.store.db.updateTable('patients').set({ family_name: mark }).where('site_id', '=', siteId).execute();
      await test.store.db
        .insertInto('error_events')
        .values({
          at: test.now(),
          report: 'a'.repeat(32),
          source: 'page',
          release: 'r',
          page: `/${mark}`,
          name: 'Error',
          message: mark,
          place: mark,
          site_id: siteId,
        })
        .execute();
    }

    // A server of its own: the first site is another one there.
    beforeAll(async () => {
      test = await startTestServer(engine);
      const south = await test.addSite('First');
      const admin = await test.signIn(south, 'administrator', true);
      const made = await admin.call('POST', url, newSite({ name: 'Second', adminEmail: 'ann@second.test' }));
      const ann = await accept(test, secretOf(made));
      // A nurse reads nothing that a physician does not.
      const clinicians = ['physician', 'ward_lead', 'technician', 'display'] as const;
      people.set('south', [admin, ...(await Promise.all(clinicians.map((type) => test.signIn(south, type))))]);
      people.set('north', [ann, ...(await Promise.all(clinicians.map((type) => test.signIn(ann.siteId, type))))]);
      await fill(south, 'Southmark');
      await fill(ann.siteId, 'Northmark');
      // The one name that the new site's audit shows: who added it.
      await test.store.db.updateTable('users').set({ lname: 'Maker' }).where('id', '=', admin.userId).execute();
      for (const caller of [...people.values()].flat()) {
        await test.server.sessions.reload([caller.userId]);
      }
      // The rows of both are on the screens before anyone looks.
      await test.restart();
    });
    afterAll(() => test.stop());

    it.each([
      ['south', 'Southmark', 'Northmark'],
      ['north', 'Northmark', 'Southmark'],
    ] as const)(
      'shows those of the %s their own rows and none of the other, in every read',
      async (side, own, other) => {
        const reads = everyCall(test).filter(({ method, hasId }) => method === 'GET' && !hasId);
        const seen = new Set<string>();
        const leaks: string[] = [];
        for (const caller of people.get(side) ?? []) {
          for (const { row, url: addressOf } of reads.filter((call) => call.row !== 'GET /api/v2/events')) {
            const { body } = await caller.call('GET', addressOf(1));
            if (body.includes(own)) {
              seen.add(row);
            }
            if (body.includes(other)) {
              leaks.push(row);
            }
          }
        }
        expect(leaks).toEqual([]);
        // The marks reach the screens of their own site, so their absence at the other one says something.
        expect([...seen]).toEqual(
          expect.arrayContaining([
            'GET /api/v2/admin/errors',
            'GET /api/v2/admin/users',
            'GET /api/v2/alerts',
            'GET /api/v2/audit',
            'GET /api/v2/devices',
            'GET /api/v2/patients',
            'GET /api/v2/units',
          ]),
        );
      },
    );

    it('answers its people for a row of the first as for one that does not exist', async () => {
      const [ann] = people.get('north') ?? [];
      const [admin] = people.get('south') ?? [];
      const isForAdmins = ({ row }: Call): boolean => {
        const policy = policies[row];
        return policy?.who === 'can' && reachOf({ type: 'administrator', isAdmin: true }, policy.permission) !== null;
      };
      // They are refused all others whatever row these name (server/http/access.test.ts).
      const named = everyCall(test).filter(({ hasId, about }) => hasId && about !== 'caller');
      const own = named.filter(isForAdmins);
      expect(own.length).toBeGreaterThan(15);
      for (const call of own) {
        for (const [caller, siteId] of [
          [ann, admin?.siteId],
          [admin, ann?.siteId],
        ] as const) {
          const id = call.about === 'caller' ? 0 : await call.about(siteId ?? 0);
          const there = await caller?.call(call.method, call.url(id), await call.body(id));
          const missing = await caller?.call(call.method, call.url(888_888_888), await call.body(id));
          expect([call.row, there?.statusCode, there?.body]).toEqual([call.row, missing?.statusCode, missing?.body]);
          expect(there?.statusCode).toBe(404);
        }
      }
    });

    it('opens nothing of itself to its maker: not its settings, users, audit or patients', async () => {
      const [maker] = people.get('south') ?? [];
      const [ann] = people.get('north') ?? [];
      expect((await maker?.call('GET', '/api/v2/admin/site'))?.json()).toMatchObject({ id: maker?.siteId });
      expect((await ann?.call('GET', '/api/v2/admin/site'))?.json()).toMatchObject({ id: ann?.siteId });
      expect((await maker?.call('PATCH', `/api/v2/admin/users/${ann?.userId}`, { version: 1 }))?.statusCode).toBe(404);
      expect((await maker?.call('GET', '/api/v2/patients'))?.statusCode).toBe(403);
      expect((await maker?.call('GET', '/api/v2/admin/users'))?.body).not.toContain('second.test');
    });
  });
});

import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { User } from '../../lib/session/schema';
import { userTypes } from '../../lib/session/userTypes';
import type { ListedSite } from '../../lib/site/schema';
import type { SecretLink } from '../../lib/users/schema';
import { apiEngines, engines } from '../../test/database';
import { everyCall } from '../../test/everyCall';
import { startTestServer, testPassword, type Caller, type TestServer } from '../../test/testServer';
import { addSite } from './addSite';

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

  it('lists its name, zone and number of users, and makes its first administrator, who sees no patients', async () => {
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

  it('invites the first administrator again while the site has no user, and voids the invitation before', async () => {
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
    const clinicians = ['nurse', 'physician', 'ward_lead', 'technician', 'display'] as const;
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
  ] as const)('shows those of the %s their own rows and none of the other, in every read', async (side, own, other) => {
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
  });

  it('answers its people for a row of the first as for one that does not exist', async () => {
    const [ann] = people.get('north') ?? [];
    const [admin] = people.get('south') ?? [];
    for (const call of everyCall(test).filter(({ hasId, about }) => hasId && about !== 'caller')) {
      for (const [caller, siteId] of [
        [ann, admin?.siteId],
        [admin, ann?.siteId],
      ] as const) {
        const id = call.about === 'caller' ? 0 : await call.about(siteId ?? 0);
        const there = await caller?.call(call.method, call.url(id), await call.body(id));
        const missing = await caller?.call(call.method, call.url(888_888_888), await call.body(id));
        expect([call.row, there?.statusCode, there?.body]).toEqual([call.row, missing?.statusCode, missing?.body]);
        expect([403, 404]).toContain(there?.statusCode);
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

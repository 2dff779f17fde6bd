import type { LightMyRequestResponse } from 'fastify';
import type { User } from '../../lib/session/schema';
import type { UserType } from '../../lib/session/userTypes';
import type { Confirmation, SecretLink } from '../../lib/users/schema';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const users = '/api/v2/admin/users';
const invitations = '/api/v2/admin/invitations';
const confirmations = '/api/v2/confirmations';
const password = 'battery horse correct';

describe.each(engines)('an account that an administrator alone has opened on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let admin: Caller;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    // What an address may ask for is counted for a minute.
    test.advance(60_000);
    site = await test.addSite('Maple ward');
    admin = await test.signIn(site, 'administrator', true);
  });

  let counter = 0;
  const invited = async (by: Caller, body: object = {}): Promise<string> => {
    counter += 1;
    const invitation = { email: `confirmed${counter}@example.org`, type: 'nurse', ...body };
    return secretOf((await by.call('POST', invitations, invitation)).json<SecretLink>());
  };
  const secretOf = ({ link }: SecretLink): string => link?.split('=')[1] ?? '';
  const post = (url: string, payload: object) => test.app.inject({ method: 'POST', url, payload });
  const signUp = async (invitation: string): Promise<LightMyRequestResponse> =>
    await post('/api/v2/auth/sign-up', { invitation, fname: 'Noor', lname: 'Guest', password });
  /** Goes on in the browser that got this response. */
  const callerOf = (answer: LightMyRequestResponse): Caller => {
    const { id, siteId } = answer.json<User>();
    const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
    return {
      userId: id,
      siteId,
      cookies,
      call: (method, url, body) =>
        test.app.inject({
          method,
          url,
          cookies,
          headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
          ...(body === undefined ? {} : { payload: body as object }),
        }),
    };
  };
  const accept = async (invitation: string): Promise<Caller> => callerOf(await signUp(invitation));
  const signInAs = async (email: string): Promise<Caller> =>
    callerOf(await post('/api/v2/auth/sign-in', { email, password }));
  const own = async (caller: Caller) => (await caller.call('GET', '/api/user/getCurrentUser')).json<User>();
  const waits = async (caller: Caller) => (await own(caller)).awaitsConfirmation;
  const status = async (caller: Caller, url: string) => (await caller.call('GET', url)).statusCode;
  const confirm = async (by: Caller, { userId }: { userId: number }) =>
    (await by.call('POST', `${confirmations}/${userId}`)).statusCode;
  const listed = async (by: Caller) => (await by.call('GET', confirmations)).json<{ items: Confirmation[] }>().items;
  const audited = async (action: string, userId: number) => {
    const row = await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', action)
      .where('object_id', '=', userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>);
  };
  const resetLink = async (by: Caller, userId: number): Promise<string> =>
    secretOf((await by.call('POST', `${users}/${userId}/reset-link`)).json<SecretLink>());
  const reset = async (token: string) =>
    (await post('/api/v2/auth/password-reset/confirm', { token, password })).statusCode;

  it.each<[UserType, boolean]>([
    ['physician', false],
    ['nurse', false],
    ['viewer', false],
    ['display', false],
    ['administrator', true],
  ])('may do nothing as %s until somebody else confirms it', async (type, isAdmin) => {
    await test.signIn(site, 'ward_lead');
    const guest = await accept(await invited(admin, { type, isAdmin }));
    await expect(own(guest)).resolves.toMatchObject({ type, isAdmin, awaitsConfirmation: true, permissions: [] });
    for (const url of ['/api/v2/patients', '/api/v2/wall', '/api/v2/chat/directory', users, confirmations]) {
      await expect(status(guest, url)).resolves.toBe(403);
    }
    expect((await guest.call('POST', invitations, { email: 'x@example.org', type: 'nurse' })).statusCode).toBe(403);
    expect((await guest.call('POST', '/api/v2/auth/break-glass', { reason: 'An emergency' })).statusCode).toBe(403);
    await expect(audited('sign_up', guest.userId)).resolves.toMatchObject({ opening: 'waits' });
  });

  it('is confirmed neither by who opened it nor by itself, another site, a nurse, or one who waits too', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const guest = await accept(await invited(admin, { type: 'physician' }));
    const second = await accept(await invited(admin, { type: 'administrator', isAdmin: true }));
    await expect(confirm(admin, guest)).resolves.toBe(403);
    await expect(confirm(guest, guest)).resolves.toBe(403);
    await expect(confirm(second, guest)).resolves.toBe(403);
    await expect(confirm(await test.signIn(site, 'nurse'), guest)).resolves.toBe(403);
    await expect(confirm(await test.signIn(await test.addSite('Other ward'), 'physician'), guest)).resolves.toBe(404);
    await expect(waits(guest)).resolves.toBe(true);
    expect((await listed(admin)).map(({ mayConfirm }) => mayConfirm)).toEqual([false, false]);
    expect((await listed(lead)).map(({ mayConfirm }) => mayConfirm)).toEqual([true, true]);
  });

  it.each<[UserType, boolean]>([
    ['physician', false],
    ['ward_lead', false],
    ['administrator', true],
  ])('has its rights at the next call when a %s confirms it (administrator: %s)', async (type, isAdmin) => {
    const other = await test.signIn(site, type, isAdmin);
    const guest = await accept(await invited(admin));
    await expect(listed(other)).resolves.toMatchObject([
      { id: guest.userId, name: 'Noor Guest', type: 'nurse', openedBy: expect.stringMatching(/^Robin /) as unknown },
    ]);
    await expect(confirm(other, guest)).resolves.toBe(204);
    await expect(waits(guest)).resolves.toBe(false);
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(200);
    await expect(listed(other)).resolves.toEqual([]);
    await expect(confirm(other, guest)).resolves.toBe(409);
    await expect(audited('confirm_user', guest.userId)).resolves.toBeNull();
  });

  it('is open at once as long as the site has no one who could confirm, and the audit says so', async () => {
    await test.signIn(site, 'nurse');
    const guest = await accept(await invited(admin, { type: 'physician' }));
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(200);
    await expect(audited('sign_up', guest.userId)).resolves.toMatchObject({ opening: 'no one could confirm' });
    await expect(waits(await accept(await invited(admin)))).resolves.toBe(true);
  });

  it('is open at once to one of two who take up invitations at the same time, if that one could confirm', async () => {
    const both = [await invited(admin, { type: 'physician' }), await invited(admin, { type: 'physician' })];
    const answers = await Promise.all(both.map(signUp));
    const waiting = await Promise.all(answers.map((answer) => waits(callerOf(answer))));
    expect(waiting.sort()).toEqual([false, true]);
  });

  it('is open at once when its administrator sees all patients anyway', async () => {
    await test.signIn(site, 'ward_lead');
    const guest = await accept(await invited(await test.signIn(site, 'physician', true)));
    await expect(waits(guest)).resolves.toBe(false);
    await expect(audited('sign_up', guest.userId)).resolves.not.toHaveProperty('opening');
  });

  it('waits after a reset by a link that the administrator saw, and its holder is on no shift', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const unit = await test.addUnit(site);
    const nurse = await test.addUser(site, 'nurse');
    const staff = async () =>
      (await lead.call('GET', `/api/v2/assignments?unit=${unit}`)).json<{ staff: { id: number }[] }>().staff;
    expect((await staff()).map(({ id }) => id)).toContain(nurse.id);
    await expect(reset(await resetLink(admin, nurse.id))).resolves.toBe(204);
    const guest = await signInAs(nurse.email);
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(403);
    await expect(audited('reset_password', nurse.id)).resolves.toEqual({ opening: 'waits' });
    expect((await staff()).map(({ id }) => id)).not.toContain(nurse.id);
    await expect(confirm(lead, guest)).resolves.toBe(204);
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(200);
  });

  it('goes on waiting after a link of another administrator, and neither of the two confirms it', async () => {
    const [lead, second] = [await test.signIn(site, 'ward_lead'), await test.signIn(site, 'administrator', true)];
    const guest = await accept(await invited(admin));
    await reset(await resetLink(second, guest.userId));
    const again = await signInAs(await emailOf(guest));
    await expect(waits(again)).resolves.toBe(true);
    await again.call('PUT', '/api/v2/profile/password', { current: password, password: 'another horse battery' });
    expect([await confirm(admin, guest), await confirm(second, guest), await confirm(lead, guest)]).toEqual([
      403, 403, 204,
    ]);
  });

  it('does not wait after a reset that its owner asked for, or that an administrator made for themself', async () => {
    await test.signIn(site, 'ward_lead');
    const before = await own(admin);
    await expect(reset(await resetLink(admin, admin.userId))).resolves.toBe(204);
    const after = await signInAs(before.email);
    await expect(own(after)).resolves.toMatchObject({ awaitsConfirmation: false, passwordLinkBy: null });
  });

  it('waits after the approval of a request, which proves no one’s address', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const asked = await test.addUser(site, 'nurse');
    await test.store.db.updateTable('users').set({ waiting_since: test.now() }).where('id', '=', asked.id).execute();
    await admin.call('POST', `${users}/${asked.id}/approve`, { version: 1, type: 'physician' });
    const guest = callerOf(await post('/api/v2/auth/sign-in', { email: asked.email, password: asked.password }));
    await expect(waits(guest)).resolves.toBe(true);
    await expect(audited('approve_user', asked.id)).resolves.toEqual({ type: 'physician', opening: 'waits' });
    await expect(confirm(lead, guest)).resolves.toBe(204);
  });

  it('waits when an administrator gives one that sees no patients a type that does', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const wall = await test.addUser(site, 'display');
    const change = (version: number, type: UserType) => admin.call('PATCH', `${users}/${wall.id}`, { version, type });
    expect((await change(1, 'physician')).statusCode).toBe(200);
    const guest = callerOf(await post('/api/v2/auth/sign-in', { email: wall.email, password: wall.password }));
    await expect(waits(guest)).resolves.toBe(true);
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(403);
    await expect(audited('change_user', wall.id)).resolves.toMatchObject({ type: 'physician', opening: 'waits' });
    await expect(confirm(lead, guest)).resolves.toBe(204);
    await expect(status(guest, '/api/v2/patients')).resolves.toBe(200);
    // Who sees patients already has proved who they are.
    expect((await change(2, 'nurse')).statusCode).toBe(200);
    const nurse = callerOf(await post('/api/v2/auth/sign-in', { email: wall.email, password: wall.password }));
    await expect(waits(nurse)).resolves.toBe(false);
  });

  it('is not the administrator who remains when the other one is removed', async () => {
    await test.signIn(site, 'ward_lead');
    const second = await test.signIn(site, 'nurse', true);
    await accept(await invited(admin, { type: 'administrator', isAdmin: true }));
    expect((await admin.call('PATCH', `${users}/${second.userId}`, { version: 1, isAdmin: false })).statusCode).toBe(
      200,
    );
    const last = await admin.call('PATCH', `${users}/${admin.userId}`, { version: 1, isDisabled: true });
    expect(last.json()).toMatchObject({ error: { code: 'last_administrator' } });
  });

  it('shows its owner who made the link of the password until they have taken note', async () => {
    const lead = await test.signIn(site, 'physician', true);
    const nurse = await test.addUser(site, 'nurse');
    await reset(await resetLink(lead, nurse.id));
    const { fname, lname } = await own(lead);
    const guest = await signInAs(nurse.email);
    await expect(own(guest)).resolves.toMatchObject({ passwordLinkBy: `${fname} ${lname}`, awaitsConfirmation: false });
    expect((await guest.call('POST', '/api/v2/profile/password-link/seen')).statusCode).toBe(204);
    await expect(own(guest)).resolves.toMatchObject({ passwordLinkBy: null });
    await expect(own(await signInAs(nurse.email))).resolves.toMatchObject({ passwordLinkBy: null });
  });

  async function emailOf({ userId }: Caller): Promise<string> {
    const row = await test.store.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.email;
  }
});

import type { LightMyRequestResponse } from 'fastify';
import type { User } from '../../lib/session/schema';
import type { UserType } from '../../lib/session/userTypes';
import type { Confirmation, Invitation, ListedUser, SecretLink } from '../../lib/users/schema';
import { apiEngines, engines } from '../../test/database';
import { readOutbox } from '../../test/outbox';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { startSmtpServer } from '../../test/smtpServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { invitationLastsMs, resetLastsMs } from '../session/accountTokens';

const users = '/api/v2/admin/users';
const invitations = '/api/v2/admin/invitations';

describe.each(engines)('an account that an administrator alone has opened on %s', (engine) => {
  const confirmations = '/api/v2/confirmations';
  const password = 'battery horse correct';

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
    await expect(audited('confirm_user', guest.userId)).resolves.toMatchObject({ proposedBy: admin.userId });
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

describe('users', () => {
  const secretOf = ({ link }: Pick<SecretLink, 'link'>): string => link?.split('=')[1] ?? '';

  describe.each(apiEngines)('the users of a site on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let admin: Caller;
    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      // What an address may ask for is counted for a minute.
      test.advance(60_000);
      site = await test.addSite('Maple ward');
      admin = await test.signIn(site, 'administrator', true);
    });

    const codeOf = (answer: { statusCode: number; json: <T>() => T }): [number, string | null] => [
      answer.statusCode,
      answer.statusCode < 400 ? null : answer.json<{ error: { code: string } }>().error.code,
    ];
    const listed = async (by = admin) => (await by.call('GET', users)).json<{ items: ListedUser[] }>().items;
    const found = async (id: number): Promise<ListedUser> => {
      const user = (await listed()).find((one) => one.id === id);
      if (user === undefined) {
        throw new Error('the user is not listed');
      }
      return user;
    };
    const change = async (id: number, patch: object, by = admin) =>
      await by.call('PATCH', `${users}/${id}`, { version: (await found(id)).version, ...patch });
    const status = async (caller: Caller, url = '/api/user/getCurrentUser') =>
      (await caller.call('GET', url)).statusCode;
    const addWaiting = async () => {
      const user = await test.addUser(site, 'nurse');
      await test.store.db.updateTable('users').set({ waiting_since: test.now() }).where('id', '=', user.id).execute();
      return user;
    };
    const signIn = async (user: { email: string; password: string }) =>
      await test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: { email: user.email, password: user.password },
      });
    const audited = async (action: string) =>
      await test.store.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();

    it('are listed with state and units, those of no other site, and nothing secret', async () => {
      const nurse = await test.addUser(site, 'nurse');
      const waiting = await addWaiting();
      const disabled = await test.addUser(site, 'viewer');
      await change(disabled.id, { isDisabled: true });
      await test.addUnit(site, 'Ward 2', [nurse.id]);
      await test.addUnit(site, 'Ward 1', [nurse.id]);
      const stranger = await test.addUser(await test.addSite('Other ward'), 'nurse');
      const answer = await admin.call('GET', users);
      const { items, total } = answer.json<{ items: ListedUser[]; total: number }>();
      expect(total).toBe(4);
      const stateOf = (id: number) => items.find((one) => one.id === id)?.state;
      expect([nurse, waiting, disabled, stranger].map(({ id }) => stateOf(id))).toEqual([
        'active',
        'waiting',
        'disabled',
        undefined,
      ]);
      expect((await found(nurse.id)).units.map(({ name }) => name)).toEqual(['Ward 1', 'Ward 2']);
      expect(answer.body).not.toMatch(/argon|hash/);
    });

    describe('a change', () => {
      it.each([
        ['their own type', { type: 'physician' }],
        ['their own right', { isAdmin: false }],
      ])('of %s is refused to every user', async (_, patch) => {
        await test.addUser(site, 'administrator', true);
        expect(codeOf(await change(admin.userId, patch))).toEqual([403, 'own_account']);
        await expect(found(admin.userId)).resolves.toMatchObject({ type: 'administrator', isAdmin: true, version: 1 });
      });

      it('of one’s own units never opens more patients to oneself than before', async () => {
        const both = await test.signIn(site, 'nurse', true);
        const [east, west] = [await test.addUnit(site, 'East', [both.userId]), await test.addUnit(site, 'West')];
        for (const unitIds of [[], [west], [east, west]]) {
          expect(codeOf(await change(both.userId, { unitIds }, both))).toEqual([403, 'own_account']);
        }
        expect((await found(both.userId)).units.map(({ id }) => id)).toEqual([east]);
        expect((await change(both.userId, { unitIds: [east, west] })).statusCode).toBe(200);
        expect((await change(both.userId, { unitIds: [west] }, both)).statusCode).toBe(200);
        // A user without a unit reaches the whole site, so any unit is less.
        expect((await change(both.userId, { unitIds: [] })).statusCode).toBe(200);
        expect((await change(both.userId, { unitIds: [east] }, both)).statusCode).toBe(200);
      });

      it('that would leave the site without an administrator is refused', async () => {
        await test.addUser(await test.addSite('Other ward'), 'administrator', true);
        const { id } = await test.addUser(site, 'nurse', true);
        await change(id, { isDisabled: true });
        expect(codeOf(await change(admin.userId, { isDisabled: true }))).toEqual([409, 'last_administrator']);
        await expect(status(admin)).resolves.toBe(200);
      });

      it('lets one of two administrators remain who remove each other at once', async () => {
        const other = await test.signIn(site, 'nurse', true);
        const answers = await Promise.all([
          change(other.userId, { isAdmin: false }),
          other.call('PATCH', `${users}/${admin.userId}`, { version: 1, isAdmin: false }),
        ]);
        expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
        const left = await test.store.db
          .selectFrom('users')
          .select('id')
          .where('site_id', '=', site)
          .where('is_admin', '=', 1)
          .execute();
        expect(left).toHaveLength(1);
      });

      it('of an older version is refused and changes nothing', async () => {
        const { id } = await test.addUser(site, 'nurse');
        await change(id, { type: 'physician' });
        expect(codeOf(await change(id, { version: 1, type: 'viewer' }))).toEqual([409, 'changed_meanwhile']);
        await expect(found(id)).resolves.toMatchObject({ type: 'physician', version: 2 });
      });

      it('into a unit of another site is refused', async () => {
        const { id } = await test.addUser(site, 'nurse');
        const foreign = await test.addUnit(await test.addSite('Other ward'), 'Ward 1');
        const answer = await change(id, { unitIds: [foreign], type: 'viewer' });
        expect([answer.statusCode, Object.keys(answer.json<{ error: { fields: object } }>().error.fields)]).toEqual([
          422,
          ['unitIds'],
        ]);
        await expect(found(id)).resolves.toMatchObject({ type: 'nurse', units: [], version: 1 });
      });

      it('of a name, a password or a site is not a change that there is', async () => {
        const { id } = await test.addUser(site, 'nurse');
        for (const patch of [
          { fname: 'New' },
          { password: 'correct horse battery' },
          { siteId: 1 },
          { passwordHash: 'x' },
        ]) {
          expect((await change(id, patch)).statusCode).toBe(422);
        }
      });

      it.each([
        ['type', { type: 'viewer' }],
        ['right', { isAdmin: true }],
        ['end', { isDisabled: true }],
      ])('of an account’s %s ends its sessions at once and for good', async (_, patch) => {
        const nurse = await test.signIn(site, 'nurse');
        expect((await change(nurse.userId, patch)).statusCode).toBe(200);
        await expect(status(nurse)).resolves.toBe(401);
        await test.restart();
        await expect(status(nurse)).resolves.toBe(401);
        await expect(status(admin)).resolves.toBe(200);
      });

      it('of units counts at the very next call and ends no session', async () => {
        const nurse = await test.signIn(site, 'nurse');
        const unit = await test.addUnit(site, 'Ward 1');
        const elsewhere = await test.addPatient(site, { location: { unit: 'Ward 2', bed: '1' } });
        await expect(status(nurse, `/api/v2/patients/${elsewhere}`)).resolves.toBe(200);
        await change(nurse.userId, { unitIds: [unit] });
        await expect(status(nurse, `/api/v2/patients/${elsewhere}`)).resolves.toBe(404);
        await change(nurse.userId, { unitIds: [] });
        await expect(status(nurse, `/api/v2/patients/${elsewhere}`)).resolves.toBe(200);
      });

      it('is on record with what changed and without a name', async () => {
        const { id, email } = await test.addUser(site, 'nurse');
        await change(id, { type: 'physician', unitIds: [] });
        const row = await audited('change_user');
        expect(row).toMatchObject({
          site_id: site,
          actor_id: admin.userId,
          object_type: 'user',
          object_id: id,
          outcome: 'done',
        });
        expect(JSON.parse(row.details ?? '')).toEqual({ fields: ['unitIds', 'type'], type: 'physician' });
        expect(JSON.stringify(row)).not.toContain(email);
      });

      it('that enables a disabled user lets them sign in again', async () => {
        const user = await test.addUser(site, 'nurse');
        await change(user.id, { isDisabled: true });
        expect((await signIn(user)).statusCode).toBe(401);
        await change(user.id, { isDisabled: false });
        expect((await signIn(user)).statusCode).toBe(200);
      });
    });

    describe('a user who waits for approval', () => {
      it('is approved as what the administrator says, hears of it and can sign in', async () => {
        const waiting = await addWaiting();
        const unit = await test.addUnit(site, 'Ward 1');
        expect((await signIn(waiting)).statusCode).toBe(403);
        const stale = await admin.call('POST', `${users}/${waiting.id}/approve`, { version: 7, type: 'physician' });
        expect(codeOf(stale)).toEqual([409, 'changed_meanwhile']);
        const answer = await admin.call('POST', `${users}/${waiting.id}/approve`, {
          version: 1,
          type: 'physician',
          unitIds: [unit],
        });
        expect(answer.json()).toMatchObject({
          state: 'active',
          type: 'physician',
          isAdmin: false,
          version: 2,
          units: [{ name: 'Ward 1' }],
        });
        expect((await signIn(waiting)).statusCode).toBe(200);
        const mails = (await readOutbox(test)).filter(({ to }) => to === waiting.email);
        expect(mails.map(({ kind }) => kind)).toEqual(['approved']);
        await expect(audited('approve_user')).resolves.toMatchObject({ object_id: waiting.id, actor_id: admin.userId });
      });

      it('is gone when rejected, and the address is free again', async () => {
        const waiting = await addWaiting();
        expect((await admin.call('POST', `${users}/${waiting.id}/reject`)).statusCode).toBe(204);
        expect((await listed()).map(({ id }) => id)).toEqual([admin.userId]);
        expect((await signIn(waiting)).statusCode).toBe(401);
        expect((await admin.call('POST', invitations, { email: waiting.email, type: 'nurse' })).statusCode).toBe(201);
      });

      it('is the only one who can be approved or rejected', async () => {
        const { id } = await test.addUser(site, 'nurse');
        expect(codeOf(await admin.call('POST', `${users}/${id}/approve`, { version: 1, type: 'physician' }))).toEqual([
          409,
          'not_waiting',
        ]);
        expect(codeOf(await admin.call('POST', `${users}/${id}/reject`))).toEqual([409, 'not_waiting']);
        await expect(found(id)).resolves.toMatchObject({ type: 'nurse', version: 1 });
      });
    });

    describe('a reset link', () => {
      it('is refused for a user who may not sign in', async () => {
        const waiting = await addWaiting();
        expect(codeOf(await admin.call('POST', `${users}/${waiting.id}/reset-link`))).toEqual([409, 'not_active']);
      });

      it('works once, voids the one before, and lets a user try again after too many failures', async () => {
        const user = await test.addUser(site, 'nurse');
        await test.store.db
          .insertInto('throttles')
          .values({
            name: `account:${user.id}`,
            failures: 100,
            failed_at: test.now(),
            blocked_until: test.now() + 1_000_000,
          })
          .execute();
        const older = (await admin.call('POST', `${users}/${user.id}/reset-link`)).json<SecretLink>();
        const newer = (await admin.call('POST', `${users}/${user.id}/reset-link`)).json<SecretLink>();
        expect(newer).toEqual({
          link: expect.stringMatching(/^http:\/\/localhost:80\/reset_password#token=[\w-]{43}$/) as unknown,
          expiresAt: new Date(test.now() + resetLastsMs).toISOString(),
          mailed: false,
        });
        await expect(
          test.store.db.selectFrom('throttles').select('name').where('name', 'like', 'account:%').execute(),
        ).resolves.toEqual([]);
        const confirm = async ({ link }: SecretLink) =>
          (
            await test.app.inject({
              method: 'POST',
              url: '/api/v2/auth/password-reset/confirm',
              payload: { token: secretOf({ link }), password: 'battery horse correct' },
            })
          ).statusCode;
        expect([await confirm(older), await confirm(newer), await confirm(newer)]).toEqual([404, 204, 404]);
        expect((await signIn({ ...user, password: 'battery horse correct' })).statusCode).toBe(200);
      });
    });

    it('are signed out everywhere by an administrator', async () => {
      const nurse = await test.signIn(site, 'nurse');
      expect((await admin.call('POST', `${users}/${nurse.userId}/end-sessions`)).statusCode).toBe(204);
      await expect(status(nurse)).resolves.toBe(401);
      await expect(audited('end_user_sessions')).resolves.toMatchObject({
        object_id: nurse.userId,
        actor_id: admin.userId,
      });
    });

    describe('an invitation', () => {
      const invite = async (body: object, by = admin) => await by.call('POST', invitations, { type: 'nurse', ...body });
      const open = async () => (await admin.call('GET', invitations)).json<{ items: Invitation[] }>().items;

      it('is refused while sign-up is off, and for an address that has an account here', async () => {
        const { id, email } = await test.addUser(site, 'nurse');
        const answer = await invite({ email: email.toUpperCase() });
        expect(codeOf(answer)).toEqual([409, 'email_exists']);
        expect(answer.json()).toMatchObject({ error: { id, fields: { email: 'has an account already' } } });
        await test.store.db.updateTable('sites').set({ sign_up_mode: 'off' }).where('id', '=', site).execute();
        expect(codeOf(await invite({ email: `other${site}@example.org` }))).toEqual([409, 'sign_up_off']);
        await expect(open()).resolves.toEqual([]);
      });

      it('says nothing of accounts at other sites', async () => {
        const { email } = await test.addUser(await test.addSite('Other ward'), 'nurse');
        expect((await invite({ email })).statusCode).toBe(201);
      });

      it.each([
        ['is disabled', { isDisabled: true }],
        ['is no administrator any more', { isAdmin: false }],
      ])(
        'and reset links stop working when the administrator who made them %s; those of others go on',
        async (_, patch) => {
          const leaving = await test.signIn(site, 'administrator', true);
          const nurse = await test.addUser(site, 'nurse');
          await invite({ email: `mine${site}@example.org`, isAdmin: true }, leaving);
          await invite({ email: `theirs${site}@example.org` });
          const link = secretOf((await leaving.call('POST', `${users}/${nurse.id}/reset-link`)).json<SecretLink>());
          expect((await change(leaving.userId, patch)).statusCode).toBe(200);
          expect((await open()).map(({ email }) => email)).toEqual([`theirs${site}@example.org`]);
          const confirm = { token: link, password: 'battery horse correct' };
          const reset = await test.app.inject({
            method: 'POST',
            url: '/api/v2/auth/password-reset/confirm',
            payload: confirm,
          });
          expect(codeOf(reset)).toEqual([404, 'link_unusable']);
        },
      );

      it('is listed until it is used, old, replaced or withdrawn', async () => {
        const unit = await test.addUnit(site, 'Ward 1');
        const email = `guest${site}@example.org`;
        await invite({ email });
        const answer = await invite({ email, type: 'physician', isAdmin: true, unitIds: [unit] });
        expect(answer.json()).toEqual({
          link: expect.stringMatching(/^http:\/\/localhost:80\/sign_up#invitation=[\w-]{43}$/) as unknown,
          expiresAt: new Date(test.now() + invitationLastsMs).toISOString(),
          mailed: false,
        });
        const [only, ...more] = await open();
        expect(more).toEqual([]);
        expect(only).toMatchObject({ email, type: 'physician', isAdmin: true, units: [{ id: unit, name: 'Ward 1' }] });
        const row = await audited('invite');
        expect(row).toMatchObject({
          site_id: site,
          actor_id: admin.userId,
          object_type: 'invitation',
          object_id: only?.id,
        });
        expect(JSON.stringify(row)).not.toContain(email);
        expect((await admin.call('DELETE', `${invitations}/${only?.id}`)).statusCode).toBe(204);
        expect((await admin.call('DELETE', `${invitations}/${only?.id}`)).statusCode).toBe(404);
        await expect(open()).resolves.toEqual([]);
        const secret = secretOf(answer.json<SecretLink>());
        const read = await test.app.inject({
          method: 'POST',
          url: '/api/v2/auth/invitation',
          payload: { invitation: secret },
        });
        expect(codeOf(read)).toEqual([404, 'link_unusable']);
      });
    });
  });

  describe('an administrator’s link', () => {
    it('is only mailed where a server is configured, never shown, and begins with the configured address', async () => {
      const smtp = await startSmtpServer('takes');
      // A server of its own: it has a mail server and a public address.
      const test = await startTestServer('sqlite', { SMTP_URL: smtp.url, PUBLIC_URL: 'https://ward.example' });
      const site = await test.addSite();
      const admin = await test.signIn(site, 'administrator', true);
      const { id, email } = await test.addUser(site, 'nurse');
      const answers = [
        await admin.call('POST', invitations, { email: 'guest@example.org', type: 'nurse' }),
        await admin.call('POST', `${users}/${id}/reset-link`),
      ];
      expect(answers.map((answer) => answer.json<SecretLink>())).toMatchObject([
        { mailed: true, link: null },
        { mailed: true, link: null },
      ]);
      expect(answers.map(({ body }) => body).join()).not.toContain('ward.example');
      expect(smtp.taken.map(({ to }) => to)).toEqual(['guest@example.org', email]);
      expect(smtp.taken[0]?.message.replace(/=\r\n/g, '')).toContain('https://ward.example/sign_up#');
      await test.stop();
      await smtp.stop();
    });
  });
});

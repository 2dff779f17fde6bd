import { engines } from '../../test/database';
import { readOutbox } from '../../test/outbox';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import type { SignUpMode } from '../../lib/site/signUpModes';
import { invitationLastsMs, makeToken, resetLastsMs } from './accountTokens';

const auth = '/api/v2/auth';
const newPassword = 'battery horse correct';
const hourMs = 3_600_000;

const codeOf = (answer: { statusCode: number; json: <T>() => T }): [number, string | null] => [
  answer.statusCode,
  answer.statusCode < 400 ? null : answer.json<{ error: { code: string } }>().error.code,
];

/** Everything of an answer that could tell one from another. */
const shown = (answer: { statusCode: number; body: string; headers: object; cookies: object[] }): string => {
  const headers = Object.entries(answer.headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
  return JSON.stringify([answer.statusCode, answer.body, headers, answer.cookies]);
};

describe.each(engines)('accounts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite('Maple ward');
  });

  let counter = 0;
  const address = (): string => `10.1.${((counter += 1) >> 8) & 255}.${counter & 255}`;
  const post = (url: string, payload: object, headers: Record<string, string> = {}, remoteAddress = address()) =>
    test.app.inject({ method: 'POST', url: `${auth}${url}`, payload, headers, remoteAddress });
  const signIn = (email: string, password: string) => post('/sign-in', { email, password });
  const setMode = (mode: SignUpMode) =>
    test.store.db.updateTable('sites').set({ sign_up_mode: mode }).where('id', '=', site).execute();
  const setUser = (id: number, values: { disabled_at?: number | null; waiting_since?: number | null }) =>
    test.store.db.updateTable('users').set(values).where('id', '=', id).execute();
  const mailsTo = async (email: string) => (await readOutbox(test)).filter(({ to }) => to === email);
  const audited = async (action: string) =>
    await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const status = async (caller: Caller) => (await caller.call('GET', '/api/user/getCurrentUser')).statusCode;

  it('take at most twenty requests a minute from one address, known and unknown people alike', async () => {
    await setMode('approval');
    const { email: known } = await test.addUser(site, 'nurse');
    const ask = (time: number) => {
      const email = time % 2 === 0 ? known : `flood${time}@example.org`;
      const registration = { siteId: site, fname: 'Robin', lname: 'Reed', email, password: newPassword, type: 'nurse' };
      return time % 4 < 2
        ? post('/password-reset/request', { email }, {}, '10.9.9.9')
        : post('/register', registration, {}, '10.9.9.9');
    };
    const written = async () => {
      await test.server.afterReply.idle();
      return (await test.store.db.selectFrom('audit').select('id').execute()).length;
    };
    const statuses = new Map<number, number>();
    for (let time = 0; time < 20; time += 1) {
      const { statusCode } = await ask(time);
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
    const before = await written();
    const refused = [await ask(0), await ask(1), await ask(2), await ask(3)];
    expect([statuses, new Set(refused.map(shown)).size]).toEqual([new Map([[202, 20]]), 1]);
    expect(refused[0]).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60' } });
    await expect(written()).resolves.toBe(before);
    test.advance(60_000);
    expect((await ask(1)).statusCode).toBe(202);
  });

  describe('a password reset', () => {
    const request = (email: string) => post('/password-reset/request', { email });
    const confirm = (token: string, password = newPassword) => post('/password-reset/confirm', { token, password });
    const secretFor = async (email: string): Promise<string> => {
      await request(email);
      return (await mailsTo(email)).filter(({ kind }) => kind === 'reset').at(-1)?.secret ?? 'none was mailed';
    };

    it('has the same response for known, unknown, disabled and waiting people; only the known get a link', async () => {
      const [known, disabled, waiting] = [
        await test.addUser(site, 'nurse'),
        await test.addUser(site, 'nurse'),
        await test.addUser(site, 'nurse'),
      ];
      await setUser(disabled.id, { disabled_at: test.now() });
      await setUser(waiting.id, { waiting_since: test.now() });
      const emails = [known.email, 'stranger@example.org', disabled.email, waiting.email];
      // The same work is done for all of them, only that nothing of it stays.
      const pretend = jest.spyOn(test.server.mailer, 'pretend');
      const answers = [];
      for (const email of emails) {
        answers.push(await request(email));
      }
      expect(new Set(answers.map(shown)).size).toBe(1);
      expect(answers[0]?.statusCode).toBe(202);
      await test.server.afterReply.idle();
      const pretended = pretend.mock.calls.map(([{ to }]) => to).filter((to) => emails.includes(to));
      expect(pretended).toEqual(emails.slice(1));
      await expect(
        test.store.db.selectFrom('account_tokens').select('user_id').where('email', 'in', emails).execute(),
      ).resolves.toEqual([{ user_id: known.id }]);
      const mails = await readOutbox(test);
      expect(emails.map((email) => mails.filter(({ to }) => to === email).map(({ kind }) => kind))).toEqual([
        ['reset'],
        [],
        [],
        [],
      ]);
    });

    it.each([
      ['an unknown secret', () => Promise.resolve('x'.repeat(43))],
      [
        'the secret of an invitation',
        async () => {
          const invitation = {
            kind: 'invitation',
            siteId: site,
            email: 'guest@example.org',
            createdBy: null,
            isShown: false,
          } as const;
          const made = await test.store.db
            .transaction()
            .execute((transaction) =>
              makeToken(transaction, test.now(), { ...invitation, type: 'nurse', isAdmin: false, unitIds: [] }),
            );
          return made.secret;
        },
      ],
      [
        'a link after 30 minutes',
        async () => {
          const secret = await secretFor((await test.addUser(site, 'nurse')).email);
          test.advance(resetLastsMs);
          return secret;
        },
      ],
      [
        'a link for which there is a newer one',
        async () => {
          const { email } = await test.addUser(site, 'nurse');
          const older = await secretFor(email);
          test.advance(1);
          await secretFor(email);
          return older;
        },
      ],
      [
        'a link of a user who was disabled meanwhile',
        async () => {
          const { id, email } = await test.addUser(site, 'nurse');
          const secret = await secretFor(email);
          await setUser(id, { disabled_at: test.now() });
          return secret;
        },
      ],
    ])('refuses %s and changes no password', async (_, secretOf) => {
      const secret = await secretOf();
      const hashes = () => test.store.db.selectFrom('users').select(['id', 'password_hash']).orderBy('id').execute();
      const before = await hashes();
      expect((await confirm(secret)).statusCode).toBe(404);
      await expect(hashes()).resolves.toEqual(before);
    });

    it('rejects a short password, and its link still works', async () => {
      const { email } = await test.addUser(site, 'nurse');
      const secret = await secretFor(email);
      const answer = await confirm(secret, '14 characters!');
      expect([answer.statusCode, answer.json<{ error: { fields: object } }>().error.fields]).toEqual([
        422,
        { password: 'needs at least 15 characters' },
      ]);
      expect((await confirm(secret)).statusCode).toBe(204);
    });

    it.each(['Maple-Ward-2026!', ' '.repeat(20)])('rejects %j, and its link still works', async (password) => {
      const { email } = await test.addUser(site, 'nurse');
      const secret = await secretFor(email);
      expect((await confirm(secret, password)).statusCode).toBe(422);
      expect((await confirm(secret)).statusCode).toBe(204);
    });

    it('is mailed three times an hour at most, and the last link of them works', async () => {
      const { email } = await test.addUser(site, 'nurse');
      for (let count = 0; count < 5; count += 1) {
        test.advance(1);
        expect((await request(email)).statusCode).toBe(202);
        await readOutbox(test);
      }
      const mails = await mailsTo(email);
      expect(mails.map(({ kind }) => kind)).toEqual(['reset', 'reset', 'reset']);
      expect((await confirm(mails[2]?.secret ?? '')).statusCode).toBe(204);
      test.advance(hourMs);
      await request(email);
      expect((await mailsTo(email)).filter(({ kind }) => kind === 'reset')).toHaveLength(4);
    });

    it('sets the password, ends every session, signs no one in, and mails a notice', async () => {
      const nurse = await test.signIn(site, 'nurse');
      const other = await test.signIn(site, 'nurse');
      const { email } = await test.store.db
        .selectFrom('users')
        .select('email')
        .where('id', '=', nurse.userId)
        .executeTakeFirstOrThrow();
      const blocked = { failures: 9, failed_at: test.now(), blocked_until: test.now() + hourMs };
      await test.store.db
        .insertInto('throttles')
        .values([
          { name: `account:${nurse.userId}`, ...blocked },
          { name: `account:${other.userId}`, ...blocked },
        ])
        .execute();
      const answer = await confirm(await secretFor(email));
      expect([answer.statusCode, answer.body, answer.cookies]).toEqual([204, '', []]);
      expect([await status(nurse), await status(other)]).toEqual([401, 200]);
      const names = [nurse, other].map(({ userId }) => `account:${userId}`);
      await expect(
        test.store.db.selectFrom('throttles').select('name').where('name', 'in', names).execute(),
      ).resolves.toEqual([{ name: `account:${other.userId}` }]);
      expect((await signIn(email, 'correct horse battery')).statusCode).toBe(401);
      expect((await signIn(email, newPassword)).statusCode).toBe(200);
      expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['reset', 'password-changed']),
      );
      await expect(audited('reset_password')).resolves.toMatchObject({
        site_id: site,
        actor: 'anonymous',
        object_id: nurse.userId,
        outcome: 'done',
      });
      await test.restart();
      await expect(status(nurse)).resolves.toBe(401);
    });

    it('is done by exactly one of 50 concurrent uses of its link', async () => {
      const { id, email } = await test.addUser(site, 'nurse');
      const secret = await secretFor(email);
      const passwords = Array.from({ length: 50 }, (_, index) => `the password of number ${index}`);
      const answers = await Promise.all(passwords.map((password) => confirm(secret, password)));
      const winners = passwords.filter((_, index) => answers[index]?.statusCode === 204);
      expect(winners).toHaveLength(1);
      expect(new Set(answers.map(codeOf).map(String))).toEqual(new Set(['204,', '404,link_unusable']));
      expect((await signIn(email, winners[0] ?? '')).statusCode).toBe(200);
      const done = await test.store.db
        .selectFrom('audit')
        .select('id')
        .where('action', '=', 'reset_password')
        .where('object_id', '=', id)
        .execute();
      expect(done).toHaveLength(1);
    });

    it('puts its secret and its address into no table, log or record', async () => {
      const { email } = await test.addUser(site, 'nurse');
      const secret = await secretFor(email);
      const tokens = await test.store.db.selectFrom('account_tokens').selectAll().execute();
      const records = await test.store.db.selectFrom('audit').selectAll().execute();
      expect(JSON.stringify([tokens, records, test.logLines])).not.toContain(secret);
      expect(JSON.stringify([records, test.logLines])).not.toContain(email);
    });

    it('leads to this machine or the configured host, whatever Host the asker names', async () => {
      const { email } = await test.addUser(site, 'nurse');
      await post('/password-reset/request', { email }, { host: 'evil.example' });
      await readOutbox(test);
      test.advance(1);
      await post('/password-reset/request', { email }, { host: 'localhost:3210' });
      const texts = (await mailsTo(email)).map(({ text }) => text);
      expect(texts.map((text) => /http.*reset_password/.exec(text)?.[0])).toEqual([
        'http://localhost:3000/reset_password',
        'http://localhost:3210/reset_password',
      ]);
    });
  });

  describe('an invitation', () => {
    const person = { fname: 'Kim', lname: 'Example', password: newPassword };
    let guests = 0;
    const invited = async (more: { email?: string; isAdmin?: boolean; unitIds?: number[] } = {}) => {
      guests += 1;
      const email = more.email ?? `guest${engine}${guests}@example.org`;
      const { secret } = await test.store.db.transaction().execute((transaction) =>
        makeToken(transaction, test.now(), {
          kind: 'invitation',
          siteId: site,
          email,
          createdBy: null,
          isShown: false,
          type: 'physician',
          isAdmin: more.isAdmin ?? false,
          unitIds: more.unitIds ?? [],
        }),
      );
      return { email, secret };
    };
    const take = (invitation: string, more: object = {}) => post('/sign-up', { invitation, ...person, ...more });
    const userOf = (email: string) =>
      test.store.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

    it('refuses an unknown secret, an old one, and one that a newer one replaced', async () => {
      const old = await invited();
      const replaced = await invited();
      test.advance(invitationLastsMs - 1);
      await invited({ email: replaced.email });
      test.advance(1);
      for (const invitation of ['x'.repeat(43), old.secret, replaced.secret]) {
        expect(codeOf(await post('/invitation', { invitation }))).toEqual([404, 'link_unusable']);
        expect(codeOf(await take(invitation))).toEqual([404, 'link_unusable']);
      }
      await expect(userOf(old.email)).resolves.toBeUndefined();
    });

    it.each([
      ['a short password', { password: '14 characters!' }, ['password']],
      ['the name of the site for a password', { password: 'Maple-Ward-2026!' }, ['password']],
      ['blanks for a password', { password: ' '.repeat(20) }, ['password']],
      ['no name', { fname: ' ' }, ['fname']],
      ['what is not asked', { isAdmin: true, type: 'administrator' }, ['type', 'isAdmin']],
    ])('refuses %s and works after', async (_, more, fields) => {
      const { secret } = await invited();
      const answer = await take(secret, more);
      expect([
        answer.statusCode,
        Object.keys(answer.json<{ error: { fields: object } }>().error.fields).sort(),
      ]).toEqual([422, fields.sort()]);
      expect((await take(secret)).statusCode).toBe(201);
    });

    it('does not work while the site accepts no new users', async () => {
      const { secret } = await invited();
      await setMode('off');
      expect(codeOf(await post('/invitation', { invitation: secret }))).toEqual([409, 'sign_up_off']);
      expect(codeOf(await take(secret))).toEqual([409, 'sign_up_off']);
      await setMode('invitation');
      expect((await take(secret)).statusCode).toBe(201);
    });

    it('makes no second account of an address', async () => {
      const { email } = await test.addUser(await test.addSite('Other ward'), 'nurse');
      const { secret } = await invited({ email });
      expect(codeOf(await take(secret))).toEqual([409, 'email_exists']);
      expect((await userOf(email))?.site_id).not.toBe(site);
    });

    it('refuses plain HTTP from another machine', async () => {
      const { secret } = await invited();
      const answer = await post('/sign-up', { invitation: secret, ...person }, { host: 'ward.example' });
      expect(codeOf(answer)).toEqual([403, 'https_needed']);
    });

    it('shows whom it is for, creates them with their units, and signs them in', async () => {
      const unit = await test.addUnit(site, 'Ward 1');
      const { email, secret } = await invited({ isAdmin: true, unitIds: [unit] });
      expect((await post('/invitation', { invitation: secret })).json()).toEqual({
        email,
        siteName: 'Maple ward',
        type: 'physician',
      });
      const answer = await take(secret);
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({
        email,
        fname: 'Kim',
        type: 'physician',
        isAdmin: true,
        siteId: site,
        units: [{ id: unit, name: 'Ward 1' }],
      });
      const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
      expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(200);
      expect(cookies).toHaveProperty('known');
      expect((await signIn(email, newPassword)).statusCode).toBe(200);
      await expect(audited('sign_up')).resolves.toMatchObject({ site_id: site, outcome: 'done', actor: 'anonymous' });
      expect((await audited('sign_up')).details).not.toContain(email);
    });

    it.each([
      ['its only unit', 1],
      ['one of its units', 2],
    ])('creates no one when %s was retired, so that no one reaches more than was meant', async (_, count) => {
      const admin = await test.signIn(site, 'administrator', true);
      const units = await Promise.all(Array.from({ length: count }, () => test.addUnit(site)));
      const { email, secret } = await invited({ unitIds: units });
      expect((await admin.call('DELETE', `/api/v2/units/${units[0]}`)).statusCode).toBe(204);
      const answer = await take(secret);
      expect([answer.statusCode, answer.json<{ error: object }>().error]).toMatchObject([
        409,
        {
          code: 'unit_retired',
          message: 'This invitation names a unit that no longer exists. Ask an administrator for a new one.',
        },
      ]);
      await expect(userOf(email)).resolves.toBeUndefined();
    });

    it('makes exactly one user when several take it up at once', async () => {
      const { email, secret } = await invited();
      const answers = await Promise.all(['Ann', 'Ben', 'Cal', 'Dee'].map((fname) => take(secret, { fname })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 404, 404, 404]);
      await expect(userOf(email)).resolves.toBeDefined();
    });
  });

  describe('registration', () => {
    let people = 0;
    const person = (more: object = {}) => {
      people += 1;
      const email = `new${engine}${people}@example.org`;
      return { siteId: site, fname: 'Kim', lname: 'Example', email, password: newPassword, type: 'nurse', ...more };
    };
    const userOf = (email: string) =>
      test.store.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    const settle = async () => {
      await test.server.afterReply.idle();
      await test.server.mailer.idle();
    };

    it.each(['Maple-Ward-2026!', ' '.repeat(20)])('is refused with the password %j', async (password) => {
      await setMode('approval');
      expect((await post('/register', person({ password }))).statusCode).toBe(422);
    });

    it.each(['off', 'invitation'] as const)(
      'is refused by a site in mode %s as by one that does not exist',
      async (mode) => {
        await setMode(mode);
        const body = person();
        const answers = [await post('/register', body), await post('/register', { ...body, siteId: 999_999 })];
        expect(new Set(answers.map(shown)).size).toBe(1);
        expect(answers[0]?.statusCode).toBe(404);
        await settle();
        await expect(userOf(body.email)).resolves.toBeUndefined();
        const { items } = (await test.app.inject(`${auth}/register`)).json<{ items: { id: number }[] }>();
        expect(items.map(({ id }) => id)).not.toContain(site);
      },
    );

    it('is refused to known and unknown addresses while very many people wait', async () => {
      await setMode('approval');
      const known = await test.addUser(site, 'nurse');
      const { password_hash } = await test.store.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', known.id)
        .executeTakeFirstOrThrow();
      await test.store.db
        .insertInto('users')
        .values(
          Array.from({ length: 200 }, (_, index) => ({
            site_id: site,
            email: `crowd${index}.${engine}@example.org`,
            username: `crowd${index}.${engine}@example.org`,
            fname: 'A',
            lname: 'Crowd',
            user_image: null,
            type: 'nurse' as const,
            is_admin: 0,
            password_hash,
            waiting_since: test.now(),
            disabled_at: null,
            last_active_at: null,
            created_at: test.now(),
          })),
        )
        .execute();
      const answers = [await post('/register', person()), await post('/register', person({ email: known.email }))];
      expect(new Set(answers.map(shown)).size).toBe(1);
      expect(answers.map(codeOf)).toContainEqual([429, 'too_many_waiting']);
    });

    it('has the same response for an address with an account, and mails its owner 3 times an hour', async () => {
      await setMode('approval');
      const known = await test.addUser(await test.addSite('Other ward'), 'physician');
      const disabled = await test.addUser(site, 'physician');
      await setUser(disabled.id, { disabled_at: test.now() });
      const before = await userOf(known.email);
      const answers = [await post('/register', person())];
      for (const email of [known.email, known.email, known.email, known.email, disabled.email]) {
        answers.push(await post('/register', person({ email })));
      }
      expect(new Set(answers.map(shown)).size).toBe(1);
      expect(answers[0]?.statusCode).toBe(202);
      expect((await mailsTo(known.email)).map(({ kind }) => kind)).toEqual([
        'account-exists',
        'account-exists',
        'account-exists',
      ]);
      await expect(mailsTo(disabled.email)).resolves.toEqual([]);
      await expect(userOf(known.email)).resolves.toEqual(before);
    });

    it('creates one account for an address in concurrent requests', async () => {
      await setMode('approval');
      const body = person();
      const answers = await Promise.all([post('/register', body), post('/register', body), post('/register', body)]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
      await settle();
      await expect(userOf(body.email)).resolves.toMatchObject({ waiting_since: test.now() });
      expect(test.logLines.filter(({ msg }) => msg === 'work after an answer failed')).toEqual([]);
    });

    it('creates a user who waits: only the right password shows that, and no one is signed in', async () => {
      await setMode('approval');
      const sites = (await test.app.inject(`${auth}/register`)).json<{ items: object[] }>();
      expect(sites.items).toContainEqual({ id: site, name: 'Maple ward' });
      const body = person();
      expect((await post('/register', body)).statusCode).toBe(202);
      await settle();
      await expect(userOf(body.email)).resolves.toMatchObject({
        site_id: site,
        type: 'nurse',
        is_admin: 0,
        waiting_since: test.now(),
      });
      const wrong = await signIn(body.email, 'not the password');
      expect(shown(wrong)).toBe(shown(await signIn('stranger@example.org', 'not the password')));
      const right = await signIn(body.email, newPassword);
      expect([codeOf(right), right.cookies]).toEqual([[403, 'waiting_for_approval'], []]);
      await expect(audited('register')).resolves.toMatchObject({ site_id: site, outcome: 'done', actor: 'anonymous' });
    });
  });
});

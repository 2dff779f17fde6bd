import fc from 'fast-check';
import type { SignUpMode } from '../../lib/site/signUpModes';
import { apiEngines, engines } from '../../test/database';
import { readOutbox } from '../../test/outbox';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { parseEnv } from '../env';
import {
  findToken,
  invitationLastsMs,
  makeToken,
  type NewAccountToken,
  resetLastsMs,
  takeToken,
} from './accountTokens';
import { isCommonPassword } from './commonPassword';
import { commonPasswords } from './passwords';
import { readableSecret } from './readableSecret';
import { proofLastsMs, requireRecentProof } from './requireRecentProof';
import { createConfiguredAdmin } from './users';

describe.each(engines)('an account token on %s', (engine) => {
  let test: TestServer;
  let reset: NewAccountToken;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
    const siteId = await test.addSite();
    const { id, email } = await test.addUser(siteId, 'nurse');
    reset = { kind: 'reset', siteId, userId: id, email, createdBy: null, isShown: false };
  });

  const make = () => test.store.db.transaction().execute((transaction) => makeToken(transaction, test.now(), reset));
  const take = (secret: string) =>
    test.store.db.transaction().execute((transaction) => takeToken(transaction, test.now(), 'reset', secret));

  it('goes to exactly one of 50 concurrent callers', async () => {
    const { secret } = await make();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => take(secret)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons: unknown[] = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(reasons).toEqual(
      Array.from({ length: 49 }, () => expect.objectContaining({ status: 404, code: 'link_unusable' }) as unknown),
    );
  });

  it('is the only one that works, also when several are made at once', async () => {
    const made = await Promise.all([make(), make(), make(), make(), make()]);
    const results = await Promise.allSettled(
      made.map(({ secret }) => findToken(test.store.db, test.now(), 'reset', secret)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is given back when what it was taken for fails', async () => {
    const { secret } = await make();
    const failing = test.store.db.transaction().execute(async (transaction) => {
      await takeToken(transaction, test.now(), 'reset', secret);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await expect(take(secret)).resolves.toMatchObject({ kind: 'reset' });
  });

  it('is 256 bits of chance and kept as a hash', async () => {
    const { id, secret } = await make();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const row = await test.store.db
      .selectFrom('account_tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret);
  });
});

describe.each(engines)('accounts on %s', (engine) => {
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

  describe('a password reset', () => {
    const request = (email: string) => post('/password-reset/request', { email });
    const confirm = (token: string, password = newPassword) => post('/password-reset/confirm', { token, password });
    const secretFor = async (email: string): Promise<string> => {
      await request(email);
      return (await mailsTo(email)).filter(({ kind }) => kind === 'reset').at(-1)?.secret ?? 'none was mailed';
    };

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

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

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

    it('makes exactly one user when several take it up at once', async () => {
      const { email, secret } = await invited();
      const answers = await Promise.all(['Ann', 'Ben', 'Cal', 'Dee'].map((fname) => take(secret, { fname })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 404, 404, 404]);
      await expect(userOf(email)).resolves.toBeDefined();
    });

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

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

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

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
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

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
});

describe('a password', () => {
  const names = ['Harbour Ward', 'St Mary’s', 'Ines', 'Moreau', 'ines.moreau@hospital.example', 'Wardlight'];

  let common: ReadonlySet<string>;
  beforeAll(async () => {
    common = await commonPasswords();
  });

  it.each([
    'password1234567',
    'Password!!!!!!!!!',
    'PASSWORD2026!!!!',
    '123password123!',
    '!!!iloveyou!!!!!',
    'sunshine20262026',
    '1q2w3e4r5t6y7u8i9o0p',
    'unbelievable1234',
    'p a s s w o r d 1 2 3 4',
    'ｐａｓｓｗｏｒｄ１２３４５６７',
    'passwordpassword',
    'PasswordPassword1',
    'password1password1',
    'aaaaaaaaaaaaaaa',
    'abababababababab',
    'abcabcabcabcabc',
    'Moon!Moon!Moon!Moon!',
    'dragondragondragon',
    '1234567890123456',
    '098765432109876',
    'abcdefghijklmnop',
    'zyxwvutsrqponmlk',
    'qwertyuiopasdfgh',
    'qwertzuiopqwertzuiop',
    '1qaz2wsx3edc4rfv',
    'abc-def-ghi-jkl-mno',
    'qwerty-123456-asdfgh',
    'harbourward2026',
    'Harbour-Ward-2026!',
    'InesMoreau123456',
    'ines.moreau@hospital.example',
    'wardlightwardlight',
    'Wardlight2026!!!',
    'moreau-hospital-1',
    'ines ines ines ines',
    'StMarysStMarys2026',
    'st marys st marys!',
    'passw0rd passw0rd',
    'Sommer2026!Sommer',
    'Winter-7-Winter-7x',
    'river 2026 river!',
    'stmarys-harbourward',
    '               ',
    ' \t\u00a0\u2003 \t\t\u00a0 \u2003\u2003 \t ',
    'a b  c   d    e',
    '\u200bx\u200b\u200by\u200bz\u200b\u200b \u200b\u200b  7 \u200b',
  ])('such as %j is refused', (password) => {
    expect(isCommonPassword(password, common, names)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'four grey herons wade',
    'tall-lamp-river-9',
    'river of the tall river',
    'Moreau likes old maps',
    'zwölf Boxkämpfer',
    'кот сидит на крыше',
    'ab12cd34ef56gh78xq',
  ])('such as %j is taken', (password) => {
    expect(isCommonPassword(password, common, names)).toBe(false);
  });

  it('of random letters is accepted for any user', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{24}$/), (password) => {
        fc.pre(new Set(password).size > 10);
        expect(isCommonPassword(password, common, names)).toBe(false);
      }),
      { seed: 7 },
    );
  });

  it('that repeats itself three times is refused, whatever it repeats', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), (part) => {
        fc.pre(part.normalize('NFKC').toLowerCase().length > 0);
        expect(isCommonPassword(part.repeat(3), common, [])).toBe(true);
      }),
    );
  });
});

describe('confirmPassword', () => {
  describe.each(apiEngines)('the confirmation of a password on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let lead: Caller;

    // A server of its own: the clock is every site's.
    beforeAll(async () => {
      test = await startTestServer(engine);
      site = await test.addSite();
    });
    beforeEach(async () => {
      lead = await test.signIn(site, 'ward_lead');
    });
    afterAll(() => test.stop());

    const confirm = (password: string, who = lead) => who.call('POST', '/api/v2/auth/confirm-password', { password });
    const isProved = (who = lead): boolean => {
      const session = test.server.sessions.get(who.cookies.token ?? '');
      if (session === null) {
        throw new Error('no session');
      }
      try {
        requireRecentProof(session, test.server.elapsed());
        return true;
      } catch {
        return false;
      }
    };
    const audited = async () =>
      await test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

    it('is refused with a wrong password, which is put on record and counts for nothing', async () => {
      test.advance(proofLastsMs + 1);
      const response = await confirm('correct horse batterY');
      expect([response.statusCode, response.json<{ error: { code: string } }>().error.code]).toEqual([
        401,
        'wrong_password',
      ]);
      await expect(audited()).resolves.toMatchObject({ action: 'prove_password', outcome: 'refused' });
      expect(isProved()).toBe(false);
    });

    it('is refused after too many wrong ones, also with the right one', async () => {
      for (let tries = 0; tries < 6; tries += 1) {
        await confirm('correct horse batterY');
      }
      const response = await confirm(testPassword);
      expect([response.statusCode, response.headers['retry-after']]).toEqual([429, expect.any(String)]);
      test.advance(15 * 60_000);
    });

    it('does not open a locked screen', async () => {
      await lead.call('POST', '/api/v2/auth/lock');
      expect((await confirm(testPassword)).statusCode).toBe(423);
    });

    it('counts for five minutes from now on, whatever the wall clock does', async () => {
      expect(isProved()).toBe(true);
      test.advance(proofLastsMs);
      expect(isProved()).toBe(true);
      test.advance(1);
      expect(isProved()).toBe(false);
      const response = await confirm(testPassword);
      expect(response.statusCode).toBe(200);
      await expect(audited()).resolves.toMatchObject({
        action: 'prove_password',
        outcome: 'done',
        actor_id: lead.userId,
      });
      const renewed = response.cookies.find(({ name }) => name === 'token')?.value ?? '';
      expect([test.server.sessions.get(lead.cookies.token ?? ''), renewed]).toEqual([null, expect.any(String)]);
      const session = test.server.sessions.get(renewed);
      expect(session?.provedAt).toBe(test.server.elapsed());
      test.setWallClock(-3_600_000);
      test.advance(proofLastsMs + 1);
      expect(() => {
        requireRecentProof(session ?? sessionOfNoOne(), test.server.elapsed());
      }).toThrow('Confirm your password first.');
      test.setWallClock(3_600_000);
    });

    it('is asked for again after a restart of the server', async () => {
      expect(isProved()).toBe(true);
      await test.restart();
      expect(isProved()).toBe(false);
    });
  });

  const sessionOfNoOne = (): never => {
    throw new Error('no session');
  };
});

describe('setup', () => {
  const url = '/api/v2/setup';

  describe.each(apiEngines)('setup on %s', (engine) => {
    // Servers of their own: it is done once. What it refuses leaves one as it was.
    let test: TestServer;
    const startForEach = (): void => {
      beforeEach(async () => {
        test = await startTestServer(engine);
      });
      afterEach(() => test.stop());
    };

    const person = (more: object = {}) => ({
      code: test.server.setup.code ?? 'none',
      siteName: 'Maple ward',
      timeZone: 'Europe/Berlin',
      fname: 'Kim',
      lname: 'Example',
      email: 'kim@example.org',
      password: 'correct horse battery',
      type: 'ward_lead',
      ...more,
    });
    const setUp = (more: object = {}, headers: Record<string, string> = {}) =>
      test.app.inject({ method: 'POST', url, headers, payload: person(more) });
    const users = () => test.store.db.selectFrom('users').select(['email', 'is_admin', 'type']).execute();
    const sites = () => test.store.db.selectFrom('sites').select(['name', 'time_zone']).execute();

    describe('that is not done', () => {
      beforeAll(async () => {
        test = await startTestServer(engine);
      });
      afterAll(() => test.stop());

      it.each([
        ['a wrong code', { code: 'AAAAA-AAAAA-AAAAA-AAAAA' }, 403, 'wrong_code', ['code']],
        ['no code', { code: ' ' }, 422, 'invalid', ['code']],
        ['a name with a control character', { fname: 'Kim\u0000' }, 422, 'invalid', ['fname']],
        ['half a character', { siteName: 'Ward \ud800' }, 422, 'invalid', ['siteName']],
        ['an unknown time zone', { timeZone: 'Europe/Nowhere' }, 422, 'invalid', ['timeZone']],
        ['a short password', { password: '14 characters!' }, 422, 'invalid', ['password']],
        ['the name of the site for a password', { password: 'Maple-Ward-2026!' }, 422, 'invalid', ['password']],
        ['blanks for a password', { password: ' '.repeat(20) }, 422, 'invalid', ['password']],
        ['an unknown type', { type: 'root' }, 422, 'invalid', ['type']],
        ['what is not asked', { isAdmin: true }, 422, 'invalid', ['isAdmin']],
      ])('refuses %s and creates no user', async (_, more, status, code, fields) => {
        const answer = await setUp(more);
        const { error } = answer.json<{ error: { code: string; fields: object } }>();
        expect([answer.statusCode, error.code, Object.keys(error.fields), answer.cookies]).toEqual([
          status,
          code,
          fields,
          [],
        ]);
        await expect(users()).resolves.toEqual([]);
        await expect(sites()).resolves.toEqual([]);
      });

      it('refuses plain HTTP from another machine', async () => {
        const answer = await setUp({}, { host: 'ward.example' });
        expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
          403,
          'https_needed',
        ]);
      });
    });

    describe('that is done', () => {
      startForEach();

      it('makes the first user on a site of their own and signs them in', async () => {
        const answer = await setUp({ code: test.server.setup.code?.toLowerCase(), email: 'Kim@Example.org' });
        expect(answer.statusCode).toBe(201);
        expect(answer.json()).toMatchObject({
          id: 1,
          fname: 'Kim',
          lname: 'Example',
          email: 'kim@example.org',
          username: 'kim@example.org',
          siteId: 1,
          userImage: null,
          type: 'ward_lead',
          isAdmin: true,
          site: { name: 'Maple ward', timeZone: 'Europe/Berlin', isDemo: false, rulesAreOn: false },
        });
        const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
        expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(200);
        expect(cookies).toHaveProperty('known');
        const actions = await test.store.db
          .selectFrom('audit')
          .select(['action', 'outcome', 'site_id', 'object_id'])
          .orderBy('id')
          .limit(2)
          .execute();
        expect(actions).toEqual([
          { action: 'set_up', outcome: 'done', site_id: 1, object_id: 1 },
          { action: 'sign_in', outcome: 'done', site_id: 1, object_id: 1 },
        ]);
      });

      it('accepts its code once, and has none after a restart', async () => {
        const { code } = test.server.setup;
        await setUp();
        for (const more of [{ code, email: 'second@example.org' }, { code: 'X' }]) {
          const answer = await setUp(more);
          expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
            409,
            'already_set_up',
          ]);
        }
        await test.restart();
        expect(test.server.setup.code).toBeNull();
        expect((await setUp({ code })).statusCode).toBe(409);
        await expect(users()).resolves.toHaveLength(1);
      });

      it('makes exactly one user when several come at once', async () => {
        const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => setUp({ email: `${name}@example.org` })));
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
        await expect(users()).resolves.toHaveLength(1);
        await expect(sites()).resolves.toHaveLength(1);
      });
    });

    describe('by the environment', () => {
      startForEach();

      const configured = (password: string) => {
        const parsed = parseEnv({
          ADMIN_EMAIL: 'Boss@Example.org',
          ADMIN_PASSWORD: password,
          SITE_NAME: 'Oak ward',
          SITE_TIME_ZONE: 'Asia/Tokyo',
        });
        return 'env' in parsed
          ? createConfiguredAdmin(test.store, test.now(), parsed.env)
          : Promise.reject(new Error(parsed.faults.join()));
      };
      const signIn = (password: string) =>
        test.app.inject({
          method: 'POST',
          url: '/api/v2/auth/sign-in',
          payload: { email: 'boss@example.org', password },
        });

      it('creates an administrator, who can sign in and reads no patients', async () => {
        await configured('a long enough password');
        await expect(users()).resolves.toEqual([{ email: 'boss@example.org', is_admin: 1, type: 'administrator' }]);
        await expect(sites()).resolves.toEqual([{ name: 'Oak ward', time_zone: 'Asia/Tokyo' }]);
        // At the product's cost, also where the app's hashes cost less.
        const { password_hash } = await test.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
        expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
        const answer = await signIn('a long enough password');
        const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
        expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(403);
      });

      it('changes nothing once there is a user', async () => {
        await configured('a long enough password');
        await configured('another long password');
        await expect(users()).resolves.toHaveLength(1);
        expect((await signIn('another long password')).statusCode).toBe(401);
      });

      it('leaves nothing to set up', async () => {
        await configured('a long enough password');
        await test.restart();
        expect((await setUp()).statusCode).toBe(409);
      });
    });
  });

  describe('readableSecret', () => {
    it('has 20 letters that are not easily confused, different ones each time', () => {
      const codes = Array.from({ length: 1_000 }, readableSecret);
      expect(codes.filter((code) => !/^([A-HJKMNP-Z2-9]{5}-){3}[A-HJKMNP-Z2-9]{5}$/.test(code))).toEqual([]);
      expect(new Set(codes).size).toBe(1_000);
    });
  });
});

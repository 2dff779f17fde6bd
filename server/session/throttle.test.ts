import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { verify } from '@node-rs/argon2';
import fc from 'fast-check';
import { apiEngines } from '../../test/database';
import { startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { afterFailure, networkOf, type Failures } from './throttle';

// What reaches the hash is counted, and where only that matters the answer is given without its 60 ms.
jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<{ verify: typeof verify }>('@node-rs/argon2');
  return { ...actual, verify: jest.fn(actual.verify) };
});
const verified = jest.mocked(verify);
const really = jest.requireActual<{ verify: typeof verify }>('@node-rs/argon2').verify;

describe('afterFailure', () => {
  it.each([
    [1, 0],
    [5, 0],
    [6, 2_000],
    [7, 4_000],
    [10, 32_000],
    [14, 512_000],
    [15, 900_000],
    [99, 900_000],
  ])('makes wait after failure %d for %d ms', (failure, wait) => {
    expect(afterFailure({ failures: failure - 1, blockedUntil: 0 }, 1_000, true)).toEqual({
      failures: failure,
      blockedUntil: 1_000 + wait,
    });
  });

  it('closes an account at the hundredth, and never an address', () => {
    const known: Failures = { failures: 99, blockedUntil: 0 };
    expect(afterFailure(known, 0, true).blockedUntil).toBe(Number.MAX_SAFE_INTEGER);
    expect(afterFailure(known, 0, false).blockedUntil).toBe(900_000);
  });

  it('never waits less for more failures', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.boolean(), (failures, stops) => {
        const wait = (count: number) => afterFailure({ failures: count, blockedUntil: 0 }, 0, stops).blockedUntil;
        expect(wait(failures + 1)).toBeGreaterThanOrEqual(wait(failures));
      }),
    );
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('takes %s for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe.each(apiEngines)('guessing on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let counter = 0;

  beforeAll(async () => {
    test = await startTestServer(engine, { TRUSTED_PROXIES: '127.0.0.1' });
    site = await test.addSite();
  });
  beforeEach(() => {
    verified.mockReset().mockImplementation(really);
  });
  afterAll(() => test.stop());

  const address = (): string => `10.${(counter += 1) >> 16}.${(counter >> 8) & 255}.${counter & 255}`;
  const signIn = (email: string, password: string, from = address(), known?: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { 'x-forwarded-for': from },
      cookies: known === undefined ? {} : { known },
      payload: { email, password },
    });

  it('2,000 times at one account from 2,000 addresses checks 100 passwords at most; its owner gets in', async () => {
    const { email, password } = await test.addUser(site, 'nurse');
    const first = await signIn(email, password);
    const known = first.cookies.find(({ name }) => name === 'known');
    expect(known).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    verified.mockResolvedValue(false);
    const codes = new Map<number, number>();
    for (let guess = 0; guess < 2_000; guess += 1) {
      const { statusCode } = await signIn(email, `guess ${guess}`);
      codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1);
      // A patient attacker: twenty tries to begin with, then five minutes between two.
      test.advance(guess < 400 ? 1_200_000 / 20 : 300_000);
    }
    expect(verified.mock.calls.length).toBeLessThanOrEqual(101);
    expect([...codes.keys()].sort()).toEqual([401, 429]);
    verified.mockImplementation(really);
    expect((await signIn(email, password)).statusCode).toBe(429);
    expect((await signIn(email, password, address(), known?.value)).statusCode).toBe(200);
    expect((await signIn(email, password)).statusCode).toBe(429);
  });

  it('many passwords at once checks only a few of them', async () => {
    const { email } = await test.addUser(site, 'nurse');
    verified.mockResolvedValue(false);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, guess) => signIn(email, `guess ${guess}`)));
    expect(verified).toHaveBeenCalledTimes(6);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(194);
  });

  it('is slowed for an unknown e-mail as for a known one, with the same bytes, also after a restart', async () => {
    const { email } = await test.addUser(site, 'nurse');
    verified.mockResolvedValue(false);
    const answers = async (who: string) => {
      const shown = [];
      for (let guess = 0; guess < 8; guess += 1) {
        const { statusCode, body, headers } = await signIn(who, 'a guess');
        shown.push([statusCode, body, headers['retry-after']]);
      }
      return shown;
    };
    const known = await answers(email);
    expect(known.map(([status]) => status)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    await expect(answers('nobody-at-all@example.org')).resolves.toEqual(known);
    await test.restart();
    expect((await signIn(email, 'a guess')).statusCode).toBe(429);
    test.advance(2_000);
    expect((await signIn(email, 'a guess')).statusCode).toBe(401);
  });

  it('at an unknown e-mail stores nothing that reveals it, and counts on after a restart', async () => {
    const email = 'tried-by-mistake@example.org';
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 6; guess += 1) {
      await signIn(email, 'a guess');
    }
    const rows = await test.store.db.selectFrom('throttles').select('name').where('name', 'like', 'email:%').execute();
    const guesses = ['', 'e-mail ', 'email:'].flatMap((before) =>
      (['hex', 'base64', 'base64url'] as const).map((form) =>
        createHash('sha256')
          .update(before + email)
          .digest(form),
      ),
    );
    expect(rows.filter(({ name }) => guesses.some((guess) => name.includes(guess)) || name.includes(email))).toEqual(
      [],
    );
    await test.restart();
    expect((await signIn(email, 'a guess')).statusCode).toBe(429);
    const { mode } = await stat(path.join(test.server.env.dataDir, 'throttle.key'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('at many accounts from one address is slowed by the address, except for a known browser there', async () => {
    const owner = await test.addUser(site, 'nurse');
    const from = address();
    const known = (await signIn(owner.email, owner.password, from)).cookies.find(({ name }) => name === 'known')?.value;
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 6; guess += 1) {
      await signIn(`spray${guess}@example.org`, 'a guess', from);
    }
    verified.mockImplementation(really);
    expect((await signIn(owner.email, owner.password, from)).statusCode).toBe(429);
    expect((await signIn(owner.email, owner.password, from, known)).statusCode).toBe(200);
    expect((await signIn(owner.email, owner.password)).statusCode).toBe(200);
  });

  it('at many accounts at once from one address checks only a few passwords', async () => {
    const from = address();
    verified.mockResolvedValue(false);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, guess) => signIn(`burst${guess}@example.org`, 'a guess', from)),
    );
    expect(verified).toHaveBeenCalledTimes(6);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(194);
  });

  it('goes on being slowed by the address after a sign-in of the guesser’s own', async () => {
    const mine = await test.addUser(site, 'nurse');
    const from = address();
    const guess = async (): Promise<number> => {
      verified.mockResolvedValueOnce(false);
      return (await signIn(`target${counter}@example.org`, 'a guess', from)).statusCode;
    };
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(guess()).resolves.toBe(401);
    }
    verified.mockImplementation(really);
    expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(200);
    await expect(guess()).resolves.toBe(401);
    verified.mockReset().mockImplementation(really);
    expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(429);
    // One failure is forgiven in each quarter of an hour, also if people sign in meanwhile.
    for (let quarter = 0; quarter < 6; quarter += 1) {
      test.advance(15 * 60_000);
      expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(200);
    }
    await expect(guess()).resolves.toBe(401);
    expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(200);
  });

  it('slows no one down where forty people sign in from one address', async () => {
    const from = address();
    verified.mockResolvedValue(true);
    const people = await Promise.all(Array.from({ length: 40 }, () => test.addUser(site, 'nurse')));
    const statuses = [];
    for (const { email, password } of people) {
      statuses.push((await signIn(email, password, from)).statusCode);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('at a lock screen shuts no one out who signs in, and guesses at sign-in leave the lock screen alone', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const { email } = await test.store.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', nurse.userId)
      .executeTakeFirstOrThrow();
    const unlock = async (password: string) => {
      const response = await nurse.call('POST', '/api/v2/auth/unlock', { password });
      for (const { name, value } of response.cookies) {
        nurse.cookies[name] = value;
      }
      return response.statusCode;
    };
    verified.mockResolvedValue(false);
    const statuses = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push(await unlock('a guess'));
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
    verified.mockImplementation(really);
    expect((await signIn(email, testPassword)).statusCode).toBe(200);
    test.advance(2_000);
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 6; guess += 1) {
      await signIn(email, 'a guess');
    }
    verified.mockImplementation(really);
    expect((await signIn(email, testPassword)).statusCode).toBe(429);
    await expect(unlock(testPassword)).resolves.toBe(200);
  });

  it('in another user’s known browser counts as in any', async () => {
    const [mine, theirs] = [await test.addUser(site, 'nurse'), await test.addUser(site, 'nurse')];
    const known = (await signIn(mine.email, mine.password)).cookies.find(({ name }) => name === 'known')?.value;
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 6; guess += 1) {
      await signIn(theirs.email, 'a guess', address(), known);
    }
    expect((await signIn(theirs.email, 'a guess', address(), known)).statusCode).toBe(429);
  });

  it('is forgotten with a right password', async () => {
    const { id, email, password } = await test.addUser(site, 'nurse');
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 5; guess += 1) {
      await signIn(email, 'a guess');
    }
    verified.mockImplementation(really);
    expect((await signIn(email, password)).statusCode).toBe(200);
    const row = await test.store.db
      .selectFrom('throttles')
      .selectAll()
      .where('name', '=', `account:${id}`)
      .executeTakeFirst();
    expect(row).toBeUndefined();
  });

  it.each<[string, (email: string, id: number) => Promise<string>]>([
    ['known', (email) => Promise.resolve(email)],
    ['unknown', () => Promise.resolve('stranger-here@example.org')],
    [
      'disabled',
      async (email, id) => {
        await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', id).execute();
        return email;
      },
    ],
    [
      'waiting',
      async (email, id) => {
        await test.store.db.updateTable('users').set({ waiting_since: test.now() }).where('id', '=', id).execute();
        return email;
      },
    ],
  ])('once at a %s account costs one hash and reveals nothing', async (_, prepare) => {
    const { email, id } = await test.addUser(site, 'nurse');
    const answer = await signIn(await prepare(email, id), 'a wrong password');
    expect(verified).toHaveBeenCalledTimes(1);
    expect([answer.statusCode, answer.body, answer.cookies]).toEqual([
      401,
      '{"error":{"code":"sign_in_failed","message":"E-mail or password is wrong."}}',
      [],
    ]);
  });
});

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import fc from 'fast-check';
import { apiEngines } from '../../test/database';
import { startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { afterFailure, networkOf } from './throttle';

// What reaches the hash is counted, and where only that matters the answer is given without its 60 ms.
jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<{ verify: typeof verify }>('@node-rs/argon2');
  return { ...actual, verify: jest.fn(actual.verify) };
});
// A slowed try is answered after 5 s: here at once, and how long it would take is looked at.
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual<object>('node:timers/promises'),
  setTimeout: jest.fn(() => Promise.resolve()),
}));
const paused = jest.mocked(pause);
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
    expect(afterFailure({ failures: failure - 1, blockedUntil: 0 }, 1_000)).toEqual({
      failures: failure,
      blockedUntil: 1_000 + wait,
    });
  });

  it('closes an account at the hundredth', () => {
    expect(afterFailure({ failures: 99, blockedUntil: 0 }, 0).blockedUntil).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('never waits less for more failures', () => {
    fc.assert(
      fc.property(fc.nat(200), (failures) => {
        const wait = (count: number) => afterFailure({ failures: count, blockedUntil: 0 }, 0).blockedUntil;
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
    // A server of its own: it counts guesses for all sites, and its clock goes on by days.
    test = await startTestServer(engine, { TRUSTED_PROXIES: '127.0.0.1' });
    site = await test.addSite();
  });
  beforeEach(() => {
    verified.mockReset().mockImplementation(really);
    paused.mockClear();
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

  it('200 times at one account from 200 addresses checks 100 passwords and no more; its owner gets in', async () => {
    const { email, password } = await test.addUser(site, 'nurse');
    const first = await signIn(email, password);
    const known = first.cookies.find(({ name }) => name === 'known');
    expect(known).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    verified.mockResolvedValue(false);
    const codes = new Map<number, number>();
    for (let guess = 0; guess < 200; guess += 1) {
      const { statusCode } = await signIn(email, `guess ${guess}`);
      codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1);
      // A patient attacker: a try a minute to begin with, then one as soon as it is not refused for the one before.
      // What is counted is forgotten after a day, but for accounts that are shut.
      test.advance(guess < 60 ? 60_000 : guess === 150 ? 90_000_000 : 900_000);
    }
    // The owner's own is one of them.
    expect(verified).toHaveBeenCalledTimes(101);
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

  const knownOf = (answer: Awaited<ReturnType<typeof signIn>>): string | undefined =>
    answer.cookies.find(({ name }) => name === 'known')?.value;
  const spray = async (accounts: number, from: string, known?: string): Promise<number[]> => {
    const statuses = [];
    for (let guess = 0; guess < accounts; guess += 1) {
      statuses.push((await signIn(`spray${(counter += 1)}@example.org`, 'a guess', from, known)).statusCode);
    }
    return statuses;
  };

  it.each([
    ['one network', address, (from: string) => from],
    ['one /64', () => `2001:db8:0:${(counter += 1).toString(16)}::1`, (from: string) => `${from}2:3`],
  ])('at invented accounts keeps no one out who signs in from %s, for 14 days', async (_, make, beside) => {
    const [here, other] = [await test.addUser(site, 'nurse'), await test.addUser(site, 'nurse')];
    const from = make();
    const known = knownOf(await signIn(here.email, here.password, beside(from)));
    await expect(spray(20, from)).resolves.toEqual(Array.from({ length: 20 }, () => 401));
    // Five are free. The others take 5 s each, at once and beside each other, and no hash.
    expect([paused.mock.calls.length, verified.mock.calls.length]).toEqual([15, 1 + 5]);
    expect(paused).toHaveBeenCalledWith(5_000);
    paused.mockClear();
    const answers = await Promise.all([
      signIn(other.email, other.password, beside(from)),
      signIn(other.email, other.password, beside(from)),
      signIn(here.email, here.password, from),
    ]);
    const seen = answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after']]);
    expect(seen.pop()).toEqual([200, undefined]);
    // One of two at once waits; PostgreSQL may take either first.
    expect(seen.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [200, undefined],
      [429, '5'],
    ]);
    expect(paused).toHaveBeenCalledTimes(2);
    expect((await signIn(here.email, here.password, from, known)).statusCode).toBe(200);
    expect(paused).toHaveBeenCalledTimes(2);
    test.advance(14 * 86_400_000 + 1);
    await expect(spray(7, from)).resolves.toEqual([401, 401, 401, 401, 401, 429, 429]);
    const shut = await signIn(here.email, here.password, from);
    expect([shut.statusCode, shut.headers['retry-after']]).toEqual([429, '900']);
  });

  it('in a known browser has its user’s count, then takes 5 s a try, and no closed account shuts it out', async () => {
    const [mine, closed] = [await test.addUser(site, 'nurse'), await test.addUser(site, 'nurse')];
    const from = address();
    let known = knownOf(await signIn(mine.email, mine.password, from));
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await signIn(closed.email, 'a guess', from, known)).statusCode).toBe(401);
      // Nor does the cookie of a new sign-in of the guesser's own bring a new count.
      verified.mockImplementationOnce(really);
      known = guess === 5 ? knownOf(await signIn(mine.email, mine.password, address())) : known;
      verified.mockReset().mockResolvedValue(false);
    }
    expect(paused).not.toHaveBeenCalled();
    verified.mockImplementation(really);
    const failures = { failures: 100, failed_at: test.now(), blocked_until: Number.MAX_SAFE_INTEGER };
    await test.store.db
      .insertInto('throttles')
      .values({ name: `account:${closed.id}`, ...failures })
      .execute();
    expect((await signIn(closed.email, closed.password, from, known)).statusCode).toBe(200);
    expect((await signIn(closed.email, closed.password, from)).statusCode).toBe(429);
    expect(paused).toHaveBeenCalledTimes(1);
    // Fifteen minutes later the browser is slowed by the account alone, and by five accounts again.
    test.advance(15 * 60_000);
    expect((await signIn(mine.email, mine.password, from, known)).statusCode).toBe(200);
    expect(paused).toHaveBeenCalledTimes(1);
    expect((await signIn(closed.email, closed.password, from, known)).statusCode).toBe(200);
    expect(paused).toHaveBeenCalledTimes(2);
    await expect(spray(7, from, known)).resolves.toEqual([401, 401, 401, 401, 401, 401, 401]);
    expect(paused).toHaveBeenCalledTimes(4);
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', mine.id).execute();
    expect((await signIn(closed.email, closed.password, from, known)).statusCode).toBe(429);
  });

  it('slowed leaves a row in 15 min for each account, and for all unknown ones where people see it', async () => {
    const second = await test.addSite();
    const [here, there] = [await test.addUser(site, 'nurse'), await test.addUser(second, 'nurse')];
    const from = address();
    for (const { email, password } of [here, there]) {
      expect((await signIn(email, password, from)).statusCode).toBe(200);
    }
    const rows = async () =>
      await test.store.db
        .selectFrom('audit')
        .select(['site_id', 'object_id', 'details'])
        .where('ip', '=', from)
        .where('outcome', '=', 'refused')
        .orderBy('id')
        .execute();
    await spray(5, from);
    const before = (await rows()).length;
    await spray(3, from);
    verified.mockResolvedValue(false);
    for (let guess = 0; guess < 2; guess += 1) {
      expect((await signIn(here.email, 'a guess', from)).statusCode).toBe(401);
      test.advance(5_000);
    }
    const details = '{"slowed":true}';
    const found = (await rows()).slice(before);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        { site_id: site, object_id: null, details },
        { site_id: second, object_id: null, details },
        { site_id: site, object_id: here.id, details },
      ]),
    );
  });

  it('at many accounts at once from one address checks only a few passwords', async () => {
    const from = address();
    verified.mockResolvedValue(false);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, guess) => signIn(`burst${guess}@example.org`, 'a guess', from)),
    );
    expect(verified).toHaveBeenCalledTimes(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(195);
  });

  it('goes on being slowed after a sign-in of the guesser’s own', async () => {
    const mine = await test.addUser(site, 'nurse');
    const from = address();
    expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(200);
    await spray(5, from);
    expect((await signIn(mine.email, mine.password, from)).statusCode).toBe(200);
    paused.mockClear();
    await spray(1, from);
    expect(paused).toHaveBeenCalledTimes(1);
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

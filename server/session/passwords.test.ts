import * as argon2 from '@node-rs/argon2';
import type { AppParts } from '../app';
import type { Port } from '../http/port';
import { createPasswords } from './passwords';

jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<object>('@node-rs/argon2') }));

const passwords = createPasswords();

describe('passwords', () => {
  it('rejects a wrong password, the password of no user, and the empty one', async () => {
    const kept = await passwords.hash('correct horse battery');
    await expect(passwords.isRight('correct horse batterY', kept)).resolves.toBe(false);
    await expect(passwords.isRight('', kept)).resolves.toBe(false);
    await expect(passwords.isRight('correct horse battery', null)).resolves.toBe(false);
  });

  it('knows the right one, in either form of Unicode, and keeps no two hashes alike', async () => {
    const kept = await passwords.hash('Zo\u00eb has a long password');
    await expect(passwords.isRight('Zoe\u0308 has a long password', kept)).resolves.toBe(true);
    await expect(passwords.hash('Zo\u00eb has a long password')).resolves.not.toBe(kept);
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  });

  it('takes no other cost for an app on the port of the product', () => {
    const passwordCost = { memoryCost: 8, timeCost: 1 };
    const forTests = (parts: Omit<AppParts, 'port'>): AppParts => ({ ...parts, passwordCost });
    // Only tsc can fail this test: it reports the next line as unused if the port of the product takes a cost.
    // @ts-expect-error The port of the product and a cost do not go together.
    const ofProduct = (parts: AppParts, port: Port): AppParts => ({ ...parts, port, passwordCost });
    expect([forTests, ofProduct]).toHaveLength(2);
  });

  it('does the same work for an e-mail address without a user', async () => {
    const verify = jest.spyOn(argon2, 'verify').mockResolvedValue(true);
    await expect(passwords.isRight('x', null)).resolves.toBe(false);
    expect(verify).toHaveBeenCalledWith(expect.stringMatching(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/), 'x');
  });

  it('works on four at once, lets 64 wait, and refuses the next with 503', async () => {
    const argon = countArgon();
    const people = Array.from({ length: 68 }, () => passwords.isRight('x', 'kept'));
    await expect(passwords.isRight('x', 'kept')).rejects.toMatchObject({
      status: 503,
      code: 'busy',
      details: { retryAfter: 2 },
    });
    expect(argon.running()).toBe(4);
    await argon.finishAll();
    await expect(Promise.all(people)).resolves.toEqual(Array(68).fill(true));
  });

  it('lets no newcomer pass the next one in line', async () => {
    const argon = countArgon();
    const people = Array.from({ length: 40 }, () => passwords.isRight('x', 'kept'));
    for (let moment = 0; moment < 20; moment += 1) {
      argon.finishOne();
      // Each newcomer comes one step later into the moments in which a turn changes hands.
      for (let step = 0; step < moment; step += 1) {
        await Promise.resolve();
      }
      people.push(passwords.isRight('x', 'kept'));
      await new Promise(setImmediate);
      expect(argon.running()).toBe(4);
    }
    await argon.finishAll();
    await expect(Promise.all(people)).resolves.toEqual(Array(60).fill(true));
  });

  it('gives its turn back when the work fails', async () => {
    jest.spyOn(argon2, 'verify').mockRejectedValue(new Error('out of memory'));
    for (let count = 0; count < 10; count += 1) {
      await expect(passwords.isRight('x', 'kept')).rejects.toThrow('out of memory');
    }
  });
});

/** Replaces the slow work by one that ends when the test says so. */
function countArgon() {
  const unfinished: (() => void)[] = [];
  jest.spyOn(argon2, 'verify').mockImplementation(async () => {
    await new Promise<void>((resolve) => unfinished.push(resolve));
    return true;
  });
  return {
    running: () => unfinished.length,
    finishOne: () => unfinished.shift()?.(),
    finishAll: async () => {
      while (unfinished.length > 0) {
        unfinished.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
}

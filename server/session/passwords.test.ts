import * as argon2 from '@node-rs/argon2';
import { hashPassword, isPassword } from './passwords';

jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<object>('@node-rs/argon2') }));

describe('passwords', () => {
  it('rejects a wrong password, the password of no user, and the empty one', async () => {
    const kept = await hashPassword('correct horse battery');
    await expect(isPassword('correct horse batterY', kept)).resolves.toBe(false);
    await expect(isPassword('', kept)).resolves.toBe(false);
    await expect(isPassword('correct horse battery', null)).resolves.toBe(false);
  });

  it('knows the right one, in either form of Unicode, and keeps no two hashes alike', async () => {
    const kept = await hashPassword('Zo\u00eb has a long password');
    await expect(isPassword('Zoe\u0308 has a long password', kept)).resolves.toBe(true);
    await expect(hashPassword('Zo\u00eb has a long password')).resolves.not.toBe(kept);
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  });

  it('does the same work for an e-mail address without a user', async () => {
    const verify = jest.spyOn(argon2, 'verify').mockResolvedValue(true);
    await expect(isPassword('x', null)).resolves.toBe(false);
    expect(verify).toHaveBeenCalledWith(expect.stringMatching(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/), 'x');
  });

  it('works on four at once, lets 64 wait, and refuses the next with 503', async () => {
    const argon = countArgon();
    const people = Array.from({ length: 68 }, () => isPassword('x', 'kept'));
    await expect(isPassword('x', 'kept')).rejects.toMatchObject({ status: 503, code: 'busy', retryAfter: 2 });
    expect(argon.running()).toBe(4);
    await argon.finishAll();
    await expect(Promise.all(people)).resolves.toEqual(Array(68).fill(true));
  });

  it('lets no newcomer pass the next one in line', async () => {
    const argon = countArgon();
    const people = Array.from({ length: 40 }, () => isPassword('x', 'kept'));
    for (let moment = 0; moment < 20; moment += 1) {
      argon.finishOne();
      // Each newcomer comes one step later into the moments in which a turn changes hands.
      for (let step = 0; step < moment; step += 1) {
        await Promise.resolve();
      }
      people.push(isPassword('x', 'kept'));
      await new Promise(setImmediate);
      expect(argon.running()).toBe(4);
    }
    await argon.finishAll();
    await expect(Promise.all(people)).resolves.toEqual(Array(60).fill(true));
  });

  it('gives its turn back when the work fails', async () => {
    jest.spyOn(argon2, 'verify').mockRejectedValue(new Error('out of memory'));
    for (let count = 0; count < 10; count += 1) {
      await expect(isPassword('x', 'kept')).rejects.toThrow('out of memory');
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

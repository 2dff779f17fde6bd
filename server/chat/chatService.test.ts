import { createHmac } from 'node:crypto';
import { retried } from './chat';
import { openStreamDoor } from './streamDoor';

describe('retried', () => {
  describe('what is tried again', () => {
    const pauses: number[] = [];
    const wait = (ms: number): Promise<void> => {
      pauses.push(ms);
      return Promise.resolve();
    };
    beforeEach(() => {
      pauses.length = 0;
    });

    it('is done once if it succeeds at once', async () => {
      const work = jest.fn(() => Promise.resolve());
      await expect(retried(work, () => false, wait)).resolves.toBe(true);
      expect(work).toHaveBeenCalledTimes(1);
      expect(pauses).toEqual([]);
    });

    it('waits longer each time until it succeeds', async () => {
      const work = jest.fn<Promise<void>, []>(() => Promise.resolve());
      work.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down'));
      await expect(retried(work, () => false, wait)).resolves.toBe(true);
      expect(pauses).toEqual([5_000, 30_000]);
    });

    it('is given up after just over half an hour', async () => {
      const work = jest.fn(() => Promise.reject(new Error('down')));
      await expect(retried(work, () => false, wait)).resolves.toBe(false);
      expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(1_955_000);
    });

    it('is given up once it is no longer wanted', async () => {
      const work = jest.fn(() => Promise.reject(new Error('down')));
      await expect(retried(work, () => pauses.length === 1, wait)).resolves.toBe(false);
      expect(work).toHaveBeenCalledTimes(1);
    });
  });
});

describe('streamDoor', () => {
  const secret = 'a secret of the chat service';

  describe('a token of the chat service', () => {
    it('is made without a call, signed with the secret, and holds its user, start and expiry', async () => {
      const door = await openStreamDoor({ key: 'abc123', secret });
      const [head = '', body = '', signature] = door.createToken(7, 1_777_629_600, 1_777_633_200).split('.');
      expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
        user_id: 'u-7',
        iat: 1_777_629_600,
        exp: 1_777_633_200,
      });
      expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url'));
    });
  });
});

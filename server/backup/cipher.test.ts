import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { backupKeys } from './cipher';

const key = Buffer.alloc(32, 1);
const salt = Buffer.alloc(32, 2).toString('base64url');
const keys = backupKeys(key, salt);
const part = 65_536;
const sealedPart = part + 16;

const encrypted = (plain: Buffer, name = 'patients', pieces = [plain]): Promise<Buffer> =>
  buffer(Readable.from(pieces).pipe(keys.encrypt(name)));
const decrypted = async (bytes: Buffer, name = 'patients', by = keys): Promise<Buffer> => {
  const stream = by.decrypt(name);
  const source = Readable.from([bytes]);
  source.pipe(stream);
  return await buffer(stream);
};
const plainOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, place) => place % 251));

describe('an encrypted file', () => {
  it.each([
    ['whose byte was changed', (bytes: Buffer) => bytes.fill(bytes.readUInt8(9) ^ 1, 9, 10)],
    ['whose last byte is missing', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['that ends after a part', (bytes: Buffer) => bytes.subarray(0, sealedPart)],
    ['that goes on after its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)])],
    [
      'whose parts were exchanged',
      (bytes: Buffer) =>
        Buffer.concat([
          bytes.subarray(sealedPart, 2 * sealedPart),
          bytes.subarray(0, sealedPart),
          bytes.subarray(2 * sealedPart),
        ]),
    ],
    ['that is empty', () => Buffer.alloc(0)],
  ])('is refused %s', async (_, change) => {
    const bytes = await encrypted(plainOf(2 * part + 5));
    await expect(decrypted(change(Buffer.from(bytes)))).rejects.toThrow('The backup is damaged');
  });

  it('is refused under another name, with another key, and with another backup’s salt', async () => {
    const bytes = await encrypted(plainOf(100));
    await expect(decrypted(bytes, 'users')).rejects.toThrow('The backup is damaged');
    for (const other of [backupKeys(Buffer.alloc(32, 3), salt), backupKeys(key, salt.replace('A', 'B'))]) {
      await expect(decrypted(bytes, 'patients', other)).rejects.toThrow('The backup is damaged');
    }
  });

  it.each([0, 1, part - 1, part, part + 1, 3 * part])(
    'of %i bytes is the same when it is read back',
    async (length) => {
      const plain = plainOf(length);
      const pieces = [plain.subarray(0, 10), plain.subarray(10, part + 3), plain.subarray(part + 3)];
      const bytes = await encrypted(
        plain,
        'patients',
        pieces.filter((piece) => piece.length > 0),
      );
      expect(bytes.length).toBe(length + 16 * Math.max(1, Math.ceil(length / part)));
      expect((await decrypted(bytes)).equals(plain)).toBe(true);
    },
  );
});

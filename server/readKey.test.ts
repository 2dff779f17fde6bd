import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readKey } from './readKey';

describe('a key of the operator', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'wardlight-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const read = async (text: string): Promise<Buffer> => {
    const file = path.join(folder, 'some.key');
    await writeFile(file, text);
    return await readKey(file, 'SOME_KEY_FILE');
  };

  it.each(['', 'secret', 'ab'.repeat(31), 'ab'.repeat(33), Buffer.alloc(31).toString('base64')])(
    'is not %j, and the error does not repeat it',
    async (text) => {
      const failed = await read(text).catch((error: unknown) => String(error));
      expect(failed).toContain('The file of SOME_KEY_FILE holds no key');
      expect(text === '' || !String(failed).includes(text)).toBe(true);
    },
  );

  it('has 32 bytes in base 16 or 64', async () => {
    await expect(read(`${'AB'.repeat(32)}\n`)).resolves.toEqual(Buffer.alloc(32, 0xab));
    await expect(read(Buffer.alloc(32, 0xab).toString('base64'))).resolves.toEqual(Buffer.alloc(32, 0xab));
  });
});

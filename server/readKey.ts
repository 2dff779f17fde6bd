import { readFile } from 'node:fs/promises';

/**
 * Reads a key of the operator: 32 bytes in base 16 or 64. Rejects if the file cannot be read or holds something else;
 * the error names the variable that names the file, and never repeats what is in it.
 */
export async function readKey(file: string, variable: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    throw new Error(`The file of ${variable} cannot be read`);
  }
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== 32) {
    throw new Error(`The file of ${variable} holds no key: make one with "openssl rand -hex 32"`);
  }
  return key;
}

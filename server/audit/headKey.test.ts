import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeTestFolder } from '../../test/testFolder';
import { headKey, isSigned, publicHalf, signHead } from './headKey';

const head = { id: 7, hash: 'ab'.repeat(32) };

describe('the key of the audit’s heads', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder('head-key');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['no key', 'hello'],
    ['a key of another kind', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ])('is not replaced where its file holds %s', (_, text) => {
    const file = join(folder, 'audit-head.pem');
    writeFileSync(file, text);
    expect(() => headKey(folder)).toThrow();
    expect(readFileSync(file, 'utf8')).toBe(String(text));
  });

  it('is made once, for its owner alone', () => {
    const made = publicHalf(headKey(folder));
    expect(publicHalf(headKey(folder))).toBe(made);
    expect(statSync(join(folder, 'audit-head.pem')).mode & 0o777).toBe(0o600);
  });

  it('signs a head that no one can change or pass off as another’s', () => {
    const key = headKey(folder);
    const known = publicHalf(key);
    const signature = signHead(key, head);
    expect(isSigned(known, head, signature)).toBe(true);
    expect(isSigned(known, { ...head, id: 8 }, signature)).toBe(false);
    expect(isSigned(known, { ...head, hash: 'ac'.repeat(32) }, signature)).toBe(false);
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(isSigned(known, head, signHead(other, head))).toBe(false);
    expect(isSigned(publicHalf(other), head, signature)).toBe(false);
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, text) => !isSigned(key, head, text) && !isSigned(known, head, text)),
      { numRuns: 200 },
    );
  });
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intendedUse, intendedUseVersion } from './intendedUse';

it('is in the README in the same words', () => {
  // The README wraps its lines.
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8').replace(/\s+/g, ' ');
  expect(readme).toContain(intendedUse.map((point, index) => `${index + 1}. ${point} `).join(''));
});

// If the meaning changes, raise the version, so that administrators are asked again; else replace the digest.
it('is the text of its version', () => {
  const digests: Readonly<Record<number, string>> = {
    1: '4b6fca7f3043957e698d42c9eadfef69dd2e797c5adc76aab4c643d81247638b',
  };
  expect(createHash('sha256').update(intendedUse.join('\n')).digest('hex')).toBe(digests[intendedUseVersion]);
});

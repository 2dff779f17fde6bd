import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intendedUse, intendedUseVersion } from './intendedUse';

it('is in the README in the same words', () => {
  // The README wraps its lines.
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8').replace(/\s+/g, ' ');
  expect(readme).toContain(intendedUse.map((point, index) => `${index + 1}. ${point} `).join(''));
});

it('is the text of its version: another text that has to be accepted again takes the next version, and a slip of the pen a new line here', () => {
  const digests: Readonly<Record<number, string>> = {
    1: '8e3f66f831fdf3dc9d2ddc1eeb29ecd9ce2d294b10173df8567028bea9b397fc',
  };
  expect(createHash('sha256').update(intendedUse.join('\n')).digest('hex')).toBe(digests[intendedUseVersion]);
});

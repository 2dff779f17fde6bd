import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intendedUse } from './intendedUse';

it('stands in the README in the same words', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  expect(readme).toContain(intendedUse.map((point, index) => `${index + 1}. ${point}\n`).join(''));
});

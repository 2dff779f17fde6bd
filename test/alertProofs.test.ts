import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const rows = [
  ...readFileSync(join(root, 'docs/alerts/proofs.md'), 'utf8').matchAll(/^\|.+\| `([\w./]+)`: (.+?) +\|$/gm),
].map(([, file = '', title = '']) => [file, title] as const);

describe('docs/alerts/proofs.md', () => {
  it('has a test for every case', () => {
    expect(rows.length).toBeGreaterThan(45);
  });

  it.each(rows)('names the test of %s that %s', (file, title) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const [coverage = ''] = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8').split('## Deviations');
/** Returns one text for each item of a list, however many lines it has. */
const items = coverage
  .split(/\n- /)
  .slice(1)
  .map((item) => item.split(/\n\n/)[0]?.replace(/\s+/g, ' ') ?? '');
const filesIn = (text: string): string[] => [...text.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, path = '']) => path);
const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path);

describe('docs/spec-coverage.md', () => {
  it('has an item for each thing that the specification says', () => {
    expect(items.length).toBeGreaterThan(80);
  });

  it('names files that exist', () => {
    expect(filesIn(coverage).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names a test for everything that is built, and a test alone for nothing', () => {
    const unproved = items.filter((item) => {
      const [where = '', proof = ''] = item.split('Proved by');
      return filesIn(where).length > 0 !== filesIn(proof).some(isTest) || filesIn(where).some(isTest);
    });
    expect(unproved).toEqual([]);
  });
});

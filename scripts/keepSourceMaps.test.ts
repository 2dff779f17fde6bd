import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateModule } from '../test/evaluateModule';
import { makeTestFolder } from '../test/testFolder';

describe('the source maps of the pages', () => {
  let root: string;
  const served = (path: string): string => join(root, 'static', path);
  const kept = (path: string): string => join(root, 'source-maps', path);

  beforeEach(() => {
    root = makeTestFolder('maps');
    mkdirSync(served('chunks'), { recursive: true });
    mkdirSync(kept('old'), { recursive: true });
    writeFileSync(served('chunks/a.js'), 'const a="//# sourceMappingURL=x";\n\n//# sourceMappingURL=0.js.map');
    writeFileSync(served('chunks/0.js.map'), '{"version":3}');
    writeFileSync(served('chunks/b.css'), '.b{}\n/*# sourceMappingURL=b.css.map*/');
    writeFileSync(served('chunks/b.css.map'), '{"version":3}');
    writeFileSync(served('c.js'), 'const c=1;');
    writeFileSync(served('d.js'), 'const d=1;\n//# sourceMappingURL=away.js.map\n');
    writeFileSync(kept('old/z.js.map'), '{}');
    evaluateModule('keepSourceMaps.mjs', `it.keepSourceMaps(...${JSON.stringify([served(''), kept('')])}) ?? null`);
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('are not served, and no served file names one', () => {
    expect(readdirSync(served(''), { recursive: true }).toSorted()).toEqual([
      'c.js',
      'chunks',
      'chunks/a.js',
      'chunks/b.css',
      'd.js',
    ]);
    expect(readFileSync(served('chunks/a.js'), 'utf8')).toBe('const a="//# sourceMappingURL=x";\n');
    expect(readFileSync(served('chunks/b.css'), 'utf8')).toBe('.b{}');
    expect(readFileSync(served('c.js'), 'utf8')).toBe('const c=1;');
    expect(readFileSync(served('d.js'), 'utf8')).toBe('const d=1;');
  });

  it('are kept, each beside the script that names it, without those of the build before', () => {
    expect(readdirSync(kept(''), { recursive: true }).toSorted()).toEqual(['chunks', 'chunks/0.js.map', 'chunks/a.js']);
    expect(readFileSync(kept('chunks/a.js'), 'utf8')).toContain('sourceMappingURL=0.js.map');
    expect(existsSync(kept('old'))).toBe(false);
  });
});

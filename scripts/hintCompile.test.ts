import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateModule } from '../test/evaluateModule';
import { makeTestFolder } from '../test/testFolder';

it('a script is compiled while it loads, and its source map knows the line that says so', () => {
  const root = makeTestFolder('hint');
  const file = (path: string): string => join(root, path);
  for (const folder of ['served/chunks', 'kept/chunks']) {
    mkdirSync(file(folder), { recursive: true });
  }
  writeFileSync(file('served/chunks/a.js'), 'const a=1;\n');
  writeFileSync(file('served/chunks/b.js'), 'const b=1;');
  writeFileSync(file('served/chunks/a.css'), '.a{}');
  writeFileSync(file('kept/chunks/a.js'), 'const a=1;\n\n//# sourceMappingURL=0.js.map');
  writeFileSync(file('kept/chunks/0.js.map'), '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}');
  evaluateModule('hintCompile.mjs', `it.hintCompile(...${JSON.stringify([file('served'), file('kept')])}) ?? null`);
  const texts = ['served/chunks/a.js', 'served/chunks/b.js', 'kept/chunks/a.js', 'served/chunks/a.css'].map((path) =>
    readFileSync(file(path), 'utf8'),
  );
  const [served, alone, kept, styles] = texts;
  expect(served).toBe('//# allFunctionsCalledOnLoad\nconst a=1;\n');
  expect(alone).toBe('//# allFunctionsCalledOnLoad\nconst b=1;');
  expect(kept).toMatch(/^\/\/# allFunctionsCalledOnLoad\nconst a=1;\n\n\/\/# sourceMappingURL=0.js.map$/);
  expect(styles).toBe('.a{}');
  expect(readFileSync(file('kept/chunks/0.js.map'), 'utf8')).toBe(
    '{"version":3,"sources":["a.ts"],"mappings":";AAAA"}',
  );
  rmSync(root, { recursive: true });
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { evaluateModule } from '../test/evaluateModule';

const root = join(__dirname, '..');
const rows = z.record(z.string(), z.array(z.string())).parse(evaluateModule('specRows.mjs', 'it.specRows'));
const specs = readdirSync(join(root, 'e2e')).flatMap((file) => /^(\w+)\.spec\.ts$/.exec(file)?.[1] ?? []);
const specsOf = (...files: string[]): unknown => evaluateModule('specRows.mjs', `it.specsOf(${JSON.stringify(files)})`);

describe('the specs of a feature', () => {
  it('are named for the folder of every feature', () => {
    const folders = ['components', 'lib', 'server', 'store'].flatMap((room) =>
      readdirSync(join(root, room), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? entry.name : [],
      ),
    );
    expect(folders.filter((folder) => !(folder in rows))).toEqual([]);
  });

  it('are all there are, and each is there', () => {
    const named = new Set(Object.values(rows).flat());
    expect(specs.filter((spec) => !named.has(spec))).toEqual([]);
    expect([...named].filter((spec) => !existsSync(join(root, 'e2e', `${spec}.spec.ts`)))).toEqual([]);
  });
});

describe('a change', () => {
  it.each([
    ['of a feature’s component', ['components/alerts/AlertList.tsx'], ['alertPath', 'alerts', 'intendedUse']],
    ['of a feature’s hook', ['hooks/useAlerts.ts'], ['alertPath', 'alerts', 'intendedUse']],
    ['of a spec', ['e2e/chat.spec.ts'], ['chat']],
    ['of what every page has', ['pages/_app.tsx'], ['dashboard', 'firstWard', 'hostile']],
    ['of two features', ['server/chat/token.ts', 'lib/demo/x.ts'], ['chat', 'demo']],
    ['of a test, a document or a script', ['server/chat/chat.test.ts', 'docs/chat.md', 'scripts/chat.mjs'], []],
  ])('%s runs its specs', (_, files, expected) => {
    expect(specsOf(...files)).toEqual(expected);
  });
});

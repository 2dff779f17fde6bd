import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import format from '../.oxfmtrc.json';
import { evaluateModule } from '../test/evaluateModule';
import { makeTestFolder } from '../test/testFolder';

describe('the failed tests of a run', () => {
  const evaluate = (expression: string): unknown => evaluateModule('failedTests.mjs', expression);

  it('are none if neither jest nor Playwright wrote a report', () => {
    expect(evaluate(`[it.jestFailures(null, '/w'), it.playwrightFailures(null)]`)).toEqual([[], []]);
  });

  it('are named with their files and messages, as are files that could not start', () => {
    const test = (fullName: string, status: string, failureMessages: string[] = []) => ({
      fullName,
      status,
      failureMessages,
    });
    const report = {
      testResults: [
        {
          name: '/w/lib/a.test.ts',
          status: 'failed',
          assertionResults: [
            test('a rises', 'failed', ['\u001B[31mwrong\u001B[39m\n\n  by 1']),
            test('a falls', 'passed'),
          ],
        },
        { name: '/w/lib/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
        { name: '/w/lib/c.test.ts', status: 'passed', assertionResults: [test('c rises', 'passed')] },
      ],
    };
    expect(evaluate(`it.jestFailures(${JSON.stringify(report)}, '/w')`)).toEqual([
      'lib/a.test.ts: a rises (wrong | by 1)',
      'lib/b.test.ts: could not start (no such module)',
    ]);
  });

  it('include those of groups in a spec, and those that passed only at a second try', () => {
    const failed = { error: { message: 'not visible', location: { line: 7 } } };
    const spec = (title: string, status: string, results: object[]) => ({ title, tests: [{ status, results }] });
    const report = {
      suites: [
        {
          file: 'a.spec.ts',
          specs: [spec('opens', 'unexpected', [failed]), spec('closes', 'expected', [{}])],
          suites: [
            {
              file: 'a.spec.ts',
              specs: [spec('opens again', 'flaky', [failed, {}]), spec('waits', 'skipped', [])],
            },
          ],
        },
      ],
    };
    expect(evaluate(`it.playwrightFailures(${JSON.stringify(report)})`)).toEqual([
      'e2e/a.spec.ts: opens (line 7: not visible)',
      'e2e/a.spec.ts: opens again (line 7: not visible)',
    ]);
  });
});

describe('hintCompile', () => {
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
});

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

describe('the notices of packages', () => {
  const evaluate = (expression: string): unknown => evaluateModule('sbom.mjs', expression);

  it('name each package once with its version and licence, and say where none is stated', () => {
    const bill = {
      components: [
        { name: 'zod', version: '4.0.0', licenses: [{ license: { id: 'MIT' } }] },
        { name: 'both', version: '2.0.0', licenses: [{ expression: '(MIT OR CC0-1.0)' }] },
        { name: 'silent', version: '1.0.0' },
        { name: 'own', version: '1.0.0', licenses: [{ license: { name: 'SEE LICENSE IN LICENSE' } }] },
      ],
    };
    expect(evaluate(`it.packagesOf(${JSON.stringify(bill)})`)).toEqual([
      { name: 'both', version: '2.0.0', licence: '(MIT OR CC0-1.0)' },
      { name: 'own', version: '1.0.0', licence: 'SEE LICENSE IN LICENSE' },
      { name: 'silent', version: '1.0.0', licence: 'not stated' },
      { name: 'zod', version: '4.0.0', licence: 'MIT' },
    ]);
  });

  it('hold the texts of each package, and say which package has none', () => {
    const packages = [
      { name: 'a', version: '1.0.0', licence: 'MIT' },
      { name: 'b', version: '2.0.0', licence: 'ISC' },
    ];
    const texts = `(name, version) => (name === 'a' ? ['Text of ' + name + ' ' + version] : [])`;
    const notices = evaluate(`it.noticesOf(${JSON.stringify(packages)}, ${texts})`);
    expect(String(notices).split(/\n\n-+\n\n/)).toEqual([
      'Wardlight contains these packages.',
      'a 1.0.0: MIT',
      'Text of a 1.0.0',
      'b 2.0.0: ISC',
      '(The package has no licence file.)\n',
    ]);
  });
});

describe('size', () => {
  const root = join(__dirname, '..');
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = list
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));

  const sizes: { promise: string; file?: string; text: string; lines: number; tokens: number }[] = [
    { promise: 'is nothing when it is empty', text: '', lines: 0, tokens: 0 },
    { promise: 'is without blank lines', text: 'a;\n\n  \t\nb;\n', lines: 2, tokens: 4 },
    { promise: 'is without comments', text: '// a\n/* b */\n/**\n * c\n */\nd;\n', lines: 1, tokens: 2 },
    { promise: 'has a line with a comment beside code', text: 'a; // b\n/* c */ d;\n', lines: 2, tokens: 4 },
    { promise: 'has the code on both sides of a comment', text: 'f(/* a\nb */ c);\n', lines: 2, tokens: 5 },
    { promise: 'has slashes in strings', text: "f('https://a', '/* b */');\n", lines: 1, tokens: 19 },
    { promise: 'is without comments that quote', text: "// don't\na;\n// won't\n", lines: 1, tokens: 2 },
    { promise: 'has slashes in a pattern', text: 'const a = /\\/\\/[/*]/g;\n', lines: 1, tokens: 15 },
    { promise: 'has a division', text: 'a / b / c; // d / e\n', lines: 1, tokens: 6 },
    {
      promise: 'has all but the blank lines and the code’s comments of a template',
      text: 'const a = `// b\n\n  /* c\n  ${d /* e */} // f`;\n',
      lines: 3,
      tokens: 19,
    },
    { promise: 'has a template in a template', text: '`${a(`//${\n// b\nc}`)}`;\n', lines: 2, tokens: 17 },
    { promise: 'has a template in a type', text: 'type A = `${B}//${C}`;\n', lines: 1, tokens: 16 },
    { promise: 'is as large in a string as outside', text: "'a = b + c;';\n", lines: 1, tokens: 9 },
    {
      promise: 'has the text of JSX',
      file: 'a.tsx',
      text: '(\n  <p>\n    a // b /* c */\n  </p>\n);\n',
      lines: 5,
      tokens: 19,
    },
    {
      promise: 'is without comments in JSX and their braces',
      file: 'a.tsx',
      text: '<p>\n  {/* a */}\n  {\n    // b\n  }\n</p>;\n',
      lines: 2,
      tokens: 8,
    },
    { promise: 'has a script’s first line', file: 'a.mjs', text: '#!/usr/bin/env node\na;\n', lines: 2, tokens: 11 },
    {
      promise: 'is without comments in styles',
      file: 'a.css',
      text: '/* a\n * b */\n.c {\n  color: red; /* d */\n}\n',
      lines: 3,
      tokens: 8,
    },
    { promise: 'has strings in styles', file: 'a.css', text: '.a {\n  content: "/* b";\n}\n', lines: 3, tokens: 12 },
    {
      promise: 'is without comments in SQL',
      file: 'a.sql',
      text: "-- a\nselect '--b'; -- c\n/* d\n */\n",
      lines: 1,
      tokens: 7,
    },
    { promise: 'has data', file: 'a.json', text: '{\n  "a": ["//b", 1]\n}\n', lines: 3, tokens: 15 },
  ];

  const places: [promise: string, file: string, place: string | null][] = [
    ['have screens', 'components/alerts/AlertRow.tsx', 'product of alerts'],
    ['have their styles', 'components/alerts/AlertRow.module.css', 'styles of alerts'],
    ['have their tests', 'components/alerts/AlertRow.test.tsx', 'tests of alerts'],
    ['have their hooks', 'hooks/useAlerts.ts', 'product of alerts'],
    ['have their rules', 'lib/alerts/rules.ts', 'product of alerts'],
    ['have their data', 'lib/alerts/rules.json', 'product of alerts'],
    ['have their SQL', 'server/alerts/open.sql', 'product of alerts'],
    ['have their browser specs', 'e2e/alerts.spec.ts', 'tests of alerts'],
    ['have what their tests use', 'test/inventedAlert.ts', 'tests of alerts'],
    ['have what many tests use', 'test/freePort.ts', 'tests of support'],
    ['have what every page uses', 'hooks/useNow.ts', 'product of pages'],
    ['have benches', 'bench/alertDelay.ts', 'bench of bench'],
    ['have scripts', 'scripts/alerts.mjs', 'tooling of tooling'],
    ['have the tests of scripts', 'scripts/alerts.test.ts', 'tests of tooling'],
    ['refuse a folder that no row names', 'lib/weather/alerts.ts', null],
    ['refuse a new room', 'weather/index.ts', null],
    ['refuse a package of ours', 'packages/weather/index.ts', null],
    ['refuse a spec without a feature', 'e2e/weather.spec.ts', null],
    ['refuse a language that is not counted', 'server/alerts/open.py', null],
    ['refuse data outside the rooms', 'weather.json', null],
  ];

  const size = (lines: number, tokens = lines * 10): object => ({ files: 1, lines, tokens });
  const numbers: { promise: string; sizes: object; numbers: object; homeless?: string[]; says: string[] }[] = [
    {
      promise: 'is kept by what has its size',
      sizes: { product: { alerts: size(100) } },
      numbers: { product: { alerts: size(100) } },
      says: [],
    },
    {
      promise: 'is outgrown by one line',
      sizes: { product: { alerts: size(1_101, 11_000) } },
      numbers: { product: { alerts: size(1_100) } },
      says: [
        'product of alerts: 1,101 lines and 11,000 tokens, docs/size.json allows 1,100 and 11,000. Make it smaller.',
      ],
    },
    {
      promise: 'has room for one condition more in a line',
      sizes: { product: { alerts: size(100, 1_010) } },
      numbers: { product: { alerts: size(100) } },
      says: [],
    },
    {
      promise: 'is outgrown by longer lines',
      sizes: { product: { alerts: size(100, 1_011) } },
      numbers: { product: { alerts: size(100) } },
      says: ['product of alerts: 100 lines and 1,011 tokens, docs/size.json allows 100 and 1,000. Make it smaller.'],
    },
    {
      promise: 'is outgrown by tests',
      sizes: { tests: { alerts: size(101) } },
      numbers: { tests: { alerts: size(100) } },
      says: ['tests of alerts: 101 lines'],
    },
    {
      promise: 'has to be lowered when a feature shrinks',
      sizes: { product: { alerts: size(99) } },
      numbers: { product: { alerts: size(100) } },
      says: [
        'product of alerts: 99 lines and 990 tokens, docs/size.json allows 100 and 1,000. Write down what was saved',
      ],
    },
    {
      promise: 'is only a maximum for tests',
      sizes: { tests: { alerts: size(99) } },
      numbers: { tests: { alerts: size(100) } },
      says: [],
    },
    {
      promise: 'holds what moves to a bench or a script',
      sizes: { product: { alerts: size(90) }, bench: { bench: size(105) }, tooling: { tooling: size(105) } },
      numbers: { product: { alerts: size(90) }, bench: { bench: size(100) }, tooling: { tooling: size(100) } },
      says: ['bench of bench: 105 lines', 'tooling of tooling: 105 lines'],
    },
    {
      promise: 'is there for every row and for no other',
      sizes: { product: { alerts: size(1), wall: size(2) } },
      numbers: { product: { alerts: size(1), chat: size(5) } },
      says: [
        'product of chat: 0 lines and 0 tokens, docs/size.json allows 5 and 50. Write down what was saved',
        'product of wall: 2 lines and 20 tokens, docs/size.json allows 0 and 0. Make it smaller.',
      ],
    },
    {
      promise: 'does not excuse a file that belongs nowhere',
      sizes: {},
      numbers: {},
      homeless: ['lib/weather/x.ts'],
      says: ['lib/weather/x.ts belongs to no feature.'],
    },
  ];

  const now = { product: { alerts: size(90, 950), vitals: size(60, 500), tour: size(3), wall: size(7) } };
  const then = { product: { alerts: size(100, 900), vitals: size(50, 600), chat: size(5), wall: size(7) } };

  const sizeSchema = z.object({ files: z.number(), lines: z.number(), tokens: z.number() });
  const texts = z.array(z.string());
  /** All that is asked of the script, in one process, because it loads a compiler. */
  const found = z
    .object({
      folders: texts,
      excluded: texts,
      sizes: z.array(sizeSchema),
      places: z.array(z.object({ kind: z.string(), feature: z.string() }).nullable()),
      faults: z.array(texts),
      lowered: z.unknown(),
      printed: texts,
      changed: texts,
      brief: texts,
    })
    .parse(
      evaluateModule(
        'size.mjs',
        `((files, sizes, places, numbers, now, then) => ({
        folders: it.features.map(([, folders]) => folders),
        excluded: files.filter(it.isExcluded),
        sizes: sizes.map(({ file = 'a.ts', text }) => it.sizeOf(file, text)),
        places: places.map(([, file]) => it.placeOf(file)),
        faults: numbers.map(({ sizes, homeless = [], numbers }) => it.faultsOf({ sizes, homeless }, numbers)),
        lowered: it.lowered(now, then),
        printed: it.format(now),
        changed: it.format(it.difference(now, then), { isSigned: true }),
        brief: it.format(now, { isBrief: true }),
      }))(${[files, sizes, places, numbers, now, then].map((argument) => JSON.stringify(argument)).join(', ')})`,
      ),
    );

  describe('the size of a file', () => {
    it.each(sizes.map(({ promise, lines, tokens }, index) => ({ promise, lines, tokens, index })))(
      '$promise',
      ({ lines, tokens, index }) => {
        expect(found.sizes[index]).toEqual({ files: 1, lines, tokens });
      },
    );

    it('is counted of a tree that is formatted at width 120', () => {
      expect(format.printWidth).toBe(120);
    });
  });

  describe('the features', () => {
    it.each(places.map(([promise, , place], index) => ({ promise, place, index })))('$promise', ({ place, index }) => {
      const is = found.places[index] ?? null;
      expect(is === null ? null : `${is.kind} of ${is.feature}`).toBe(place);
    });

    it('share no folder, and name none that is not there', () => {
      const folders = found.folders.flatMap((text) => text.split(' ').filter(Boolean));
      expect(folders.filter((folder, index) => folders.indexOf(folder) !== index)).toEqual([]);
      const there = new Set(files.map((file) => /^(?:components|lib|server|store)\/(\w+)\//.exec(file)?.[1]));
      expect(folders.filter((folder) => !there.has(folder))).toEqual([]);
    });

    it('lack nothing but prose, pictures and this list', () => {
      expect(found.excluded.filter((file) => !/\.(md|webp|svg|ico)$/.test(file)).sort()).toEqual([
        '.ci/run',
        '.editorconfig',
        '.env.example',
        '.git-blame-ignore-revs',
        '.gitattributes',
        '.gitignore',
        '.npmrc',
        '.oxfmtrc.json',
        'LICENSE',
        'docs/size.json',
        'knip.json',
        'package-lock.json',
        'package.json',
        'test/mutants.tsv',
        'test/powerLoss.c',
        'tsconfig.json',
      ]);
    });
  });

  describe('a number', () => {
    it.each(numbers.map(({ promise, says }, index) => ({ promise, says, index })))('$promise', ({ says, index }) => {
      expect(found.faults[index]).toEqual(says.map((text): unknown => expect.stringContaining(text)));
    });

    it('falls with its row, never rises by itself, and is made for a new row', () => {
      expect(found.lowered).toEqual({
        product: {
          alerts: { lines: 90, tokens: 900 },
          vitals: { lines: 50, tokens: 500 },
          tour: { lines: 3, tokens: 30 },
          wall: { lines: 7, tokens: 70 },
        },
      });
    });
  });

  describe('what is printed', () => {
    const tidy = (lines: string[]): string[] => lines.map((line) => line.replace(/ +/g, ' '));

    it('has a line for each row and for the sums', () => {
      expect(tidy(found.printed)).toEqual([
        'product alerts 1 files 90 lines 950 tokens',
        'product vitals 1 files 60 lines 500 tokens',
        'product tour 1 files 3 lines 30 tokens',
        'product wall 1 files 7 lines 70 tokens',
        'product all 4 files 160 lines 1,550 tokens',
        'all 4 files 160 lines 1,550 tokens',
      ]);
    });

    it('is only what changed since a commit', () => {
      expect(tidy(found.changed)).toEqual([
        'product alerts 0 files -10 lines +50 tokens',
        'product vitals 0 files +10 lines -100 tokens',
        'product chat -1 files -5 lines -50 tokens',
        'product tour +1 files +3 lines +30 tokens',
        'product all 0 files -2 lines -70 tokens',
        'all 0 files -2 lines -70 tokens',
      ]);
    });

    it('is only the sums where there is little room', () => {
      expect(tidy(found.brief)).toEqual([
        'product all 4 files 160 lines 1,550 tokens',
        'all 4 files 160 lines 1,550 tokens',
      ]);
    });
  });
});

describe('the slowest files of a run', () => {
  const evaluate = (expression: string): unknown => evaluateModule('slowestFiles.mjs', expression);

  it('are none if neither jest nor Playwright wrote a report', () => {
    expect(evaluate(`[it.jestSeconds(null, '/w'), it.playwrightSeconds(null), it.formatSlowest([])]`)).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('have the seconds that jest says', () => {
    const report = { testResults: [{ name: '/w/lib/a.test.ts', startTime: 1_000, endTime: 3_500 }] };
    expect(evaluate(`it.jestSeconds(${JSON.stringify(report)}, '/w')`)).toEqual([
      { file: 'lib/a.test.ts', seconds: 2.5 },
    ]);
  });

  it('have the seconds of all tests of a spec, those in groups included', () => {
    const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
    const report = { suites: [{ file: 'a.spec.ts', specs: [spec(1_000)], suites: [{ specs: [spec(2_000)] }] }] };
    expect(evaluate(`it.playwrightSeconds(${JSON.stringify(report)})`)).toEqual([
      { file: 'e2e/a.spec.ts', seconds: 3 },
    ]);
  });

  it('are ten lines, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ file: `f${index}`, seconds: index }));
    const lines = evaluate(`it.formatSlowest(${JSON.stringify(files)})`) as string[];
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('   11.0 s  f11');
  });
});

describe('specRows', () => {
  const root = join(__dirname, '..');
  const rows = z.record(z.string(), z.array(z.string())).parse(evaluateModule('specRows.mjs', 'it.specRows'));
  const specs = readdirSync(join(root, 'e2e')).flatMap((file) => /^(\w+)\.spec\.ts$/.exec(file)?.[1] ?? []);
  const specsOf = (...files: string[]): unknown =>
    evaluateModule('specRows.mjs', `it.specsOf(${JSON.stringify(files)})`);

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
});

describe('start', () => {
  /*
   * The real scripts in a project of stubs: an npm that notes how it was called and "installs" a bundler and a Next
   * that do the same, and a server that says where it runs.
   */
  const server = `
  const { appendFileSync, readFileSync } = require('node:fs');
  if (process.env.STAY !== undefined) {
    setInterval(() => {}, 1000);
    const stop = () => { console.log('server stopped'); process.exit(7); };
    process.on('SIGTERM', stop).on('disconnect', stop);
  }
  console.log('server', process.execArgv, process.env.NODE_ENV, process.env.SITE_NAME, process.argv.slice(2).join(' '));
  const how = process.env.ENDS?.split(',');
  if (how !== undefined) {
    appendFileSync('starts', '.');
    const end = how[readFileSync('starts', 'utf8').length - 1] ?? '0';
    end.startsWith('SIG') ? process.kill(process.pid, end) : process.exit(Number(end));
  }
`;
  const bundler = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  exports.buildSync = ({ outfile }) => {
    mkdirSync(require('node:path').dirname(outfile), { recursive: true });
    writeFileSync(outfile, ${JSON.stringify(server)});
  };
`;
  const builder = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('calls', 'next ' + process.argv.slice(2).join(' ') + ' ' + process.env.NODE_ENV + '\\n');
  mkdirSync('.next/static/chunks', { recursive: true });
  writeFileSync('.next/static/chunks/a.js', 'one');
  writeFileSync('.next/static/font.woff2', 'one');
  process.exitCode = Number(process.env.BUILD_CODE ?? 0);
`;
  const npm = `#!/bin/sh
echo "npm $* NODE_ENV=$NODE_ENV" >> calls
[ -z "$INSTALL_CODE" ] || exit "$INSTALL_CODE"
mkdir -p node_modules && cp -r packages/. node_modules
`;

  let project: string;

  const path = (name: string): string => join(project, name);
  function write(name: string, text: string): void {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'wardlight-start-'));
    cpSync(__dirname, path('scripts'), { recursive: true });
    write('scripts/antd-css.mjs', '');
    write('package-lock.json', '{}');
    write('pages/index.tsx', 'one');
    write('server/main.ts', 'one');
    write('packages/esbuild/index.js', bundler);
    write('packages/next/dist/bin/next', builder);
    write('bin/npm', npm);
    chmodSync(path('bin/npm'), 0o755);
  });

  afterEach(() => {
    rmSync(project, { recursive: true });
  });

  function environment(env: Record<string, string> = {}): NodeJS.ProcessEnv {
    return { PATH: `${path('bin')}:${process.env.PATH}`, NODE_ENV: 'production', ...env };
  }

  function start(
    args: string[] = [],
    env: Record<string, string> = {},
    serverArgs: string[] = [],
  ): { code: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...args, path('scripts/start.mjs'), ...serverArgs],
      {
        cwd: tmpdir(),
        env: environment(env),
        encoding: 'utf8',
      },
    );
    return { code: status, output: stdout + stderr };
  }

  /** Returns the calls of npm and Next since the last one. */
  function calls(): string[] {
    const said = existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8').trimEnd().split('\n') : [];
    rmSync(path('calls'), { force: true });
    return said;
  }

  const install = 'npm ci --include=dev --loglevel=error NODE_ENV=';
  const build = 'next build production';

  describe('npm start', () => {
    it('refuses a Node that is too old, in one clear line', () => {
      const versions = `{value:{...process.versions,node:'20.18.3'}}`;
      const old = `data:text/javascript,Object.defineProperty(process,'versions',${versions})`;
      const { code, output } = start(['--import', old]);
      expect(code).toBe(1);
      expect(output).toMatch(/^Wardlight needs Node 20\.19 or newer.*\n$/);
      expect(calls()).toEqual([]);
    });

    it('explains itself, and neither installs nor builds', () => {
      const { code, output } = start([], {}, ['--help']);
      expect(output).toContain('npm start [-- --demo]');
      expect(code).toBe(0);
      expect(calls()).toEqual([]);
    });

    it.each([
      ['--demos', "Unknown option '--demos'"],
      ['--demo=yes', '--demo'],
      ['demo', "Unexpected argument 'demo'"],
    ])('refuses %s with 2 and its usage, and neither installs nor builds', (word, says) => {
      const { code, output } = start([], {}, [word]);
      expect(output).toContain(says);
      expect(output).toContain('npm start [-- --demo]');
      expect(code).toBe(2);
      expect(calls()).toEqual([]);
    });

    it('starts nothing after an install that failed, and passes its code on', () => {
      const { code, output } = start([], { INSTALL_CODE: '5' });
      expect(code).toBe(5);
      expect(output).not.toContain('server');
      expect(calls()).toEqual([install]);
    });

    it('starts nothing after a build that failed, and builds again the next time', () => {
      const { code, output } = start([], { BUILD_CODE: '6' });
      expect(code).toBe(6);
      expect(output).not.toContain('server ');
      expect(calls()).toEqual([install, build]);
      expect(start().code).toBe(0);
      expect(calls()).toEqual([build]);
    });

    it('installs the development packages too, builds for production, and runs the server with its options', () => {
      const { code, output } = start(['--stack-size=900']);
      expect(calls()).toEqual([install, build]);
      expect(output).toContain(`server [ '--stack-size=900' ] production`);
      expect(code).toBe(0);
    });

    it.each(['1', '0'])('starts no server again that ended by itself with %s, and passes the code on', (end) => {
      const { code, output } = start([], { ENDS: end });
      expect([code, output.match(/^server /gm)?.length]).toEqual([Number(end), 1]);
    });

    it('starts the server again after a fault, and after a crash', () => {
      const { code, output } = start([], { ENDS: '70,SIGKILL,3' });
      expect(output.match(/^server .*|^Wardlight .*/gm)?.map((line) => line.split(' ')[0])).toHaveLength(5);
      expect(output).toContain('Wardlight ended by a fault and is started again');
      expect(output).toContain('Wardlight ended by signal 9 and is started again');
      // A process that was killed left no mark of its own.
      expect(output.match(/^server .*/gm)?.map((line) => line.includes('--after-crash'))).toEqual([false, true, true]);
      expect(code).toBe(3);
    });

    it('says how to pass on an option that npm took for itself, and starts nothing', () => {
      const { code, output } = start([], { npm_config_demo: 'true' });
      expect([code, output]).toEqual([2, 'npm took --demo for itself. Write npm start -- --demo\n']);
      expect(calls()).toEqual([]);
    });

    it('starts a server again until its store can be used, however often', () => {
      const { code, output } = start([], { ENDS: '75,75,0' });
      expect([code, output.match(/^server /gm)?.length]).toEqual([0, 3]);
      expect(output.match(/^Wardlight is started again in 2 s$/gm)).toHaveLength(2);
    });

    it('gives up after five starts within ten minutes', () => {
      const { code, output } = start([], { ENDS: '70,70,70,70,70,70,70' });
      expect([code, output.match(/^server /gm)?.length]).toEqual([70, 6]);
      expect(output).toContain('6 times within 10 minutes: it is not started again');
    });

    it('writes a compressed copy beside every text of the pages, and nothing else', () => {
      start();
      const served = readFileSync(path('.next/static/chunks/a.js'), 'utf8');
      expect(served).toBe('//# allFunctionsCalledOnLoad\none');
      expect(gunzipSync(readFileSync(path('.next/static/chunks/a.js.gz'))).toString()).toBe(served);
      expect(existsSync(path('.next/static/font.woff2.gz'))).toBe(false);
    });

    it('runs the steps that a change needs, and none if nothing changed', () => {
      write('components/ui/Age.tsx', 'one');
      start();
      calls();
      expect(start().output).toContain('server');
      expect(calls()).toEqual([]);
      for (const [file, text, expected] of [
        ['package-lock.json', '{"a":1}', [install, build]],
        ['pages/index.tsx', 'two', [build]],
        ['lib/new.ts', 'new', [build]],
        ['next.config.js', 'new', [build]],
        ['server/main.ts', 'two', []],
        ['lib/new.test.ts', 'new', []],
        ['styles/generated/first.css', 'new', []],
      ] as const) {
        write(file, text);
        start();
        expect([file, calls()]).toEqual([file, expected]);
      }
      rmSync(path('components/ui/Age.tsx'));
      start();
      expect(calls()).toEqual([build]);
    });

    it('accepts packages that were installed by hand after the lock file was written', () => {
      cpSync(path('packages'), path('node_modules'), { recursive: true });
      write('node_modules/.package-lock.json', '{}');
      start();
      expect(calls()).toEqual([build]);
    });

    it('does not accept packages that are older than the lock file', () => {
      cpSync(path('packages'), path('node_modules'), { recursive: true });
      write('node_modules/.package-lock.json', '{}');
      utimesSync(path('node_modules/.package-lock.json'), 0, 0);
      start();
      expect(calls()).toEqual([install, build]);
    });

    it('takes from .env what the shell does not set', () => {
      appendFileSync(path('.env'), 'SITE_NAME=North\nNODE_ENV=development\n');
      expect(start().output).toContain('production North');
      expect(start([], { SITE_NAME: 'South' }).output).toContain('production South');
    });

    it('beside a server of this folder replaces nothing that it serves, and builds once it was killed', async () => {
      start();
      const child = spawn(process.execPath, [path('scripts/start.mjs')], { env: environment({ STAY: '1' }) });
      try {
        await once(child.stdout, 'data');
        calls();
        // As long as nothing is to be built another one may start.
        expect(start([], { ENDS: '0' }).code).toBe(0);
        expect(calls()).toEqual([]);
        for (const [file, before, text] of [
          ['package-lock.json', '{}', '{"a":1}'],
          ['pages/index.tsx', 'one', 'two'],
        ] as const) {
          write(file, text);
          const { code, output } = start();
          expect(output).toMatch(/^A Wardlight server runs or is being built in this folder.* stop it first.*\n$/);
          expect([file, code, calls()]).toEqual([file, 1, []]);
          write(file, before);
        }
        write('pages/index.tsx', 'three');
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        expect(start([], { ENDS: '0' }).code).toBe(0);
        expect(calls()).toEqual([build]);
      } finally {
        child.kill('SIGKILL');
      }
    });

    it('passes --demo and a SIGTERM to the server', async () => {
      start();
      const child = spawn(process.execPath, [path('scripts/start.mjs'), '--demo'], { env: environment({ STAY: '1' }) });
      child.stdout.setEncoding('utf8');
      await expect(once(child.stdout, 'data')).resolves.toEqual([expect.stringContaining('--demo')]);
      child.kill('SIGTERM');
      await expect(once(child, 'exit')).resolves.toEqual([7, null]);
    });

    it('kills a server that was to stop and does not end, and does not take that for a crash', async () => {
      const deaf = `process.on('SIGTERM', () => console.log('heard')); console.log('up'); setInterval(() => {}, 1000)`;
      const program =
        `import { keepRunning } from './scripts/keepRunning.mjs'; import { run } from './scripts/run.mjs';` +
        `const args = ['-e', ${JSON.stringify(deaf)}];` +
        `process.exitCode = await keepRunning(() => run('.', process.execPath, args, { killAfterMs: 100 }));`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
      const said: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
      await once(child.stdout, 'data');
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await expect(ended).resolves.toEqual([1, null]);
      expect(said.join('')).toMatch(/^up\nheard\nKilled after 0\.1 s: .*\n$/);
    });

    it('leaves no server behind when it is killed itself', async () => {
      start();
      const child = spawn(process.execPath, [path('scripts/start.mjs')], { env: environment({ STAY: '1' }) });
      const said: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
      await once(child.stdout, 'data');
      const closed = once(child.stdout, 'close');
      child.kill('SIGKILL');
      await closed;
      expect(said.join('')).toContain('server stopped');
    });

    it('stops when npm’s shell dies of a SIGTERM without passing it on', async () => {
      start();
      const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/start.mjs; exit $?`], {
        cwd: project,
        env: environment({ STAY: '1', npm_lifecycle_event: 'start' }),
      });
      const said: string[] = [];
      shell.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
      await once(shell.stdout, 'data');
      const closed = once(shell.stdout, 'close');
      shell.kill('SIGTERM');
      await closed;
      expect(said.join('')).toContain('server stopped');
    });
  });
});

describe('the sums of npm test', () => {
  const evaluate = (expression: string): unknown => evaluateModule('sums.mjs', expression);

  const jestReport = (found: object): string =>
    JSON.stringify({
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 0,
      ...found,
    });
  const playwrightReport = (found: object): string =>
    JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...found } });

  it.each([
    ['jest wrote no report', 'it.jestSums(null, 0)', { passed: 0, failed: 1, skipped: 0 }],
    [
      'jest failed although no test did',
      `it.jestSums(${jestReport({ numPassedTests: 3 })}, 1)`,
      { passed: 3, failed: 1, skipped: 0 },
    ],
    [
      'a test file could not start',
      `it.jestSums(${jestReport({ numPassedTests: 3, numRuntimeErrorTestSuites: 1 })}, 1)`,
      { passed: 3, failed: 1, skipped: 0 },
    ],
    [
      'a test failed and the exit code says so too',
      `it.jestSums(${jestReport({ numPassedTests: 3, numFailedTests: 2 })}, 1)`,
      { passed: 3, failed: 2, skipped: 0 },
    ],
    ['Playwright wrote no report', 'it.playwrightSums(null, 0)', { passed: 0, failed: 1, skipped: 0 }],
    [
      'Playwright failed although no test did',
      `it.playwrightSums(${playwrightReport({ expected: 2 })}, 1)`,
      { passed: 2, failed: 1, skipped: 0 },
    ],
    [
      'a browser test passed at its second try only',
      `it.playwrightSums(${playwrightReport({ expected: 2, flaky: 1 })}, 0)`,
      { passed: 2, failed: 1, skipped: 0 },
    ],
    ['a step ended with a code', 'it.stepSums(2)', { passed: 0, failed: 1, skipped: 0 }],
  ])('count a failure when %s', (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each([
    [
      'skipped and planned tests',
      `it.jestSums(${jestReport({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 })}, 0)`,
      { passed: 3, failed: 0, skipped: 2 },
    ],
    [
      'skipped browser tests',
      `it.playwrightSums(${playwrightReport({ expected: 2, skipped: 1 })}, 0)`,
      { passed: 2, failed: 0, skipped: 1 },
    ],
    ['a step that passed as one', 'it.stepSums(0)', { passed: 1, failed: 0, skipped: 0 }],
    [
      'everything together',
      'it.addSums({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })',
      { passed: 11, failed: 22, skipped: 33 },
    ],
  ])('count %s', (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each([
    ['{ passed: 12, failed: 0, skipped: 0 }', '12 passed, 0 failed'],
    ['{ passed: 12, failed: 1, skipped: 3 }', '12 passed, 1 failed, 3 skipped'],
  ])('are written as one line: %s', (sums, line) => {
    expect(evaluate(`it.formatSums(${sums})`)).toBe(line);
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import format from '../.oxfmtrc.json';
import { evaluateModule } from '../test/evaluateModule';

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

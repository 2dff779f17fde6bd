// Writes antd's rules as files, so that a page is styled before any script runs and the Content-Security-Policy needs
// no style of antd's own. Runs before `next build` and `next dev`. Writes to styles/generated/ (not kept in git), or to
// the folder in its argument: first.css has our own colours and sizes as variables (styles/theme.ts) and what pages
// show of antd at once; it blocks the first paint, so it has a limit and is one file. later.css has what opens later
// (drawers, menus); it loads after the page. The night is only the variables that differ, under [data-theme=dark], and
// for screens alone: a print is always by day. antd repeats its whole palette on every element that it draws. Here it
// is once at the root, because there is one theme and no second provider, and only with the variables that a rule of
// antd's or of ours reads. Of components whose classes only our own elements use, it contains only the rules that can
// match one of those elements.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

// antd's advice to developers does not belong in the output of `npm start`.
process.env.NODE_ENV = 'production';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = process.argv[2] ?? join(root, 'styles/generated');
const firstLimitBytes = 40_000;
const require = createRequire(join(root, 'package.json'));

/** Bundles a file of styles/ for Node inside the project, so that it resolves antd, and returns its exports. */
function load(file) {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/antd-css-'));
  try {
    const outfile = join(folder, 'bundle.cjs');
    buildSync({
      entryPoints: [join(root, 'styles', file)],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'cjs',
    });
    return require(outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { borrowedComponents, dayColors, dayTheme, firstPaintComponents, laterComponents, sizes } = load('theme.ts');
const { nightColors, nightTheme } = load('nightTheme.ts');
const { createElement } = require('react');
const antd = require('antd');
const { extractStyle } = require('@ant-design/static-style-extract');

/** The class that antd sets on every element that it draws. */
const everyElement = `.${dayTheme.cssVar.key}`;

const nothing = () => null;
/**
 * antd without forms of a component that no page imports: they would add their rules, and Modal's panels a theme of
 * their own.
 */
const taken = {
  ...antd,
  Input: Object.assign((props) => createElement(antd.Input, props), {
    ...{ Group: nothing, Search: nothing, OTP: nothing },
    ...{ TextArea: antd.Input.TextArea, Password: antd.Input.Password },
  }),
  Modal: Object.assign((props) => createElement(antd.Modal, props), {
    _InternalPanelDoNotUseOrYouWillBeFired: nothing,
  }),
};

/** Returns all rules of the named components under a theme, as top-level blocks in their order. */
function blocksOf(theme, includes) {
  const customTheme = (node) => createElement(antd.ConfigProvider, { theme: { ...theme, zeroRuntime: false } }, node);
  return topLevelBlocks(extractStyle({ includes: [...includes], antdInstance: taken, customTheme }))
    .filter((block) => !block.startsWith('.data-ant-cssinjs'))
    .map((block) =>
      selectorOf(block) === everyElement && isVariables(block) ? `:root${block.slice(everyElement.length)}` : block,
    );
}

function topLevelBlocks(css) {
  const blocks = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < css.length; index += 1) {
    if (css[index] === '{') {
      depth += 1;
    } else if (css[index] === '}') {
      depth -= 1;
      if (depth === 0) {
        blocks.push(css.slice(start, index + 1));
        start = index + 1;
      }
    }
  }
  return blocks;
}

const isVariables = (block) => /^[^{]*\{\s*--/.test(block);
const selectorOf = (block) => block.slice(0, block.indexOf('{'));
const declarationsOf = (block) =>
  block
    .slice(block.indexOf('{') + 1, -1)
    .split(';')
    .filter(Boolean);
const isVariable = (declaration) => declaration.trim().startsWith('--');
const nameOf = (declaration) => declaration.slice(0, declaration.indexOf(':')).trim();

/** Returns the variables of `night` with another value than in `day`, under the attribute that switches night on. */
function nightBlocks(day, night) {
  const dayRules = new Set(day.filter((block) => !isVariables(block)));
  const stray = night.find((block) => !isVariables(block) && !dayRules.has(block));
  if (stray !== undefined) {
    throw new Error(
      `A rule differs at night beyond its variables, so [data-theme=dark] would miss it: ${stray.slice(0, 200)}`,
    );
  }
  const dayDeclarations = new Map();
  for (const block of day.filter(isVariables)) {
    const known = dayDeclarations.get(selectorOf(block)) ?? [];
    dayDeclarations.set(selectorOf(block), new Set([...known, ...declarationsOf(block)]));
  }
  return night.filter(isVariables).flatMap((block) => {
    const known = dayDeclarations.get(selectorOf(block)) ?? new Set();
    const differing = declarationsOf(block).filter((declaration) => !known.has(declaration));
    const selector = selectorOf(block)
      .split(',')
      .map((part) => (part === ':root' ? ':root[data-theme=dark]' : `[data-theme=dark] ${part}`))
      .join(',');
    return differing.length === 0 ? [] : [`@media screen{${selector}{${differing.join(';')}}}`];
  });
}

const variablesIn = (text) => [...text.matchAll(/var\((--ant-[\w-]+)/g)].map(([, name]) => name);

/**
 * Returns the variables that these rules, or our own style sheets and components, read, also through another variable.
 */
function variablesReadBy(blocks) {
  const read = new Set(
    ['styles', 'components'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(css|tsx?)$/.test(file) && !file.startsWith('generated'))
        .flatMap((file) => variablesIn(readFileSync(join(root, folder, file), 'utf8'))),
    ),
  );
  const declarations = blocks.filter(isVariables).flatMap(declarationsOf);
  // A rule may begin with its own variables and continue with declarations that read others.
  for (const text of [
    ...blocks.filter((each) => !isVariables(each)),
    ...declarations.filter((each) => !isVariable(each)),
  ]) {
    variablesIn(text).forEach((name) => read.add(name));
  }
  // The loop over a set reaches entries that are added meanwhile.
  for (const name of read) {
    declarations
      .filter((each) => nameOf(each) === name)
      .forEach((each) => variablesIn(each).forEach((inner) => read.add(inner)));
  }
  return read;
}

/** Returns the same blocks without the variables that no rule reads. */
function withoutUnread(blocks, read) {
  return blocks.flatMap((block) => {
    if (!isVariables(block)) {
      return [block];
    }
    const kept = declarationsOf(block).filter(
      (declaration) => !isVariable(declaration) || read.has(nameOf(declaration)),
    );
    return kept.length === 0 ? [] : [`${selectorOf(block)}{${kept.join(';')}}`];
  });
}

/** Returns the parts of a selector list; a comma inside brackets separates none. */
function partsOf(selector) {
  const parts = [''];
  let depth = 0;
  for (const sign of selector) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (sign === ',' && depth === 0) {
      parts.push('');
    } else {
      parts[parts.length - 1] += sign;
    }
  }
  return parts;
}

/** Returns the classes of antd's that our own elements use. */
const worn = new Set(
  readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => readFileSync(join(root, 'components', file), 'utf8').match(/\bant-[a-z-]+[a-z]/g) ?? []),
);

/**
 * Returns whether an element of ours may match a rule: not if each part of the selector needs a class that none has.
 */
function mayMatch(block) {
  return (
    block.startsWith('@') ||
    partsOf(selectorOf(block)).some((part) => {
      const asked = part.replace(/:(not|is|where)\([^()]*\)/g, '').match(/(?<=\.)ant-[\w-]+/g) ?? [];
      return asked.every((name) => worn.has(name));
    })
  );
}

/**
 * Returns the blocks, in antd's order, without the rules of borrowed components that no element of ours can match.
 * Components that antd itself draws keep every rule: only antd knows their classes.
 */
function withoutUnworn(blocks, theme, drawn) {
  const kept = new Set(blocksOf(theme, drawn));
  return blocks.filter((block) => kept.has(block) || mayMatch(block));
}

const declare = (values) =>
  Object.entries(values)
    .map(([name, value]) => `--wl-${name}:${value};`)
    .join('');
const tokens = [
  `:root{color-scheme:light;${declare({ ...sizes, ...dayColors })}}`,
  `@media screen{:root[data-theme=dark]{color-scheme:dark;${declare(nightColors)}}}`,
];

/** Returns what pages need of these components under a theme. */
const rulesOf = (theme, drawn) => withoutUnworn(blocksOf(theme, [...drawn, ...borrowedComponents]), theme, drawn);

const all = [...firstPaintComponents, ...laterComponents];
const everyRule = rulesOf(dayTheme, all);
const read = variablesReadBy(everyRule);
const blocksReadOf = (theme, drawn) => withoutUnread(rulesOf(theme, drawn), read);
const firstDay = blocksReadOf(dayTheme, firstPaintComponents);
const firstNight = nightBlocks(firstDay, blocksReadOf(nightTheme, firstPaintComponents));
const allDay = withoutUnread(everyRule, read);
const allNight = nightBlocks(allDay, blocksReadOf(nightTheme, all));

const first = [...firstDay, ...firstNight];
const inFirst = new Set(first);
const later = [...allDay, ...allNight].filter((block) => !inFirst.has(block));

const firstBytes = gzipSync([...tokens, ...first].join('')).length;
if (firstBytes > firstLimitBytes) {
  throw new Error(
    `first.css is ${firstBytes} bytes gzipped, more than ${firstLimitBytes}: ` +
      'move a component to laterComponents in styles/theme.ts',
  );
}
mkdirSync(output, { recursive: true });
writeFileSync(join(output, 'first.css'), [...tokens, ...first].join('\n'));
writeFileSync(join(output, 'later.css'), later.join('\n'));
process.stdout.write(`antd css: first ${firstBytes} bytes gzipped, later ${gzipSync(later.join('')).length}\n`);

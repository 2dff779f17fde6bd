import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'oxlint';

/*
 * The house rules. Each message says what to do instead and why, because its reader has not read this file. A rule's
 * options do not add up across blocks (the last block wins), so `imports()` and `syntax()` build whole lists.
 * Every rule is named here, none comes with a category or a preset, and test/lint.test.ts has a text for each that
 * fails by it. docs/decisions/lint.md says where they come from.
 */

const code = ['**/*.{ts,tsx}'];
const tests = ['**/*.test.{ts,tsx}', 'test/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts'];

/** Modules of a layer are imported by a relative path that leaves one's own: "../../server/env". */
const layer = (...names) => `^(\\.\\./)+(${names.join('|')})(/|$)`;
const packages = (...names) => `^(${names.join('|')})(/|$)`;

const serverPackages = packages(
  'fastify',
  '@fastify',
  'kysely',
  'pg',
  'better-sqlite3',
  'better-sqlite3-node22',
  'pino',
  'prom-client',
  '@node-rs',
);
const pagePackageNames = [
  'react',
  'react-dom',
  'antd',
  'swr',
  'redux',
  'react-redux',
  'redux-saga',
  '@reduxjs',
  'axios',
  'js-cookie',
  'uplot',
];
const pagePackages = packages(...pagePackageNames);
const libBrowserPackageNames = ['axios', 'js-cookie'];
const pagePackagesBesideLibBrowser = packages(
  ...pagePackageNames.filter((name) => !libBrowserPackageNames.includes(name)),
);

const only = {
  axios: {
    regex: packages('axios'),
    message:
      'Only lib/browser/client.ts imports axios: it holds the one client with the XSRF header and the status ' +
      'rule. Call its functions.',
  },
  cookies: {
    regex: packages('js-cookie'),
    message:
      'Cookies are read and written in store/, hooks/ and lib/browser only, so that sign-out knows every place. ' +
      'Ask a hook or a selector.',
  },
  wrapper: {
    regex: packages('next-redux-wrapper'),
    message:
      'Only store/index.ts knows next-redux-wrapper: what HYDRATE may touch is decided, and tested, in that one file.',
  },
  antdInside: {
    group: ['antd/es/**', 'antd/lib/**', 'antd/dist/**', '!antd/*/locale/**'],
    message: 'Import from "antd" itself: a second copy of its modules does not see our theme.',
  },
  antdStatic: {
    regex: '^antd$',
    importNamePattern: '^(message|notification)$',
    message: 'The static message and notification ignore the theme and the nonce: use App.useApp().',
  },
  theme: {
    regex: '^antd$',
    importNamePattern: '^ConfigProvider$',
    message:
      'Only components/ui/AntdTheme.tsx has a ConfigProvider: another one makes its own CSS variables, and the ' +
      'static CSS no longer matches.',
  },
  alias: {
    regex: '^@/',
    message: 'Imports are relative: an alias hides how far a module reaches.',
  },
  tests: {
    regex: layer('test', 'e2e', 'bench'),
    message: 'This is for tests only and is not shipped: move what both need into the layer that owns it.',
  },
};

/** Everywhere except where a block below says otherwise. */
const everywhere = Object.values(only);
const without = (...allowed) => everywhere.filter((rule) => !allowed.includes(rule));

const direction = {
  lib: [
    {
      regex: layer('server', 'store', 'hooks', 'components', 'pages', 'styles', 'simulator'),
      message:
        'lib imports nothing of ours: it is pure and runs on both sides. Pass the value in as an argument, or ' +
        'move this code to the layer that needs it.',
    },
    {
      regex: `${pagePackages}|^next(/|$)`,
      message:
        'lib holds no React, Next or browser state: it must run on the server and in a test as it is. Put this ' +
        'into hooks/, store/ or components/.',
    },
    {
      regex: `^node:|${serverPackages}`,
      allowTypeImports: true,
      message: 'lib does no input or output: it runs in the browser too. Put this into server/ and pass the result in.',
    },
  ],
  server: [
    {
      regex: layer('store', 'hooks', 'components', 'pages', 'styles', 'simulator'),
      message:
        'server imports lib only: Next bundles its own copies of the screens, so nothing would be shared. Move ' +
        'what both need to lib/.',
    },
    {
      regex: pagePackages,
      message: 'This package belongs to the page side: the server answers data and lets Next render it.',
    },
  ],
  simulator: [
    {
      regex: layer('server', 'store', 'hooks', 'components', 'pages', 'styles'),
      message:
        'The simulator imports lib only and speaks to the server through the ingest call, as a device does. Pass ' +
        'in what it needs.',
    },
  ],
  state: [
    {
      regex: layer('server', 'simulator'),
      message:
        'The page side reaches the server through its API only (lib/<word>/calls.ts): what is imported from ' +
        'server/ would be bundled for the browser.',
    },
    {
      regex: layer('components', 'pages'),
      message:
        'store and hooks know no screen: a screen asks them, so that two screens can. Move what both need to lib/.',
    },
    {
      regex: `^node:|${serverPackages}`,
      allowTypeImports: true,
      message: 'This runs in the browser, which has no such module. The work belongs into server/, behind a route.',
    },
  ],
  store: [
    {
      regex: layer('hooks'),
      message: 'store imports lib only: hooks read the store, never the other way round.',
    },
    {
      regex: packages('swr', 'antd'),
      message: 'Server data lives in SWR (hooks/) and never in redux: two copies of a patient’s numbers can disagree.',
    },
  ],
  components: [
    {
      regex: layer('server', 'simulator'),
      message:
        'components reach the server through hooks/ only: what is imported from server/ would be bundled for the ' +
        'browser.',
    },
    {
      regex: layer('pages'),
      message: 'components know no page: pages compose them. Pass what is needed as props.',
    },
    {
      regex: '/lib/browser/client$|^swr(/|$)',
      allowTypeImports: true,
      message:
        'components read data through hooks/: move the call there, because one hook per word gives a table and ' +
        'its chart one key, one response and one error.',
    },
    {
      regex: `^node:|${serverPackages}`,
      allowTypeImports: true,
      message: 'This runs in the browser, which has no such module. The work belongs into server/, behind a route.',
    },
  ],
  pages: [
    {
      regex: layer('server', 'simulator'),
      allowTypeImports: true,
      message:
        'pages take only types from server/: Next bundles its own copy of modules, so a value would not be the ' +
        'server’s. Read it from pageContext(request).',
    },
    {
      regex: '/lib/browser/client$',
      allowTypeImports: true,
      message:
        'pages are thin: they gate, lay out and compose. Data comes from pageContext(request) on the server and ' +
        'from hooks/ in the browser.',
    },
    {
      regex: serverPackages,
      allowTypeImports: true,
      message:
        'pages do not touch storage or HTTP: read what you need from pageContext(request), which is authorised ' +
        'and audited.',
    },
  ],
};

/** The features of the screens, a folder each. What several of them need is in `ui`. */
const words = readdirSync(new URL('components/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** Features that are composed of others. They must not form a circle: `ui` and the features not named here use none. */
const composedOf = {
  alerts: ['vitals'],
  care: ['symptoms'],
  chart: ['care'],
  chat: ['alerts', 'notes'],
  layout: ['breakGlass', 'chat', 'patients', 'reports', 'session', 'sound', 'tour'],
  dashboard: ['alerts', 'patients', 'symptoms', 'vitals'],
  notes: ['handoffs', 'reports'],
  start: ['handoffs'],
  symptoms: ['vitals'],
  patients: ['alerts', 'breakGlass', 'care', 'chart', 'deviceAlarms', 'notes', 'symptoms', 'vitals'],
  profile: ['session'],
  tour: ['alerts'],
  wall: ['layout', 'session', 'sound'],
};
const otherWords = (word) => {
  const used = [...new Set(['ui', word, ...(composedOf[word] ?? [])])];
  return {
    regex: `^(\\.\\./)+(${words.filter((other) => !used.includes(other)).join('|')})(/|$)`,
    message:
      `components/${word} uses ${used.join(', ')} only, so that a word can be changed without reading the others. ` +
      'Move what both need to ui, hooks/ or lib/, or compose the two in a page.',
  };
};

const browserGlobals = [
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'BroadcastChannel',
  'EventSource',
  'matchMedia',
  'requestIdleCallback',
  'requestAnimationFrame',
].map((name) => ({
  name,
  message:
    'lib runs on the server and in a test as well, where there is no browser: take the value as an argument, or ' +
    'put this into lib/browser.',
}));

const imports = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

const banned = {
  defaultExport: {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message:
      'Export by name, so that a thing has one name everywhere. Only pages/ and config files need a default export.',
  },
  modalFunctions: {
    selector: 'MemberExpression[object.name="Modal"][property.name=/^(confirm|info|success|error|warning)$/]',
    message: 'Modal’s static functions ignore the theme and the nonce: use App.useApp().modal.',
  },
  smallControl: {
    selector: 'JSXAttribute[name.name="size"][value.value="small"]',
    message: 'Every control is 40 px high (styles/theme.ts): it is pressed in a hurry.',
  },
  documentCookie: {
    selector:
      'MemberExpression[property.name="cookie"][object.name="document"], ' +
      'MemberExpression[property.name="cookie"][object.property.name="document"]',
    message: 'js-cookie is the only reader and writer of cookies in the page, in store/, hooks/ and lib/browser.',
  },
  clock: {
    selector:
      'CallExpression[callee.object.name="Date"][callee.property.name="now"], ' +
      'NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"]',
    message:
      'This does not read the clock: take `now` as an argument, so that a test can say what time it is and a ' +
      'replay can judge the past.',
  },
  environment: {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message:
      'The environment is parsed once, in server/env.ts, with every fault listed: add the setting there and take ' +
      'it as an argument.',
  },
  chance: {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message:
      'Math.random can be guessed and cannot be repeated: use crypto for secrets, and pass a seed in for anything ' +
      'a test must repeat.',
  },
  // jest/no-test-return-statement of oxlint 1.94 sees `return expect(…).toBe(…)` only.
  testReturn: {
    selector: ['callee.name="it"', 'callee.callee.object.name="it"', 'callee.tag.object.name="it"']
      .map((call) => `CallExpression[${call}] > :function > BlockStatement > ReturnStatement`)
      .join(', '),
    message: 'A test returns nothing: await what it waits for, so that the line that fails is the one that is named.',
  },
  vagueName: {
    selector: 'Program',
    message:
      'Name a file after its main export: utils, helpers, common, manager, service and barrels say nothing and ' +
      'collect everything.',
  },
};
const commonSyntax = [
  banned.defaultExport,
  banned.modalFunctions,
  banned.documentCookie,
  banned.smallControl,
  banned.chance,
];
const testSyntax = commonSyntax.filter((rule) => rule !== banned.defaultExport);
const syntax = (...selectors) => ({ 'house/syntax': ['error', ...selectors] });

/** Names that begin with an underscore are not left out, as oxlint does by itself. */
const noIgnoredNames = { varsIgnorePattern: '^$', argsIgnorePattern: '^$' };

/** Turns the rules of one plugin on, without options. */
const on = (plugin, ...names) =>
  Object.fromEntries(names.map((name) => [plugin === null ? name : `${plugin}/${name}`, 'error']));

export default defineConfig({
  ignorePatterns: [
    'node_modules/',
    '.next/',
    '.cache/',
    'dist/',
    'data/',
    'coverage/',
    'test-results/',
    'playwright-report/',
    'bench/results/',
    'next-env.d.ts',
  ],
  options: {
    typeAware: true,
    denyWarnings: true,
    reportUnusedDisableDirectives: 'error',
    // One spelling: a comment that begins with eslint-disable does nothing.
    respectEslintDisableDirectives: false,
  },
  categories: { correctness: 'off' },
  plugins: ['typescript', 'react', 'jest'],
  jsPlugins: [fileURLToPath(new URL('lint/house.mjs', import.meta.url))],
  settings: { jest: { version: 30 } },

  // Every file.
  rules: {
    ...on(
      null,
      'curly',
      'no-console',
      'no-constant-binary-expression',
      'no-control-regex',
      'no-dupe-else-if',
      'no-empty',
      'no-self-compare',
      'no-unreachable-loop',
      'no-useless-escape',
      'no-var',
      'object-shorthand',
      'prefer-const',
    ),
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-irregular-whitespace': ['error', { skipJSXText: false, skipRegExps: false, skipTemplates: false }],
    // Plain words, in comments and in what people read.
    'house/plain-words': 'error',
    'house/line-length': ['error', 120],
  },

  overrides: [
    {
      // The list of the words that are refused.
      files: ['lint/*'],
      rules: { 'house/plain-words': 'off' },
    },

    {
      // Typed code.
      files: code,
      rules: {
        ...imports(...everywhere),
        ...syntax(...commonSyntax),
        ...on(null, 'no-array-constructor', 'no-unused-expressions', 'prefer-rest-params', 'prefer-spread'),
        ...on(
          'typescript',
          'await-thenable',
          'ban-ts-comment',
          'no-array-delete',
          'no-base-to-string',
          'no-duplicate-enum-values',
          'no-duplicate-type-constituents',
          'no-empty-object-type',
          'no-explicit-any',
          'no-extra-non-null-assertion',
          'no-floating-promises',
          'no-for-in-array',
          'no-implied-eval',
          'no-misused-new',
          'no-namespace',
          'no-non-null-asserted-optional-chain',
          'no-non-null-assertion',
          'no-redundant-type-constituents',
          'no-require-imports',
          'no-this-alias',
          'no-unnecessary-type-assertion',
          'no-unnecessary-type-constraint',
          'no-unsafe-argument',
          'no-unsafe-assignment',
          'no-unsafe-call',
          'no-unsafe-declaration-merging',
          'no-unsafe-enum-comparison',
          'no-unsafe-function-type',
          'no-unsafe-member-access',
          'no-unsafe-return',
          'no-unsafe-unary-minus',
          'no-wrapper-object-types',
          'only-throw-error',
          'prefer-as-const',
          'prefer-namespace-keyword',
          'prefer-promise-reject-errors',
          'restrict-plus-operands',
          'restrict-template-expressions',
          'triple-slash-reference',
        ),
        'no-unused-vars': ['error', { ...noIgnoredNames, ignoreRestSiblings: true }],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: true } }],
        // 0 is a value: a heart rate of 0 must never read as "nothing", in a condition or in `{rate && <Rate />}`.
        'typescript/strict-boolean-expressions': [
          'error',
          {
            allowString: true,
            allowNullableString: true,
            allowNullableBoolean: true,
            allowNumber: false,
            allowNullableNumber: false,
          },
        ],
        // Not unbound-method: functions are destructured from the object they arrive in everywhere ({ now }: Server),
        // and none uses `this`. Not require-await: Fastify takes an async function as "no callback", whether it awaits
        // something or not.
        'typescript/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
      },
    },

    {
      files: ['lib/**/*.ts'],
      rules: {
        ...imports(...direction.lib, only.alias, only.tests),
        ...syntax(...commonSyntax, banned.clock, banned.environment),
        'no-restricted-globals': ['error', ...browserGlobals],
      },
    },
    {
      // What needs a browser.
      files: ['lib/browser/**/*.ts'],
      rules: {
        'no-restricted-globals': 'off',
        ...imports(
          direction.lib[0],
          {
            ...direction.lib[1],
            regex: `${pagePackagesBesideLibBrowser}|^next(/|$)`,
          },
          direction.lib[2],
          ...without(only.cookies),
        ),
        ...syntax(...commonSyntax, banned.environment),
      },
    },
    {
      files: ['server/**/*.ts'],
      rules: {
        ...imports(...direction.server, only.alias, only.tests, only.wrapper),
        ...syntax(...commonSyntax, banned.environment),
      },
    },
    {
      // Starts the simulator in the server’s own process.
      files: ['server/demo/**/*.ts'],
      rules: imports(
        { ...direction.server[0], regex: layer('store', 'hooks', 'components', 'pages', 'styles') },
        direction.server[1],
        only.alias,
        only.tests,
        only.wrapper,
      ),
    },
    {
      files: ['simulator/**/*.ts'],
      rules: {
        ...imports(...direction.simulator, only.alias, only.tests),
        ...syntax(...commonSyntax, banned.clock, banned.environment),
      },
    },
    {
      // Where the environment comes in.
      files: ['server/env.ts', 'server/main.ts', 'server/cli/**/*.ts'],
      rules: syntax(...commonSyntax),
    },
    {
      files: ['store/**/*.{ts,tsx}'],
      rules: imports(...direction.state, ...direction.store, ...without(only.cookies)),
    },
    {
      files: ['store/index.ts'],
      rules: imports(...direction.state, ...direction.store, ...without(only.cookies, only.wrapper)),
    },
    { files: ['hooks/**/*.{ts,tsx}'], rules: imports(...direction.state, ...without(only.cookies)) },
    ...words.map((word) => ({
      files: [`components/${word}/**/*.{ts,tsx}`],
      rules: imports(...direction.components, otherWords(word), ...everywhere),
    })),
    {
      files: ['pages/**/*.{ts,tsx}'],
      rules: {
        ...imports(...direction.pages, ...everywhere),
        ...syntax(banned.modalFunctions, banned.documentCookie, banned.chance),
      },
    },
    {
      files: ['components/ui/AntdTheme.tsx'],
      rules: imports(...direction.components, ...without(only.theme)),
    },
    {
      files: ['lib/browser/client.ts'],
      rules: imports(direction.lib[0], direction.lib[2], ...without(only.axios, only.cookies)),
    },

    {
      files: ['{components,hooks,pages,store}/**/*.{ts,tsx}'],
      rules: on(
        'react',
        'error-boundaries',
        'exhaustive-deps',
        'globals',
        'immutability',
        'incompatible-library',
        'preserve-manual-memoization',
        'purity',
        'refs',
        'rules-of-hooks',
        'set-state-in-effect',
        'set-state-in-render',
        'static-components',
        'unsupported-syntax',
        'use-memo',
      ),
    },

    {
      // Config files and jest’s set-up have default exports.
      files: ['*.config.ts', 'test/*.ts'],
      rules: syntax(banned.modalFunctions, banned.documentCookie, banned.chance),
    },
    {
      // Vague file names.
      files: ['**/{utils,util,helpers,helper,common,manager,service,index}.{ts,tsx}'],
      excludeFiles: ['store/index.ts', 'pages/**/index.tsx'],
      rules: syntax(banned.vagueName),
    },

    {
      // Where the console is the output.
      files: ['lib/log.ts', 'scripts/**', 'server/cli/**', 'bench/**', 'test/failOnConsole.ts', 'e2e/test.ts'],
      rules: { 'no-console': 'off' },
    },

    {
      files: tests,
      rules: {
        // A test may import anything that its subject may, and the helpers in test/.
        ...imports(...without(only.tests, only.theme, only.cookies, only.axios, only.wrapper)),
        ...syntax(...testSyntax),
        'no-restricted-globals': 'off',
      },
    },
    {
      files: ['**/*.test.{ts,tsx}'],
      rules: {
        ...on(
          'jest',
          'no-alias-methods',
          'no-commented-out-tests',
          'no-conditional-expect',
          'no-confusing-set-timeout',
          'no-deprecated-functions',
          'no-disabled-tests',
          'no-done-callback',
          'no-export',
          'no-focused-tests',
          'no-identical-title',
          'no-interpolation-in-snapshots',
          'no-jasmine-globals',
          'no-mocks-import',
          'no-standalone-expect',
          'no-test-prefixes',
          'prefer-expect-resolves',
          'valid-describe-callback',
          'valid-expect',
          'valid-expect-in-promise',
          'valid-title',
        ),
        ...syntax(...testSyntax, banned.testReturn),
        'jest/consistent-test-it': ['error', { fn: 'it' }],
        'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
      },
    },

    {
      // Scripts: Node’s own modules and no types.
      files: ['**/*.{js,mjs,cjs}'],
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'Buffer',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'fetch',
          'AbortSignal',
          'module',
          'require',
        ].map((name) => [name, 'readonly']),
      ),
      rules: { 'no-undef': 'error', 'no-unused-vars': ['error', noIgnoredNames] },
    },
    { files: ['public/*_worker.js'], env: { worker: true } },
  ],
});

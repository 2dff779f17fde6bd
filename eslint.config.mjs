import { readdirSync } from 'node:fs';
import jest from 'eslint-plugin-jest';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { plainWords } from './lint/plainWords.mjs';

/*
 * The house rules. Each message says what to do instead and why, because its reader has not read this file. A rule's
 * options do not add up across blocks (the last block wins), so `imports()` and `syntax()` build whole lists.
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
    regex: '^antd/(es|lib|dist)/(?!locale/)',
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

const imports = (...patterns) => ({ '@typescript-eslint/no-restricted-imports': ['error', { patterns }] });

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
const syntax = (...selectors) => ({ 'no-restricted-syntax': ['error', ...selectors] });

export default defineConfig(
  globalIgnores([
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
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  {
    name: 'every file',
    files: ['**/*.{ts,tsx,js,mjs}'],
    rules: {
      curly: 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-constant-binary-expression': 'error',
      'no-control-regex': 'error',
      'no-dupe-else-if': 'error',
      'no-empty': 'error',
      'no-irregular-whitespace': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },

  {
    name: 'plain words, in comments and in what people read',
    files: ['**/*.{ts,tsx,js,mjs}'],
    ignores: ['lint/*'],
    plugins: { house: { rules: { 'plain-words': plainWords } } },
    rules: { 'house/plain-words': 'error' },
  },
  {
    name: 'lines of at most 120 columns',
    files: ['**/*.{ts,tsx,js,mjs}'],
    rules: { 'max-len': ['error', { code: 120, ignoreUrls: true }] },
  },

  {
    name: 'typed code',
    files: code,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...imports(...everywhere),
      ...syntax(...commonSyntax),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: true } }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // 0 is a value: a heart rate of 0 must never read as "nothing", in a condition or in `{rate && <Rate />}`.
      '@typescript-eslint/strict-boolean-expressions': [
        'error',
        {
          allowString: true,
          allowNullableString: true,
          allowNullableBoolean: true,
          allowNumber: false,
          allowNullableNumber: false,
        },
      ],
      // Functions are destructured from the object they arrive in everywhere ({ now }: Server), and none uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Fastify takes an async function as "no callback", whether it awaits something or not.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
    },
  },

  {
    name: 'lib',
    files: ['lib/**/*.ts'],
    rules: {
      ...imports(...direction.lib, only.alias, only.tests),
      ...syntax(...commonSyntax, banned.clock, banned.environment),
      'no-restricted-globals': ['error', ...browserGlobals],
    },
  },
  {
    name: 'lib/browser: what needs a browser',
    files: ['lib/browser/**/*.ts'],
    rules: {
      'no-restricted-globals': 'off',
      ...imports(
        direction.lib[0],
        {
          ...direction.lib[1],
          regex: `${packages(...pagePackageNames.filter((name) => !['axios', 'js-cookie'].includes(name)))}|^next(/|$)`,
        },
        direction.lib[2],
        ...without(only.cookies),
      ),
      ...syntax(...commonSyntax, banned.environment),
    },
  },
  {
    name: 'server',
    files: ['server/**/*.ts'],
    rules: {
      ...imports(...direction.server, only.alias, only.tests, only.wrapper),
      ...syntax(...commonSyntax, banned.environment),
    },
  },
  {
    name: 'server/demo: starts the simulator in the server’s own process',
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
    name: 'simulator',
    files: ['simulator/**/*.ts'],
    rules: {
      ...imports(...direction.simulator, only.alias, only.tests),
      ...syntax(...commonSyntax, banned.clock, banned.environment),
    },
  },
  {
    name: 'server: where the environment comes in',
    files: ['server/env.ts', 'server/main.ts', 'server/cli/**/*.ts'],
    rules: syntax(...commonSyntax),
  },
  {
    name: 'store',
    files: ['store/**/*.{ts,tsx}'],
    rules: imports(...direction.state, ...direction.store, ...without(only.cookies)),
  },
  {
    name: 'store/index.ts',
    files: ['store/index.ts'],
    rules: imports(...direction.state, ...direction.store, ...without(only.cookies, only.wrapper)),
  },
  { name: 'hooks', files: ['hooks/**/*.{ts,tsx}'], rules: imports(...direction.state, ...without(only.cookies)) },
  ...words.map((word) => ({
    name: `components/${word}`,
    files: [`components/${word}/**/*.{ts,tsx}`],
    rules: imports(...direction.components, otherWords(word), ...everywhere),
  })),
  {
    name: 'pages',
    files: ['pages/**/*.{ts,tsx}'],
    rules: {
      ...imports(...direction.pages, ...everywhere),
      ...syntax(banned.modalFunctions, banned.documentCookie, banned.chance),
    },
  },
  {
    name: 'components/ui/AntdTheme.tsx',
    files: ['components/ui/AntdTheme.tsx'],
    rules: imports(...direction.components, ...without(only.theme)),
  },
  {
    name: 'lib/browser/client.ts',
    files: ['lib/browser/client.ts'],
    rules: imports(direction.lib[0], direction.lib[2], ...without(only.axios, only.cookies)),
  },

  {
    name: 'React',
    files: ['{components,hooks,pages,store}/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },

  {
    name: 'config files and jest’s set-up have default exports',
    files: ['*.config.ts', 'test/*.ts'],
    rules: syntax(banned.modalFunctions, banned.documentCookie, banned.chance),
  },
  {
    name: 'vague file names',
    files: ['**/{utils,util,helpers,helper,common,manager,service,index}.{ts,tsx}'],
    ignores: ['store/index.ts', 'pages/**/index.tsx'],
    rules: syntax(banned.vagueName),
  },

  {
    name: 'where the console is the output',
    files: ['lib/log.ts', 'scripts/**', 'server/cli/**', 'bench/**', 'test/failOnConsole.ts', 'e2e/test.ts'],
    rules: { 'no-console': 'off' },
  },

  {
    name: 'tests',
    files: tests,
    rules: {
      // A test may import anything that its subject may, and the helpers in test/.
      ...imports(...without(only.tests, only.theme, only.cookies, only.axios, only.wrapper)),
      ...syntax(...commonSyntax.filter((rule) => rule !== banned.defaultExport)),
      'no-restricted-globals': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    name: 'jest',
    files: ['**/*.test.{ts,tsx}'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      'jest/consistent-test-it': ['error', { fn: 'it' }],
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
      'jest/no-disabled-tests': 'error',
      'jest/no-commented-out-tests': 'error',
      'jest/no-confusing-set-timeout': 'error',
      'jest/no-test-return-statement': 'error',
      'jest/prefer-expect-resolves': 'error',
    },
  },

  {
    name: 'scripts: Node’s own modules and no types',
    files: ['**/*.{js,mjs}'],
    languageOptions: {
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
    },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
);

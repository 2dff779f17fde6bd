/**
 * @jest-config-loader esbuild-register
 */
import { existsSync, renameSync } from 'node:fs';
import { buildSync } from 'esbuild';
import type { Config } from 'jest';
import nextJest from 'next/jest';

/** Run in jsdom. Everything else runs in Node, as the server does. */
const browserTests = [
  '<rootDir>/components/**/*.test.ts',
  '<rootDir>/hooks/**/*.test.ts',
  '<rootDir>/lib/browser/client.test.ts',
  '<rootDir>/instrumentation-client.test.ts',
  '<rootDir>/**/*.test.tsx',
];

/** Packages of the server that are ES modules only: jest compiles them, while Node loads them as they are. */
const esmOnly = ['cookie'];

/**
 * A test file runs in a context of its own, where looking a global up costs many times what it does in the server.
 * So these are handed to each module. None may be among them that a test replaces, as it does the time's.
 */
const sandboxInjectedGlobals: (keyof typeof globalThis)[] = [
  'Array',
  'Infinity',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'Set',
  'String',
  'Symbol',
  'WeakMap',
];

/** Kysely in one file. npm takes it away with the version it is of. */
const kysely = 'node_modules/kysely/dist/packed.cjs';

const shared: Config = {
  sandboxInjectedGlobals,
  // Each test file reads and compiles what it loads again. Kysely is 400 modules; no test speaks Zod's 50 languages.
  moduleNameMapper: {
    '^kysely$': `<rootDir>/${kysely}`,
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/.next/', '<rootDir>/.cache/', '<rootDir>/dist/'],
  restoreMocks: true,
};

// No `dir` is given: with one next/jest loads .env, and a developer's DATABASE_URL would reach the tests.
const createConfig = nextJest();

async function project(config: Config): Promise<Config> {
  const complete = await createConfig({ ...shared, ...config })();
  const transform: Config['transform'] = {};
  for (const [files, next] of Object.entries(complete.transform ?? {})) {
    transform[files] = ['<rootDir>/test/transform.cjs', typeof next === 'string' ? {} : next[1]];
  }
  return {
    ...complete,
    transform,
    transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`, '\\.module\\.css$'],
  };
}

export default async function jestConfig(): Promise<Config> {
  if (!existsSync(kysely)) {
    const entryPoints = ['node_modules/kysely/dist/cjs/index.js'];
    buildSync({ entryPoints, outfile: `${kysely}.new`, bundle: true, platform: 'node', format: 'cjs' });
    renameSync(`${kysely}.new`, kysely);
  }
  const node = await project({
    displayName: 'node',
    testEnvironment: 'node',
    // Jest replaces only a leading <rootDir>, not one behind the exclamation mark.
    testMatch: [
      '<rootDir>/**/*.test.ts',
      ...browserTests.map((pattern) => pattern.replace('<rootDir>', `!${process.cwd()}`)),
    ],
    globalSetup: '<rootDir>/test/prepareStores.ts',
    globalTeardown: '<rootDir>/test/removeStores.ts',
    setupFilesAfterEnv: ['failOnConsole', 'foreignErrors', 'pluginNames'].map((name) => `<rootDir>/test/${name}.ts`),
  });
  const browser = await project({
    displayName: 'browser',
    testEnvironment: '<rootDir>/test/browserEnvironment.ts',
    testMatch: browserTests,
    globalSetup: '<rootDir>/test/prepareScreens.ts',
    transform: {
      '^.+\\.(js|jsx|ts|tsx|mjs)$': [
        'next/dist/build/swc/jest-transformer',
        // A test file loads the parts of antd that it uses. All of antd took a second of each.
        { modularizeImports: { antd: { transform: 'antd/lib/{{ kebabCase member }}' } } },
      ],
    },
    setupFilesAfterEnv: [
      '<rootDir>/test/browserGlobals.ts',
      '<rootDir>/test/failOnConsole.ts',
      '<rootDir>/test/failOnRequest.ts',
    ],
  });
  // Three workers for the two cores of a small CI machine: with two, one is idle while a test waits for
  // a process or a lock. Every call of every kind of user takes more than twenty seconds on a loaded
  // machine; no test is about its time.
  return {
    projects: [node, browser],
    maxWorkers: 3,
    // A worker keeps something of each file that it has run. With 2 GB it spent a third of its time on clearing up.
    workerIdleMemoryLimit: '600MB',
    testTimeout: 600_000,
    testSequencer: './test/slowestFirst.cjs',
  };
}

// npm test: installs what is missing, then runs every check there is and prints the true sums as its last line,
// "N passed, N failed" (", N skipped" where tests were skipped). A failed step does not keep the others from running.
// npm test -- --changed[=REF]: only what the changes since REF (main, if none is given) and those not committed touch.
// npm test -- --seed=N: the tests of each file in an order that N shuffles.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, loadavg, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { endWithParent } from './endWithParent.mjs';
import { ensureUnpacked } from './ensureInstalled.mjs';
import { jestFailures, playwrightFailures } from './failedTests.mjs';
import { requireNode } from './requireNode.mjs';
import { run } from './run.mjs';
import { formatSlowest, jestSeconds, playwrightSeconds } from './slowestFiles.mjs';
import { specsOf } from './specRows.mjs';
import { addSums, formatSums, jestSums, playwrightSums, stepSums } from './sums.mjs';

requireNode();
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions(process.argv.slice(2));
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = options.changed === undefined ? null : changedSince(options.changed);
const reports = mkdtempSync(join(tmpdir(), 'wardlight-reports-'));
process.env.NEXT_TELEMETRY_DISABLED = '1';

const report = (name) => join(reports, name);
const read = (name) => (existsSync(report(name)) ? JSON.parse(readFileSync(report(name), 'utf8')) : null);
/** Every test file that ran, with its seconds. */
const files = [];
/** What failed, by name, so that the end of a long run's output says it. */
const failures = [];

/**
 * Runs one of Node's programs for a step; its output goes to the step, and so do the seconds of processor that it and
 * the programs that it started have taken (scripts/processorTime.mjs).
 */
async function node(step, args, env = {}) {
  const taken = report(`processor-${(programs += 1)}`);
  const code = await run(root, process.execPath, ['--import', processorTime, ...args], {
    env: { ...process.env, ...env, PROCESSOR_TIME: `${process.pid} ${taken}` },
    onOutput: (text) => step.write(text),
    priority: step.priority,
  });
  step.processor += existsSync(taken) ? Number(readFileSync(taken, 'utf8')) : 0;
  return code;
}
const processorTime = pathToFileURL(join(root, 'scripts/processorTime.mjs')).href;
let programs = 0;
const tool = (step, script, ...args) => node(step, [join('node_modules', script), ...args]);

async function playwright(step, project, specs) {
  const file = report(`${project}.json`);
  // Playwright empties its folder when it starts, so each of the two runs has one of its own.
  const args = ['test', `--project=${project}`, `--output=test-results/${project}`, '--reporter=list,json'];
  args.push(...(changed === null ? [] : ['--pass-with-no-tests']), ...specs);
  const code = await node(step, ['node_modules/@playwright/test/cli.js', ...args], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const found = read(`${project}.json`);
  files.push(...playwrightSeconds(found));
  failures.push(...playwrightFailures(found));
  return playwrightSums(found, code);
}

/** Each step returns its sums; a step that only passes or fails counts as one test. */
const steps = {
  /** The native modules of a new install, which only the tests need. */
  async compile() {
    const code = await compiled;
    return stepSums(code === 0 ? null : code);
  },
  async types(step) {
    // Writes next-env.d.ts, without which a fresh clone knows no type of Next's imports.
    const code = await tool(step, 'next/dist/bin/next', 'typegen');
    return stepSums(code || (await tool(step, 'typescript7/bin/tsc', '--noEmit', '--singleThreaded')));
  },
  async lint(step) {
    const wanted = changed?.files.filter((file) => /\.(tsx?|[cm]?js)$/.test(file)) ?? ['.'];
    const code = wanted.length && (await tool(step, 'oxlint/bin/oxlint', '-c', 'oxlint.config.mjs', ...wanted));
    const circles = await node(step, ['scripts/circles.mjs']);
    const dead = await tool(step, 'knip/bin/knip.js');
    const size = await node(step, ['scripts/size.mjs', '--brief']);
    return [code, circles, dead, size].map(stepSums).reduce(addSums);
  },
  async format(step) {
    const args = ['--list-different', '--no-error-on-unmatched-pattern', ...(changed?.files ?? ['.'])];
    return stepSums(changed?.files.length === 0 ? null : await tool(step, 'oxfmt/bin/oxfmt', ...args));
  },
  async jest(step) {
    const tests = changed === null || changed.files.length === 0 ? [] : await testsOf(changed.files);
    if (changed !== null && tests.length === 0) {
      return stepSums(null);
    }
    const order = options.seed === undefined ? [] : ['--randomize', `--seed=${options.seed}`];
    const args = ['--json', `--outputFile=${report('jest.json')}`, ...order, ...tests];
    const code = await tool(step, 'jest/bin/jest.js', ...args);
    const found = read('jest.json');
    files.push(...jestSeconds(found, root));
    const faults = existsSync(report('fault')) ? ['A worker of jest ended by a fault and was started again.'] : [];
    failures.push(...jestFailures(found, root), ...faults);
    return addSums(jestSums(found, code), { passed: 0, failed: faults.length, skipped: 0 });
  },
  async build(step) {
    const program =
      `const { ensureBuilt } = await import('./scripts/ensureBuilt.mjs');` +
      `process.exit(await ensureBuilt(process.cwd()));`;
    return stepSums(await node(step, ['--input-type=module', '--eval', program]));
  },
  async browser(step) {
    await compiled;
    return await playwright(step, 'browser', changed?.specs ?? []);
  },
  /** The specs that promise something within seconds, when nothing else keeps the machine busy. */
  measured: (step) => playwright(step, 'measured', changed?.specs ?? []),
};

const hasBrowser = changed?.specs.length !== 0;
/**
 * Rounds run one after another, the lanes of a round side by side, the steps of a lane in a row. Types come before the
 * build, which writes them too. Jest waits for no one's answer, so it gives way to the browser tests; lint takes only
 * the time that the specs which measure leave.
 */
const rounds =
  changed === null
    ? [
        [
          ['types', 'build', 'format', 'browser'],
          ['compile', 'jest'],
        ],
        [['measured'], ['lint']],
      ]
    : [
        [['types'], ['compile']],
        // The few specs of a change last as long as all the rest of it.
        [hasBrowser ? ['build', 'browser'] : [], ['format', 'jest', 'lint']],
        [hasBrowser ? ['measured'] : []],
      ];
const priorities = new Map([
  // By as little as that a page is answered first. With 10 jest did next to nothing beside three browsers.
  ['jest', 4],
  ['lint', constants.priority.PRIORITY_LOW],
]);
/** The exit code of compiling, which begins once the packages are unpacked. */
let compiled;

// Ctrl-C, a SIGTERM or a closed terminal ends the steps that run and everything after them.
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopped = true;
  });
}

/** Runs one step. If something failed, prints all that it wrote: two steps never write into each other's lines. */
async function runStep(name) {
  const began = performance.now();
  const output = [];
  const step = { write: (text) => output.push(text), priority: priorities.get(name), processor: 0 };
  let sums;
  try {
    sums = await steps[name](step);
  } catch (problem) {
    output.push(`${problem?.stack ?? problem}\n`);
    sums = stepSums(1);
  }
  const text = output
    .join('')
    .replaceAll(/^PASS .*\n/gm, '')
    .trimEnd();
  const seconds = (performance.now() - began) / 1_000;
  if (sums.failed > 0) {
    console.log(`=== ${name}\n${text}`);
  }
  const row = [name.padEnd(10), formatSeconds(seconds), formatSeconds(step.processor), `  ${formatSums(sums)}`];
  console.log(`=== ${row.join('')}`);
  return sums;
}

const formatSeconds = (seconds) => seconds.toFixed(1).padStart(10);

async function runLane(names) {
  let sums = stepSums(null);
  for (const name of names) {
    if (!stopped) {
      sums = addSums(sums, await runStep(name));
    }
  }
  return sums;
}

async function runSteps() {
  const unpacked = await ensureUnpacked(root);
  if (unpacked.code !== 0) {
    console.error('The packages could not be installed, so nothing was tested.');
    return stepSums(unpacked.code);
  }
  compiled = unpacked.compile();
  let sums = stepSums(null);
  for (const lanes of rounds) {
    sums = (await Promise.all(lanes.map(runLane))).reduce(addSums, sums);
  }
  // A test file that no runner found has not passed, nor has what a signal kept from running.
  const ran = new Set(files.map(({ file }) => file));
  const missed = git('ls-files', '*.test.*', '*.spec.*').filter((file) => changed === null && !ran.has(file));
  failures.push(...missed.map((file) => `${file}: did not run`));
  return addSums(sums, { passed: 0, failed: missed.length + Number(stopped), skipped: 0 });
}

/** `changed` is the commit to compare with, undefined for a whole run. */
function readOptions(argv) {
  // An option without a value is not what `parseArgs` knows, so the value that is meant is put in.
  const args = argv.map((word) => (word === '--changed' ? '--changed=main' : word));
  return parseArgs({ args, options: { changed: { type: 'string' }, seed: { type: 'string' } } }).values;
}

/** The files that changed since a commit, with the browser specs of their pages. */
function changedSince(ref) {
  const [base] = git('merge-base', ref, 'HEAD');
  const all = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const specs = specsOf(all).map((name) => `e2e/${name}.spec.ts`);
  return { files: all.filter((file) => existsSync(join(root, file))), specs };
}

/**
 * The tests that import changed files and belong to a feature of theirs; of what many features' tests use, all that
 * import it. Nearly all tests of the server import nearly all files. What a test reads without importing it (scripts,
 * styles, texts) is left to the whole run.
 */
async function testsOf(files) {
  // Imports a package, and a fresh clone has none yet.
  const { placeOf } = await import('./size.mjs');
  const wide = new Set(['clock', 'pages', 'process', 'support', 'tooling']);
  const features = new Set(files.flatMap((file) => placeOf(file)?.feature ?? []));
  const args = ['node_modules/jest/bin/jest.js', '--listTests', '--findRelatedTests', ...files];
  const related = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const isWide = files.some((file) => file.startsWith('test/')) || [...features].some((feature) => wide.has(feature));
  return related.filter((path) => isWide || features.has(placeOf(relative(root, path))?.feature));
}

const began = performance.now();
console.log(`Load ${loadavg()[0].toFixed(1)}`);
console.log('step         seconds processor');
let sums;
try {
  sums = await runSteps();
} catch (problem) {
  console.error(problem);
  sums = { passed: 0, failed: 1, skipped: 0 };
} finally {
  rmSync(reports, { recursive: true, force: true });
}
process.exitCode = sums.failed === 0 && sums.passed > 0 ? 0 : 1;
if (files.length > 0) {
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`In all ${minutes} minutes; load ${loadavg()[0].toFixed(1)}`);
  console.log(['The slowest files:', ...formatSlowest(files)].join('\n'));
}
if (failures.length > 0) {
  console.log(['\nFailed:', ...failures].join('\n'));
}
console.log(`\n${formatSums(sums)}`);

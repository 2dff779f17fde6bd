// npm test: installs what is missing, then runs every check there is and prints the true sums as its last line,
// "N passed, N failed" (", N skipped" where tests were skipped). A failed step does not keep the others from running.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './endWithParent.mjs';
import { ensureBuilt } from './ensureBuilt.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { requireNode } from './requireNode.mjs';
import { run } from './run.mjs';
import { addSums, formatSums, jestSums, playwrightSums, stepSums } from './sums.mjs';

requireNode();
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'wardlight-reports-'));
process.env.NEXT_TELEMETRY_DISABLED = '1';

const node = (script, ...args) => run(root, process.execPath, [join('node_modules', script), ...args]);
const report = (name) => join(reports, name);
const read = (name) => (existsSync(report(name)) ? JSON.parse(readFileSync(report(name), 'utf8')) : null);

/** Each step returns its sums; a step that only passes or fails counts as one test. */
const steps = {
  async types() {
    // Writes next-env.d.ts, without which a fresh clone knows no type of Next's imports.
    return stepSums((await node('next/dist/bin/next', 'typegen')) || (await node('typescript/bin/tsc', '--noEmit')));
  },
  async lint() {
    return stepSums(await node('eslint/bin/eslint.js', '.', '--max-warnings', '0'));
  },
  async format() {
    return stepSums(await node('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'));
  },
  async jest() {
    const code = await node('jest/bin/jest.js', '--json', `--outputFile=${report('jest.json')}`);
    return jestSums(read('jest.json'), code);
  },
  async build() {
    return stepSums(await ensureBuilt(root));
  },
  async browser() {
    process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report('playwright.json');
    const code = await node('@playwright/test/cli.js', 'test', '--reporter=list,json');
    return playwrightSums(read('playwright.json'), code);
  },
};

// Ctrl-C or a SIGTERM ends the step that runs and everything after it.
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopped = true;
  });
}

async function runSteps() {
  const installed = await ensureInstalled(root);
  if (installed !== 0) {
    console.error('The packages could not be installed, so nothing was tested.');
    return stepSums(installed);
  }
  let sums = stepSums(null);
  for (const [name, step] of Object.entries(steps)) {
    const began = Date.now();
    console.log(`\n=== ${name}`);
    const found = await step();
    console.log(`=== ${name}: ${formatSums(found)} (${Math.round((Date.now() - began) / 1000)} s)`);
    sums = addSums(sums, found);
    if (stopped) {
      break;
    }
  }
  return sums;
}

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
console.log(`\n${formatSums(sums)}`);

import { execFileSync } from 'node:child_process';

/** Runs once before the tests of the browser project: bundles what they need of the server. */
export default function prepareScreens(): void {
  const build = `import('./scripts/bundle.mjs').then(({ bundleForTests }) => bundleForTests(process.cwd()))`;
  execFileSync(process.execPath, ['-e', build]);
}

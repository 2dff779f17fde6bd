import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundleWorkers } from './bundle.mjs';
import { compressFiles } from './compressFiles.mjs';
import { hashFiles } from './hashFiles.mjs';
import { hintCompile } from './hintCompile.mjs';
import { keepSourceMaps } from './keepSourceMaps.mjs';
import { run } from './run.mjs';
import { isServed } from './running.mjs';

/** Everything that `next build` reads; the server is bundled separately. */
const pageSources = [
  ...['pages', 'components', 'store', 'hooks', 'lib', 'styles', 'public'],
  ...['instrumentation-client.ts', 'sentry.client.config.ts', 'sentry.replay.config.ts'],
  ...['next.config.js', 'tsconfig.json', 'package-lock.json', 'scripts/antd-css.mjs'],
  ...['scripts/compressFiles.mjs', 'scripts/keepSourceMaps.mjs', 'scripts/hintCompile.mjs'],
];

/**
 * Builds the pages if their sources changed since the last build, and the server always (it takes a moment). Returns an
 * exit code, 1 if a server serves the pages that would be overwritten.
 */
export async function ensureBuilt(root) {
  const stamp = join(root, '.next/wardlight-sources');
  const wanted = hashFiles(root, pageSources, (path) => !/\.test\.tsx?$|^styles\/generated\//.test(path));
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    if (await isServed(root)) {
      return 1;
    }
    console.log('Building the pages (next build) ...');
    // A build that failed half-way must not count as the one before it.
    rmSync(stamp, { force: true });
    const code = await buildPages(root);
    if (code !== 0) {
      return code;
    }
    keepSourceMaps(join(root, '.next/static'), join(root, '.next/source-maps'));
    hintCompile(join(root, '.next/static'), join(root, '.next/source-maps'));
    compressFiles(join(root, '.next/static'));
    writeFileSync(stamp, wanted);
  }
  await bundle(root, 'server/main.ts', 'dist/main.js');
  await bundleWorkers(root);
  return 0;
}

async function buildPages(root) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const styles = await run(root, process.execPath, ['scripts/antd-css.mjs'], { env });
  return styles === 0 ? run(root, process.execPath, ['node_modules/next/dist/bin/next', 'build'], { env }) : styles;
}

import { join } from 'node:path';

/** Bundles one TypeScript entry of ours into one file that Node runs; packages stay in node_modules. */
export async function bundle(root, entry, output, more = {}) {
  // Imported late, because this file also runs before anything is installed.
  const { buildSync } = await import('esbuild');
  // The synchronous call leaves no helper process behind: this process becomes the server itself.
  buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(root, output),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
    ...more,
  });
}

/** Bundles what the server runs in a thread of its own. */
export async function bundleWorkers(root) {
  await bundle(root, 'server/alerts/previewWorker.ts', 'dist/previewWorker.js');
}

/**
 * Bundles the server for the tests of screens (test/workerServer.ts). Its timers do not keep the process of the tests
 * alive.
 */
export async function bundleForTests(root) {
  const unref = (name) => `const ${name} = (...given) => globalThis.${name}(...given).unref();`;
  await bundle(root, 'test/serverForScreens.ts', 'dist/serverForScreens.js', {
    banner: { js: `${unref('setTimeout')} ${unref('setInterval')}` },
  });
}

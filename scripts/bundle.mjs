import { join } from 'node:path';

/** Bundles one TypeScript entry of ours into one file that Node runs; packages stay in node_modules. */
export async function bundle(root, entry, output) {
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
  });
}

/** Bundles what the server runs in a thread of its own. */
export async function bundleWorkers(root) {
  await bundle(root, 'server/alerts/previewWorker.ts', 'dist/previewWorker.js');
}

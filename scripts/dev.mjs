// npm run dev: the server under tsx, which starts it again when server/ or lib/ change; pages reload by themselves.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkers } from './bundle.mjs';
import { endWithParent } from './endWithParent.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { readArgs } from './readArgs.mjs';
import { requireNode } from './requireNode.mjs';
import { run } from './run.mjs';

const usage = `Runs Wardlight for development, and starts it again when a file of the server changes.

  npm run dev [-- --demo]

  --demo  makes an empty installation a ward of simulated patients
`;

requireNode();
const { demo = false } = readArgs(usage, { demo: { type: 'boolean' } });
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installed = await ensureInstalled(root);
if (installed !== 0) {
  process.exit(installed);
}
if (existsSync(join(root, '.env'))) {
  process.loadEnvFile(join(root, '.env'));
}
const env = { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
const styles = await run(root, process.execPath, ['scripts/antd-css.mjs'], { env });
if (styles !== 0) {
  process.exit(styles);
}
await bundleWorkers(root);
// Next compiles these in the same process, so tsx sees them loaded; Next reloads them itself.
const reloadedByNext = ['.next', 'pages', 'components', 'store', 'hooks', 'styles', 'public'].flatMap((folder) => [
  '--exclude',
  `${folder}/**`,
]);
process.exit(
  await run(
    root,
    process.execPath,
    [
      'node_modules/tsx/dist/cli.mjs',
      'watch',
      '--clear-screen=false',
      ...reloadedByNext,
      'server/main.ts',
      ...(demo ? ['--demo'] : []),
    ],
    env,
  ),
);

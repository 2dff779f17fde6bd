// npm start: installs and builds what is missing or out of date, then runs the server and starts it again after a
// fault. Node's own modules only, because it is what runs first on a fresh clone.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './endWithParent.mjs';
import { ensureBuilt } from './ensureBuilt.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { keepRunning } from './keepRunning.mjs';
import { readArgs } from './readArgs.mjs';
import { requireNode } from './requireNode.mjs';
import { run } from './run.mjs';
import { announce } from './running.mjs';

const usage = `Installs and builds what is missing or out of date, and runs Wardlight.

  npm start [-- --demo]

  --demo  makes an empty installation a ward of simulated patients

Settings are variables of the environment or lines of .env, see .env.example.
`;

requireNode();
const { demo = false } = readArgs(usage, { demo: { type: 'boolean' } });
if (!demo && process.env.npm_config_demo !== undefined) {
  process.stderr.write('npm took --demo for itself. Write npm start -- --demo\n');
  process.exit(2);
}
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
await announce(root);

const code = (await ensureInstalled(root)) || (await ensureBuilt(root));
if (code !== 0) {
  process.exit(code);
}
if (existsSync('.env')) {
  process.loadEnvFile('.env');
}
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
// In a process of its own, with the same options of Node: what a fault left of a process is not used again.
const args = [...process.execArgv, join(root, 'dist/main.js'), ...(demo ? ['--demo'] : [])];
// A server leaves within 9 s (server/main.ts). Node itself has been seen to hang at its end.
process.exitCode = await keepRunning((isAfterCrash) =>
  run(root, process.execPath, isAfterCrash ? [...args, '--after-crash'] : args, { isTied: true, killAfterMs: 15_000 }),
);

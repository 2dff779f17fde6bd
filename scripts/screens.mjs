// npm run screens: builds what is missing and takes the pictures of docs/screens. Two of them are in git, for the
// README.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { ensureBuilt } from './ensureBuilt.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { readArgs } from './readArgs.mjs';
import { requireNode } from './requireNode.mjs';

const usage = `Takes the pictures of docs/screens.

  npm run screens
`;

requireNode();
readArgs(usage);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const code = (await ensureInstalled(root)) || (await ensureBuilt(root));
if (code !== 0) {
  process.exit(code);
}
await bundle(root, 'e2e/screens.ts', 'dist/screens.js');
process.exit(spawnSync(process.execPath, ['dist/screens.js'], { stdio: 'inherit' }).status ?? 1);

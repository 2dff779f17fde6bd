// npm start: installs and builds what is missing or out of date, then becomes the server. Node's own modules only,
// because it is what runs first on a fresh clone.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './endWithParent.mjs';
import { ensureBuilt } from './ensureBuilt.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { requireNode } from './requireNode.mjs';

requireNode();
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const code = (await ensureInstalled(root)) || (await ensureBuilt(root));
if (code !== 0) {
  process.exit(code);
}
if (existsSync('.env')) {
  process.loadEnvFile('.env');
}
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
// In this very process: there is one process to stop, to watch and to give memory to, and signals reach the server
// itself.
createRequire(import.meta.url)(join(root, 'dist/main.js'));

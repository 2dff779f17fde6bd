// node scripts/command.mjs NAME ...: runs server/cli/NAME.ts with the arguments that follow, in this process.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { endWithParent } from './endWithParent.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { requireNode } from './requireNode.mjs';

requireNode();
endWithParent();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const names = readdirSync(join(root, 'server/cli'))
  .filter((file) => /^[a-z\d-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length));

const [name = '', ...args] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`There is no command "${name}". Commands: ${names.join(', ')}`);
  process.exit(2);
}
const installed = await ensureInstalled(root);
if (installed !== 0) {
  process.exit(installed);
}
const output = join(root, 'dist/cli', `${name}.js`);
await bundle(root, `server/cli/${name}.ts`, `dist/cli/${name}.js`);
const environment = join(root, '.env');
if (existsSync(environment)) {
  process.loadEnvFile(environment);
}
process.argv = [process.execPath, output, ...args];
createRequire(import.meta.url)(output);

// npm run bench [rules] [handoffs] [notes] [issueReports] [recordings] [alerts-scenarios] [burden] [clockStep] [ingest]
// [ingestWithRules] [hl7] [alertDelay] [start] [board] [chart] [limitPreview] [exportPatient] [pages] [alarmPages]
// [storm] [attacks] [malformed] [stalls] [memory] [longWard] [reports]: builds what is missing and runs bench/.
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { ensureBuilt } from './ensureBuilt.mjs';
import { ensureInstalled } from './ensureInstalled.mjs';
import { requireNode } from './requireNode.mjs';

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const code = (await ensureInstalled(root)) || (await ensureBuilt(root));
if (code !== 0) {
  process.exit(code);
}
for (const name of ['main', 'attacker', 'offerer', 'ingestServer', 'bareFastify', 'bareMllp', 'bareSqlite']) {
  await bundle(root, `bench/${name}.ts`, `dist/bench-${name}.js`);
}
// Compiled once here, because the benchmarks call it.
execFileSync(process.execPath, [join(root, 'scripts/command.mjs'), 'device-add', '--help'], { stdio: 'ignore' });
const { status } = spawnSync(process.execPath, ['dist/bench-main.js', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);

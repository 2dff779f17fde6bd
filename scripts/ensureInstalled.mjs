import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './hashFiles.mjs';
import { run } from './run.mjs';

/** Runs `npm ci` unless node_modules matches package-lock.json; returns npm's exit code. */
export async function ensureInstalled(root) {
  const stamp = join(root, 'node_modules/.wardlight-lock');
  // Native modules are compiled for one Node ABI, so another Node needs an install of its own.
  const wanted = `${hashFiles(root, ['package-lock.json'])} ${process.versions.modules}\n`;
  const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  if (found === wanted) {
    return 0;
  }
  if (found !== null || !installedByHand(root)) {
    console.log('Installing packages (npm ci) ...');
    // Under NODE_ENV=production npm would omit what the build needs.
    const code = await run(root, ...npmCommand(), { env: { ...process.env, NODE_ENV: undefined } });
    if (code !== 0) {
      return code;
    }
  }
  writeFileSync(stamp, wanted);
  return 0;
}

/** npm writes its own record last, so a record newer than the lock file means a finished install. */
function installedByHand(root) {
  const record = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return record !== undefined && record.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Returns the npm that runs us, if one does: another one on the PATH may be older. */
function npmCommand() {
  const args = ['ci', '--include=dev', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  return npm !== undefined && /\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
}

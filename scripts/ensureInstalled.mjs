import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './hashFiles.mjs';
import { run } from './run.mjs';
import { isServed } from './running.mjs';

/** Runs `npm ci` unless node_modules matches package-lock.json; returns npm's exit code, or 1 if a server uses them. */
export async function ensureInstalled(root) {
  const { wanted, found, mark } = stampOf(root);
  if (found === wanted) {
    return 0;
  }
  if (found !== null || !installedByHand(root)) {
    const code = await installAgain(root);
    if (code !== 0) {
      return code;
    }
  }
  mark(wanted);
  return 0;
}

/**
 * As `ensureInstalled`, but leaves native modules, which keep one processor busy for a minute, to `compile`. What needs
 * none of them can run meanwhile. Both give npm's exit code.
 */
export async function ensureUnpacked(root) {
  const { wanted, found, mark } = stampOf(root);
  if (found === wanted || (found === null && installedByHand(root))) {
    return { code: 0, compile: () => ensureInstalled(root) };
  }
  const code = await installAgain(root, '--ignore-scripts');
  if (code === 0) {
    // Not finished: after an interruption the next start installs again.
    mark('not compiled\n');
  }
  return {
    code,
    compile: async () => {
      const compiled = await npm(root, 'rebuild', '--loglevel=error');
      if (compiled === 0) {
        mark(wanted);
      }
      return compiled;
    },
  };
}

/** `npm ci` first removes all packages, also those that a running server has yet to load. */
async function installAgain(root, ...options) {
  if (await isServed(root)) {
    return 1;
  }
  console.log('Installing packages (npm ci) ...');
  return await npm(root, 'ci', '--include=dev', '--loglevel=error', ...options);
}

/** What was installed last, what should be, and how to note it. */
function stampOf(root) {
  const stamp = join(root, 'node_modules/.wardlight-lock');
  return {
    // Native modules are compiled for one Node ABI, so another Node needs an install of its own.
    wanted: `${hashFiles(root, ['package-lock.json'])} ${process.versions.modules}\n`,
    found: existsSync(stamp) ? readFileSync(stamp, 'utf8') : null,
    mark: (text) => {
      writeFileSync(stamp, text);
    },
  };
}

/** npm writes its own record last, so a record newer than the lock file means a finished install. */
function installedByHand(root) {
  const record = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return record !== undefined && record.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Runs npm: the one that runs us, if one does, because another one on the PATH may be older. */
function npm(root, ...args) {
  const path = process.env.npm_execpath;
  const [command, first] = path !== undefined && /\.c?js$/.test(path) ? [process.execPath, [path]] : ['npm', []];
  const env = {
    ...process.env,
    // Under production npm would leave out what the build needs.
    NODE_ENV: undefined,
    // SQLite's own level. The one of its package, -O3, takes half as long again and makes it no quicker.
    MAKEFLAGS: 'CFLAGS_C_Release=-O2',
  };
  return run(root, command, [...first, ...args], { env });
}

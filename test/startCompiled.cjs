const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script, constants } = require('node:vm');

/**
 * Runs the bundle of the first argument. What V8 has compiled of it is kept beside it by the first start, and spares
 * each later one half of its processor time.
 */
const [, , file] = process.argv;
const kept = `${file}.compiled`;
const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
const script = new Script(wrapped, {
  filename: file,
  cachedData: existsSync(kept) ? readFileSync(kept) : undefined,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()({}, createRequire(file), {}, file, dirname(file));
if (!existsSync(kept)) {
  // A start may be killed at any time.
  writeFileSync(`${kept}.${process.pid}`, script.createCachedData());
  renameSync(`${kept}.${process.pid}`, kept);
}

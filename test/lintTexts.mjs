// Takes [{file, text}] as JSON on its input. Prints the rules that oxlint.config.mjs turns on and, for each text, what
// the linter reports about it in that file: {rules, reports: [[{rule, says}]]}. The texts are files of a folder of
// their own, so that one linter reads all, with types.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import config from '../oxlint.config.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'wardlight-lint-'));

function write(file, text) {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  // A text given twice for one file would hide the first.
  writeFileSync(join(folder, file), text, { flag: 'wx' });
}

/** Returns a rule as the configuration names it: "eslint(curly)" is "curly". */
function ruleOf(code) {
  const [, plugin, name] = /^([\w-]+)\(([\w-]+)\)$/.exec(code ?? '') ?? [];
  if (plugin === undefined) {
    return null;
  }
  return plugin === 'eslint' ? name : `${plugin === 'react-hooks' ? 'react' : plugin}/${name}`;
}

try {
  const cases = JSON.parse(await readAll(process.stdin));
  cases.forEach(({ file, text }) => write(file, text));
  write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['**/*.ts', '**/*.tsx'] }));
  write('oxlint.config.mjs', `export { default } from ${JSON.stringify(join(root, 'oxlint.config.mjs'))};\n`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const folders = [...new Set(cases.map(({ file }) => file.split('/')[0]))];
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', 'oxlint.config.mjs', '--format=json', ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
  if (!stdout.startsWith('{')) {
    throw new Error(stdout + stderr);
  }
  const found = JSON.parse(stdout).diagnostics;
  const reports = cases.map(({ file }) =>
    found
      .filter(({ filename }) => filename === file)
      .map(({ code, message, help }) => ({ rule: ruleOf(code), says: [message, help].filter(Boolean).join(' ') })),
  );
  const isOn = ([, value]) => value !== 'off';
  const blocks = [config, ...config.overrides];
  const rules = new Set(blocks.flatMap(({ rules = {} }) => Object.entries(rules).filter(isOn)).map(([name]) => name));
  process.stdout.write(JSON.stringify({ rules: [...rules], reports }));
} finally {
  rmSync(folder, { recursive: true });
}

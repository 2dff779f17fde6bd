import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Evaluates an expression over the exports, called `it`, of a script in a separate Node: jest loads no ES module. */
export function evaluateModule(script: string, expression: string): unknown {
  const path = join(__dirname, '..', 'scripts', script);
  const program = `import * as it from ${JSON.stringify(path)}; process.stdout.write(JSON.stringify(${expression}));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (stdout === '') {
    throw new Error(stderr);
  }
  return JSON.parse(stdout);
}

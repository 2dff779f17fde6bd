// Lines a file, tests excepted: prints the median and the files above 400 lines.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const code = ['*.ts', '*.tsx', ':!*.test.ts', ':!*.test.tsx', ':!*.spec.ts', ':!test/', ':!e2e/', ':!bench/'];
const files = execFileSync('git', ['ls-files', '-z', ...code])
  .toString()
  .split('\0')
  .filter(existsSync);
const lines = files.map((file) => ({ file, count: readFileSync(file, 'utf8').split('\n').length - 1 }));
lines.sort((a, b) => a.count - b.count);
console.log(`median of ${lines.length} files: ${lines[Math.floor(lines.length / 2)].count} lines`);
for (const { file, count } of lines.filter((one) => one.count > 400)) {
  console.log(`above 400: ${file}, ${count} lines`);
}

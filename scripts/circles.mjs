// Circles of imports, those of types included, in the folder it runs in: prints each and exits with 1 if there is one.
// `npm run lint` runs it. A module of a circle can be neither read nor tested without all the others.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const list = (...args) =>
  execFileSync('git', ['ls-files', '-z', ...args, '*.ts', '*.tsx'])
    .toString()
    .split('\0');
const deleted = new Set(list('--deleted'));
const files = new Set(list('--cached', '--others', '--exclude-standard').filter((file) => file && !deleted.has(file)));

/** Returns the file of a relative import, or undefined: packages, JSON and styles import nothing of ours. */
const resolve = (from, name) => {
  const base = path.posix.join(path.posix.dirname(from), name);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`].find((file) => files.has(file));
};

const imports = new Map();
for (const file of files) {
  const names = ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);
  const ours = names.filter((name) => name.startsWith('.')).map((name) => resolve(file, name));
  imports.set(file, new Set(ours.filter((target) => target !== undefined)));
}

/** Returns Tarjan's strongly connected components with more than one file. */
const circles = [];
const order = new Map();
const lowest = new Map();
const stack = [];
const visit = (file) => {
  order.set(file, order.size);
  lowest.set(file, order.get(file));
  stack.push(file);
  for (const target of imports.get(file)) {
    if (!order.has(target)) {
      visit(target);
      lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    } else if (stack.includes(target)) {
      lowest.set(file, Math.min(lowest.get(file), order.get(target)));
    }
  }
  if (lowest.get(file) === order.get(file)) {
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || imports.get(file).has(file)) {
      circles.push(circle.sort());
    }
  }
};
for (const file of files) {
  if (!order.has(file)) {
    visit(file);
  }
}

for (const circle of circles) {
  const members = circle.map((file) => {
    const inside = [...imports.get(file)].filter((target) => circle.includes(target));
    return `  ${file} -> ${inside.join(', ')}`;
  });
  console.error(`Circle of imports:\n${members.join('\n')}`);
  console.error('  Move what they share, often a type, into a file that imports none of them.\n');
}
console.log(`${circles.length} circles of imports, types included, among ${files.size} files`);
process.exitCode = circles.length > 0 ? 1 : 0;

/**
 * Shows what the tests notice: changes one expression of the product at a time, in a copy, and runs the tests nearest
 * to it. `npx tsx test/mutants.ts --help` says how.
 */
import { fork, execFileSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { z } from 'zod';
import prepareStores from './prepareStores';
import removeStores from './removeStores';

const usage = `npx tsx test/mutants.ts [--seed HASH] [--list FILE] [--from FILE] [--only REGEX] [--most 8]
  --seed  chooses the mutants; without it the hash of the parent commit
  --list  where each mutant and what became of it is written; a list that is there already is completed
  --from  runs the mutants of a list again, but for those not reached and those proven to be equivalent
  --only  of a list: those whose line in it matches; without a list: the areas that match
  --most  how many of the nearest test files may run before a mutant counts as survivor
`;

const root = join(__dirname, '..');
const wanted = 60;
/** What a mutant may lie in. The first area whose pattern matches a file has it. */
const areas: Record<string, RegExp> = {
  escalation:
    /^(lib|server)\/alerts\/(escalat|siteEsc|nextStep|plan|followT|actions|handleA|pauses|alertSound|reconsid)/,
  rules: /^(lib\/alerts\/(?!.*(Words|Labels|Schema|schema|Calls|calls))|server\/alerts\/(evaluate|apply))/,
  ingest: /^(server\/ingest|server\/vitals|lib\/vitals\/(?!chart|spark|spread|.*Words))/,
  access: /^(server\/http|server\/session|lib\/session)\//,
  audit: /^(server|lib)\/audit/,
  HL7: /^(lib\/hl7|server\/hl7|server\/hl7Send)\//,
  store: /^(server\/db|server\/patients|store)\//,
  screens: /^(components|hooks|lib\/browser)\//,
};
/** Files without a promise of their own: tests, texts, and the tables of the database as they once were. */
const leftOut = /\.test\.tsx?$|\.d\.ts$|[wW]ords\.ts$|^server\/db\/(.*Tables|firstSchema|migrations|rows|schema)\.ts$/;
/** Tests that take minutes: they run after all others. */
const slow = /crash|powerLoss|fuzz|property|demo\.test|clockWatch|restart/;

const columns = ['seed', 'area', 'operator', 'file', 'line', 'at', 'from', 'to', 'text', 'outcome', 'by'] as const;
/** `text` is the line without its indent, `at` the place of `from` in it: both hold when other lines change. */
type Mutant = Record<(typeof columns)[number], string>;

const swaps = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
]);
const twins = new Map([
  ['Math.min', 'Math.max'],
  ['Math.max', 'Math.min'],
  ['some', 'every'],
  ['every', 'some'],
]);
const dropped = new Set(['filter', 'toSorted', 'toReversed', 'slice']);
/** Says nothing that a user or a caller relies on. */
const looks =
  /^(className|style|key|data-.*|size|width|height|gap|span|gutter|padding|margin|fontSize|max[WH]\w+|z?[iI]ndex)$/;
const logs = /^(\w+\.)*(log|logger|console|metrics?)\b/;

type Change = [operator: string, node: ts.Node, to: string];

/** Returns what may be changed at a node; what replaces an expression is an expression. */
function changesAt(node: ts.Node, textOf: (node: ts.Node) => string): Change[] {
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      return [['drop the fallback', node, left]];
    }
    const swap = swaps.get(node.operatorToken.kind);
    const joinsText = node.operatorToken.kind === ts.SyntaxKind.PlusToken && /['"`]/.test(left + right);
    const mixes = /&&|\|\|/.test(swap ?? '');
    const to = mixes ? `(${left}) ${swap} (${right})` : `${left} ${swap} ${right}`;
    return swap === undefined || joinsText ? [] : [['swap the operator', node, to]];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [['drop the negation', node, textOf(node.operand)]];
  }
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    return [
      ['never', condition, 'false'],
      ['always', condition, 'true'],
    ];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    return [['the other truth', node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true']];
  }
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    return [['another number', node, String(value > 100 ? value * 2 : value + 1)]];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) {
    return [['an empty list', node, '[]']];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const twin = twins.get(textOf(node.expression)) ?? twins.get(name.text);
    if (twin !== undefined) {
      const callee = twin.includes('.') ? twin : `${textOf(expression)}.${twin}`;
      return [['the opposite call', node, `${callee}(${node.arguments.map(textOf).join(', ')})`]];
    }
    return dropped.has(name.text) ? [['drop the call', node, textOf(expression)]] : [];
  }
  const isCall = ts.isExpressionStatement(node) && /^(await |void )?[\w.?]+\(/.test(textOf(node));
  if (isCall || ts.isThrowStatement(node) || ts.isContinueStatement(node)) {
    return [['drop the statement', node, '']];
  }
  return ts.isReturnStatement(node) && node.expression === undefined ? [['drop the statement', node, '']] : [];
}

/** Returns all mutants of a file. Types, imports, log lines and looks have none. */
function mutantsOf(file: string, area: string, seed: string): Mutant[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found: Mutant[] = [];
  const textOf = (node: ts.Node): string => node.getText(source);
  const isQuiet = (node: ts.Node): boolean =>
    ts.isTypeNode(node) ||
    ts.isTypeElement(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && looks.test(textOf(node.name))) ||
    (ts.isCallExpression(node) && logs.test(textOf(node.expression)));
  const visit = (node: ts.Node): void => {
    if (isQuiet(node) || (ts.isNumericLiteral(node) && ts.isJsxExpression(node.parent))) {
      return;
    }
    for (const [operator, { pos, end }, to] of changesAt(node, textOf)) {
      const start = pos + (/^(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*/.exec(text.slice(pos, end))?.[0].length ?? 0);
      const { line, character } = source.getLineAndCharacterOfPosition(start);
      const whole = lines[line] ?? '';
      const from = text.slice(start, end);
      if (!from.includes('\n') && !to.includes('\n') && from !== to) {
        const at = String(character - (whole.length - whole.trimStart().length));
        const place = { file, line: String(line + 1), at, from, to, text: whole.trim() };
        found.push({ seed: seed.slice(0, 10), area, operator, ...place, outcome: '', by: '' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const listed = git('ls-files', '-z', '-co', '--exclude-standard').split('\0');
const files = listed.filter((file) => file !== '' && existsSync(join(root, file)));
const known = new Set(files);
const hash = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

/** Returns the mutants of an area in the order of the seed, one a file. */
function drawn(area: string, seed: string): Mutant[] {
  const areaOf = (file: string): string | undefined =>
    Object.entries(areas).find(([, pattern]) => pattern.test(file))?.[0];
  const own = files.filter((file) => /\.tsx?$/.test(file) && !leftOut.test(file) && areaOf(file) === area);
  const ordered = own
    .flatMap((file) => mutantsOf(file, area, seed))
    .map((mutant) => ({ mutant, rank: hash(seed, mutant.file, mutant.text, mutant.at, mutant.to, mutant.line) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const taken = new Set<string>();
  return ordered.map(({ mutant }) => mutant).filter(({ file }) => !taken.has(file) && taken.add(file).size > 0);
}

/** Who imports a file, for each of our files. */
const importers = new Map<string, string[]>();
for (const file of files.filter((name) => /\.(tsx?|mjs)$/.test(name))) {
  for (const { fileName } of ts.preProcessFile(readFileSync(join(root, file), 'utf8')).importedFiles) {
    const path = normalize(join(dirname(file), fileName));
    const target = [path, `${path}.ts`, `${path}.tsx`].find((name) => known.has(name));
    if (fileName.startsWith('.') && target !== undefined) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
}

/** Returns null for two that are equal. */
const compare = (a: number, b: number): number | null => (a === b ? null : a - b);

/** Returns the lines of a mutant's file and the place of its line among them; null: the line is gone. */
function placeOf({ file, line, text }: Mutant): { lines: string[]; place: number } | null {
  const lines = known.has(file) ? readFileSync(join(root, file), 'utf8').split('\n') : [];
  const places = lines.flatMap((whole, index) => (whole.trim() === text ? [index] : []));
  const [place] = places.sort((a, b) => Math.abs(a + 1 - Number(line)) - Math.abs(b + 1 - Number(line)));
  return place === undefined ? null : { lines, place };
}

/** Returns the beginnings of the words of a text, also of those that a name is made of. */
function wordsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/[A-Z]?[a-z]{3,}/g)].map(([word]) => word.toLowerCase().slice(0, 6)));
}

/** Returns the test files that reach a mutant by imports: those of its feature, which share most words, first. */
function testsOf({ file }: Mutant, { lines, place }: { lines: string[]; place: number }): string[] {
  const distance = new Map([[file, 0]]);
  for (const [name, steps] of distance) {
    for (const importer of importers.get(name) ?? []) {
      if (!distance.has(importer)) {
        distance.set(importer, steps + 1);
      }
    }
  }
  const tests = [...distance.keys()].filter((name) => /\.test\.tsx?$/.test(name));
  const texts = new Map(tests.map((test) => [test, wordsOf(test + readFileSync(join(root, test), 'utf8'))]));
  const around = [...wordsOf([file, ...lines.slice(Math.max(0, place - 6), place + 6)].join(' '))];
  const weights = around.map(
    (word) => [word, -Math.log([...texts.values()].filter((own) => own.has(word)).length / tests.length)] as const,
  );
  const scoreOf = (test: string): number => {
    const own = texts.get(test) ?? new Set();
    const shared = weights.reduce((sum, [word, weight]) => sum + (own.has(word) ? weight : 0), 0);
    return (shared / Math.sqrt(own.size)) * (distance.get(test) === 1 ? 2 : 1);
  };
  const featureOf = (path: string): string | undefined => path.split('/')[1]?.replace(/(\.test)?\.tsx?$/, '');
  const isNear = (test: string): boolean => distance.get(test) === 1 || featureOf(test) === featureOf(file);
  return tests
    .map((test) => ({ test, rank: slow.test(test) ? 2 : isNear(test) ? 0 : 1, score: scoreOf(test) }))
    .sort((a, b) => compare(a.rank, b.rank) ?? compare(b.score, a.score) ?? (a.test < b.test ? -1 : 1))
    .map(({ test }) => test);
}

const answer = z.object({
  ran: z.number(),
  failed: z.array(z.string()),
  bytes: z.number(),
});
type Answer = z.infer<typeof answer>;

/**
 * Returns the processor time that a process used, in milliseconds; where Linux does not say it, the time that passed.
 */
function usedMs(pid: number | undefined): number {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) {
    return performance.now();
  }
  const [user = 0, system = 0] = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return (user + system) * 10;
}

/** Added to the set-up of each test file: what comes after the first failure fails at once, it says nothing new. */
const firstFailure = `
let hasFailed = false;
const states = Object.getOwnPropertySymbols(globalThis).filter((name) => name.description === 'JEST_STATE_SYMBOL');
beforeEach(() => {
  if (hasFailed) {
    throw new Error('not run');
  }
});
afterEach(() => {
  hasFailed ||= states.some((name) => Reflect.get(globalThis, name).currentlyRunningTest.errors.length > 0);
});
`;

/** Runs tests in a copy of the project, in processes of their own: a mutant may loop, or end its process. */
class Runner {
  readonly folder = mkdtempSync(join(tmpdir(), 'wardlight-mutants-'));
  readonly copy = join(this.folder, 'copy');
  private child: ChildProcess | null = null;
  private isClosed = false;

  async prepare(): Promise<void> {
    for (const file of files) {
      cpSync(join(root, file), join(this.copy, file));
    }
    symlinkSync(join(root, 'node_modules'), join(this.copy, 'node_modules'));
    process.chdir(this.copy);
    await prepareStores();
    appendFileSync(join(this.copy, 'test/failOnConsole.ts'), firstFailure);
    // The stores are ready for all runs.
    for (const name of ['prepareStores', 'removeStores']) {
      writeFileSync(join(this.copy, `test/${name}.ts`), 'export default function ready(): void {}\n');
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.end();
    await removeStores();
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(tests: readonly string[]): Promise<Answer | 'ended' | 'late'> {
    this.child ??= this.start();
    const child = this.child;
    return new Promise((answerWith) => {
      const done = (found: Answer | 'ended' | 'late'): void => {
        clearInterval(timer);
        child.removeAllListeners();
        if (typeof found === 'string' || found.bytes > 1.2e9) {
          this.end();
        }
        if (!this.isClosed) {
          answerWith(found);
        }
      };
      const start = usedMs(child.pid);
      const timer = setInterval(() => {
        if (usedMs(child.pid) - start > 60_000 + tests.length * 30_000) {
          done('late');
        }
      }, 5_000);
      child.once('message', (message) => done(answer.parse(message))).once('exit', () => done('ended'));
      child.send(tests);
    });
  }

  private start(): ChildProcess {
    const env = { ...process.env, NODE_ENV: 'test' as const, NODE_OPTIONS: '' };
    const options = { cwd: this.copy, env, execArgv: [], detached: true, silent: true };
    const child = fork(join(root, 'test/mutantTests.mjs'), [], options);
    child.stdout?.resume();
    child.stderr?.resume();
    return child;
  }

  /** Ends the process with all that it started. */
  private end(): void {
    if (this.child?.pid !== undefined && this.child.exitCode === null) {
      process.kill(-this.child.pid, 'SIGKILL');
    }
    this.child = null;
  }
}

/** Returns the file with the mutant in it, which leaves a mark behind when it is reached. */
function mutated(
  { text, at, from, to }: Mutant,
  { lines, place }: { lines: string[]; place: number },
  mark: string,
): string {
  const write = `process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const probe = `(globalThis.mutantReached ??= ${write} ?? true)`;
  const replacement = to === '' ? `{ ${probe}; }` : `(${probe}, ${to})`;
  const line = text.slice(0, Number(at)) + replacement + text.slice(Number(at) + from.length);
  return lines.with(place, line).join('\n');
}

/** Returns what became of a mutant: caught, survived, not reached by the tests, or gone with its line. */
async function outcomeOf(mutant: Mutant, runner: Runner, most: number): Promise<Pick<Mutant, 'outcome' | 'by'>> {
  const mark = join(runner.folder, 'reached');
  const found = placeOf(mutant);
  if (found === null) {
    return { outcome: 'gone', by: '' };
  }
  rmSync(mark, { force: true });
  writeFileSync(join(runner.copy, mutant.file), mutated(mutant, found, mark));
  try {
    const nearest = testsOf(mutant, found);
    const last = nearest.filter((test) => test === mutant.by);
    const tests = [...last, ...nearest.filter((test) => test !== mutant.by)].slice(0, most);
    for (let first = 0, size = 1; first < tests.length; first += size, size = Math.min(first + 1, 8)) {
      const batch = tests.slice(first, first + size);
      let answered = await runner.run(batch);
      if (answered === 'ended') {
        // Something that an earlier mutant left behind may have ended the process; it is a new one now.
        answered = await runner.run(batch);
      }
      if (typeof answered === 'string') {
        return { outcome: 'caught', by: `${answered}: ${batch.join(' ')}` };
      }
      if (answered.failed[0] !== undefined) {
        return { outcome: 'caught', by: answered.failed[0] };
      }
      if (answered.ran !== batch.length) {
        throw new Error(`Of ${batch.join(' ')} jest ran ${answered.ran}`);
      }
    }
  } finally {
    cpSync(join(root, mutant.file), join(runner.copy, mutant.file));
  }
  return { outcome: existsSync(mark) ? 'survived' : 'not reached', by: '' };
}

function readList(file: string): Mutant[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1) : [];
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split('\t');
      return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])) as Mutant;
    });
}

async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const options = {
    seed: option,
    list: option,
    from: option,
    only: option,
    most: option,
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const seed = values.seed ?? git('rev-parse', 'HEAD^').trim();
  const list = resolve(values.list ?? 'mutants.log');
  const only = new RegExp(values.only ?? '');
  const again = values.from === undefined ? null : readList(resolve(values.from));
  const runner = new Runner();
  const done = new Map<string, Mutant>();
  const keyOf = ({ seed: of, file, line, at, to }: Mutant): string => [of, file, line, at, to].join('\t');
  const write = (mutant: Mutant): void => {
    done.set(keyOf(mutant), mutant);
    const rows = [...done.values()].map((row) => columns.map((name) => row[name]).join('\t'));
    writeFileSync(list, `${[columns.join('\t'), ...rows].join('\n')}\n`);
  };
  const judge = async (mutant: Mutant): Promise<Mutant> => {
    const start = performance.now();
    const judged = { ...mutant, ...(await outcomeOf(mutant, runner, Number(values.most ?? 8))) };
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    const { outcome, area, file, line, from, to, by } = judged;
    process.stdout.write(`${outcome} in ${seconds} s: ${area} ${file}:${line} ${from} -> ${to}  ${by}\n`);
    write(judged);
    return judged;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void runner.close().finally(() => process.exit(1)));
  }
  await runner.prepare();
  try {
    (again ?? readList(list)).forEach(write);
    if (again !== null) {
      const isLeftOut = ({ outcome }: Mutant): boolean => outcome === 'equivalent' || outcome === 'not reached';
      for (const mutant of again.filter((one) => !isLeftOut(one) && only.test(Object.values(one).join('\t')))) {
        await judge(mutant);
      }
    } else {
      const draws = Object.keys(areas).map((area, index) => {
        const count = Math.floor(wanted / 8) + (index < wanted % 8 ? 1 : 0);
        return { area, count, mutants: drawn(area, seed) };
      });
      // All are on the list before the first one runs, so that it is the same if it goes on with other tests.
      for (const mutant of draws.flatMap(({ count, mutants }) => mutants.slice(0, count))) {
        write(done.get(keyOf(mutant)) ?? mutant);
      }
      for (const { count, mutants } of draws.filter(({ area }) => only.test(area))) {
        let reached = 0;
        for (const mutant of mutants) {
          if (reached === count) {
            break;
          }
          const before = done.get(keyOf(mutant));
          const judged = before === undefined || before.outcome === '' ? await judge(mutant) : before;
          reached += judged.outcome === 'not reached' ? 0 : 1;
        }
      }
    }
    // What failed with a mutant has to pass without it.
    const catchers = [...new Set([...done.values()].flatMap(({ by }) => (known.has(by) ? [by] : [])))];
    const failed: string[] = [];
    for (let first = 0; first < catchers.length; first += 8) {
      const batch = catchers.slice(first, first + 8);
      const found = await runner.run(batch);
      failed.push(...(typeof found === 'string' ? [`${found}: ${batch.join(' ')}`] : found.failed));
    }
    const outcomes = [...done.values()].map(({ outcome }) => outcome);
    const counts = [...new Set(outcomes)].map(
      (name) => `${outcomes.filter((one) => one === name).length} ${name || 'not run'}`,
    );
    process.stdout.write(`${counts.join(', ')}; fail without a mutant: ${failed.join(' ') || 'none'}\n`);
    process.exitCode = outcomes.includes('survived') || failed.length > 0 ? 1 : 0;
  } finally {
    await runner.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});

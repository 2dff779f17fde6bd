// npm run size: the code lines and tokens of each feature over all layers, against docs/size.json. Exits with 1 where
// one has outgrown its number, where a number is higher than it need be, and where a file belongs to no feature.
// --lower          writes the numbers that have fallen, and those of new rows, into docs/size.json; never a higher one
// --against=REF    prints what grew and what shrank since a commit, by feature and in all
// --brief          prints the sums alone
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/**
 * Each feature with its folders in `layers` and a pattern for the paths of files elsewhere. The first row that takes a
 * file has it, so narrow words stand before wide ones.
 */
export const features = [
  ['bench', '', /^bench\//],
  ['tooling', '', /^(scripts|lint)\/|^\w+\.config\.\w+$|\/(lint(Fixtures|Texts)?|specCoverage|slowestFirst)\./],
  ['alerts', 'alerts history sound', /alert|sound|speaker|escalation|presence|(site|patient|no)limits/i],
  ['vitals', 'vitals ingest', /vitals|spark|pageValues|frozenValue|lateRows|malformed/i],
  ['hl7', 'hl7 hl7Send interfaces mappings', /hl7|mllp|mapping|interfaces|sender|damaged|ucum|certi|capture/i],
  ['devices', 'devices deviceAlarms', /device/i],
  ['chart', 'chart', /chart/i],
  ['notes', 'notes', /useNote[DR]|ownNotes|inventedNote/i],
  ['handoffs', 'handoffs', /hando(ff|ver)/i],
  ['reports', 'reports', /issueReport|report(Keeper|Draft)|(new|invented)Report|pages\/reports/i],
  ['symptoms', 'symptoms checkIn', /symptom|check_?in|invented(Strip|Today)|outbox/i],
  ['export', 'export', /export/i],
  ['chat', 'chat', /chat/i],
  ['tour', 'tour', /tour|walkthrough/i],
  ['wall', 'wall', /wall/i],
  ['demo', 'demo replay', /^simulator\/|demo/i],
  ['units', 'units assignments', /units|assignments/i],
  ['audit', 'audit breakGlass', /audit|breakGlass|everyCall/i],
  ['patients', 'patients care dashboard follows', /patient|dashboard|follow|details|care\.spec|longList|ward\b/i],
  [
    'session',
    'session authentication mail profile users',
    /session|authenti|account|(current|page)user|profile|sign_|locked|password|invit|registration|smtp|idle|active/i,
  ],
  ['admin', 'admin proposals site', /admin|intended/i],
  ['db', 'db backup disk', /crash|database|postgres|holdWrite|powerLoss|refuse|stores|storage/i],
  ['clock', 'clock time', /clock/i],
  ['http', 'http api events', /events|addresses|hostile|starting|slowLink/i],
  ['monitoring', 'monitoring', /^(sentry|instrumentation)|(faults|reports)\.spec|replay_?worker|reportReceiver/i],
  ['process', 'cli', /^(lib|server)\//],
  ['pages', 'browser layout start ui', /^(hooks|pages|public|store|styles)\/|(outage|sidebar)\.spec/i],
  // A test belongs to a feature, so only what many tests use is taken here.
  ['support', '', /^(e2e|test)\/(?!.*\.(spec|test)\.)/],
];
const layers = /^(?:components|lib|server|store)\/(\w+)\//;

/** What is in git and is not counted; everything else is. */
const exclusions = [
  /\.md$/,
  /^docs\/screens\/[\w-]+\.webp$/,
  /^public\/[\w-]+\.(ico|svg)$/,
  // The settings of tools. JSON that the product or a test reads is counted as code.
  /^(package|package-lock|tsconfig|knip|\.oxfmtrc|docs\/size)\.json$/,
  /^(LICENSE|\.(editorconfig|env\.example|gitattributes|git-blame-ignore-revs|gitignore|npmrc))$/,
  // The one shell script and the one file in C.
  /^(\.ci\/run|test\/powerLoss\.c)$/,
  // The list of mutants, which test/mutants.ts writes.
  /^test\/mutants\.tsv$/,
];

/** Returns whether a file is one of those. */
export const isExcluded = (file) => exclusions.some((pattern) => pattern.test(file));

const kinds = ['product', 'styles', 'bench', 'tooling', 'tests'];

/** Returns the feature and the kind of a file, or null for one that belongs nowhere. */
export function placeOf(file) {
  const [, folder] = layers.exec(file) ?? [];
  const [feature] =
    features.find(([, folders, elsewhere]) =>
      folder === undefined ? elsewhere.test(file) : folders.split(' ').includes(folder),
    ) ?? [];
  if (feature === undefined || !(extname(file) in languages)) {
    return null;
  }
  if (/^(e2e|test)\/|\.(spec|test)\.\w+$/.test(file)) {
    return { feature, kind: 'tests' };
  }
  return { feature, kind: kinds.includes(feature) ? feature : file.endsWith('.css') ? 'styles' : 'product' };
}

const blank = (comment) => comment.replace(/\S/g, ' ');
/** Returns what blanks the comments of a language whose strings and comments a pattern finds. */
const blankBy = (pattern) => (text) => text.replace(pattern, (all, string) => string ?? blank(all));

/** What may hold slashes that begin no comment. */
const literals = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.JsxText,
]);

function blankInScript(text, file) {
  const source = ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const parts = [];
  let at = 0;
  const take = (from, to, part) => {
    parts.push(text.slice(at, from).replace(/\/\/.*|\/\*[^]*?\*\//g, blank), part(text.slice(from, to)));
    at = to;
  };
  const visit = (node) => {
    if (literals.has(node.kind)) {
      take(node.getStart(source), node.end, (literal) => literal);
    } else if (ts.isJsxExpression(node) && node.expression === undefined) {
      // The braces around a comment in JSX are part of it.
      take(node.getStart(source), node.end, blank);
    } else {
      ts.forEachChild(node, visit);
    }
  };
  visit(source);
  take(text.length, text.length, blank);
  return parts.join('');
}

/** What blanks the comments, by the end of a file's name. */
const languages = {
  '.ts': blankInScript,
  '.tsx': blankInScript,
  '.js': blankInScript,
  '.mjs': blankInScript,
  '.cjs': blankInScript,
  '.json': blankInScript,
  '.css': blankBy(/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\*[^]*?\*\//g),
  '.sql': blankBy(/("[^"]*"|'[^']*')|--.*|\/\*[^]*?\*\//g),
};

/**
 * Counts the lines that hold more than blanks and comments, and the tokens: words, numbers and marks. Those in a string
 * count as those outside, so that code or data is no smaller in a string; an empty line in it is as empty as any.
 * Lines count as they are: `npm test` checks of the same tree that it is formatted at width 120. What no formatter
 * folds, a long string, still has its tokens.
 */
export function sizeOf(file, text) {
  const code = languages[extname(file)](text, file);
  const lines = code.split('\n').filter((line) => line.trim() !== '').length;
  return { files: 1, lines, tokens: code.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)?.length ?? 0 };
}

const none = { files: 0, lines: 0, tokens: 0 };
const add = (one, other, sign = 1) => ({
  files: one.files + sign * other.files,
  lines: one.lines + sign * other.lines,
  tokens: one.tokens + sign * other.tokens,
});

/** Returns the sizes by kind and feature, and the files that belong nowhere. */
export function sizesOf(files, measure) {
  const sizes = {};
  const homeless = [];
  for (const file of files.filter((name) => !isExcluded(name))) {
    const place = placeOf(file);
    if (place === null) {
      homeless.push(file);
    } else {
      const row = (sizes[place.kind] ??= {});
      row[place.feature] = add(row[place.feature] ?? none, measure(file));
    }
  }
  return { sizes, homeless };
}

/** Returns kind, feature, and what each table has there, of every row of some tables. */
function rowsOf(...tables) {
  return kinds.flatMap((kind) => {
    const names = new Set([
      ...features.map(([name]) => name),
      ...tables.flatMap((table) => Object.keys(table[kind] ?? {})),
    ]);
    return [...names]
      .map((name) => [kind, name, ...tables.map((table) => table[kind]?.[name])])
      .filter(([, , ...values]) => values.some((value) => value !== undefined));
  });
}

/** By so much the tokens of a row may exceed their number: one condition more in a line needs no ceremony. */
const tokensSlack = 1.01;
const digits = (number) => number.toLocaleString('en');
const signed = (number) => (number > 0 ? `+${digits(number)}` : digits(number));

/**
 * Returns a sentence for each file that belongs nowhere and each row that is not at its number. Numbers of tests are
 * maxima only: two branches that remove tests need not agree on what is left.
 */
export function faultsOf({ sizes, homeless }, numbers) {
  const lost = homeless.map(
    (file) =>
      `${file} belongs to no feature. Move it into the folder of the feature that it serves, or give that feature ` +
      'its folder or its name in scripts/size.mjs. What is in git is counted or a listed exclusion.',
  );
  const wrong = rowsOf(sizes, numbers).flatMap(([kind, feature, size = none, number = none]) => {
    const is = `${kind} of ${feature}: ${digits(size.lines)} lines and ${digits(size.tokens)} tokens`;
    const was = `docs/size.json allows ${digits(number.lines)} and ${digits(number.tokens)}`;
    if (size.lines > number.lines || size.tokens > number.tokens * tokensSlack) {
      return (
        `${is}, ${was}. Make it smaller. A number rises by hand, where an open issue states a ceiling that has ` +
        'room or another number falls by as much in the same commit; the commit says which.'
      );
    }
    return size.lines < number.lines && kind !== 'tests'
      ? `${is}, ${was}. Write down what was saved before it is spent unseen: npm run size -- --lower`
      : [];
  });
  return [...lost, ...wrong];
}

/** Returns the numbers with what has fallen, and with the sizes of rows that had none. */
export function lowered(sizes, numbers) {
  const result = {};
  for (const [kind, feature, size, number = size] of rowsOf(sizes, numbers)) {
    if (size !== undefined) {
      const lines = Math.min(size.lines, number.lines);
      (result[kind] ??= {})[feature] = { lines, tokens: Math.min(size.tokens, number.tokens) };
    }
  }
  return result;
}

/** Returns how much more `after` has than `before`, as sizes. */
export function difference(after, before) {
  const result = {};
  for (const [kind, feature, now = none, then = none] of rowsOf(after, before)) {
    (result[kind] ??= {})[feature] = add(now, then, -1);
  }
  return result;
}

/** Returns a line for each row that is not 0 and for the sums, or for the sums alone. */
export function format(sizes, { isBrief = false, isSigned = false } = {}) {
  const number = isSigned ? signed : digits;
  const all = rowsOf(sizes);
  const sumOf = (rows) => rows.reduce((sum, [, , size]) => add(sum, size), none);
  const table = kinds.flatMap((kind) => {
    const rows = all.filter(([one]) => one === kind);
    return [...(isBrief ? [] : rows), [kind, 'all', sumOf(rows)]];
  });
  return [...table, ['all', '', sumOf(all)]]
    .filter(([, , size]) => Object.values(size).some((value) => value !== 0))
    .map(([kind, feature, { files, lines, tokens }]) => {
      const counts = `${number(lines).padStart(8)} lines ${number(tokens).padStart(10)} tokens`;
      return `${kind.padEnd(8)} ${feature.padEnd(10)} ${number(files).padStart(6)} files ${counts}`;
    });
}

/** Returns the text of docs/size.json as oxfmt formats it: a line a row, so that branches merge row by row. */
const written = (numbers) =>
  `${JSON.stringify(numbers, null, 2).replace(/\{\s+("lines": \d+),\s+("tokens": \d+)\s+\}/g, '{ $1, $2 }')}\n`;

const git = (root, ...args) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 });
const filesIn = (list) => list.toString().split('\0').filter(Boolean);
const known = new Map();
/** Returns what measures the files of a folder; the same text is measured once. */
const measureIn = (root) => (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const key = `${extname(file)} ${text}`;
  const size = known.get(key) ?? sizeOf(file, text);
  known.set(key, size);
  return size;
};

/** Counts what is in git and what is not ignored: a new file counts before it is added. */
function countNow(root) {
  const files = filesIn(git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'));
  const isThere = (file) => existsSync(join(root, file));
  return sizesOf(files.filter(isThere), measureIn(root));
}

/** Counts a commit's files by the features of today. */
function countAt(root, ref) {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-size-'));
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git(root, 'archive', '--format=tar', ref) });
    return sizesOf(filesIn(git(root, 'ls-tree', '-r', '-z', '--name-only', ref)), measureIn(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function main(root) {
  const options = { lower: { type: 'boolean' }, against: { type: 'string' }, brief: { type: 'boolean' } };
  const { lower, against, brief: isBrief } = parseArgs({ options }).values;
  const now = countNow(root);
  if (against !== undefined) {
    const then = countAt(root, against);
    console.log(format(difference(now.sizes, then.sizes), { isBrief, isSigned: true }).join('\n'));
    if (then.homeless.length > 0) {
      console.log(`Of no feature today, so not counted in ${against}: ${then.homeless.join(', ')}`);
    }
    return 0;
  }
  const path = join(root, 'docs/size.json');
  let numbers = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  if (lower) {
    numbers = lowered(now.sizes, numbers);
    writeFileSync(path, written(numbers));
  }
  const faults = faultsOf(now, numbers);
  console.log([...format(now.sizes, { isBrief }), ...faults].join('\n'));
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = main(dirname(dirname(fileURLToPath(import.meta.url))));
}

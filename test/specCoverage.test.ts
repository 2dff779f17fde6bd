import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const text = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
const [coverage = '', deviations = ''] = text.split('## Deviations');
/** The owner's specification is not part of this repository. */
const specPath = join(root, '../shared/spec/product-spec.md');

interface Row {
  id: string;
  /** What the specification says. */
  text: string;
  /** What is built of it, why nothing is, and which of its literals no test holds. */
  parts: string[];
}

const oneLine = (lines: string): string => lines.replace(/\s+/g, ' ').trim();
const rows: Row[] = [...coverage.matchAll(/^- \*\*(\d+\.\d+)\*\* ([\s\S]*?)(?=\n\n|\n- |$(?![\s\S]))/gm)].map(
  ([, id = '', item = '']) => {
    const [said = '', ...parts] = item.split(/\n {2}- /).map(oneLine);
    return { id, text: said, parts };
  },
);

const filesIn = (part: string): string[] => [...part.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, path = '']) => path);
const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path);
const testsOf = ({ parts }: Row): string[] => parts.flatMap(filesIn).filter(isTest);

/** Returns the quoted strings of a text. */
function stringsOf(said: string): string[] {
  return [...said.matchAll(/(?<!\w)'([^']+)'(?!\w)|`([^`]+)`/g)].map(([, one, other]) => one ?? other ?? '');
}

/** A number, and the beginnings of the words beside it: what the number is about. */
interface Amount {
  text: string;
  words: string[];
}

/** Returns the numbers of a text. The number of a section is a reference. */
function numbersOf(said: string): Amount[] {
  return said
    .replace(/section \d+/g, '')
    .split(/[,;:()|]|\.(?!\d)/)
    .flatMap((clause) => {
      const words = (clause.match(/[A-Za-z]{4,}/g) ?? []).map((word) => word.slice(0, 5).toLowerCase());
      return (clause.match(/(?<![\w.])\d+(?:\.\d+)?(?!\w)/g) ?? []).map((text) => ({ text, words }));
    });
}

/** Returns the literals that a row excepts, each with its reason after it. */
function exemptionsOf({ parts }: Row): string[] {
  return parts.flatMap((part) => /^Exempt '?(.+?)'?: \w/.exec(part)?.slice(1) ?? []);
}

/** Returns a test's source with its numbers and its strings in one piece: 5_000 is 5000. */
function sourceOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
    .replace(/(?<=\d)_(?=\d)/g, '')
    .replace(/(['"`]) \+\s+\1/g, '');
}

/** `{product}` is the product's name, in small letters within a key; another `{value}` is what a program puts there. */
function isHeld(literal: string, source: string): boolean {
  const pattern = literal
    .replace(/[.*+?^$|()[\]\\]/g, '\\$&')
    .replaceAll('{product}', '[Ww]ardlight')
    .replace(/\{\w+\}/g, '.+?');
  return new RegExp(/^[\d.]+$/.test(literal) ? `(?<![\\w.])${pattern}(?![\\w.]*\\d)` : pattern).test(source);
}

/** Returns the tests of a source, each with its name. What is outside of them proves nothing. */
function blocksOf(source: string): string[] {
  const pattern = /^( *)(?:it|test)(?:\.each)?(?=[(`<])(?:.*\);$|[\s\S]*?^\1\}\);$)/gm;
  return [...source.matchAll(pattern)].map(([block]) => block);
}

/**
 * Whether one test has a number together with half of the words beside it: a 10 is somewhere in every file. Words of a
 * test are parts of its names as well, for example `scrollOffset`.
 */
function isProved({ text, words }: Amount, blocks: readonly string[]): boolean {
  return blocks.some((block) => {
    const small = block.toLowerCase();
    return isHeld(text, block) && words.filter((word) => small.includes(word)).length * 2 >= words.length;
  });
}

/**
 * Returns what the specification says, piece by piece: each sentence of a paragraph, each item of a list, each row of a
 * table. They are counted within their section; headings are none.
 */
function itemsOf(spec: string): Pick<Row, 'id' | 'text'>[] {
  let section = 0;
  let count = 0;
  return spec.split('\n').flatMap((line, at, lines) => {
    const heading = /^## (\d+)\./.exec(line);
    if (heading !== null) {
      section = Number(heading[1]);
      count = 0;
    }
    const isHead = line.startsWith('|') && lines[at + 1]?.startsWith('|--') === true;
    if (line === '' || line.startsWith('#') || line.startsWith('|--') || isHead) {
      return [];
    }
    const plain = line.replaceAll('**', '');
    const pieces = plain.startsWith('|')
      ? [plain.slice(1, -1).trim()]
      : /^(-|\d+\.) /.test(plain)
        ? [plain.replace(/^(-|\d+\.) /, '')]
        : plain.split(/(?<=\.) (?=[A-Z])/);
    return pieces.map((piece) => {
      count += 1;
      return { id: `${section}.${count}`, text: oneLine(piece) };
    });
  });
}

function describeIfThere(path: string): typeof describe {
  if (existsSync(path)) {
    return describe;
  }
  process.stderr.write(`spec-coverage: not compared with the specification, because ${path} is not there\n`);
  return describe.skip;
}

describeIfThere(specPath)('the specification', () => {
  const spec = existsSync(specPath) ? readFileSync(specPath) : Buffer.alloc(0);

  it('is the one that docs/spec-coverage.md was written for', () => {
    expect(/`([0-9a-f]{64})`/.exec(text)?.[1]).toBe(createHash('sha256').update(spec).digest('hex'));
  });

  it('has one row there for each sentence, item of a list and row of a table, with its text', () => {
    expect(rows.map(({ id, text: said }) => ({ id, text: said }))).toEqual(itemsOf(spec.toString('utf8')));
  });
});

describe('docs/spec-coverage.md', () => {
  it('has no item that is no row', () => {
    expect(rows).toHaveLength(coverage.match(/^- /gm)?.length ?? 0);
    expect(rows.length).toBeGreaterThan(80);
  });

  it('names files that exist', () => {
    expect(filesIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('says of each row what is built, or why nothing is', () => {
    const silent = rows.filter(
      ({ parts }) => !parts.some((part) => filesIn(part).length > 0 || /^(Not built|No promise): \w/.test(part)),
    );
    expect(silent).toEqual([]);
  });

  it('names a test for everything that is built, and a test alone for nothing', () => {
    const unproved = rows
      .flatMap(({ parts }) => parts)
      .filter((part) => {
        const [where = '', proof = ''] = part.split('Proved by');
        return filesIn(where).length > 0 !== filesIn(proof).some(isTest) || filesIn(where).some(isTest);
      });
    expect(unproved).toEqual([]);
  });

  it.each(rows.map((row) => [row.id, row] as const))(
    'names in row %s tests that hold its strings and numbers',
    (_, row) => {
      const sources = testsOf(row).map(sourceOf);
      const strings = stringsOf(row.text).filter((each) => !sources.some((source) => isHeld(each, source)));
      const blocks = sources.flatMap(blocksOf);
      const numbers = numbersOf(row.text).filter((each) => !isProved(each, blocks));
      const missing = [...strings, ...numbers.map(({ text: number }) => number)];
      // An exemption that nothing needs is a fault as well.
      expect(missing).toEqual(exemptionsOf(row));
    },
  );

  it('names each row that deviates, and only those, with the reason', () => {
    const marked = rows.filter(({ parts }) => parts.includes('Deviates, see below.')).map(({ id }) => id);
    const explained = [...deviations.matchAll(/^- \*\*([\d., ]+)\*\* \w/gm)].flatMap(([, ids = '']) => ids.split(', '));
    expect([...new Set(explained)].sort()).toEqual(marked.sort());
  });
});

describe('docs/alerts/proofs.md', () => {
  const cases = [
    ...readFileSync(join(root, 'docs/alerts/proofs.md'), 'utf8').matchAll(/^\|.+\| `([\w./]+)`: (.+?) +\|$/gm),
  ].map(([, file = '', title = '']) => [file, title] as const);

  it('has a test for every case', () => {
    expect(cases.length).toBeGreaterThan(45);
  });

  it.each(cases)('names the test of %s that %s', (file, title) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });
});

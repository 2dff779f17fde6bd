import { StringDecoder } from 'node:string_decoder';

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Returns the cells of a line of PostgreSQL's COPY text format. The line has no line feed; null is NULL. */
export function parseCopyLine(line: string): (string | null)[] {
  return line
    .split('\t')
    .map((cell) => (cell === '\\N' ? null : cell.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)));
}

/** Yields the lines of a stream of COPY text. Only a line feed ends one: other separators may be part of a cell. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

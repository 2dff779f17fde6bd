import { isUtf8 } from 'node:buffer';
import { HttpError } from './httpError';

/** No honest client sends more. Recursive code after this check relies on the depth (security.md H3). */
const maxDepth = 32;
const maxTokens = 100_000;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

const quote = 0x22;
const backslash = 0x5c;

/** Returns the text of a body. Throws 400 if it is not UTF-8: a name that was mended on the way is another name. */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) {
    throw new HttpError(400, 'malformed_json', 'The body is not UTF-8.');
  }
  return body.toString('utf8');
}

/**
 * Returns the value of a JSON text. Throws 400 if the text is not JSON, nests deeper than 32, holds more than 100,000
 * keys and values, repeats a key in one object (two parsers could then see two values), or uses a key that reaches into
 * an object's prototype. Depth and size are checked before any recursive code sees the text.
 */
export function parseJson(text: string): unknown {
  inspect(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'malformed_json', 'The body is not JSON.');
  }
}

interface Key {
  /** As in the text, with its quotes. */
  written: string;
  name: string;
}

function inspect(text: string): void {
  /** The keys seen so far in each open object; null for an open array. */
  const open: (Key[] | null)[] = [];
  /**
   * The keys of the object that ended last at each depth: those of the next one in a list are mostly the same, and to
   * compare is much faster than to cut them out again.
   */
  const last: Key[][] = [];
  let tokens = 0;
  let inLiteral = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      inLiteral = false;
      const keys = open.at(-1);
      const likely = keys == null ? undefined : last[open.length]?.[keys.length];
      const same = likely !== undefined && text.startsWith(likely.written, at) ? likely : undefined;
      const end = same === undefined ? endOfString(text, at) : at + same.written.length - 1;
      if (keys != null && isKey(text, end)) {
        addKey(keys, same ?? keyOf(text.slice(at, end + 1)));
      }
      tokens += 1;
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      inLiteral = false;
      open.push(code === 0x7b ? [] : null);
      tokens += 1;
      if (open.length > maxDepth) {
        throw new HttpError(400, 'json_too_deep', `The JSON nests deeper than ${maxDepth}.`);
      }
    } else if (code === 0x7d || code === 0x5d) {
      inLiteral = false;
      const ended = open.pop();
      if (ended != null) {
        last[open.length + 1] = ended;
      }
    } else if (code === 0x2c || code === 0x3a || code <= 0x20) {
      inLiteral = false;
    } else if (!inLiteral) {
      inLiteral = true;
      tokens += 1;
    }
    if (tokens > maxTokens) {
      throw new HttpError(400, 'json_too_large', `The JSON holds more than ${maxTokens} keys and values.`);
    }
  }
}

/** Takes the index of an opening quote and returns that of the closing one, or the text's length if it is missing. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) {
      escapes += 1;
    }
    if (escapes % 2 === 0) {
      return end;
    }
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns whether the string that ends here is a key: a colon follows it. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 0x20) {
    at += 1;
  }
  return text.charCodeAt(at) === 0x3a;
}

function keyOf(written: string): Key {
  return { written, name: written.includes('\\') ? unescape(written) : written.slice(1, -1) };
}

function addKey(keys: Key[], key: Key): void {
  const { name } = key;
  if (forbiddenKeys.has(name)) {
    throw new HttpError(400, 'forbidden_key', `The JSON uses the key ${name}.`);
  }
  if (keys.some((earlier) => earlier.name === name)) {
    throw new HttpError(400, 'duplicate_key', `The JSON names the key "${name.slice(0, 40)}" twice in one object.`);
  }
  keys.push(key);
  if (keys.length > 200) {
    throw new HttpError(400, 'json_too_large', 'The JSON holds an object with more than 200 keys.');
  }
}

function unescape(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new HttpError(400, 'malformed_json', 'The body is not JSON.');
  }
}

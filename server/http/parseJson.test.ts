import fc from 'fast-check';
import { parseJson } from './parseJson';
import { HttpError } from './httpError';

/** The code with which a text is refused, or null when it is taken. */
function refusalOf(text: string): string | null {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    return error instanceof HttpError && error.status === 400 ? error.code : `not a refusal: ${String(error)}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const numbers = (count: number): string => `[${Array.from({ length: count }, () => 1).join(',')}]`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

describe('parseJson refuses', () => {
  it.each([
    ['an empty text', ''],
    ['blanks', ' \n'],
    ['half an object', '{"a":1'],
    ['two values', '1 2'],
    ['NaN', '{"value":NaN}'],
    ['Infinity', '{"value":Infinity}'],
    ['single quotes', "{'a':1}"],
    ['a comment', '{"a":1}//'],
    ['a trailing comma', '{"a":1,}'],
    ['an unclosed string', '{"a":"b}'],
    ['an unclosed string after an escaped quote', '{"a":"b\\"}'],
    ['an escape that does not exist', '{"\\x":1}'],
    ['brackets that do not match', '[}'],
    ['more closing than opening', '{}}}}'],
    ['a control character in a string', '"a\u0001"'],
    ['a byte order mark', '\uFEFF{}'],
  ])('%s as malformed', (_, text) => {
    expect(refusalOf(text)).toBe('malformed_json');
  });

  it.each([
    ['twice the same key', '{"a":1,"a":2}'],
    ['the same key, once written with an escape', '{"a":1,"\\u0061":2}'],
    ['the same key, both written with an escape', '{"\\u0061":1,"\\u0061":2}'],
    ['a repeated key that holds quotes and backslashes', '{"\\\\\\"":1,"\\\\\\"":2}'],
    ['a repeated key in an object within an array', '[{"x":[{"b":1,"c":2,"b":3}]}]'],
    ['a repeated key after an inner object with the same key', '{"a":{"a":1},"a":2}'],
    ['a repeated key with blanks before its colon', '{"a":1,"a" \n\t :2}'],
    ['a repeated empty key', '{"":1,"":2}'],
    ['a repeated key in the second object of a list', '[{"a":1,"b":2},{"a":1,"b":2,"b":3}]'],
    ['a repeated key where the object before had another', '[{"a":1,"b":2},{"b":1,"b":2}]'],
    ['a repeated key with an escape in the second object of a list', '[{"\\\\":1,"b":2},{"\\\\":1,"\\u005c":2}]'],
  ])('%s', (_, text) => {
    expect(refusalOf(text)).toBe('duplicate_key');
  });

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])('the key %s at any depth', (key) => {
    expect(refusalOf(`{"${key}":{"isAdmin":true}}`)).toBe('forbidden_key');
    expect(refusalOf(`[{"a":[{"${key}":1}]}]`)).toBe('forbidden_key');
  });

  it.each([
    ['33 arrays', nested(33)],
    ['33 objects', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
    ['100,000 arrays', nested(100_000)],
    ['100,000 arrays that never close', '['.repeat(100_000)],
  ])('%s within each other, without running out of stack', (_, text) => {
    expect(refusalOf(text)).toBe('json_too_deep');
  });

  it.each([
    ['100,000 numbers in an array', numbers(100_000)],
    ['100,001 empty objects', `[${Array.from({ length: 100_001 }, () => '{}').join(',')}]`],
    ['an object with 201 keys', keys(201)],
  ])('%s', (_, text) => {
    expect(refusalOf(text)).toBe('json_too_large');
  });

  it('no key without shortening it in its message', () => {
    const key = 'k'.repeat(500);
    expect(() => parseJson(`{"${key}":1,"${key}":2}`)).toThrow(`"${'k'.repeat(40)}"`);
  });
});

describe('parseJson takes', () => {
  it.each([
    ['32 arrays within each other', nested(32)],
    ['99,999 numbers in an array', numbers(99_999)],
    ['an object with 200 keys', keys(200)],
    ['a string full of brackets', JSON.stringify({ a: '[[[{{{'.repeat(1_000) })],
    ['a string full of backslashes and quotes', JSON.stringify({ a: '\\"\\\\"'.repeat(1_000) })],
    ['strings that look like keys', '{"a":"\\"a\\":1","b":["a","a"]}'],
    ['a value that repeats a key', '{"a":"a","b":"a"}'],
    ['the same key in sibling objects', '[{"a":1},{"a":2}]'],
    ['keys in another order than in the object before', '[{"a":1,"b":2},{"b":1,"a":2},{"c":1}]'],
    ['a key that begins like the one before it', String.raw`[{"a\\":1},{"a\\\":1,\"a":2},{"a\\":1}]`],
    ['a value that is like the key before it', '[{"a":1,"b":2},{"a":"b","b":"a"},["a"],{"a":"a"}]'],
    ['a forbidden word as a value', '{"a":"__proto__"}'],
    ['a number past what a double holds', '1e999'],
    ['minus zero', '-0'],
    ['lone surrogates', '"\\ud800"'],
  ])('%s', (_, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('every JSON value as JSON.parse does', () => {
    const key = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.constant(null),
        ),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (given, indent) => {
        const text = JSON.stringify(given, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('nothing that JSON.parse refuses, and nothing else than a Refusal is thrown', () => {
    const junk = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', 'a', '1', '\\"', '"a":', 'null', '\u0000'),
      {
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(junk, (parts) => {
        const text = parts.join('');
        const refused = refusalOf(text);
        expect(refused ?? 'taken').not.toMatch('not a refusal');
        expect([refused === null, isJson(text)]).not.toEqual([true, false]);
      }),
      { numRuns: 1_000 },
    );
  });
});

import fc from 'fast-check';
import { parseCsv } from '../test/parseCsv';
import { csvHead, csvLine } from './csvLine';

const hostile = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    '\t',
    '\r',
    '\n',
    ',',
    ';',
    '"',
    "'",
    ' ',
    '\u200B',
    '\u0000',
    '\u2028',
    '1',
    'A',
  ),
  maxLength: 12,
});

describe('csvLine', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+44', "'+44"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A', "'＠A"],
    ['  =1', "'  =1"],
    ['\u200B=1', "'\u200B=1"],
    ['\u00AD=1', "'\u00AD=1"],
    ['\u202E=1', "'\u202E=1"],
    ['\u0000=1', "'\u0000=1"],
    ['\u0085=1', `"'\u0085'=1"`],
    ['a\u2028=1', `"a\u2028'=1"`],
    ['a\v=1', `"a\v'=1"`],
    ['a\f\u200B=1', `"a\f'\u200B=1"`],
    ['\tx', '"\'\tx"'],
    ['\rx', '"\'\rx"'],
    ['a;=1', '"a;\'=1"'],
    ['Plan:\n- walk', '"Plan:\n\'- walk"'],
    ['a,b', '"a,b"'],
    ['say "b"', '"say ""b"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\nlines"'],
    [-1, '-1'],
    [-0.5, '-0.5'],
    [0, '0'],
    [null, ''],
    ['', ''],
    ['one\r\r\ntwo', '"one\ntwo"'],
    ['plain = text, 3-4', '"plain = text, 3-4"'],
    ['2026-11-23T22:05:00.000+00:00', '2026-11-23T22:05:00.000+00:00'],
  ])('writes %j as %j', (cell, text) => {
    expect(csvLine([cell, 1])).toBe(`${text},1\r\n`);
  });

  it.each([
    ['empty lines', '\n'],
    ['carriage returns', '\r'],
    ['tabs', '\t'],
  ])('looks at each sign of a text once: a million %s are written within a test', (_, sign) => {
    const text = sign.repeat(1_000_000);
    expect(csvLine([`a${text}b`])).toBe(`"a${text}b"\r\n`);
  });

  it('begins no cell with what a spreadsheet runs, whichever separator it expects', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (cells) => {
        for (const separator of [',', ';', '\t']) {
          const begun = parseCsv(csvLine(cells), separator).flat();
          expect(begun.filter((cell) => /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(cell))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives every text back, but for the apostrophes and the kind of its line ends', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 2, maxLength: 4 }), (cells) => {
        const plain = (text: string): string => text.replaceAll("'", '').replace(/\r+\n/g, '\n');
        const line = csvLine(cells);
        expect(line.slice(0, -2)).not.toContain('\r\n');
        expect(parseCsv(line.slice(0, -2), ',')).toEqual([expect.any(Array)]);
        expect(parseCsv(line.slice(0, -2), ',')[0]?.map(plain)).toEqual(cells.map(plain));
      }),
    );
  });
});

describe('csvHead', () => {
  it('begins with the order mark, by which spreadsheets know UTF-8', () => {
    expect(csvHead(['id', 'unit, name'])).toBe('\uFEFFid,"unit, name"\r\n');
  });
});

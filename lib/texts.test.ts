import fc from 'fast-check';
import { version } from '../package.json';
import { fuzzRuns } from '../test/fuzzRuns';
import { parseCsv } from '../test/parseCsv';
import { csvHead, csvLine } from './csvLine';
import { ownPath, paths } from './paths';
import { plainText, toPlainLine, toPlainText } from './plainText';
import { release } from './release';

describe('csvLine', () => {
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
});

describe('paths', () => {
  describe('ownPath', () => {
    it.each([
      ['nothing', undefined],
      ['a list', ['/patients']],
      ['no text', ''],
      ['no slash in front', 'patients'],
      ['another host', 'https://evil.invalid/patients'],
      ['another host without a scheme', '//evil.invalid/patients'],
      ['a host behind a backslash', '/\\evil.invalid'],
      ['a backslash further on', '/patients\\..\\x'],
      ['another host behind a dot', '/.//evil.invalid'],
      ['another host behind a way back', '/patients/..//evil.invalid'],
      ['another host behind a written-out dot', '/%2e//evil.invalid'],
      ['a script', 'javascript:alert(1)'],
      ['a tab that a browser would drop', '/\t/evil.invalid'],
      ['a line break', '/patients\nSet-Cookie: a=b'],
      ['a space in front', ' /patients'],
    ])('refuses %s', (_, text) => {
      expect(ownPath(text)).toBeNull();
    });

    it.each([
      ['/', '/'],
      ['/patients', '/patients'],
      ['/patient_details?ids=1,2', '/patient_details?ids=1,2'],
      ['/patients#row', '/patients'],
      ['/a/../patients', '/patients'],
    ])('keeps %s as %s', (text, path) => {
      expect(ownPath(text)).toBe(path);
    });

    it('never leads to another host', () => {
      const hostile = fc.string({
        unit: fc.constantFrom('/', '\\', '.', ':', '@', '%', '?', '#', 'a', '\t', '\n', '\0', ' ', 'é'),
      });
      fc.assert(
        fc.property(fc.oneof(fc.string(), hostile, fc.webUrl()), (text) => {
          const path = ownPath(text) ?? '/';
          expect(new URL(path, 'https://wardlight.invalid').host).toBe('wardlight.invalid');
        }),
        { ...fuzzRuns, numRuns: 4 * fuzzRuns.numRuns },
      );
    });
  });

  describe('paths', () => {
    it('names several patients in the order they were chosen', () => {
      expect(paths.patientDetails([2, 1])).toBe('/patient_details?ids=2,1');
    });

    it('carries the wanted page through sign-in unharmed', () => {
      fc.assert(
        fc.property(fc.string(), (wanted) => {
          const link = new URL(
            paths.signInAndReturn(`/${encodeURIComponent(wanted)}?q=${encodeURIComponent(wanted)}`),
            'https://wardlight.invalid',
          );
          expect(link.pathname).toBe('/sign_in');
          expect(link.searchParams.get('next')).toBe(`/${encodeURIComponent(wanted)}?q=${encodeURIComponent(wanted)}`);
        }),
      );
    });
  });
});

describe('a text on several lines', () => {
  it.each(['a\0b', 'a\u001Bb', 'half \uD83D', '\uDE00 half'])('is refused with what no store keeps: %j', (text) => {
    expect(plainText.test(text)).toBe(false);
  });

  it.each(['', 'one\ntwo\r\n\tthree', 'SpO₂ 97 % 😀'])('is kept as it is: %j', (text) => {
    expect([plainText.test(text), toPlainText(text)]).toEqual([true, text]);
  });

  it('is one after what no store keeps has left it, and has lost nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = toPlainText(text);
        expect(plainText.test(plain)).toBe(true);
        expect(toPlainText(plain)).toBe(plain);
        expect([...plain]).toEqual([...text].filter((unit) => plainText.test(unit)));
      }),
    );
  });
});

describe('a text on one line', () => {
  it.each([
    ['a\0b\u007fc\u0085', 'abc'],
    ['one\ntwo\r\n\tthree\n', 'one two   three '],
    ['a\u2028b\u202ec', 'a bc'],
    ['SpO₂ 97 %', 'SpO₂ 97 %'],
    [' !~', ' !~'],
  ])('is of %j this: %j', (text, line) => {
    expect(toPlainLine(text)).toBe(line);
  });
});

describe('release', () => {
  it('is the version of the package', () => {
    expect(release).toBe(`wardlight@${version}`);
  });
});

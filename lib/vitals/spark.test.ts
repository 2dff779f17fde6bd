import fc from 'fast-check';
import { roundVital } from './roundVital';
import {
  formatSparkMinute,
  readSpark,
  sparkExtremes,
  sparkKinds,
  sparkMinutes,
  sparkPattern,
  type SparkMinute,
} from './spark';

/** A minute of samples, all good, or what `change` makes of it. */
const samples = (
  min: number | null,
  max: number | null,
  change: { count?: number; questionable?: number; invalid?: number } = {},
) => ({
  min,
  max,
  count: min === null ? 0 : 60,
  questionable: 0,
  invalid: 0,
  ...change,
});

describe('a minute of a spark line', () => {
  it.each([
    ['nothing came', samples(null, null), ''],
    ['nothing but "no signal"', samples(null, null, { invalid: 1 }), 'x'],
    ['one value', samples(97, 97), '97'],
    ['extremes', samples(78, 97), '78-97'],
    ['extremes that are shown alike', samples(96.5, 97.4), '97'],
    ['a value and times without a signal', samples(91, 97, { count: 20, invalid: 40 }), '91-97'],
    ['few questionable ones that say what the others say', samples(97, 97, { questionable: 29 }), '97'],
    ['questionable ones, half of them', samples(97, 97, { questionable: 30 }), '97?'],
    ['a questionable one that may be the lowest', samples(91, 97, { questionable: 1 }), '91-97?'],
    ['asystole', samples(0, 0), '0'],
  ])('with %s', (_, minute, text) => {
    expect(formatSparkMinute('heartRate', minute)).toBe(text);
  });

  it('is read as it was written', () => {
    const value = fc.double({ min: 0, max: 300, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...sparkKinds), value, value, fc.nat(60), (kind, a, b, questionable) => {
        const text = formatSparkMinute(kind, samples(Math.min(a, b), Math.max(a, b), { questionable }));
        const low = roundVital(kind, Math.min(a, b));
        const high = roundVital(kind, Math.max(a, b));
        expect(readSpark(text)).toEqual([{ low, high, isDoubtful: questionable >= (low === high ? 30 : 1) }]);
        expect(`${text}${','.repeat(sparkMinutes - 1)}`).toMatch(sparkPattern);
      }),
    );
  });
});

describe('the text of a spark line', () => {
  const line = (...minutes: string[]): string =>
    [...Array<string>(sparkMinutes - minutes.length).fill(''), ...minutes].join(',');

  it.each([line(), line('97', '', 'x', '91-97?', '0'), Array<string>(sparkMinutes).fill('100-299?').join(',')])(
    'is %s',
    (text) => {
      expect(text).toMatch(sparkPattern);
      expect(readSpark(text)).toHaveLength(sparkMinutes);
    },
  );

  it.each([
    '',
    '97',
    `${line()},`,
    line().slice(1),
    line('97.5'),
    line('-1'),
    line('97-'),
    line('1000'),
    line('97 '),
    line('97??'),
    line('xx'),
    line('NaN'),
    `\n${line()}`,
  ])('is not %j', (text) => {
    expect(text).not.toMatch(sparkPattern);
  });

  it('from elsewhere is never read as values if it has none', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const values = readSpark(text).flatMap((minute) =>
          minute === null || minute === 'no signal' ? [] : [minute.low, minute.high],
        );
        expect(values.filter((value) => !Number.isInteger(value) || value < 0 || value > 999)).toEqual([]);
      }),
    );
    expect(readSpark('97,<b>,x,-,91-97?')).toEqual<SparkMinute[]>([
      { low: 97, high: 97, isDoubtful: false },
      null,
      'no signal',
      null,
      { low: 91, high: 97, isDoubtful: true },
    ]);
  });
});

describe('the extremes of a spark line', () => {
  it.each([
    ['', null],
    ['x,,x', null],
    ['97', { low: 97, high: 97 }],
    ['91-97,,88?,x,99', { low: 88, high: 99 }],
    ['0,70', { low: 0, high: 70 }],
  ])('of %j are %j', (text, extremes) => {
    expect(sparkExtremes(readSpark(text))).toEqual(extremes);
  });
});

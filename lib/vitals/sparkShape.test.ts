import fc from 'fast-check';
import { readSpark, sparkMinutes } from './spark';
import { sparkAxis, sparkShape, sparkSize } from './sparkShape';

const continuous = { expectedEveryMs: 1_000, isSpot: false };
const read = (...minutes: string[]) =>
  readSpark([...minutes, ...Array<string>(sparkMinutes - minutes.length).fill('')].join(','));
const spo2 = (...minutes: string[]) => sparkShape(read(...minutes), 'spo2', continuous);

/** Each part of a path: what follows one "M". */
const parts = (path: string): string[] => path.split('M').slice(1);

describe('the axis of spark lines', () => {
  it('is that of the charts', () => {
    expect([sparkAxis('spo2'), sparkAxis('heartRate'), sparkAxis('pulseRate')]).toEqual([
      { min: 80, max: 100 },
      { min: 40, max: 160 },
      { min: 40, max: 160 },
    ]);
  });

  it.each([
    ['spo2', '100', 1.5],
    ['spo2', '99', 2.5],
    ['spo2', '80', 21.5],
    ['heartRate', '160', 1.5],
    ['heartRate', '100', 11.5],
    ['pulseRate', '40', 21.5],
  ] as const)('always gives %s %s the same height', (kind, value, y) => {
    for (const others of [[], ['90'], ['50', '70', '120']]) {
      const [first] = parts(sparkShape(read(value, '', ...others), kind, continuous).line);
      expect(first).toBe(`0 ${y}H1H0z`);
    }
  });
});

describe('a spark line', () => {
  it('is empty if nothing was measured', () => {
    expect(spo2()).toEqual({ line: '', doubt: '', beyond: '' });
    expect(spo2('x', 'x')).toEqual({ line: '', doubt: '', beyond: '' });
  });

  it('is level if the value is', () => {
    expect(spo2('97', '97', '97').line).toBe('M0 4.5H3H0z');
  });

  it('reaches from the lowest to the highest value of each minute, so that a fall of seconds is seen', () => {
    expect(spo2('97', '85-97', '97').line).toBe('M0 4.5H3H2V16.5H1V4.5H0z');
  });

  it.each([
    ['an empty minute', ['97', '', '97'], 1_000, 2],
    ['an empty minute where a value a minute is due', ['97', '', '97'], 60_000, 1],
    ['two empty minutes where a value a minute is due', ['97', '', '', '97'], 60_000, 2],
    ['a minute without a signal', ['97', 'x', '97'], 60_000, 2],
    [
      'nine empty minutes where a value every five minutes is due',
      ['97', ...Array<string>(9).fill(''), '97'],
      300_000,
      1,
    ],
    [
      'ten empty minutes where a value every five minutes is due',
      ['97', ...Array<string>(10).fill(''), '97'],
      300_000,
      2,
    ],
  ])('around %s has the right number of parts', (_, minutes, expectedEveryMs, count) => {
    expect(parts(sparkShape(read(...minutes), 'spo2', { expectedEveryMs, isSpot: false }).line)).toHaveLength(count);
  });

  it('shows the mostly questionable minutes apart', () => {
    const { line, doubt } = spo2('97', '90?', '91?', '97');
    expect(parts(line)).toEqual(['0 4.5H1H0z', '3 4.5H4H3z']);
    expect(parts(doubt)).toEqual(['1 11.5H2V10.5H3H2V11.5H1z']);
  });

  it('is clipped at the edges and says so there', () => {
    expect(spo2('70-97', '80', '79?', '100')).toMatchObject({ beyond: 'M0 22h1M2 22h1' });
    expect(sparkShape(read('39-161', '40-160'), 'heartRate', continuous).beyond).toBe('M0 1h1M0 22h1');
  });

  it('is no line if values are spot checks', () => {
    const { line, doubt } = sparkShape(read('97', '95-96', '90?'), 'spo2', {
      expectedEveryMs: 28_800_000,
      isSpot: true,
    });
    expect(line).toBe('M0.5 4.5h0M1.5 5.5h0M1.5 6.5h0');
    expect(doubt).toBe('M2.5 11.5h0');
  });

  it('never leaves its box, for any minutes', () => {
    const minute = fc.oneof(
      fc.string(),
      fc.constantFrom('', 'x'),
      fc.tuple(fc.nat(999), fc.nat(999)).map((pair) => pair.join('-')),
    );
    fc.assert(
      fc.property(
        fc.array(minute, { maxLength: 80 }),
        fc.boolean(),
        fc.nat(600_000),
        (minutes, isSpot, expectedEveryMs) => {
          const shape = sparkShape(readSpark(minutes.join(',')), 'spo2', { expectedEveryMs, isSpot });
          for (const path of [shape.line, shape.doubt]) {
            expect(path).toMatch(/^[MHVLhz\d. ]*$/);
            for (const [, x, y] of path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)) {
              expect(Number(x)).toBeLessThanOrEqual(sparkSize.width);
              expect(Number(y)).toBeLessThanOrEqual(sparkSize.height);
            }
          }
        },
      ),
    );
  });
});

import { qualityCode } from './qualityCode';
import { emptyRollup, keepDeleted, rollUp, type Rollup } from './rollUp';

const good = qualityCode('good', true);
const invalid = qualityCode('invalid', true);
const rows = (...values: number[]) => values.map((value) => ({ value, quality: good }));

describe('rollUp', () => {
  it('of nothing, or of invalid samples alone, has no value', () => {
    expect(rollUp([])).toEqual(emptyRollup());
    expect(rollUp([{ value: 0, quality: invalid }])).toEqual({ ...emptyRollup(), invalid: 1 });
  });

  it('keeps the extremes, also 0, and the last that is not invalid', () => {
    expect(rollUp([...rows(60, 0, 140, 70), { value: 200, quality: invalid }])).toEqual({
      min: 0,
      max: 140,
      last: 70,
      count: 4,
      questionable: 0,
      invalid: 1,
    });
  });

  it('counts a questionable sample like a good one, and also as such', () => {
    expect(rollUp([{ value: 88, quality: qualityCode('questionable', true) }])).toMatchObject({
      min: 88,
      count: 1,
      questionable: 1,
      invalid: 0,
    });
  });
});

describe('keepDeleted', () => {
  const stored: Rollup = { min: 80, max: 99, last: 95, count: 60, questionable: 3, invalid: 2 };

  it.each<[string, Rollup, Rollup | undefined, Rollup]>([
    ['takes the late samples as they are where nothing is stored', rollUp(rows(90)), undefined, rollUp(rows(90))],
    ['never loses a stored extreme, nor the last', rollUp(rows(90)), stored, stored],
    ['lets a late extreme in', rollUp(rows(70, 100)), stored, { ...stored, min: 70, max: 100 }],
    [
      'keeps one stored sample beside one late one',
      rollUp(rows(90)),
      rollUp(rows(85)),
      { ...rollUp(rows(85)), max: 90 },
    ],
    [
      'gives a value to a minute that had none',
      rollUp(rows(90)),
      { ...emptyRollup(), invalid: 3 },
      { ...rollUp(rows(90)), invalid: 3 },
    ],
    ['changes nothing when the same is sent again', stored, stored, stored],
  ])('%s', (_, late, before, expected) => {
    expect(keepDeleted(late, before)).toEqual(expected);
  });
});

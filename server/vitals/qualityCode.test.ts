import { qualities } from '../../lib/vitals/schema';
import {
  hasStoppedStating,
  isInvalid,
  isOfStatingSource,
  isRepeat,
  isStated,
  qualityCode,
  qualityOf,
  stoppedCode,
} from './qualityCode';

describe('a quality in the store', () => {
  it.each(qualities)('%s comes back as it went in, and whether it was stated', (quality) => {
    for (const stated of [true, false]) {
      const code = qualityCode(quality, stated);
      expect([qualityOf(code), isInvalid(code), isOfStatingSource(code)]).toEqual([
        quality,
        quality === 'invalid',
        stated,
      ]);
    }
  });

  it.each([
    [true, 0, 'questionable'],
    [true, 300_000, 'questionable'],
    [true, 300_001, 'good'],
    [false, 0, 'invalid'],
    [false, 300_001, 'invalid'],
  ] as const)('left out by a source that stated one (signal: %s) %d ms before is %s', (hasSignal, sinceMs, quality) => {
    const code = stoppedCode(hasSignal, sinceMs);
    expect([qualityOf(code), isOfStatingSource(code), isStated(code), hasStoppedStating(code)]).toEqual([
      quality,
      true,
      false,
      true,
    ]);
  });
});

describe('isRepeat', () => {
  const good = { value: 97, quality: qualityCode('good', true) };
  const unstated = { value: 97, quality: qualityCode('good', false) };

  it.each([
    ['the same', good, good, true],
    ['another value', good, { ...good, value: 96 }, false],
    ['another quality', good, { ...good, quality: qualityCode('questionable', true) }, false],
    ['a quality where none was known', unstated, good, false],
    ['no quality where one is known', good, unstated, true],
    ['no quality from a source that states one by now', unstated, { value: 97, quality: stoppedCode(true, 0) }, true],
    ['no quality, but another value', good, { ...unstated, value: 0 }, false],
  ])('of %s', (_, known, sample, expected) => {
    expect(isRepeat(known, sample)).toBe(expected);
  });
});

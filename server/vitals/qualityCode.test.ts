import { qualities } from '../../lib/vitals/schema';
import { isInvalid, isOfStatingSource, isRepeat, qualityCode, qualityOf, silentCode } from './qualityCode';

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

  it('left out by a source that states one is invalid, and the source still one that states', () => {
    expect([qualityOf(silentCode), isInvalid(silentCode), isOfStatingSource(silentCode)]).toEqual([
      'invalid',
      true,
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
    ['no quality from a source that states one by now', unstated, { value: 97, quality: silentCode }, true],
    ['no quality, but another value', good, { ...unstated, value: 0 }, false],
  ])('of %s', (_, known, sample, expected) => {
    expect(isRepeat(known, sample)).toBe(expected);
  });
});

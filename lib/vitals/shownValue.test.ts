import { inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import type { LatestValue } from './schema';
import { shownValue } from './shownValue';

const live = { now: wardNow, serverLost: null, timeZone: 'UTC' };
const show = (change: Partial<LatestValue>, context: Partial<Parameters<typeof shownValue>[2]> = {}) => {
  const { number, note, state } = shownValue('spo2', inventedValue(change), { ...live, ...context });
  return [number, note, state];
};

describe('a value in a chip', () => {
  it.each([
    [2, ['97', '2 s', 'live']],
    [30, ['97', 'ageing, 30 s', 'ageing']],
    [31, ['97', 'stale, 31 s', 'stale']],
    [60, ['97', 'stale, 1 min', 'stale']],
    [61, ['--', 'last 97, 14:58', 'off']],
  ])('is never shown without its age, and withdrawn after %d s if that is too old', (age, shown) => {
    expect(show({ asOf: secondsAgo(age) })).toEqual(shown);
  });

  it('is withdrawn without a signal, with the last measured value and its time', () => {
    const lastValid = { value: 77, takenAt: secondsAgo(600), asOf: secondsAgo(600) };
    expect(show({ value: 0, quality: 'invalid', lastValid })).toEqual(['--', 'last 77, 14:50', 'no-signal']);
    expect(show({ value: 0, quality: 'invalid' })).toEqual(['--', 'no signal', 'no-signal']);
  });

  it('names the day of a last value that is not of today', () => {
    expect(show({ asOf: secondsAgo(86_400) })).toEqual(['--', 'last 97, 06 Mar, 15:00', 'off']);
  });

  it('is withdrawn without a time if it lies in the future', () => {
    expect(show({ asOf: secondsAgo(-60) })).toEqual(['--', 'time unknown, last 97', 'off']);
  });

  it('says that it is not live, uncertain, not stored or of another device', () => {
    expect(show({}, { serverLost: wardNow - 20_000 })[1]).toBe('not live, 2 s');
    expect(show({ quality: 'questionable' })[1]).toBe('uncertain, 2 s');
    expect(show({ notStored: true })[1]).toBe('not stored, 2 s');
    expect(show({ isSubstitute: true, source: 'oximeter' })[1]).toBe('oximeter, 2 s');
    expect(show({ ageUnknown: true })[1]).toBe('age unknown');
  });

  it('says what another device says, if that disagrees, first where a note is cut', () => {
    const other = { value: 74, asOf: secondsAgo(1), expectedEveryMs: 1_000, source: 'second' };
    expect(show({ other })[1]).toBe('2 s, other source 74');
    expect(show({ other, notStored: true }, { isNarrow: true })[1]).toBe('other 74, not stored, 2 s');
    expect(show({ other: { ...other, value: 95 } })[1]).toBe('2 s');
  });

  it('is no value if none has come', () => {
    expect(shownValue('spo2', undefined, live)).toEqual({
      state: 'none',
      number: '--',
      isQuestionable: false,
      note: 'no value yet',
    });
  });
});

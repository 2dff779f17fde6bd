import fc from 'fast-check';
import { isPresent, presentUntil } from './presence';

const at = 1_000_000;

describe('a source is present', () => {
  it.each([
    ['a second', 1_000, 10_000],
    ['6 s', 6_000, 10_000],
    ['10 s', 10_000, 15_000],
    ['a minute', 60_000, 90_000],
    ['15 min', 900_000, 1_350_000],
  ])('at a pace of %s up to 1.5 times that after its last valid value, and at least 10 s', (_, everyMs, lastsMs) => {
    const source = { validAt: at, invalidSince: null, everyMs };
    expect(isPresent(source, at)).toBe(true);
    expect(isPresent(source, at + lastsMs)).toBe(true);
    expect(isPresent(source, at + lastsMs + 1)).toBe(false);
  });

  it.each([
    ['a second', 1_000, 1_000, 10_000],
    ['a minute', 60_000, 5_000, 15_000],
    ['a minute', 60_000, 60_000, 70_000],
    ['15 min', 900_000, 60_000, 70_000],
  ])('at a pace of %s not for more than 10 s of invalid values alone', (_, everyMs, invalidAfterMs, lastsMs) => {
    const source = { validAt: at, invalidSince: at + invalidAfterMs, everyMs };
    expect(isPresent(source, at + lastsMs)).toBe(true);
    expect(isPresent(source, at + lastsMs + 1)).toBe(false);
  });

  it('never without a valid value', () => {
    expect(isPresent({ validAt: null, invalidSince: null, everyMs: 1_000 }, at)).toBe(false);
    expect(isPresent({ validAt: null, invalidSince: at, everyMs: 1_000 }, at)).toBe(false);
  });

  it('for one stretch of time, which ends at the time that is named', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.option(fc.nat(2_000_000)), fc.nat(900_000), (later, invalid, everyMs) => {
        const source = { validAt: at, invalidSince: invalid === null ? null : at + invalid, everyMs };
        expect(isPresent(source, at + later)).toBe(at + later <= (presentUntil(source) ?? 0));
      }),
    );
  });
});

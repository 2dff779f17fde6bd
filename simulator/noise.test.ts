import fc from 'fast-check';
import { branch, chance, drift } from './noise';

const seed = fc.integer({ min: 0, max: 0xffff_ffff });

describe('chance', () => {
  it('is the same for the same seed and place, from 0 up to 1', () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: -1e12, max: 1e12 }), (s, place) => {
        const drawn = chance(s, place);
        expect(chance(s, place)).toBe(drawn);
        expect(drawn).toBeGreaterThanOrEqual(0);
        expect(drawn).toBeLessThan(1);
      }),
    );
  });

  it('fills every tenth alike, wherever the places lie', () => {
    for (const from of [-5_000, 0, 1_777_629_600, 1_777_629_600_000]) {
      const tenths = Array.from({ length: 10 }, () => 0);
      for (let place = from; place < from + 10_000; place += 1) {
        const tenth = Math.floor(chance(7, place) * 10);
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
      expect(Math.min(...tenths)).toBeGreaterThan(850);
      expect(Math.max(...tenths)).toBeLessThan(1_150);
    }
  });

  it('differs between seeds', () => {
    expect(new Set(Array.from({ length: 1_000 }, (_, s) => chance(s, 5))).size).toBe(1_000);
    expect(new Set(Array.from({ length: 50 }, (_, use) => branch(1, use))).size).toBe(50);
  });
});

describe('drift', () => {
  it('stays between -1 and 1 and never jumps', () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: -1e11, max: 1e11 }), (s, t) => {
        const here = drift(s, t, 60_000);
        expect(Math.abs(here)).toBeLessThanOrEqual(1);
        // A cosine's steepest second within a minute: 2 * pi / 2 / 60.
        expect(Math.abs(drift(s, t + 1_000, 60_000) - here)).toBeLessThanOrEqual(Math.PI / 60);
      }),
    );
  });
});

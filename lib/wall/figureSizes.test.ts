import { figureSizes } from './figureSizes';
import type { TileNumber } from './tileTexts';

const live = (number: string, more: Partial<TileNumber> = {}): TileNumber => ({
  kind: 'spo2',
  state: 'live',
  number,
  isQuestionable: false,
  note: '',
  mark: null,
  isStruck: false,
  ...more,
});
const filled = { look: 'filled', priority: 'high', side: 'low', words: 'high-priority alert' } as const;
/** The room of a tile at 1920 px with 24 beds, and the sizes there. */
const sizesIn = (spo2: TileNumber, rate: TileNumber): number[] => {
  const sizes = figureSizes({ spo2, rate });
  return [sizes.spo2, sizes.rate].map((size) => {
    const [, most = '', share = '1', ems = ''] =
      /^min\(var\(--wall-(\w+)\), (?:([\d.]+) \* )?\(100cqw - 0\.6 \* var\(--wall-initials\)\) \/ ([\d.]+)\)$/.exec(
        size,
      ) ?? [];
    return Math.min(most === 'spo2' ? 88 : 56, (Number(share) * (281 - 12)) / Number(ems));
  });
};

describe('the type of the two numbers of a tile', () => {
  it('gives way if both are uncertain and one has an alarm, so that neither covers the other', () => {
    const [spo2 = 0, rate = 0] = sizesIn(
      live('67', { isQuestionable: true, mark: filled }),
      live('210', { isQuestionable: true }),
    );
    // The digits, the sign of two and the box; a "?" is 0.48 em.
    expect(spo2 * (2 * 0.58 + 0.48 + 0.8) + rate * (3 * 0.58 + 0.48)).toBeLessThanOrEqual(281 - 12 + 0.5);
    expect(spo2).toBeGreaterThan(60);
  });

  it('is that of the wall while both fit', () => {
    for (const [spo2, rate] of [
      ['100', '120'],
      ['97', '64'],
      ['--', '--'],
    ] as const) {
      expect(sizesIn(live(spo2), live(rate))).toEqual([88, 56]);
    }
  });

  it('is that of the wall for a low value with an alarm beside an ordinary rate', () => {
    expect(sizesIn(live('74', { mark: filled }), live('80'))).toEqual([88, 56]);
  });
});

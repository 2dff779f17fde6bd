import type { TileNumber } from './tileTexts';

/** The rate's size in proportion to the SpO2's: 56 to 88 px, and 36 to 56 px on a wall of many beds. */
const rateShare = 0.64;

/**
 * Returns the type sizes of a tile's two numbers, as CSS: those of the wall if both fit, else as large as both fit side
 * by side with their signs and "?". A number that lay under the other one would be another number.
 */
export function figureSizes({ spo2, rate }: { spo2: TileNumber; rate: TileNumber }): { spo2: string; rate: string } {
  const ems = widthOf(spo2) + rateShare * widthOf(rate);
  const fitting = `(100cqw - 0.6 * var(--wall-initials)) / ${ems.toFixed(2)}`;
  return {
    spo2: `min(var(--wall-spo2), ${fitting})`,
    rate: `min(var(--wall-rate), ${rateShare} * ${fitting})`,
  };
}

/** The width of a number in ems of its type, rounded up: Open Sans, 600, with the boxes and signs of `Tile`. */
function widthOf({ number, isQuestionable, mark }: TileNumber): number {
  const digits = number.length * 0.58;
  const doubt = isQuestionable ? 0.48 : 0;
  const box = mark === null ? 0 : 0.2;
  const isDouble = mark !== null && mark.look !== 'bold' && mark.priority === 'high';
  const sign = mark === null || mark.side === null ? 0 : isDouble ? 0.6 : 0.32;
  return digits + doubt + box + sign;
}

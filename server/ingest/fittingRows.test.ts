import { fittingRows, rowsAtLeast, rowsAtMost } from './fittingRows';

/** The rows of each transaction while more wait than fit; a row takes `perRowMs`, the flush does not count. */
function rowsOver(transactions: number, perRowMs: number): number {
  let fit = rowsAtMost;
  for (let one = 0; one < transactions; one += 1) {
    fit = fittingRows(fit, fit, fit * perRowMs);
  }
  return fit;
}

describe('how many rows share a transaction', () => {
  it('are fewer where a row takes long, and never fewer than one part of a call', () => {
    expect([rowsOver(5, 0.02), rowsOver(5, 10)]).toEqual([500, rowsAtLeast]);
  });

  it('are as many as may be where only the flush takes long', () => {
    expect(rowsOver(5, 0.005)).toBe(rowsAtMost);
  });

  it('grow to twice as many at most with one transaction', () => {
    expect([fittingRows(500, 500, 1), fittingRows(500, 500, -3)]).toEqual([1_000, 1_000]);
  });

  it('are not judged by a transaction of a few rows', () => {
    expect(fittingRows(1_000, 3, 9)).toBe(1_000);
  });
});

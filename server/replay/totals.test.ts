import { addResponse, countRejected, newTotals, summaryLines } from './totals';

describe('totals', () => {
  it('adds answers up and counts rejections by code', () => {
    const totals = newTotals();
    const rejected = [0, 1].map((index) => ({ index, code: 'impossible_value' as const, message: 'is above 100' }));
    addResponse(totals, 5, { accepted: 2, duplicates: 1, corrections: 1, rejected });
    addResponse(totals, 1, {
      accepted: 0,
      duplicates: 0,
      corrections: 0,
      rejected: [{ index: 0, code: 'unknown_patient', message: 'none' }],
    });
    expect(countRejected(totals)).toBe(3);
    expect(summaryLines(totals)).toEqual([
      'Sent 6; calls repeated 0',
      '  accepted: 2',
      '  duplicates: 1',
      '  corrections: 1',
      '  rejected impossible_value: 2',
      '  rejected unknown_patient: 1',
    ]);
  });

  it('says that nothing was rejected', () => {
    expect(summaryLines(newTotals()).at(-1)).toBe('  rejected: 0');
  });
});

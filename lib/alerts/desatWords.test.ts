import { desatWords } from './desatWords';

it('names the limit that follows that of low SpO2 beside it, and beside no other', () => {
  expect(desatWords('spo2.low', { low: 88 })).toBe('SpO2 very low: < 78, at once');
  expect([desatWords('spo2.below', { low: 91 }), desatWords('spo2.low', null)]).toEqual([null, null]);
});

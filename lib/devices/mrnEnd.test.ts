import { mrnEnd } from './mrnEnd';

describe('mrnEnd', () => {
  it.each([
    ['', ''],
    ['7', ''],
    ['42', '2'],
    ['A-1', '-1'],
    ['A-17', '-17'],
    ['MRN-00417', '417'],
    ['MRN-😀😀😀', '😀😀😀'],
  ])('returns of %j no more than %j', (mrn, shown) => {
    expect(mrnEnd(mrn)).toBe(shown);
  });
});

import fc from 'fast-check';
import { maxPatientsAtOnce } from '../paths';
import { parseIds } from './parseIds';

describe('parseIds', () => {
  it.each([
    ['a word', 'abc', ['abc']],
    ['zero', '0', ['0']],
    ['a negative number', '-1', ['-1']],
    ['a fraction', '1.5', ['1.5']],
    ['a leading zero', '01', ['01']],
    ['an exponent', '1e3', ['1e3']],
    ['hexadecimal', '0x10', ['0x10']],
    ['more digits than a number holds exactly', '1234567890123456', ['1234567890123456']],
    ['digits of another script', '١', ['١']],
    ['markup, cut short', '<script>alert(1)</script>', ['<script>alert(1)</sc']],
  ])('rejects %s and names it', (_name, text, malformed) => {
    expect(parseIds(text)).toEqual({ ids: [], overLimit: [], malformed });
  });

  it.each([
    ['nothing', undefined, []],
    ['an empty text', '', []],
    ['only commas', ',,', []],
    ['one id', '4', [4]],
    ['several, in the order asked for', '4,2,7', [4, 2, 7]],
    ['a repeated id once', '4,2,4', [4, 2]],
    ['blanks around an id', ' 4 , 2', [4, 2]],
    ['a repeated parameter', ['4', '2,7'], [4, 2, 7]],
    ['the largest id', '999999999999999', [999_999_999_999_999]],
  ])('reads %s', (_name, text, ids) => {
    expect(parseIds(text)).toEqual({ ids, overLimit: [], malformed: [] });
  });

  it('shows the good ids beside the bad', () => {
    expect(parseIds('4,x,2')).toEqual({ ids: [4, 2], overLimit: [], malformed: ['x'] });
  });

  it('keeps the first eight and names the rest', () => {
    expect(parseIds('1,2,3,4,5,6,7,8,9,10')).toEqual({
      ids: [1, 2, 3, 4, 5, 6, 7, 8],
      overLimit: [9, 10],
      malformed: [],
    });
  });

  it('never gives more than eight ids, nor one twice, whatever the address says', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat().map(String)), { maxLength: 30 }), (parts) => {
        const { ids } = parseIds(parts);
        expect(ids.length).toBeLessThanOrEqual(maxPatientsAtOnce);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      }),
    );
  });
});

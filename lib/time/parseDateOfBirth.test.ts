import fc from 'fast-check';
import { parseDateOfBirth } from './parseDateOfBirth';

const today = '2026-05-01';

describe('a date of birth as people type it', () => {
  it.each([
    ['', 'Enter the date of birth'],
    ['   ', 'Enter the date of birth'],
    ['11/2/58', 'needs a year of four digits, such as 1958'],
    ['11 feb 58', 'needs a year of four digits, such as 1958'],
    ['11/2/195', 'needs a year of four digits, such as 1958'],
    ['30/2/1958', 'is not a day of that month'],
    ['29/2/1957', 'is not a day of that month'],
    ['31 apr 1958', 'is not a day of that month'],
    ['0/2/1958', 'is not a day of that month'],
    ['1958-02-30', 'is not a day of that month'],
    ['11/13/1958', 'has no such month'],
    ['11/0/1958', 'has no such month'],
    ['2/5/2026', 'lies in the future'],
    ['1/1/2090', 'lies in the future'],
    ['1/1/1899', 'is before 1900'],
    ['11/2', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11 fbe 1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11021958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11/2/1958/1', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['feb feb 1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['-1/2/x', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
  ])('"%s" is refused: %s', (text, fault) => {
    expect(parseDateOfBirth(text, 'day_first', today)).toEqual({ fault });
  });

  it.each([
    ['11/2/1958', '1958-02-11'],
    ['11/02/1958', '1958-02-11'],
    [' 11.2.1958 ', '1958-02-11'],
    ['11-2-1958', '1958-02-11'],
    ['11 2 1958', '1958-02-11'],
    ['11. 2. 1958', '1958-02-11'],
    ['11 feb 1958', '1958-02-11'],
    ['11 Feb 1958', '1958-02-11'],
    ['11feb1958', '1958-02-11'],
    ['11th February, 1958', '1958-02-11'],
    ['Feb 11, 1958', '1958-02-11'],
    ['3 sept 1958', '1958-09-03'],
    ['1958-02-11', '1958-02-11'],
    ['1958/2/11', '1958-02-11'],
    ['1958 feb 11', '1958-02-11'],
    ['29/2/1956', '1956-02-29'],
    ['1/5/2026', '2026-05-01'],
    ['１１/２/1958', '1958-02-11'],
  ])('"%s" is %s where the day comes first', (text, date) => {
    expect(parseDateOfBirth(text, 'day_first', today)).toEqual({ date });
  });

  it.each([
    ['2/11/1958', '1958-02-11'],
    ['11/2/1958', '1958-11-02'],
    ['11 feb 1958', '1958-02-11'],
    ['1958-02-11', '1958-02-11'],
  ])('"%s" is %s where the month comes first', (text, date) => {
    expect(parseDateOfBirth(text, 'month_first', today)).toEqual({ date });
  });

  it('does not guess another order: month 13 is refused', () => {
    expect(parseDateOfBirth('2/13/1958', 'day_first', today)).toEqual({ fault: 'has no such month' });
    expect(parseDateOfBirth('13/2/1958', 'month_first', today)).toEqual({ fault: 'has no such month' });
  });

  it('is a date that has come, or a fault, for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('day_first' as const, 'month_first' as const), (text, order) => {
        const parsed = parseDateOfBirth(text, order, today);
        expect('fault' in parsed ? parsed.fault : parsed.date <= today && parsed.date >= '1900').toBeTruthy();
      }),
    );
  });

  it('reads back every day that it is given in the site’s order', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date(`${today}T00:00:00Z`), noInvalidDate: true });
    fc.assert(
      fc.property(days, (at) => {
        const date = at.toISOString().slice(0, 10);
        const [year = '', month = '', day = ''] = date.split('-');
        const figures = [`${day}/${month}/${year}`, `${month}/${day}/${year}`];
        expect(parseDateOfBirth(figures[0] ?? '', 'day_first', today)).toEqual({ date });
        expect(parseDateOfBirth(figures[1] ?? '', 'month_first', today)).toEqual({ date });
      }),
    );
  });
});

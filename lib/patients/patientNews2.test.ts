import { isChild, noNews2Because, patientNews2 } from './patientNews2';
import type { News2ExemptFor } from './news2ExemptFor';

const now = Date.parse('2026-05-01T10:00:00Z');
const of = (dateOfBirth: string, spo2Scale: 1 | 2 = 1, news2ExemptFor: News2ExemptFor | null = null) =>
  patientNews2({ latest: {}, spo2Scale, dateOfBirth, news2ExemptFor }, now, 'UTC');

describe('NEWS2 of a patient', () => {
  it.each([
    ['2010-05-02', null],
    ['2010-05-01', 'unknown'],
    ['1950-12-31', 'unknown'],
  ])('who was born on %s is %s', (dateOfBirth, band) => {
    expect(of(dateOfBirth)?.band ?? null).toBe(band);
  });

  it('is on the scale that the patient has', () => {
    expect(of('1950-12-31', 2)?.scale).toBe(2);
  });

  it.each(['pregnancy', 'spinal_injury', 'other'] as const)('is none if it does not apply: %s', (because) => {
    expect(of('1990-12-31', 1, because)).toBeNull();
    expect(noNews2Because({ dateOfBirth: '1990-12-31', news2ExemptFor: because }, now, 'UTC')).toBe(because);
    expect(noNews2Because({ dateOfBirth: '2015-12-31', news2ExemptFor: because }, now, 'UTC')).toBe('under_16');
  });
});

it.each([
  ['Asia/Tokyo', '2026-04-30T14:59:59Z', true],
  ['Asia/Tokyo', '2026-04-30T15:00:00Z', false],
  ['America/New_York', '2026-05-01T03:59:59Z', true],
  ['America/New_York', '2026-05-01T04:00:00Z', false],
])('ends childhood in %s with the first hour of the 16th birthday: %s, %s', (timeZone, at, expected) => {
  expect(isChild('2010-05-01', Date.parse(at), timeZone)).toBe(expected);
});

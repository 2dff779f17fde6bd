import { patientNews2 } from './patientNews2';

const now = Date.parse('2026-05-01T10:00:00Z');
const of = (dateOfBirth: string, spo2Scale: 1 | 2 = 1) => patientNews2({ latest: {}, spo2Scale, dateOfBirth }, now);

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
});

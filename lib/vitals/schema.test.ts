import fc from 'fast-check';
import { vitalKinds } from './kinds';
import { ingestBody, ingestSample, latestValues, vitalSeries, vitalsQuery } from './schema';

const sample = { mrn: 'A-1', kind: 'spo2', value: 97, takenAt: '2026-05-01T10:00:00Z' };

describe('a sample of the ingest call', () => {
  it.each([
    ['no kind', { kind: undefined }],
    ['an unknown kind', { kind: 'SpO2' }],
    ['the name of a method for a kind', { kind: 'constructor' }],
    ['no value', { value: undefined }],
    ['null for a value', { value: null }],
    ['a number written as text', { value: '97' }],
    ['NaN', { value: Number.NaN }],
    ['what 1e999 becomes', { value: JSON.parse('1e999') as unknown }],
    ['a letter that is no level of consciousness', { kind: 'consciousness', value: 'X' }],
    ['a small letter for a level', { kind: 'consciousness', value: 'a' }],
    ['no time', { takenAt: undefined }],
    ['epoch milliseconds', { takenAt: 1_777_629_600_000 }],
    ['a time of 41 characters', { takenAt: `2026-05-01T10:00:00${'0'.repeat(21)}Z` }],
    ['a quality that is not listed', { quality: 'bad' }],
    ['an empty MRN', { mrn: '' }],
    ['an MRN of 65 characters', { mrn: 'x'.repeat(65) }],
    ['patient 0', { patientId: 0 }],
    ['half a patient', { patientId: 1.5 }],
    ['a patient’s id as text', { patientId: '1' }],
  ])('is refused with %s', (_, change) => {
    expect(ingestSample.safeParse({ ...sample, ...change }).success).toBe(false);
  });

  it.each(vitalKinds)('may be of the kind %s', (kind) => {
    expect(ingestSample.parse({ ...sample, kind, value: 1 }).kind).toBe(kind);
  });

  it('keeps a value of 0, which may be an asystole', () => {
    expect(ingestSample.parse({ ...sample, kind: 'heartRate', value: 0 }).value).toBe(0);
  });

  it('takes the letters of ACVPU', () => {
    expect(
      ['A', 'C', 'V', 'P', 'U'].map((value) => ingestSample.parse({ ...sample, kind: 'consciousness', value }).value),
    ).toEqual(['A', 'C', 'V', 'P', 'U']);
  });

  it('returns a sample or a fault for any input, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.record({ kind: fc.anything(), value: fc.anything(), takenAt: fc.anything() })),
        (input) => {
          expect(typeof ingestSample.safeParse(input).success).toBe('boolean');
        },
      ),
    );
  });
});

describe('the body of the ingest call', () => {
  it.each([
    ['no samples', {}],
    ['one sample that is not in a list', { samples: sample }],
    ['a clock without an offset', { sentAt: '2026-05-01T10:00:00', samples: [] }],
    ['a list', [sample]],
    ['null', null],
  ])('is refused with %s', (_, body) => {
    expect(ingestBody.safeParse(body).success).toBe(false);
  });

  it('accepts bad samples, which are evaluated one by one, so that they never cost the good ones', () => {
    expect(ingestBody.parse({ samples: [sample, null, 7, {}] }).samples).toEqual([sample, null, 7, {}]);
  });
});

describe('the query of a chart', () => {
  it.each([
    ['an unknown kind', { kind: 'spo2,hr' }],
    ['an empty kind', { kind: '' }],
    ['a comma too many', { kind: 'spo2,' }],
    ['kinds of 201 characters', { kind: 'spo2,'.repeat(41).slice(0, 201) }],
    ['one point', { points: '1' }],
    ['2,001 points', { points: '2001' }],
    ['points that are no number', { points: 'many' }],
    ['a beginning without an offset', { from: '2026-05-01T10:00:00' }],
    ['an end that does not exist', { to: '2026-02-30T10:00:00Z' }],
    ['an unknown field', { limit: '5' }],
  ])('is refused with %s', (_, query) => {
    expect(vitalsQuery.safeParse(query).success).toBe(false);
  });

  it('names the unknown kinds in its refusal', () => {
    expect(vitalsQuery.safeParse({ kind: 'spo2,hr,pulse' }).error?.issues[0]).toMatchObject({
      path: ['kind'],
      message: 'does not know: hr, pulse',
    });
  });

  it('means SpO2 and heart rate in 1,000 points by default', () => {
    expect(vitalsQuery.parse({})).toEqual({ kind: ['spo2', 'heartRate'], points: 1_000 });
  });

  it('takes the fewest and the most points, and each kind once', () => {
    expect(vitalsQuery.parse({ kind: 'pulseRate,spo2,pulseRate', points: '2' })).toEqual({
      kind: ['pulseRate', 'spo2'],
      points: 2,
    });
    expect(vitalsQuery.parse({ points: '2000' }).points).toBe(2_000);
  });
});

describe('one kind’s course', () => {
  const takenAt = '2026-05-01T10:00:00.000Z';
  const raw = { takenAt, value: 0, quality: 'good' };
  const bucket = { takenAt, min: 80, max: 99, last: 97, count: 60, questionable: 0 };
  const buckets = { kind: 'spo2', unit: '%', bucketMs: 60_000, points: [bucket], noSignal: [{ takenAt, count: 3 }] };

  it('contains samples if its buckets have no width, else extremes', () => {
    expect(vitalSeries.parse({ kind: 'spo2', unit: '%', bucketMs: 0, points: [raw] }).points).toEqual([raw]);
    expect(vitalSeries.parse(buckets)).toEqual(buckets);
  });

  it('never mixes the two', () => {
    expect(vitalSeries.safeParse({ ...buckets, points: [raw] }).success).toBe(false);
    expect(vitalSeries.safeParse({ ...buckets, bucketMs: 0 }).success).toBe(false);
  });
});

describe('the latest values', () => {
  it('may lack any kind, and contain no unknown kind', () => {
    expect(latestValues.parse({})).toEqual({});
    expect(latestValues.safeParse({ mood: {} }).success).toBe(false);
  });
});

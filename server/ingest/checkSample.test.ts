import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import { kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Quality, RejectionCode } from '../../lib/vitals/schema';
import { patientRow } from '../../test/patientRow';
import { startOfTest as now } from '../../test/testServer';
import { isOfStatingSource, qualityOf } from '../vitals/qualityCode';
import { LiveState } from '../liveState';
import { seriesKey, type Sample } from '../vitals/sample';
import { checkSample, type Arrival, type Rejection } from './checkSample';

const fiveMinutes = 300_000;

const liveState = new LiveState();
liveState.putPatient(patientRow(1, 1, 'M-1'));
liveState.putPatient(patientRow(2, 1, 'M-2', { state: 'discharged' }));
liveState.putPatient(patientRow(3, 2, 'M-3'));
liveState.putPatient(patientRow(4, 2, 'M-1'));
liveState.putPatient(patientRow(5, 1, 'M-é'));

const good = { mrn: 'M-1', kind: 'spo2', value: 97, takenAt: toInstant(now) };

function judge(raw: unknown, arrival: Partial<Arrival> = {}, ofWard: LiveState = liveState): Sample | Rejection {
  const text =
    typeof raw === 'object' && raw !== null && 'takenAt' in raw && typeof raw.takenAt === 'string' ? raw.takenAt : '';
  return checkSample(
    raw,
    parseInstant(text),
    {
      deviceId: 7,
      siteId: 1,
      receivedAt: now,
      offsetMs: 0,
      isClockKnown: true,
      stating: new Map<number, number>(),
      ...arrival,
    },
    ofWard,
  );
}

/** The code of a refusal, or null for a sample that is taken. */
function codeOf(judged: Sample | Rejection): RejectionCode | null {
  return 'code' in judged ? judged.code : null;
}

function taken(judged: Sample | Rejection): Sample {
  if ('code' in judged) {
    throw new Error(`refused: ${judged.code}, ${judged.message}`);
  }
  return judged;
}

describe('checkSample refuses', () => {
  it.each<[string, unknown, RejectionCode]>([
    ['null', null, 'malformed_sample'],
    ['a number', 97, 'malformed_sample'],
    ['a list', [good], 'malformed_sample'],
    ['an empty object', {}, 'malformed_sample'],
    ['no kind', { ...good, kind: undefined }, 'malformed_sample'],
    ['a kind that is no text', { ...good, kind: 1 }, 'malformed_sample'],
    ['no value', { ...good, value: undefined }, 'malformed_sample'],
    ['a value that is null', { ...good, value: null }, 'malformed_sample'],
    ['a value that is a list', { ...good, value: [97] }, 'malformed_sample'],
    ['a takenAt that is a number', { ...good, takenAt: now }, 'malformed_sample'],
    ['no takenAt', { ...good, takenAt: undefined }, 'malformed_sample'],
    ['a quality that does not exist', { ...good, quality: 'excellent' }, 'malformed_sample'],
    ['a quality that is null', { ...good, quality: null }, 'malformed_sample'],
    ['both mrn and patientId', { ...good, patientId: 1 }, 'malformed_sample'],
    ['neither mrn nor patientId', { ...good, mrn: undefined }, 'malformed_sample'],
    ['an empty mrn', { ...good, mrn: '' }, 'malformed_sample'],
    ['an mrn of 65 characters', { ...good, mrn: 'x'.repeat(65) }, 'malformed_sample'],
    ['a patientId that is text', { ...good, mrn: undefined, patientId: '1' }, 'malformed_sample'],
    ['a patientId of 0', { ...good, mrn: undefined, patientId: 0 }, 'malformed_sample'],
    ['a patientId with a fraction', { ...good, mrn: undefined, patientId: 1.5 }, 'malformed_sample'],
    [
      'a patientId past what a number holds exactly',
      { ...good, mrn: undefined, patientId: 2 ** 53 },
      'malformed_sample',
    ],
    ['an unknown mrn', { ...good, mrn: 'M-9' }, 'unknown_patient'],
    ['an mrn that only another site has', { ...good, mrn: 'M-3' }, 'unknown_patient'],
    ['an unknown patientId', { ...good, mrn: undefined, patientId: 99 }, 'unknown_patient'],
    ['a patientId of another site', { ...good, mrn: undefined, patientId: 3 }, 'other_site_patient'],
    ['a discharged patient', { ...good, mrn: 'M-2' }, 'discharged_patient'],
    ['a kind that does not exist', { ...good, kind: 'mood' }, 'unknown_kind'],
    ['a kind in other letters', { ...good, kind: 'SpO2' }, 'unknown_kind'],
    ['a name of every object', { ...good, kind: 'toString' }, 'unknown_kind'],
    ['a value as text', { ...good, value: '97' }, 'impossible_value'],
    ['an infinite value', { ...good, value: Number.POSITIVE_INFINITY }, 'impossible_value'],
    ['a letter for a number', { ...good, value: 'A' }, 'impossible_value'],
    ['a number for a letter', { ...good, kind: 'consciousness', value: 0 }, 'impossible_value'],
    ['a letter outside ACVPU', { ...good, kind: 'consciousness', value: 'X' }, 'impossible_value'],
    ['a small letter', { ...good, kind: 'consciousness', value: 'a' }, 'impossible_value'],
    ['30 February', { ...good, takenAt: '2026-02-30T10:00:00Z' }, 'unparsable_time'],
    ['a time without an offset', { ...good, takenAt: '2026-05-01T10:00:00' }, 'unparsable_time'],
    ['an empty time', { ...good, takenAt: '' }, 'unparsable_time'],
    ['a time of 41 characters', { ...good, takenAt: `2026-05-01T10:00:00.${'0'.repeat(20)}Z` }, 'unparsable_time'],
  ])('%s', (_, raw, code) => {
    expect(codeOf(judge(raw))).toBe(code);
  });

  it('what is malformed with a sentence that begins with the field', () => {
    expect(judge(null)).toMatchObject({ message: expect.stringMatching(/^the sample: ./) as string });
    expect(judge({ ...good, value: null })).toMatchObject({ message: expect.stringMatching(/^value: ./) as string });
  });

  it.each(vitalKinds.filter((kind) => kind !== 'consciousness'))('%s just outside what can be measured', (kind) => {
    const { min, max } = kinds[kind].plausible;
    for (const value of [min - 0.001, max + 0.001]) {
      expect(codeOf(judge({ ...good, kind, value }))).toBe('impossible_value');
    }
  });

  it('a time more than 5 min ahead after the clock is corrected, and not one of exactly 5 min', () => {
    for (const offsetMs of [0, -3_600_000, 3_600_000]) {
      const ahead = (ms: number) => judge({ ...good, takenAt: toInstant(now - offsetMs + ms) }, { offsetMs });
      expect(codeOf(ahead(fiveMinutes + 1))).toBe('time_in_future');
      expect(codeOf(ahead(fiveMinutes))).toBeNull();
    }
  });

  it('a time that lies before 1970 after the clock is corrected, because no answer could show its age', () => {
    expect(codeOf(judge({ ...good, takenAt: '1970-01-01T00:00:59.999Z' }, { offsetMs: -60_000 }))).toBe(
      'unparsable_time',
    );
    expect(codeOf(judge({ ...good, takenAt: '1970-01-01T00:01:00.000Z' }, { offsetMs: -60_000 }))).toBeNull();
  });

  it('with a message that names the field and never repeats what was sent', () => {
    const judged = judge({ ...good, mrn: 'Ann Example', value: -5 });
    expect(judged).toEqual({ code: 'unknown_patient', message: 'no patient has this mrn' });
    expect(judge({ ...good, value: -5 })).toEqual({
      code: 'impossible_value',
      message: 'value must be from 0 to 100 % for spo2',
    });
  });
});

describe('checkSample takes', () => {
  it('a sample as the store keeps it', () => {
    expect(judge({ ...good, quality: 'questionable' }, { offsetMs: 12 })).toEqual({
      minute: now / 60_000,
      patientId: 1,
      kind: 1,
      takenAt: now,
      deviceId: 7,
      siteId: 1,
      value: 97,
      quality: 1,
      receivedAt: now,
      offsetMs: 12,
    });
  });

  it('a patient by patientId, or by an MRN of the device’s site, also with blanks or decomposed letters', () => {
    expect(taken(judge(good)).patientId).toBe(1);
    expect(taken(judge(good, { siteId: 2 })).patientId).toBe(4);
    expect(taken(judge({ ...good, mrn: undefined, patientId: 1 })).patientId).toBe(1);
    expect(taken(judge({ ...good, mrn: ' M-1 ' })).patientId).toBe(1);
    expect(taken(judge({ ...good, mrn: 'M-e\u0301' })).patientId).toBe(5);
  });

  it.each(vitalKinds.filter((kind) => kind !== 'consciousness'))('%s at both ends of what can be measured', (kind) => {
    const { min, max } = kinds[kind].plausible;
    for (const value of [min, max]) {
      expect(taken(judge({ ...good, kind, value })).value).toBe(value);
    }
  });

  it('the letters of consciousness as their place in ACVPU', () => {
    const places = ['A', 'C', 'V', 'P', 'U'].map(
      (value) => taken(judge({ ...good, kind: 'consciousness', value })).value,
    );
    expect(places).toEqual([0, 1, 2, 3, 4]);
  });

  it.each<[VitalKind, number, Quality]>([
    ['heartRate', 0, 'good'],
    ['heartRate', 19, 'good'],
    ['respiratoryRate', 0, 'good'],
    ['spo2', 0, 'invalid'],
    ['spo2', 0.9, 'invalid'],
    ['spo2', 1, 'good'],
    ['pulseRate', 0, 'invalid'],
    ['pulseRate', 19, 'invalid'],
    ['pulseRate', 20, 'good'],
  ])('%s %d as %s', (kind, value, quality) => {
    for (const stated of [undefined, 'good' as const]) {
      const sample = taken(judge({ ...good, kind, value, quality: stated }));
      expect([sample.value, qualityOf(sample.quality)]).toEqual([value, quality]);
    }
  });

  it('a missing quality as good from a source that never states one', () => {
    const sample = taken(judge(good));
    expect(qualityOf(sample.quality)).toBe('good');
    expect(isOfStatingSource(sample.quality)).toBe(false);
  });

  it('a missing quality as questionable from a source that stated one before, for that patient and kind alone', () => {
    const stated = new LiveState();
    stated.putPatient(patientRow(1, 1, 'M-1'));
    stated.putPatient(patientRow(2, 1, 'M-2'));
    stated.takeSample(taken(judge({ ...good, quality: 'questionable' })));
    const qualityFrom = (raw: unknown, arrival: Partial<Arrival> = {}) =>
      qualityOf(taken(judge(raw, arrival, stated)).quality);
    expect(qualityFrom(good)).toBe('questionable');
    expect(qualityFrom({ ...good, quality: 'good' })).toBe('good');
    expect(qualityFrom({ ...good, mrn: 'M-2' })).toBe('good');
    expect(qualityFrom({ ...good, kind: 'heartRate', value: 70 })).toBe('good');
    expect(qualityFrom(good, { deviceId: 8 })).toBe('good');
  });

  it('a missing quality as questionable if one was stated earlier in the call, and remembers that source', () => {
    const sample = taken(judge(good, { stating: new Map([[seriesKey(1, kinds.spo2.code), now]]) }));
    expect(qualityOf(sample.quality)).toBe('questionable');
    expect(isOfStatingSource(sample.quality)).toBe(true);
  });
});

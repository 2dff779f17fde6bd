import fc from 'fast-check';
import type { LatestValue } from '../vitals/schema';
import { groupByReporting, reportingStateOf, reportingStates } from './groupByReporting';
import type { Patient } from './schema';

const now = Date.parse('2026-03-07T15:00:00Z');
const secondsAgo = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();

function sample(change: Partial<LatestValue> = {}): LatestValue {
  const at = secondsAgo(2);
  return {
    value: 97,
    unit: '%',
    takenAt: at,
    receivedAt: at,
    asOf: at,
    quality: 'good',
    source: 'monitor',
    expectedEveryMs: 1_000,
    lastValid: null,
    ...change,
  };
}

function patient(
  id: number,
  spo2: LatestValue | undefined,
  familyName = 'Sample',
  latest: Patient['latest'] = {},
): Patient {
  return {
    id,
    mrn: `A-${id}`,
    givenName: 'Sam',
    familyName,
    dateOfBirth: '1950-03-07',
    sex: 'unknown',
    location: null,
    profile: 'continuous',
    spo2Scale: 1,
    news2ExemptFor: null,
    isTrial: false,
    state: 'active',
    version: 1,
    standby: null,
    comfortCare: null,
    symptoms: null,
    deviceAlarms: [],
    alerts: [],
    latest: { ...latest, ...(spo2 === undefined ? {} : { spo2 }) },
  };
}
const lastValidAt = (seconds: number): LatestValue['lastValid'] => ({
  value: 93,
  takenAt: secondsAgo(seconds),
  asOf: secondsAgo(seconds),
});
const idsOf = (patients: readonly Patient[]): number[] => patients.map(({ id }) => id);

describe('the state of a patient’s SpO2', () => {
  it('is "never" without a sample', () => {
    expect(reportingStateOf(undefined, now)).toBe('never');
  });

  it.each([
    ['good', 0, 'reporting'],
    ['good', 60, 'reporting'],
    ['good', 60.001, 'silent'],
    ['good', -2, 'reporting'],
    // A value from the future has no known age, so it is withdrawn.
    ['good', -5, 'silent'],
    ['questionable', 60, 'reporting'],
    ['questionable', 60.001, 'silent'],
    ['invalid', 0, 'noSignal'],
    ['invalid', 60, 'noSignal'],
    ['invalid', 60.001, 'silent'],
  ] as const)('with a %s sample of %d s ago is %s', (quality, seconds, state) => {
    expect(reportingStateOf(sample({ quality, asOf: secondsAgo(seconds) }), now)).toBe(state);
  });

  it.each([
    [4 * 300, 'reporting'],
    [4 * 300 + 0.001, 'silent'],
  ] as const)('accepts a value that is due every 5 min for %d s: %s', (seconds, state) => {
    expect(reportingStateOf(sample({ expectedEveryMs: 300_000, asOf: secondsAgo(seconds) }), now)).toBe(state);
  });

  it('counts the age of a value from its measurement, not from its arrival', () => {
    expect(reportingStateOf(sample({ asOf: secondsAgo(3_600), receivedAt: secondsAgo(1) }), now)).toBe('silent');
  });
});

describe('the groups', () => {
  it('show every patient once', () => {
    const spo2 = fc.option(
      fc.record({
        value: fc.integer({ min: 0, max: 100 }),
        age: fc.integer({ min: -10, max: 200 }),
        valid: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(spo2), (made) => {
        const patients = made.map((one, id) =>
          patient(
            id,
            one === null
              ? undefined
              : sample({ value: one.value, asOf: secondsAgo(one.age), quality: one.valid ? 'good' : 'invalid' }),
          ),
        );
        const groups = groupByReporting(patients, now);
        const ids = reportingStates.flatMap((state) => idsOf(groups[state]));
        expect(ids.sort((a, b) => a - b)).toEqual(idsOf(patients));
      }),
    );
  });

  it('put the lowest shown value first, 0 included, and equals by name', () => {
    const { reporting } = groupByReporting(
      [
        patient(1, sample({ value: 97 })),
        patient(2, sample({ value: 92.4 }), 'Zimmer'),
        patient(3, sample({ value: 91.6 }), 'Abara'),
        patient(4, sample({ value: 0 })),
        patient(5, sample({ value: 91.4 })),
      ],
      now,
    );
    expect(idsOf(reporting)).toEqual([4, 5, 3, 2, 1]);
  });

  it('keep equals of one name in the order of their rows, whatever order the response has', () => {
    const twins = [patient(2, sample()), patient(1, sample())];
    expect(idsOf(groupByReporting(twins, now).reporting)).toEqual([1, 2]);
  });

  it('put the patient who has been silent longest first', () => {
    const { silent } = groupByReporting(
      [patient(1, sample({ asOf: secondsAgo(90) })), patient(2, sample({ asOf: secondsAgo(900) }))],
      now,
    );
    expect(idsOf(silent)).toEqual([2, 1]);
  });

  it('put first, of those without a signal, patients who never had one, then by how long they have had none', () => {
    const { noSignal } = groupByReporting(
      [
        patient(1, sample({ quality: 'invalid', lastValid: lastValidAt(30) })),
        patient(2, sample({ quality: 'invalid', lastValid: lastValidAt(300) })),
        patient(3, sample({ quality: 'invalid' })),
      ],
      now,
    );
    expect(idsOf(noSignal)).toEqual([3, 2, 1]);
  });

  it('keep a low SpO2 in sight when the heart rate is lost, and do not count a heart rate as SpO2', () => {
    const lost = sample({ asOf: secondsAgo(600) });
    const groups = groupByReporting(
      [
        patient(1, sample({ value: 82 }), 'Sample', { heartRate: lost }),
        patient(2, undefined, 'Sample', { heartRate: sample() }),
      ],
      now,
    );
    expect([idsOf(groups.reporting), idsOf(groups.never)]).toEqual([[1], [2]]);
  });

  it('do not change the list they are made from', () => {
    const given = Object.freeze([patient(1, sample({ value: 97 })), patient(2, sample({ value: 90 }))]);
    expect(idsOf(groupByReporting(given, now).reporting)).toEqual([2, 1]);
  });
});

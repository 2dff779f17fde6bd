import { arrangementOf, countMoves, keepArrangement } from './arrangement';
import type { ReportingGroups } from './groupByReporting';
import type { Patient } from './schema';

function patient(id: number, version = 1): Patient {
  return {
    id,
    mrn: `A-${id}`,
    givenName: 'Sam',
    familyName: 'Sample',
    dateOfBirth: '1950-03-07',
    sex: 'unknown',
    location: null,
    profile: 'continuous',
    spo2Scale: 1,
    news2ExemptFor: null,
    isTrial: false,
    state: 'active',
    version,
    standby: null,
    comfortCare: null,
    symptoms: null,
    deviceAlarms: [],
    alerts: [],
    latest: {},
  };
}
const groups = (change: Partial<ReportingGroups>): ReportingGroups => ({
  noSignal: [],
  silent: [],
  never: [],
  reporting: [],
  ...change,
});
const kept = arrangementOf(groups({ silent: [patient(9)], reporting: [patient(1), patient(2), patient(3)] }));
const ids = ({ silent, reporting }: ReportingGroups) => [silent.map(({ id }) => id), reporting.map(({ id }) => id)];

describe('a kept arrangement', () => {
  it.each([
    [
      'another order',
      groups({ silent: [patient(9)], reporting: [patient(3), patient(1), patient(2)] }),
      [[9], [1, 2, 3]],
      0,
      3,
    ],
    [
      'another group',
      groups({ silent: [patient(2), patient(9)], reporting: [patient(1), patient(3)] }),
      [[9], [1, 2, 3]],
      1,
      2,
    ],
    [
      'somebody new',
      groups({ silent: [patient(9)], reporting: [patient(7), patient(1), patient(2), patient(3)] }),
      [[9], [1, 2, 3, 7]],
      1,
      3,
    ],
    ['somebody gone', groups({ silent: [patient(9)], reporting: [patient(1), patient(2)] }), [[9], [1, 2]], 0, 0],
    [
      'no change',
      groups({ silent: [patient(9)], reporting: [patient(1), patient(2), patient(3)] }),
      [[9], [1, 2, 3]],
      0,
      0,
    ],
  ])('stays as it was with %s', (_, now, shown, toOtherGroup, inGroup) => {
    expect(ids(keepArrangement(now, kept))).toEqual(shown);
    expect(countMoves(now, kept)).toEqual({ toOtherGroup, inGroup });
  });

  it('shows every patient with the newest values', () => {
    const newer = groups({ silent: [patient(2, 8)] });
    expect(keepArrangement(newer, kept).reporting).toEqual([patient(2, 8)]);
  });
});

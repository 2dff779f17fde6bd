import { contextLines } from './contextLines';
import { entryWords, harmWords, severityWords, unitsAt } from './entryWords';
import type { ReportContext } from './schema';

describe('the history of a report', () => {
  it.each([
    [{ is: 'filed', from: null, to: null }, 'Reported'],
    [{ is: 'status', from: 'new', to: 'triaged' }, 'Status: Triaged'],
    [{ is: 'severity', from: 'S1', to: 'S3' }, 'Service severity: S3, was S1'],
    [{ is: 'kind', from: 'device', to: 'nearMiss' }, 'Kind: Near miss, was Device'],
    [{ is: 'harmPhysical', from: null, to: 'none' }, 'Physical harm: None, was not stated'],
    [{ is: 'harmPsychological', from: 'low', to: null }, 'Psychological harm: Not stated, was low'],
    [{ is: 'harmPhysical', from: null, to: null }, 'Physical harm changed'],
    [{ is: 'assignee', from: null, to: 'Lena Demo' }, 'Assignee: Lena Demo, was no one'],
    [{ is: 'assignee', from: 'Lena Demo', to: 'Tom Demo' }, 'Assignee: Tom Demo, was Lena Demo'],
    [{ is: 'externalReference', from: null, to: 'YC-12' }, 'External reference: YC-12, was none'],
    [{ is: 'isQuarantined', from: null, to: 'true' }, 'Device put aside: Yes, was not stated'],
    [{ is: 'unit', from: 'Ward 4', to: 'Ward 5' }, 'Unit: Ward 5, was Ward 4'],
    [{ is: 'unit', from: 'Ward 4', to: null }, 'Unit: None, was Ward 4'],
    [{ is: 'alarm', from: null, to: 'on' }, 'Alerted Step-down 2'],
    [{ is: 'alarm', from: null, to: 'off' }, 'The alert ended'],
    [{ is: 'status', from: 'new', to: 'parked' }, 'Status: parked'],
  ] as const)('%j reads "%s"', (entry, words) => {
    expect(entryWords(entry, { name: 'Step-down 2' })).toBe(words);
  });

  it('names in each line the unit that was alerted then, whose patient moved later', () => {
    const entries = [
      { is: 'filed', from: null, to: null },
      { is: 'alarm', from: 'off', to: 'on' },
      { is: 'unit', from: 'Ward 4', to: 'Ward 5' },
      { is: 'alarm', from: 'off', to: 'on' },
    ] as const;
    const units = unitsAt(entries, { name: 'Ward 5' });
    expect(entries.map((entry, place) => entryWords(entry, units[place] ?? null))).toEqual([
      'Reported',
      'Alerted Ward 4',
      'Unit: Ward 5, was Ward 4',
      'Alerted Ward 5',
    ]);
    expect(
      unitsAt(
        [
          { is: 'alarm', from: 'off' },
          { is: 'unit', from: null },
        ],
        { name: 'Ward 5' },
      ),
    ).toEqual([null, { name: 'Ward 5' }]);
  });

  it('names no unit where none was alerted', () => {
    expect(entryWords({ is: 'alarm', from: null, to: 'on' }, null)).toBe('Alerted the ward leads');
  });
});

describe('the scales', () => {
  it('never say that there was no harm where none is stated', () => {
    expect(harmWords(null)).toBe('Not stated');
    expect(harmWords('none')).toBe('None');
  });

  it('name how soon someone responds', () => {
    expect(severityWords('S1')).toBe('S1 Monitoring lost or wrong patient data: response within 15 min');
    expect(severityWords('S4')).toBe('S4 Looks wrong, works');
  });
});

describe('what is sent with a report', () => {
  it('is written out line by line', () => {
    const context: ReportContext = {
      page: '/patient_details',
      release: 'wardlight@0.1.0',
      ruleVersion: 2,
      browser: 'Chromium 142',
      sound: 'off',
      errorReportId: 'abc',
      tiles: [
        { kind: 'spo2', state: 'live', count: 3 },
        { kind: 'heartRate', state: 'stale', count: 0 },
      ],
      connection: [
        { at: '2026-03-07T14:50:00.000Z', is: 'live' },
        { at: '2026-03-07T14:55:00.000Z', is: 'lost' },
      ],
      requestIds: ['a-1', 'b-2'],
    };
    expect(contextLines(context, 'UTC').map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'Page: /patient_details',
      'Version: wardlight@0.1.0, rules 2',
      'Browser: Chromium 142',
      'Connection, last 10 min: 14:50:00 live, 14:55:00 server not reached',
      'Sound: No sound',
      'Values on the page: SpO2: 3 live',
      'Requests: a-1 b-2',
      'Error report: abc',
    ]);
  });
});

import { entryWords, writtenWords } from './entryWords';

const zone = 'Europe/London';

describe('what an entry of a chart says', () => {
  it.each([
    [{ section: 'codeStatus', value: { status: 'full', limits: null } }, 'Full treatment'],
    [
      { section: 'codeStatus', value: { status: 'limited', limits: 'no intubation' } },
      'Limited treatment: no intubation',
    ],
    [
      { section: 'allergies', value: { is: 'allergy', substance: 'Latex', reaction: 'rash', severity: 'mild' } },
      'Latex: rash (mild)',
    ],
    [{ section: 'allergies', value: { is: 'none' } }, 'No known allergies'],
    [
      { section: 'oxygen', value: { device: 'nasalCannula', flow: 2, fiO2: null, note: null } },
      'Nasal cannula, 2 L/min',
    ],
    [
      { section: 'conditions', value: { is: 'condition', name: 'COPD', since: '2019-03', note: null } },
      'COPD, since Mar 2019',
    ],
    [
      { section: 'conditions', value: { is: 'condition', name: 'COPD', since: '2019', note: null } },
      'COPD, since 2019',
    ],
    [
      { section: 'conditions', value: { is: 'caution', caution: 'coldHands', note: null } },
      'Cold hands: SpO2 may be unreliable',
    ],
    [
      {
        section: 'medications',
        value: { is: 'medication', name: 'Furosemide', dose: '40 mg', frequency: 'daily', note: null },
      },
      'Furosemide 40 mg, daily',
    ],
    [{ section: 'medications', value: { is: 'none' } }, 'No medication'],
    [
      {
        section: 'contacts',
        value: { role: 'nextOfKin', name: 'Kim', relation: 'daughter', phone: '123', note: null },
      },
      'Next of kin: Kim, daughter, 123',
    ],
    [
      { section: 'team', value: { role: 'responsibleClinician', userId: null, name: 'Dr Low' } },
      'Responsible clinician: Dr Low',
    ],
    [{ section: 'identifiers', value: { type: 'passport', value: 'X1', assigner: null } }, 'Passport X1'],
  ] as const)('%j', (entry, words) => {
    expect(writtenWords(entry)).toBe(words);
  });

  it('tells a default target from one that a physician has set', () => {
    const value = { scale: 1, low: 94, high: 98 } as const;
    const says = (isConfirmed: boolean) => entryWords({ section: 'spo2', value: { ...value, isConfirmed } }, zone);
    expect(says(false)).toBe('Target 94-98 %, NEWS2 scale 1 (default, not confirmed)');
    expect(says(true)).toBe('Target 94-98 %, NEWS2 scale 1');
  });

  it('says a limit that is off, and that those of the site hold again', () => {
    const limits = { rule: 'spo2.low', scale: null, reviewAt: null };
    expect(entryWords({ section: 'limits', value: { ...limits, values: { low: null } } }, zone)).toBe(
      'SpO2 low: low off',
    );
    expect(entryWords({ section: 'limits', value: { ...limits, values: {} } }, zone)).toBe(
      'SpO2 low: limits of the site',
    );
  });

  it('names where a patient was and is', () => {
    const [from, to] = [
      { unit: 'East', bed: '1' },
      { unit: 'West', bed: null },
    ];
    expect(entryWords({ section: 'stays', value: { is: 'moved', from, to } }, zone)).toBe(
      'Moved from East, bed 1 to West',
    );
    expect(entryWords({ section: 'stays', value: { is: 'admitted', from: null, to: null } }, zone)).toBe('Admitted');
  });
});

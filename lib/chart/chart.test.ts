import fc from 'fast-check';
import { allergiesText } from './allergiesText';
import { codeStatusText } from './codeStatusText';
import { entryWords, writtenWords } from './entryWords';
import { isPartialDate } from './isPartialDate';
import type { ChartSummary } from './schema';
import { slotOf } from './slotOf';
import { statusesOf, type Subject } from './statusesOf';

describe('chartTexts', () => {
  const entry = {
    id: 1,
    source: 'Letter of the practice',
    effectiveAt: '2026-03-07T12:00:00.000Z',
    author: { id: 1, name: 'Robin Example' },
    recordedAt: '2026-03-08T12:00:00.000Z',
    replaces: null,
    reason: null,
    status: 'current' as const,
    mark: null,
  };
  const codeStatus = (value: NonNullable<ChartSummary['codeStatus']>['value']) => ({
    ...entry,
    section: 'codeStatus' as const,
    value,
  });
  const allergy = (value: ChartSummary['allergies'][number]['value']) => ({
    ...entry,
    section: 'allergies' as const,
    value,
  });

  describe('the text of a code status', () => {
    it('is nothing if none is recorded: it does not say "full"', () => {
      expect(codeStatusText(null, 'UTC')).toBeNull();
    });

    it('names source and date, and what is limited', () => {
      expect(codeStatusText(codeStatus({ status: 'noCpr', limits: null }), 'UTC')).toBe(
        'No CPR (Letter of the practice, 07 Mar 2026)',
      );
      expect(codeStatusText(codeStatus({ status: 'limited', limits: 'no intubation' }), 'UTC')).toBe(
        'Limited treatment: no intubation (Letter of the practice, 07 Mar 2026)',
      );
    });
  });

  describe('the text of allergies', () => {
    it('tells "not asked" from "none known"', () => {
      expect(allergiesText([])).toBeNull();
      expect(allergiesText([allergy({ is: 'none' })])).toBe('No known allergies');
    });

    it('names each with its severity, known or not', () => {
      expect(
        allergiesText([
          allergy({ is: 'allergy', substance: 'Penicillin', reaction: 'rash', severity: 'severe' }),
          allergy({ is: 'allergy', substance: 'Latex', reaction: null, severity: 'unknown' }),
        ]),
      ).toBe('Penicillin: rash (severe); Latex (severity not known)');
    });
  });

  it.each([
    ['2019', true],
    ['2019-03', true],
    ['2019-03-07', true],
    ['2019-13', false],
    ['2019-02-30', false],
    ['19', false],
    ['', false],
  ])('the date of a condition can be %j: %s', (text, is) => {
    expect(isPartialDate(text)).toBe(is);
  });
});

describe('what an entry of a chart says', () => {
  const zone = 'Europe/London';

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

describe('an entry of a chart', () => {
  type Rest = Pick<Subject, 'replaces' | 'isInError' | 'isEnded'>;
  const rest: Rest = { replaces: null, isInError: false, isEnded: false };
  const allergy = (id: number, substance: string, more: Partial<Rest> = {}): Subject => ({
    ...rest,
    id,
    section: 'allergies',
    value: { is: 'allergy', substance, reaction: null, severity: 'unknown' },
    ...more,
  });
  const none = (id: number, more: Partial<Rest> = {}): Subject => ({
    ...rest,
    id,
    section: 'allergies',
    value: { is: 'none' },
    ...more,
  });
  const codeStatus = (id: number, status: 'full' | 'noCpr', more: Partial<Rest> = {}): Subject => ({
    ...rest,
    ...more,
    id,
    section: 'codeStatus',
    value: { status, limits: null },
  });
  const said = (...entries: Subject[]): string[] =>
    [...statusesOf(entries)].sort(([a], [b]) => a - b).map(([id, status]) => `${id} ${status}`);

  it('is superseded by its correction', () => {
    expect(said(codeStatus(1, 'full'), codeStatus(2, 'noCpr', { replaces: 1 }))).toEqual(['1 superseded', '2 current']);
  });

  it('holds again if its correction was entered in error', () => {
    expect(said(codeStatus(1, 'full'), codeStatus(2, 'noCpr', { replaces: 1, isInError: true }))).toEqual([
      '1 current',
      '2 entered_in_error',
    ]);
  });

  it('stays superseded if the correction of an error holds', () => {
    const entries = [
      codeStatus(1, 'full'),
      codeStatus(2, 'noCpr', { replaces: 1, isInError: true }),
      codeStatus(3, 'full', { replaces: 2 }),
    ];
    expect(said(...entries)).toEqual(['1 superseded', '2 entered_in_error', '3 current']);
  });

  it('that ended is not current, and in error rather than ended', () => {
    expect(said(allergy(1, 'Latex', { isEnded: true }))).toEqual(['1 ended']);
    expect(said(allergy(1, 'Latex', { isEnded: true, isInError: true }))).toEqual(['1 entered_in_error']);
  });

  it('that says "none" does not stand beside an allergy, nor come back when that ends', () => {
    expect(said(none(1), allergy(2, 'Latex'))).toEqual(['1 superseded', '2 current']);
    expect(said(none(1), allergy(2, 'Latex', { isEnded: true }))).toEqual(['1 superseded', '2 ended']);
    expect(said(none(1), allergy(2, 'Latex', { isInError: true }))).toEqual(['1 current', '2 entered_in_error']);
  });

  it('that says "none" gives way to an earlier allergy that holds again', () => {
    // Its correction ended, "none" was recorded, and then the correction turned out to be an error.
    const entries = [
      allergy(1, 'Penicillin'),
      allergy(2, 'Penicillin V', { replaces: 1, isEnded: true, isInError: true }),
      none(3),
    ];
    expect(said(...entries)).toEqual(['1 current', '2 entered_in_error', '3 superseded']);
  });

  it('that says "none" is, whatever people do, never current beside another one of its list', () => {
    const step = fc.record({ what: fc.constantFrom('add', 'none', 'correct', 'end', 'error'), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const entries: Subject[] = [];
        for (const { what, of } of steps) {
          const id = entries.length + 1;
          const place = entries.length === 0 ? 0 : of % entries.length;
          const [target] = entries.slice(place, place + 1);
          if (target === undefined || what === 'add') {
            entries.push(allergy(id, `Drug ${of % 3}`));
          } else if (what === 'none') {
            entries.push(none(id));
          } else if (what === 'correct') {
            entries.push(allergy(id, `Drug ${of % 3}`, { replaces: target.id }));
          } else {
            entries.splice(place, 1, { ...target, [what === 'end' ? 'isEnded' : 'isInError']: true });
          }
          const statuses = statusesOf(entries);
          const current = entries.filter((one) => statuses.get(one.id) === 'current');
          expect(new Set(current.map(({ value }) => 'is' in value && value.is)).size).toBeLessThan(2);
        }
      }),
    );
  });

  it('is one of several about other things, and never a second one about the same', () => {
    expect(said(allergy(1, 'Latex'), allergy(2, 'Nuts'))).toEqual(['1 current', '2 current']);
    // The first one came back because its correction was an error; meanwhile somebody had recorded it again.
    const again = [allergy(1, 'Latex'), allergy(2, 'Nuts', { replaces: 1, isInError: true }), allergy(3, 'latex')];
    expect(said(...again)).toEqual(['1 superseded', '2 entered_in_error', '3 current']);
  });

  it('has, whatever people do, at most one current code status, and exactly one unless all are errors', () => {
    const step = fc.record({ replaces: fc.nat(20), isError: fc.boolean(), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const entries: Subject[] = [];
        for (const { replaces, isError, of } of steps) {
          const current = [...statusesOf(entries)].filter(([, status]) => status === 'current').map(([id]) => id);
          if (isError && entries.length > 0) {
            const place = of % entries.length;
            entries.splice(place, 1, ...entries.slice(place, place + 1).map((one) => ({ ...one, isInError: true })));
          } else if (current.length === 0 || replaces % 3 > 0) {
            entries.push(codeStatus(entries.length + 1, 'full', { replaces: current[0] ?? null }));
          }
          const after = [...statusesOf(entries).values()].filter((status) => status === 'current');
          expect(after).toHaveLength(entries.every(({ isInError }) => isInError) ? 0 : 1);
        }
      }),
    );
  });

  it('is about the same thing in any letter case', () => {
    expect(slotOf(allergy(1, 'Latex  gloves'))).toBe(slotOf(allergy(2, 'latex Gloves')));
    expect(slotOf(allergy(1, 'Latex'))).not.toBe(slotOf(none(2)));
  });
});

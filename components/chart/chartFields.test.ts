import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import {
  newAllergy,
  newCodeStatus,
  newCondition,
  newContact,
  newMedication,
  newOxygen,
  newTeamEntry,
} from '../../lib/chart/schema';
import { type WrittenSection, writtenSections } from '../../lib/chart/sections';
import { inventedAllergy } from '../../test/inventedChart';
import { bodyOfFields, fieldsOf } from './entryFields';
import { limitLines } from './limitLines';
import { newEntries } from './useWriteEntry';

describe('the fields of a chart’s form', () => {
  const zone = 'Europe/London';
  const rest = { clientId: '6f2b3c1e-0d7e-4b1c-9f43-3f1c7f6d2a10', authorId: 7, version: 3, replaces: null };

  function bodyOf(section: WrittenSection, value: Record<string, string>, change = {}) {
    const empty = fieldsOf(section, null, zone);
    return {
      ...bodyOfFields(section, { ...empty, value: { ...empty.value, ...value }, ...change }, zone, false),
      ...rest,
    };
  }

  const errorsOf = (parsed: { success: boolean; error?: { issues: { path: PropertyKey[] }[] } }) =>
    parsed.error?.issues.map(({ path }) => path.join('.'));

  it.each(writtenSections)('are refused in %s while nothing is typed', (section) => {
    expect(newEntries[section].safeParse(bodyOf(section, {})).success).toBe(false);
  });

  it('need source and date for a code status', () => {
    expect(errorsOf(newCodeStatus.safeParse(bodyOf('codeStatus', { status: 'full' })))).toEqual(
      expect.arrayContaining(['source', 'effectiveAt']),
    );
  });

  it('keep a number that is none, so that its field is refused', () => {
    expect(errorsOf(newOxygen.safeParse(bodyOf('oxygen', { device: 'nasalCannula', flow: 'two' })))).toEqual([
      'value.flow',
    ]);
  });

  it('become what the server takes', () => {
    const stated = { source: 'letter', effectiveAt: '2026-07-01T09:30' };
    expect(newCodeStatus.parse(bodyOf('codeStatus', { status: 'noCpr', limits: '' }, stated))).toMatchObject({
      value: { status: 'noCpr', limits: null },
      source: 'letter',
      effectiveAt: '2026-07-01T08:30:00.000Z',
      reason: null,
    });
    expect(newAllergy.parse(bodyOf('allergies', { substance: ' Latex ' })).value).toEqual({
      is: 'allergy',
      substance: 'Latex',
      reaction: null,
      severity: 'unknown',
    });
    expect(newAllergy.parse(bodyOf('allergies', { is: 'none', substance: 'typed before' })).value).toEqual({
      is: 'none',
    });
    expect(newOxygen.parse(bodyOf('oxygen', { device: 'venturiMask', flow: '2,5', fiO2: '28' })).value).toEqual({
      device: 'venturiMask',
      flow: 2.5,
      fiO2: 28,
      note: null,
    });
    expect(newCondition.parse(bodyOf('conditions', { name: 'COPD', since: '2019' })).value).toMatchObject({
      name: 'COPD',
      since: '2019',
    });
    expect(newMedication.parse(bodyOf('medications', { is: 'none' })).value).toEqual({ is: 'none' });
    expect(newContact.parse(bodyOf('contacts', { role: 'patient', phone: '+44 20 7946 0000' })).value).toMatchObject({
      role: 'patient',
      name: null,
    });
  });

  it('keep the account of a user in the team, unless another name is typed', () => {
    const entry = {
      ...inventedAllergy(1, 'Latex'),
      section: 'team' as const,
      value: { role: 'teamMember' as const, userId: 7, name: 'Robin Example' },
    };
    const fields = fieldsOf('team', entry, zone);
    const valueAs = (name: string) =>
      newTeamEntry.parse({
        ...bodyOfFields(
          'team',
          { ...fields, value: { ...fields.value, role: 'responsibleClinician', name } },
          zone,
          false,
        ),
        ...rest,
      }).value;
    expect(valueAs('Robin Example')).toMatchObject({ role: 'responsibleClinician', userId: 7 });
    expect(valueAs('Sam Example')).toMatchObject({ userId: null, name: 'Sam Example' });
  });

  it('begin with the entry that they correct', () => {
    const fields = fieldsOf(
      'allergies',
      inventedAllergy(1, 'Penicillin', { effectiveAt: '2026-07-01T08:30:00.000Z' }),
      zone,
    );
    expect(fields).toEqual({
      value: { is: 'allergy', substance: 'Penicillin', reaction: '', severity: 'severe' },
      source: 'the patient',
      effectiveAt: '2026-07-01T09:30',
      reason: '',
    });
  });
});

describe('the limits on a printed chart', () => {
  const item: PatientLimitsResponse['items'][number] = {
    rule: 'spo2.low',
    priority: 'high',
    unit: '%',
    lowIs: 'below',
    delayMs: 60_000,
    bounds: { low: { min: 70, max: 92 }, high: null },
    default: { low: 88, high: null },
    site: null,
    own: null,
    holds: { low: 85, high: null },
  };

  it('are the figures that apply, with the one that follows from them', () => {
    const other = { ...item, rule: 'spo2.below' as const, default: null, holds: null };
    expect(limitLines({ profile: 'continuous', spo2Scale: 1 }, { items: [item, other] })).toEqual([
      'SpO2 very low: < 75, at once',
      'SpO2 low: < 85 %',
    ]);
  });

  it('are those of single readings at home', () => {
    const lines = limitLines({ profile: 'home', spo2Scale: 1 }, { items: [item] });
    expect(lines[0]).toBe('SpO2 reading: high ≤ 92; medium ≤ 94');
    expect(lines.join()).not.toContain('85');
  });
});

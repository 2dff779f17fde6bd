import type { OruPatient } from '../../lib/hl7/readOru';
import { patientRow } from '../../test/patientRow';
import { startOfTest } from '../../test/testServer';
import { bedOf, BedStays } from '../patients/bedStays';
import { isOfOtherAuthority, matchPatient, type Ward } from './matchPatient';

const patient = { ...patientRow(1, 1, 'P-100'), family_name: 'Müller-Ørsted', date_of_birth: '1950-03-07' };
const at = startOfTest;
const stays = new BedStays();
const ward: Ward = {
  isTrial: false,
  mrnAuthorities: [],
  byMrn: (mrn) => (mrn === 'P-100' ? patient : null),
  byId: (id) => (id === 1 ? patient : null),
  bedOf: (bed) =>
    bed === 'ICU^^7' ? { key: '1 7', mappingId: 1 } : bed === 'ICU^^8' ? { key: '1 8', mappingId: 2 } : null,
  stays,
  aheadMs: () => 0,
  isElsewhere: (row, bed) => bedOf(row) !== null && bedOf(row) !== bed,
};
const times = { takenAt: at, receivedAt: at };
const match = (more: Partial<OruPatient>, { bed = null as string | null, known = ward } = {}) =>
  matchPatient(sent(more), bed, times, known);
const mr = (id: string, ...authorities: string[]) => ({ id, authorities, type: 'MR' });
const sent = (change: Partial<OruPatient>): OruPatient => ({
  identifiers: [mr('P-100')],
  hasIdentifier: true,
  isReadable: true,
  familyName: null,
  birthDate: null,
  ...change,
});
const noOne = { identifiers: [], hasIdentifier: false };
const visit = { id: 'P-100', authorities: [], type: 'VN' };

describe('matchPatient', () => {
  it.each([
    ['no such number', { identifiers: [mr('P-101')] }],
    ['another patient’s number as well', { identifiers: [mr('P-100'), mr('P-101')] }],
    ['a number of another type only', { identifiers: [visit] }],
    ['an account number only', { identifiers: [] }],
    ['a name that looks alike', { familyName: 'Miller-Ørsted' }],
    ['half a birth date', { birthDate: '1950' }],
    ['a head that is damaged', { isReadable: false }],
  ])('finds no one by %s', (_, change) => {
    expect(match(change)).toEqual({ code: 'identity_conflict' });
  });

  describe('in a site that says whose numbers are its MRNs', () => {
    const known = { ...ward, mrnAuthorities: ['HARBOUR', '1.2.3', 'Süd'] };

    it.each([
      ['another authority only', [mr('P-100', 'LAKE')]],
      ['another authority with another universal id', [mr('P-100', 'LAKE', '1.2.4')]],
      ['an authority in other letters', [mr('P-100', 'Harbour')]],
      ['half an authority', [mr('P-100', 'HARBOU')]],
      ['ours and one without an authority that differ', [mr('P-100', 'HARBOUR'), mr('P-101')]],
      ['two of ours', [mr('P-100', 'HARBOUR'), mr('P-101', '1.2.3')]],
      ['ours of another type', [{ ...mr('P-100', 'HARBOUR'), type: 'VN' }]],
    ])('finds no one by a number of %s, not even by the bed', (_, identifiers) => {
      const conflict = { code: 'identity_conflict' };
      expect([match({ identifiers }, { known }), match({ identifiers }, { known, bed: 'ICU^^7' })]).toEqual([
        conflict,
        conflict,
      ]);
    });

    it.each([
      ['without an authority', [mr('P-100')]],
      ['by its namespace', [mr('P-100', 'HARBOUR', '9.9')]],
      ['by its universal id', [mr('P-100', '1.2.3')]],
      ['by its universal id beside another namespace', [mr('P-100', 'GATEWAY', '1.2.3')]],
      ['in Unicode’s other form', [mr('P-100', 'Su\u0308d')]],
      ['beside that of another hospital', [mr('P-101', 'LAKE'), mr('P-100', 'HARBOUR')]],
    ])('finds a patient by a number of theirs %s', (_, identifiers) => {
      expect(match({ identifiers }, { known })).toEqual({ patient });
    });

    it.each([
      ['no number', [], false],
      ['a number of another authority', [mr('P-100', 'LAKE')], true],
      ['several of them', [mr('P-100', 'LAKE'), mr('P-100', 'Harbour')], true],
      ['ours beside it', [mr('P-100', 'LAKE'), mr('P-999', 'HARBOUR')], false],
      ['one without an authority beside it', [mr('P-100', 'LAKE'), mr('P-999')], false],
      ['a number of another type', [{ ...mr('P-100', 'LAKE'), type: 'VN' }], false],
    ])('says of %s whether the authority is the cause', (_, identifiers, is) => {
      const isOther = (more: Partial<OruPatient>) => isOfOtherAuthority(sent({ identifiers, ...more }), ['HARBOUR']);
      expect([isOther({}), isOther({ isReadable: false })]).toEqual([is, false]);
      expect(isOfOtherAuthority(sent({ identifiers }), [])).toBe(false);
    });

    it('takes the numbers of any authority where it says nothing', () => {
      expect(match({ identifiers: [mr('P-100', 'LAKE')] })).toEqual({ patient });
      expect(match({ identifiers: [mr('P-100', 'HARBOUR'), mr('P-101', 'LAKE')] })).toEqual({
        code: 'identity_conflict',
      });
    });
  });

  it('finds no one who is discharged', () => {
    const known = { ...ward, byMrn: () => ({ ...patient, state: 'discharged' as const }) };
    expect(match({}, { known })).toEqual({ code: 'identity_conflict' });
  });

  it('says that a message names no one by a number', () => {
    expect(match({ ...noOne, familyName: 'Müller-Ørsted' })).toEqual({ code: 'no_identifier' });
  });

  it.each([
    ['of a trial reaches no patient who is not on trial', true, 0],
    ['that is not of a trial reaches no trial patient', false, 1],
  ] as const)('%s', (_, isTrial, is_trial) => {
    const known = { ...ward, isTrial, byMrn: () => ({ ...patient, is_trial }) };
    expect(match({}, { known })).toEqual({ code: 'identity_conflict' });
  });

  it('of a trial reaches a trial patient', () => {
    const onTrial = { ...patient, is_trial: 1 as const };
    expect(match({}, { known: { ...ward, isTrial: true, byMrn: () => onTrial } })).toEqual({ patient: onTrial });
  });

  it.each([
    { identifiers: [visit, mr('P-100'), mr('P-100')] },
    { familyName: 'MULLER ØRSTED', birthDate: '1950-03-07' },
    { familyName: 'Mu\u0308ller-Ørsted' },
  ])('finds the patient by %j', (change) => {
    expect(match(change)).toEqual({ patient });
  });

  it.each(['STRAUSS', 'strauß', 'Strauß'])('takes %s for the family name Strauß', (familyName) => {
    const strauss = { ...patient, family_name: 'Strauß' };
    expect(match({ familyName }, { known: { ...ward, byMrn: () => strauss } })).toEqual({ patient: strauss });
  });
});

describe('the bed of a message', () => {
  const inBed = { ...patient, unit_id: 1, bed: '7' };
  const taken = new BedStays();
  taken.take(1, null, '1 7', at - 3_600_000);
  const known: Ward = { ...ward, stays: taken, byMrn: () => inBed, byId: () => inBed };

  it.each([
    ['is not mapped', 'ICU^^9', noOne, 'unknown_bed'],
    ['has no one', 'ICU^^8', noOne, 'empty_bed'],
    ['has somebody of another name', 'ICU^^7', { ...noOne, familyName: 'Miller' }, 'identity_conflict'],
    ['has somebody born on another day', 'ICU^^7', { ...noOne, birthDate: '1950-03-08' }, 'identity_conflict'],
    ['is mapped, but the message has a number that is no MRN', 'ICU^^7', { identifiers: [visit] }, 'identity_conflict'],
    ['is mapped, but the head is damaged', 'ICU^^7', { ...noOne, isReadable: false }, 'identity_conflict'],
    ['is another one than that of the patient whom it names', 'ICU^^8', {}, 'identity_conflict'],
  ])('names no one if it %s', (_, bed, change, code) => {
    expect(match(change, { bed, known })).toEqual({ code });
  });

  it('names a trial patient to a sender on trial alone, and no one else to it', () => {
    const onTrial = { ...known, byId: () => ({ ...inBed, is_trial: 1 as const }) };
    expect(match(noOne, { bed: 'ICU^^7', known: onTrial })).toEqual({ code: 'identity_conflict' });
    expect(match(noOne, { bed: 'ICU^^7', known: { ...known, isTrial: true } })).toEqual({ code: 'identity_conflict' });
    expect(match(noOne, { bed: 'ICU^^7', known: { ...onTrial, isTrial: true } })).toHaveProperty('patient');
  });

  it('names no one who was discharged meanwhile', () => {
    const left = { ...known, byId: () => ({ ...inBed, state: 'discharged' as const }) };
    expect(match(noOne, { bed: 'ICU^^7', known: left })).toEqual({ code: 'empty_bed' });
  });

  it('decides where the message names no one by any number', () => {
    expect(match(noOne, { bed: 'ICU^^7', known })).toEqual({ patient: inBed });
  });

  it('changes nothing where it is that of the patient, is not mapped, or the patient has none', () => {
    expect(match({}, { bed: 'ICU^^7', known })).toEqual({ patient: inBed });
    expect(match({}, { bed: 'ICU^^9', known })).toEqual({ patient: inBed });
    expect(match({}, { bed: 'ICU^^8' })).toEqual({ patient });
  });

  it('gives no one what a released bed may have sent late by a clock that is ahead', () => {
    const released = new BedStays();
    released.take(1, null, '1 7', at);
    released.putRelease({ id: 1, patientId: 1, bed: '1 7', change: 'begin', movedAt: at, at });
    const late = { takenAt: at + 90_000, receivedAt: at + 120_000 };
    const matched = (aheadMs: number) =>
      matchPatient(sent(noOne), 'ICU^^7', late, { ...known, stays: released, aheadMs: () => aheadMs });
    expect(matched(90_001)).toEqual({ code: 'bed_changing' });
    expect(matched(90_000)).toEqual({ patient: inBed });
  });
});

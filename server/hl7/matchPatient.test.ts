import type { OruPatient } from '../../lib/hl7/readOru';
import { patientRow } from '../../test/patientRow';
import { matchPatient } from './matchPatient';

const patient = { ...patientRow(1, 1, 'P-100'), family_name: 'Müller-Ørsted', date_of_birth: '1950-03-07' };
const find = (mrn: string) => (mrn === 'P-100' ? patient : null);
const mr = (id: string) => ({ id, authority: '', type: 'MR' });
const sent = (change: Partial<OruPatient>): OruPatient => ({
  identifiers: [mr('P-100')],
  hasIdentifier: true,
  isReadable: true,
  familyName: null,
  birthDate: null,
  ...change,
});
const visit = { id: 'P-100', authority: '', type: 'VN' };

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
    expect(matchPatient(sent(change), find)).toEqual({ code: 'identity_conflict' });
  });

  it('finds no one who is discharged', () => {
    expect(matchPatient(sent({}), () => ({ ...patient, state: 'discharged' }))).toEqual({ code: 'identity_conflict' });
  });

  it('says that a message names no one by a number', () => {
    const none = sent({ identifiers: [], hasIdentifier: false, familyName: 'Müller-Ørsted' });
    expect(matchPatient(none, find)).toEqual({ code: 'no_identifier' });
  });

  it.each([
    { identifiers: [visit, mr('P-100'), mr('P-100')] },
    { familyName: 'MULLER ØRSTED', birthDate: '1950-03-07' },
    { familyName: 'Mu\u0308ller-Ørsted' },
  ])('finds the patient by %j', (change) => {
    expect(matchPatient(sent(change), find)).toEqual({ patient });
  });

  it.each(['STRAUSS', 'strauß', 'Strauß'])('takes %s for the family name Strauß', (familyName) => {
    const strauss = { ...patient, family_name: 'Strauß' };
    expect(matchPatient(sent({ familyName }), () => strauss)).toEqual({ patient: strauss });
  });
});

import fc from 'fast-check';
import type { z } from 'zod';
import { newPatient, patientPatch, patientsResponse, patientsQuery, patientsSearch } from './schema';

const ada = { mrn: 'A-1', givenName: 'Ada', familyName: 'Ample', dateOfBirth: '1950-12-31' };

/** The fields that a schema rejects. */
function faults(schema: z.ZodType, input: unknown): string[] {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
}

describe('a new patient', () => {
  it.each([
    ['no MRN', { mrn: undefined }, 'mrn'],
    ['an empty MRN', { mrn: '' }, 'mrn'],
    ['an MRN of spaces', { mrn: '   ' }, 'mrn'],
    ['an MRN of 65 characters', { mrn: 'x'.repeat(65) }, 'mrn'],
    ['an MRN that is a number', { mrn: 1 }, 'mrn'],
    ['a line break in a name', { givenName: 'Ada\nAmple' }, 'givenName'],
    ['a NUL in a name', { familyName: 'Am\0ple' }, 'familyName'],
    ['a line separator in a name', { familyName: 'Am\u2028ple' }, 'familyName'],
    ['a name of 101 characters', { givenName: 'a'.repeat(101) }, 'givenName'],
    ['a day that does not exist', { dateOfBirth: '2026-02-30' }, 'dateOfBirth'],
    ['a time as the date of birth', { dateOfBirth: '1950-12-31T00:00:00Z' }, 'dateOfBirth'],
    ['a sex that is not listed', { sex: 'f' }, 'sex'],
    ['an SpO2 scale of 3', { spo2Scale: 3 }, 'spo2Scale'],
    ['an SpO2 scale that is a text', { spo2Scale: '1' }, 'spo2Scale'],
    ['a profile that is not listed', { profile: 'ward' }, 'profile'],
    ['a unit without a bed', { location: { unit: 'North' } }, 'location.bed'],
    ['an empty bed', { location: { unit: 'North', bed: ' ' } }, 'location.bed'],
  ])('is refused with %s', (_, change, field) => {
    expect(faults(newPatient, { ...ada, ...change })).toEqual([field]);
  });

  it.each(['id', 'siteId', 'version', 'state', 'createdBy', 'constructor'])(
    'is refused with the field %s, which is not the caller’s to set',
    (field) => {
      expect(newPatient.safeParse({ ...ada, [field]: 1 }).success).toBe(false);
    },
  );

  it('is refused with an own field __proto__, and changes no prototype', () => {
    const hostile: unknown = JSON.parse(
      `{"mrn":"A-1","givenName":"Ada","familyName":"Ample","dateOfBirth":"1950-12-31","__proto__":{"isAdmin":true}}`,
    );
    expect(newPatient.safeParse(hostile).success).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  it('needs four fields; the rest has a default', () => {
    expect(newPatient.parse(ada)).toEqual({
      ...ada,
      sex: 'unknown',
      location: null,
      profile: 'continuous',
      spo2Scale: 1,
      isTrial: false,
    });
  });

  it.each([
    ['spaces around it', '  Ada ', 'Ada'],
    ['a letter written as two', 'Zoe\u0308', 'Zo\u00eb'],
    ['another script', 'Ольга', 'Ольга'],
    ['an apostrophe', 'O’Brien', 'O’Brien'],
    ['a hundred characters', 'a'.repeat(100), 'a'.repeat(100)],
  ])('takes a name with %s', (_, typed, kept) => {
    expect(newPatient.parse({ ...ada, givenName: typed }).givenName).toBe(kept);
  });

  it('keeps a name unchanged when it is parsed a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (typed) => {
        const first = newPatient.safeParse({ ...ada, givenName: typed });
        fc.pre(first.success);
        expect(newPatient.parse({ ...ada, givenName: first.data.givenName }).givenName).toBe(first.data.givenName);
      }),
    );
  });
});

describe('a change of a patient', () => {
  it.each([
    ['no version', { givenName: 'Ada' }, 'version'],
    ['version 0', { version: 0 }, 'version'],
    ['half a version', { version: 1.5 }, 'version'],
    ['an empty name', { version: 1, givenName: '' }, 'givenName'],
    ['no MRN any more', { version: 1, mrn: null }, 'mrn'],
    ['a state that is not listed', { version: 1, state: 'dead' }, 'state'],
  ])('is refused with %s', (_, patch, field) => {
    expect(faults(patientPatch, patch)).toEqual([field]);
  });

  it('distinguishes a location that is removed from one that is not changed', () => {
    expect(patientPatch.parse({ version: 1, location: null })).toEqual({ version: 1, location: null });
    expect(patientPatch.parse({ version: 1 })).toEqual({ version: 1 });
  });
});

describe('the query of the list', () => {
  it.each([
    ['page 0', { page: '0' }, 'page'],
    ['a negative page', { page: '-1' }, 'page'],
    ['half a page', { page: '1.5' }, 'page'],
    ['a page that is no number', { page: 'one' }, 'page'],
    ['an empty page', { page: '' }, 'page'],
    ['an endless page', { page: 'Infinity' }, 'page'],
    ['a page past the last that can be', { page: '1000001' }, 'page'],
    ['two pages', { page: ['1', '2'] }, 'page'],
    ['a page size of 0', { pageSize: '0' }, 'pageSize'],
    ['a page size of 501', { pageSize: '501' }, 'pageSize'],
    ['an unknown order', { sort: 'createdAt' }, 'sort'],
    ['a doubled minus', { sort: '--mrn' }, 'sort'],
    ['SQL for an order', { sort: 'mrn; DROP TABLE patients' }, 'sort'],
    ['an unknown state', { state: 'all' }, 'state'],
    ['an empty unit', { unit: '' }, 'unit'],
    ['the name of a unit', { unit: 'North' }, 'unit'],
    ['the name of a bed', { bed: 'M1' }, 'bed'],
  ])('is refused with %s', (_, query, field) => {
    expect(faults(patientsQuery, query)).toEqual([field]);
  });

  it('never takes a text that may contain a name', () => {
    expect(patientsQuery.safeParse({ text: 'Ample' }).success).toBe(false);
    expect(patientsSearch.parse({ text: 'Ample' }).text).toBe('Ample');
  });

  it('means the first 25 active patients by family name by default', () => {
    expect(patientsQuery.parse({})).toEqual({
      state: 'active',
      mine: false,
      attention: false,
      sort: 'familyName',
      page: 1,
      pageSize: 25,
    });
    expect(patientsSearch.parse({ text: '' })).toEqual({
      text: '',
      state: 'active',
      mine: false,
      attention: false,
      sort: 'familyName',
      page: 1,
      pageSize: 25,
    });
  });

  it('takes the largest page and a reversed order', () => {
    expect(patientsQuery.parse({ page: '1000000', pageSize: '500', sort: '-spo2' })).toMatchObject({
      page: 1_000_000,
      pageSize: 500,
      sort: '-spo2',
    });
  });

  it('returns a query or a fault for any input, and never throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('state', 'unit', 'sort', 'after', 'page', 'pageSize', 'x'), fc.anything()),
        (query) => {
          expect(typeof patientsQuery.safeParse(query).success).toBe('boolean');
        },
      ),
    );
  });
});

describe('the response of the list', () => {
  it('is a whole page, or says that nothing changed', () => {
    const page = { items: [], total: 0, version: 'v1', units: [], beds: [] };
    expect(patientsResponse.parse(page)).toEqual(page);
    expect(patientsResponse.parse({ unchanged: true, version: 'v1' })).toEqual({ unchanged: true, version: 'v1' });
    expect(patientsResponse.safeParse({ unchanged: false, version: 'v1' }).success).toBe(false);
    expect(patientsResponse.safeParse({ items: [], version: 'v1' }).success).toBe(false);
  });
});

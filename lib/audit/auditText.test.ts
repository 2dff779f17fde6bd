import { moreText, whatText } from './auditText';
import type { AuditEntry } from './schema';

const site = { timeZone: 'Europe/London', shiftStarts: '07:30,19:30' };
const entry: AuditEntry = {
  id: 1,
  at: '2026-07-07T06:35:00.000Z',
  actor: 'user',
  actorId: 3,
  actorName: 'Alex Demo',
  action: 'assign',
  objectType: 'patient',
  objectId: 5,
  about: 'Jonsdottir K., M1',
  outcome: 'done',
  details: { role: 'nurse', unitId: 4, shiftStart: Date.parse('2026-07-07T06:30:00Z'), userId: 9 },
  names: { userId: 'Noor Demo', unitId: 'Medical' },
  ip: null,
};

describe('an entry of the audit in words', () => {
  it('says who was assigned as what, in which shift of the site', () => {
    expect(whatText(entry, site)).toBe('Assigned Noor Demo as nurse, shift 07:30-19:30, Medical');
    expect(moreText(entry)).toBe('');
  });

  it('says that a role was taken from someone, and is readable without the names', () => {
    const { userId: _, ...details } = entry.details;
    expect(whatText({ ...entry, details: { ...details, nobody: true } }, site)).toBe(
      'Assigned no one as nurse, shift 07:30-19:30, Medical',
    );
    expect(whatText({ ...entry, names: {}, details: {} }, site)).toBe('Assigned a user');
  });

  it('says that an action was refused, unless its words say so', () => {
    expect(whatText({ ...entry, action: 'sign_in', outcome: 'refused' }, site)).toBe('Signed in (refused)');
    expect(whatText({ ...entry, action: 'refused_call', outcome: 'refused' }, site)).toBe('Was refused');
  });

  it('puts names in the place of ids in the rest', () => {
    const details = { fields: ['bed', 'unit'], userId: 9, count: 3 };
    expect(moreText({ ...entry, action: 'change_patient', details })).toBe(
      'fields: bed, unit; user: Noor Demo; count: 3',
    );
  });

  it('has words in the place of names from the code', () => {
    const changed = { fields: ['isAdmin'], type: 'ward_lead', isAdmin: false };
    expect(moreText({ ...entry, action: 'change_user', details: changed })).toBe(
      'fields: administrator; role: Ward lead; administrator: no',
    );
    const authorities = { fields: ['mrnAuthorities'], mrnAuthorities: ['HOSPITAL A', '1.2.3'] };
    expect(moreText({ ...entry, action: 'change_site', details: authorities })).toBe(
      'fields: authorities of MRNs; authorities of MRNs: HOSPITAL A, 1.2.3',
    );
    const details = { fields: ['emergencyNumber', 'name'], triesLeft: 2, otherBrowser: true };
    expect(moreText({ ...entry, action: 'change_site', details })).toBe(
      'fields: emergency number, name; tries left: 2; other browser: yes',
    );
  });

  it('says of an empty list that it has none, and ends no text with a colon', () => {
    const details = { count: 0, filters: [], patientIds: [] };
    expect(moreText({ ...entry, action: 'view_audit', details })).toBe(
      'count: 0; filters: none; numbers of patients: none',
    );
  });
});

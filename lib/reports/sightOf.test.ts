import { userTypes } from '../session/userTypes';
import { reportKinds, type ReportKind } from './reportKinds';
import { changeableFields } from './schema';
import { fieldsToChange, kindsToManage, sightOf } from './sightOf';

const isKind = (text: string): text is ReportKind => Object.hasOwn(reportKinds, text);
const kinds = Object.keys(reportKinds).filter(isKind);
const reader = (type: (typeof userTypes)[number], isAdmin = false) => ({ type, isAdmin });

describe('of an issue report', () => {
  it.each(userTypes)(
    'a %s sees nothing of what others filed about patients out of reach, except for their trade',
    (type) => {
      for (const kind of kinds) {
        for (const isAdmin of [false, true]) {
          const trade =
            type === 'technician' && kind === 'device' ? 'device' : isAdmin && kind === 'software' ? 'software' : null;
          expect(sightOf(reader(type, isAdmin), { kind, isOwn: false, isInReach: false })).toBe(trade);
          expect(sightOf(reader(type, isAdmin), { kind, isOwn: true, isInReach: false })).toBe('whole');
        }
      }
    },
  );

  it('within reach those see all who read notes, and no viewer, technician or administrator more than before', () => {
    const report = { kind: 'safety', isOwn: false, isInReach: true } as const;
    expect(userTypes.filter((type) => sightOf(reader(type), report) === 'whole')).toEqual([
      'nurse',
      'physician',
      'respiratory_therapist',
      'ward_lead',
    ]);
    expect(userTypes.filter((type) => sightOf(reader(type, true), report) === 'whole')).toHaveLength(4);
  });

  it('the reporter changes nothing, and no one but a ward lead the kind or the harm', () => {
    for (const type of userTypes) {
      for (const isAdmin of [false, true]) {
        for (const kind of kinds) {
          const fields = fieldsToChange(reader(type, isAdmin), { kind, isOwn: true, isInReach: true });
          const isManager =
            type === 'ward_lead' || (type === 'technician' && kind === 'device') || (isAdmin && kind === 'software');
          expect([type, isAdmin, kind, fields.length > 0]).toEqual([type, isAdmin, kind, isManager]);
          expect(fields.includes('kind') || fields.includes('harm')).toBe(type === 'ward_lead');
          expect(changeableFields).toEqual(expect.arrayContaining([...fields]));
          expect(kindsToManage(reader(type, isAdmin), kinds).includes(kind)).toBe(isManager);
        }
      }
    }
  });
});

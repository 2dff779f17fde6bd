import { userTypes } from '../session/userTypes';
import { rolesFor } from './canHold';

const nursing = ['nurse', 'buddy'];

describe('rolesFor', () => {
  it.each([
    ['nurse', [...nursing, 'charge_nurse', 'ward_lead']],
    ['ward_lead', [...nursing, 'charge_nurse', 'ward_lead']],
    ['respiratory_therapist', nursing],
    ['physician', ['duty_clinician', 'on_call_physician']],
  ] as const)('gives a %s the roles that fit', (type, roles) => {
    expect(rolesFor({ type, units: [] }, 1)).toEqual(roles);
  });

  it('gives no other type any role', () => {
    const others = userTypes.filter(
      (type) => !['nurse', 'ward_lead', 'respiratory_therapist', 'physician'].includes(type),
    );
    expect(others.flatMap((type) => rolesFor({ type, units: [] }, 1))).toEqual([]);
  });

  it('keeps users of other units out of this one', () => {
    expect(rolesFor({ type: 'nurse', units: [{ id: 2 }] }, 1)).toEqual([]);
    expect(rolesFor({ type: 'nurse', units: [{ id: 2 }, { id: 1 }] }, 1)).not.toEqual([]);
  });
});

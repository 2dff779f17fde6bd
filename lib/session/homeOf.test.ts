import { homeOf } from './homeOf';
import { permissionsOf } from './permissions';
import type { UserType } from './userTypes';

describe('the page on which a user begins', () => {
  it.each<[UserType, boolean, string]>([
    ['administrator', true, '/admin/users'],
    ['technician', false, '/admin/devices'],
    ['nurse', false, '/dashboard'],
    ['physician', true, '/dashboard'],
    ['viewer', false, '/dashboard'],
    ['display', false, '/wall'],
  ])('of a %s (administrates: %s) is %s', (type, isAdmin, page) => {
    expect(homeOf({ permissions: permissionsOf({ type, isAdmin, units: [] }) })).toBe(page);
  });
});

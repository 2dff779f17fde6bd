/** Every page of an administrator's. */
export const adminAddresses = [
  '/admin/users',
  '/admin/units',
  '/admin/devices',
  '/admin/emergency_access',
  '/admin/site',
  '/admin/audit',
  '/admin/errors',
] as const;

/** Every page of the administration. */
export const adminAddresses = [
  '/admin/users',
  '/admin/units',
  '/admin/devices',
  '/admin/interfaces',
  '/admin/mappings',
  '/admin/emergency_access',
  '/admin/site',
  '/admin/audit',
  '/admin/errors',
  '/admin/sites',
] as const;

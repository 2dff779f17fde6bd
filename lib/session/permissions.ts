import type { UserType } from './userTypes';

/** What people may do; the server's policy table and the answer of `getCurrentUser` are made from these lines. */
export const permissions = [
  'readPatients',
  'writePatients',
  'recordObservations',
  'setSpo2Scale',
  'readAlerts',
  'handleAlerts',
  'changeLimits',
  'changeSiteLimits',
  'setStandby',
  'orderComfortCare',
  'readUnits',
  'readAssignments',
  'writeAssignments',
  'readDevices',
  'assignDevices',
  'breakGlass',
  'chat',
  'readAudit',
  'exportAudit',
  'manageUsers',
  'manageDevices',
  'manageSite',
] as const;
export type Permission = (typeof permissions)[number];

/** How far an act reaches: what concerns the user alone, the patients of the user's units, or the whole site. */
export type Reach = 'self' | 'unit' | 'site';

type Line = Partial<Record<UserType | 'isAdmin', Reach>>;

/**
 * clinical.md section 9. `isAdmin` stands beside the type: it adds the administration and no clinical act. Types that a
 * line does not name may not; the type `administrator` is in none, and `display` waits for the wall display.
 */
const matrix: Readonly<Record<Permission, Line>> = {
  readPatients: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site', viewer: 'unit' },
  writePatients: { nurse: 'unit', physician: 'site', ward_lead: 'site' },
  recordObservations: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  setSpo2Scale: { physician: 'site' },
  // A technician's reach is the site's equipment: of alerts only the technical ones (`isTechnical`), to read and to
  // handle.
  readAlerts: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
    viewer: 'unit',
  },
  // Acknowledge, accept, reject, pause the sound, resolve.
  handleAlerts: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
  },
  changeLimits: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // What holds for every patient of whom nobody says otherwise.
  changeSiteLimits: { physician: 'site', ward_lead: 'site' },
  setStandby: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  orderComfortCare: { physician: 'site' },
  // Names and numbers, no patient: whoever moves a patient or invites somebody chooses among all of the site.
  readUnits: {
    nurse: 'site',
    physician: 'site',
    respiratory_therapist: 'site',
    ward_lead: 'site',
    viewer: 'site',
    isAdmin: 'site',
  },
  readAssignments: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    viewer: 'unit',
  },
  writeAssignments: { nurse: 'unit', physician: 'site', ward_lead: 'site' },
  readDevices: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
    isAdmin: 'site',
  },
  assignDevices: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
  },
  breakGlass: { nurse: 'self', physician: 'self', respiratory_therapist: 'self', ward_lead: 'self' },
  // Everybody who is a person: a wall display is none.
  chat: {
    nurse: 'site',
    physician: 'site',
    respiratory_therapist: 'site',
    ward_lead: 'site',
    technician: 'site',
    viewer: 'site',
    administrator: 'site',
  },
  readAudit: { nurse: 'self', physician: 'self', respiratory_therapist: 'self', ward_lead: 'unit', isAdmin: 'site' },
  exportAudit: { isAdmin: 'site' },
  manageUsers: { isAdmin: 'site' },
  manageDevices: { isAdmin: 'site' },
  manageSite: { isAdmin: 'site' },
};

const width: Readonly<Record<Reach, number>> = { self: 0, unit: 1, site: 2 };

/**
 * Takes a user's type and isAdmin and says how far the act reaches for them, or null where they may not do it at all.
 */
export function reachOf({ type, isAdmin }: { type: UserType; isAdmin: boolean }, act: Permission): Reach | null {
  const line = matrix[act];
  const reaches = [line[type], isAdmin ? line.isAdmin : undefined].filter((reach) => reach !== undefined);
  return reaches.sort((a, b) => width[b] - width[a])[0] ?? null;
}

/**
 * Everything that a user may do, for `getCurrentUser`. Emergency access is named only where it opens something: for who
 * reaches less than the whole site.
 */
export function permissionsOf(user: { type: UserType; isAdmin: boolean; units: readonly unknown[] }): Permission[] {
  return permissions.filter((act) => reachOf(user, act) !== null && (act !== 'breakGlass' || isLimited(user)));
}

/** Whether a user reaches the patients of their own units alone: who belongs to none reaches the whole site. */
export function isLimited(user: { type: UserType; isAdmin: boolean; units: readonly unknown[] }): boolean {
  return user.units.length > 0 && reachOf(user, 'readPatients') === 'unit';
}

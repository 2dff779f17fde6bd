import { isLimited, readPatients } from './isLimited';
import type { UserType } from './userTypes';

/** The permissions; the server's policy table and the response of `getCurrentUser` are made from these lines. */
export const permissions = [
  'readPatients',
  'writePatients',
  'recordObservations',
  'sendCheckInLinks',
  'readNotes',
  'exportPatient',
  'writeNotes',
  'readChart',
  'writeChart',
  'setCodeStatus',
  'fileReports',
  'readReports',
  'manageReports',
  'setSpo2Scale',
  'readAlerts',
  'readWall',
  'acknowledgeAlerts',
  'handleAlerts',
  'changeLimits',
  'proposeAlertSettings',
  'setStandby',
  'extendStandby',
  'orderComfortCare',
  'exemptFromNews2',
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
  'confirmUsers',
  'manageDevices',
  'readMappings',
  'proposeMappings',
  'confirmMappings',
  'readMessages',
  'openMessages',
  'manageSite',
  'addSites',
] as const;
export type Permission = (typeof permissions)[number];

/** The reach of a permission: the user alone, the patients of the user's units, or the whole site. */
export type Reach = 'self' | 'unit' | 'site';

type Line = Partial<Record<UserType | 'isAdmin' | 'ofInstallation', Reach>>;

/**
 * clinical.md section 9. `isAdmin` is beside the type: it adds the administration and no clinical permission. Types
 * that a line does not name have no permission; the type `administrator` is in none, and `display` has the wall alone.
 */
const matrix: Readonly<Record<Permission, Line>> = {
  readPatients,
  writePatients: { nurse: 'unit', physician: 'site', ward_lead: 'site' },
  recordObservations: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // Makes, lists and revokes the links with which patients check in from home.
  sendCheckInLinks: { nurse: 'unit', physician: 'site', ward_lead: 'site' },
  // A viewer reads no notes.
  readNotes: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // Vitals, notes, symptoms and alerts of a patient as files.
  exportPatient: { physician: 'site', ward_lead: 'site' },
  writeNotes: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // A viewer reads no chart either. Identifiers and team are written with `writePatients`.
  readChart: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  writeChart: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  setCodeStatus: { physician: 'site' },
  // Everyone reads their own issue reports. Whose others they read, and how much, is in lib/reports/sightOf.
  fileReports: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
    viewer: 'unit',
  },
  readReports: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
    viewer: 'self',
    isAdmin: 'site',
  },
  // A technician those about devices, an administrator those about software.
  manageReports: { ward_lead: 'site', technician: 'site', isAdmin: 'site' },
  setSpo2Scale: { physician: 'site' },
  // A technician reaches the site's equipment: of alerts only the technical ones (`isOfEquipment`), to read and to
  // handle.
  readAlerts: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
    viewer: 'unit',
  },
  // Beds, initials, values and alerts: the wall of a unit.
  readWall: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    viewer: 'unit',
    display: 'unit',
  },
  // To silence one, and to take that back: the only action that emergency access opens.
  acknowledgeAlerts: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
  },
  // Take, accept, reject, reassign, pause the sound, resolve.
  handleAlerts: {
    nurse: 'unit',
    physician: 'site',
    respiratory_therapist: 'unit',
    ward_lead: 'site',
    technician: 'site',
  },
  changeLimits: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // The site's limits and escalation times, which a second user approves: `lib/proposals/proposals` says who.
  proposeAlertSettings: { physician: 'site', ward_lead: 'site' },
  setStandby: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // Beyond 120 min in 4 h.
  extendStandby: { physician: 'site', ward_lead: 'site' },
  orderComfortCare: { physician: 'site' },
  // The mark "NEWS2 does not apply".
  exemptFromNews2: { nurse: 'unit', physician: 'site', respiratory_therapist: 'unit', ward_lead: 'site' },
  // Names and numbers, no patient: users who move a patient, invite someone or report an issue choose among all
  // units of the site.
  readUnits: {
    nurse: 'site',
    physician: 'site',
    respiratory_therapist: 'site',
    ward_lead: 'site',
    technician: 'site',
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
  // Everyone who is a person, so not a wall display.
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
  // Accounts that another administrator has opened (server/users/confirmations).
  confirmUsers: { physician: 'site', ward_lead: 'site', isAdmin: 'site' },
  manageDevices: { isAdmin: 'site' },
  // What the words of HL7 senders mean: those who know the equipment propose, those who know the patients confirm.
  readMappings: { physician: 'site', ward_lead: 'site', technician: 'site', isAdmin: 'site' },
  proposeMappings: { technician: 'site', isAdmin: 'site' },
  confirmMappings: { physician: 'site', ward_lead: 'site' },
  // That HL7 messages came and what became of them.
  readMessages: { physician: 'site', ward_lead: 'site', technician: 'site', isAdmin: 'site' },
  // What is in them. A message may be about any patient of the site, so only for those who see all of them.
  openMessages: { physician: 'site', ward_lead: 'site' },
  manageSite: { isAdmin: 'site' },
  // Adds sites and lists them by name. It reaches nothing within any of them.
  addSites: { ofInstallation: 'self' },
};

const width: Readonly<Record<Reach, number>> = { self: 0, unit: 1, site: 2 };

/** What decides which permissions a user has. */
export interface Standing {
  type: UserType;
  isAdmin: boolean;
  /** The user is an administrator of the first site, and with that of the installation. */
  administersInstallation?: boolean;
  /** The user has no permission until somebody else confirms the account. */
  awaitsConfirmation?: boolean;
}

/** Returns how far a permission reaches for a user's type and isAdmin, or null if they do not have it. */
export function reachOf(standing: Standing, permission: Permission): Reach | null {
  const { type, isAdmin, administersInstallation, awaitsConfirmation } = standing;
  if (awaitsConfirmation === true) {
    return null;
  }
  const line = matrix[permission];
  const reaches = [
    line[type],
    isAdmin ? line.isAdmin : undefined,
    administersInstallation === true ? line.ofInstallation : undefined,
  ].filter((reach) => reach !== undefined);
  return reaches.sort((a, b) => width[b] - width[a])[0] ?? null;
}

/**
 * Returns all permissions of a user, for `getCurrentUser`. Emergency access is named only for users who reach less than
 * the whole site, because it opens nothing for the others.
 */
export function permissionsOf(user: Standing & { units: readonly unknown[] }): Permission[] {
  return permissions.filter(
    (permission) => reachOf(user, permission) !== null && (permission !== 'breakGlass' || isLimited(user)),
  );
}

/** The role of a user on the ward. `isAdmin` is separate and gives no clinical right by itself. */
export const userTypes = [
  'nurse',
  'physician',
  'respiratory_therapist',
  'ward_lead',
  'technician',
  'viewer',
  'display',
  'administrator',
] as const;
export type UserType = (typeof userTypes)[number];

export const userTypeLabels = {
  nurse: 'Nurse',
  physician: 'Physician',
  respiratory_therapist: 'Respiratory therapist',
  ward_lead: 'Ward lead',
  technician: 'Technician',
  viewer: 'Viewer',
  display: 'Wall display',
  administrator: 'Administrator (no patient data)',
} as const satisfies Record<UserType, string>;

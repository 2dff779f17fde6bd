/** The roles for one patient during a shift. */
export const patientRoles = ['nurse', 'buddy'] as const;
export type PatientRole = (typeof patientRoles)[number];

/** The roles for a whole unit during a shift; escalation asks them in the order of clinical.md section 3. */
export const unitRoles = ['charge_nurse', 'duty_clinician', 'ward_lead', 'on_call_physician'] as const;
export type UnitRole = (typeof unitRoles)[number];

export type AssignmentRole = PatientRole | UnitRole;

export const assignmentRoleLabels = {
  nurse: 'Nurse',
  buddy: 'Buddy',
  charge_nurse: 'Charge nurse',
  duty_clinician: 'Duty clinician',
  ward_lead: 'Ward lead',
  on_call_physician: 'On-call physician',
} as const satisfies Record<AssignmentRole, string>;

/** What the query of a list of patients can name. Without zod, because the first paint of the list needs it. */
export const patientStates = ['active', 'discharged'] as const;
export type PatientState = (typeof patientStates)[number];

/** The columns that sort a list; a leading minus reverses the order. */
export const patientSortFields = ['familyName', 'mrn', 'dateOfBirth', 'location', 'spo2', 'heartRate'] as const;
export type PatientSortField = (typeof patientSortFields)[number];
/** Patients with open alerts first. It has no opposite: no list ends with the most urgent. */
export const alertSort = '-alert';
export type PatientSort = PatientSortField | `-${PatientSortField}` | typeof alertSort;
export const patientSorts: readonly PatientSort[] = [
  ...patientSortFields.flatMap((field) => [field, `-${field}`] as const),
  alertSort,
];

/** What names a bed in an address (server/patients/bedId): neither its name nor its unit's is ever in one. */
export const bedIdForm = /^[0-9a-f]{12}$/;

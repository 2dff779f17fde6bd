/** What a list of patients can be asked for. Without zod, because the first paint of the list needs it. */
export const patientStates = ['active', 'discharged'] as const;
export type PatientState = (typeof patientStates)[number];

/** What a list can be sorted by; a leading minus turns the order round. */
export const patientSortFields = ['familyName', 'mrn', 'dateOfBirth', 'location', 'spo2', 'heartRate'] as const;
export type PatientSortField = (typeof patientSortFields)[number];
export type PatientSort = PatientSortField | `-${PatientSortField}`;
export const patientSorts: readonly PatientSort[] = patientSortFields.flatMap((field) => [field, `-${field}`] as const);

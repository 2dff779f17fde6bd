import type { PatientsQuery } from './schema';

/** What a list of patients can be asked for. Without zod, because the first paint of the list needs it. */
export const patientStates = ['active', 'discharged'] as const;
export type PatientState = (typeof patientStates)[number];

/** What a list can be sorted by; a leading minus turns the order round. */
export const patientSortFields = ['familyName', 'mrn', 'dateOfBirth', 'location', 'spo2', 'heartRate'] as const;
export type PatientSortField = (typeof patientSortFields)[number];
export type PatientSort = PatientSortField | `-${PatientSortField}`;
export const patientSorts: readonly PatientSort[] = patientSortFields.flatMap((field) => [field, `-${field}`] as const);

export const maxPageSize = 500;
export const defaultPageSize = 25;

/**
 * The question for everybody who is watched, as the dashboard asks it: one page, so that whoever is not on it is beyond
 * what one answer holds. Sorted by SpO2, so that those are not the ones with the lowest values.
 */
export const everybody = {
  state: 'active',
  unit: undefined,
  bed: undefined,
  mine: false,
  sort: 'spo2',
  page: 1,
  pageSize: maxPageSize,
} as const satisfies Omit<PatientsQuery, 'after'>;

/** The question for how many patients are the asking user's own in this shift. */
export const countMine = { ...everybody, mine: true, pageSize: 1 } as const satisfies Omit<PatientsQuery, 'after'>;

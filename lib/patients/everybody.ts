import { maxPageSize } from '../api/pageSize';
import type { PatientsQuery } from './schema';

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

import { maxPageSize } from '../api/pageSize';
import type { PatientsQuery } from './schema';

/**
 * The dashboard's query for all monitored patients: one page. Sorted by SpO2, so that patients beyond that page are not
 * the ones with the lowest values.
 */
export const dashboardQuery = {
  state: 'active',
  unit: undefined,
  bed: undefined,
  mine: false,
  attention: false,
  sort: 'spo2',
  page: 1,
  pageSize: maxPageSize,
} as const satisfies Omit<PatientsQuery, 'after'>;

/** The query for the number of the user's own patients in this shift. */
export const ownCountQuery = { ...dashboardQuery, mine: true, pageSize: 1 } as const satisfies Omit<
  PatientsQuery,
  'after'
>;

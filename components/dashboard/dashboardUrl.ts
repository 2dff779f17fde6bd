import type { ParsedUrlQuery } from 'node:querystring';
import { dashboardQuery } from '../../lib/patients/dashboardQuery';
import { paths } from '../../lib/paths';
import { readPatientsView, type PatientsView } from '../patients/patientsUrl';

/** Which patients the dashboard shows: all whom the user may see, or fewer. */
export type DashboardView = Pick<PatientsView, 'unit' | 'bed' | 'mine'>;

export const wholeDashboard: DashboardView = { unit: undefined, bed: undefined, mine: false };

/** Parses an address, with the parameters of the list of patients. Parts that are not valid are ignored. */
export function readDashboardView(query: ParsedUrlQuery): DashboardView {
  const { unit, bed, mine } = readPatientsView(query);
  return { unit, bed, mine };
}

/** Returns the query of a view. */
export function dashboardListing(view: DashboardView) {
  return { ...dashboardQuery, ...view };
}

/** Returns the address of a view. */
export function dashboardPath({ unit, bed, mine }: DashboardView): string {
  const parameters = new URLSearchParams({
    ...(mine ? { mine: 'true' } : {}),
    ...(unit === undefined ? {} : { unit: String(unit) }),
    ...(bed === undefined ? {} : { bed }),
  }).toString();
  return parameters === '' ? paths.dashboard : `${paths.dashboard}?${parameters}`;
}

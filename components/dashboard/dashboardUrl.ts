import type { ParsedUrlQuery } from 'node:querystring';
import { everybody } from '../../lib/patients/everybody';
import { paths } from '../../lib/paths';
import { readPatientsView, type PatientsView } from '../patients/patientsUrl';

/** Whom the dashboard shows: everybody whom the user may see, or fewer. */
export type DashboardView = Pick<PatientsView, 'unit' | 'bed' | 'mine'>;

export const wholeDashboard: DashboardView = { unit: undefined, bed: undefined, mine: false };

/**
 * Reads what an address asks for, in the same words as that of the list of patients; what is not valid is as if left
 * out.
 */
export function readDashboardView(query: ParsedUrlQuery): DashboardView {
  const { unit, bed, mine } = readPatientsView(query);
  return { unit, bed, mine };
}

/** What the server is asked for it. */
export function dashboardListing(view: DashboardView) {
  return { ...everybody, ...view };
}

/** Its address. */
export function dashboardPath({ unit, bed, mine }: DashboardView): string {
  const parameters = new URLSearchParams({
    ...(mine ? { mine: 'true' } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(bed === undefined ? {} : { bed }),
  }).toString();
  return parameters === '' ? paths.dashboard : `${paths.dashboard}?${parameters}`;
}

import type { ParsedUrlQuery } from 'node:querystring';
import {
  alertSort,
  bedIdForm,
  patientSorts,
  patientStates,
  type PatientSort,
  type PatientState,
} from '../../lib/patients/listing';
import { dashboardQuery } from '../../lib/patients/dashboardQuery';
import { defaultPageSize, maxPageSize } from '../../lib/api/pageSize';
import { paths } from '../../lib/paths';

/**
 * `needs_attention`: only patients with an open alert, or whose SpO2 does not arrive. `not_reporting`: only the latter;
 * the page itself finds them, because that changes as time passes.
 */
const patientViews = ['all', 'needs_attention', 'not_reporting'] as const;

/** The part of the list's query that an address may hold: not the text, which may name a patient. */
export interface PatientsView {
  view: (typeof patientViews)[number];
  state: PatientState;
  /** The unit's id, and what names the bed in addresses. */
  unit: number | undefined;
  bed: string | undefined;
  /** Only the patients whose nurse or buddy the user is. */
  mine: boolean;
  sort: PatientSort;
  page: number;
  pageSize: number;
}

export const standardView: PatientsView = {
  view: 'all',
  state: 'active',
  unit: undefined,
  bed: undefined,
  mine: false,
  sort: alertSort,
  page: 1,
  pageSize: defaultPageSize,
};

/** Parses an address. Each part that is not valid is the usual one, without an error page. */
export function readPatientsView(query: ParsedUrlQuery): PatientsView {
  return {
    view: patientViews.find((view) => view === query.view) ?? standardView.view,
    state: patientStates.find((state) => state === query.state) ?? standardView.state,
    unit: readCount(query.unit, 9_999_999),
    bed: typeof query.bed === 'string' && bedIdForm.test(query.bed) ? query.bed : undefined,
    mine: query.mine === 'true',
    sort: patientSorts.find((sort) => sort === query.sort) ?? standardView.sort,
    page: readCount(query.page, 1_000_000) ?? standardView.page,
    pageSize: readCount(query.pageSize, maxPageSize) ?? standardView.pageSize,
  };
}

function readCount(text: unknown, most: number): number | undefined {
  const count = typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
  return count !== undefined && count <= most ? count : undefined;
}

/** Returns the query of a view: one page, or all active patients if the page itself filters. */
export function listingOf({ view, ...listing }: PatientsView): Omit<PatientsView, 'view'> & { attention: boolean } {
  const { unit, bed, mine, sort } = listing;
  switch (view) {
    case 'all':
      return { ...listing, attention: false };
    case 'needs_attention':
      return { ...listing, state: 'active', attention: true };
    case 'not_reporting':
      return { ...dashboardQuery, unit, bed, mine, sort };
    default:
      return view satisfies never;
  }
}

/** Returns the address of a view, without the parts that are as usual. */
export function patientsViewPath(view: PatientsView): string {
  const parameters = new URLSearchParams();
  for (const name of ['view', 'state', 'unit', 'bed', 'mine', 'sort', 'page', 'pageSize'] as const) {
    const value = view[name];
    if (value !== undefined && value !== standardView[name]) {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === '' ? paths.patients : `${paths.patients}?${text}`;
}

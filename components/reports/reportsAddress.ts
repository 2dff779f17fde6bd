import type { ReportKind } from '../../lib/reports/reportKinds';
import type { ReportStatus } from '../../lib/reports/reportStatuses';
import type { ServiceSeverity } from '../../lib/reports/serviceSeverities';
import { kindChoices, severityKeys, statusChoices } from './reportChoices';

/** What the page of reports shows. It is in the address, and names no patient. */
export interface ReportsAddress {
  status: ReportStatus | 'open' | 'all';
  kind: ReportKind | '';
  severity: ServiceSeverity | '';
  /** Row ids as text. */
  unit: string;
  assignee: string;
  mine: boolean;
  page: number;
  /** The report that is open; null: none. */
  id: number | null;
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads an address. What it does not know is left out. */
export function readReportsAddress(query: Query): ReportsAddress {
  const text = (name: string): string => {
    const value = query[name];
    return typeof value === 'string' ? value : '';
  };
  const status = text('status');
  const kind = text('kind');
  const severity = text('severity');
  const assignee = text('assignee');
  return {
    status: status === 'all' ? 'all' : (statusChoices.find(({ value }) => value === status)?.value ?? 'open'),
    kind: kindChoices.find(({ value }) => value === kind)?.value ?? '',
    severity: severityKeys.find((key) => key === severity) ?? '',
    unit: rowIdIn(text('unit')) === null ? '' : text('unit'),
    assignee: assignee === 'none' || rowIdIn(assignee) !== null ? assignee : '',
    mine: text('mine') === 'true',
    page: rowIdIn(text('page')) ?? 1,
    id: rowIdIn(text('id')),
  };
}

/** Returns the parameters of an address, without those that say nothing. */
export function reportsParameters(address: ReportsAddress): Record<string, string> {
  const { status, kind, severity, unit, assignee, mine, page, id } = address;
  return {
    ...(status === 'open' ? {} : { status }),
    ...(kind === '' ? {} : { kind }),
    ...(severity === '' ? {} : { severity }),
    ...(unit === '' ? {} : { unit }),
    ...(assignee === '' ? {} : { assignee }),
    ...(mine ? { mine: 'true' } : {}),
    ...(page === 1 ? {} : { page: String(page) }),
    ...(id === null ? {} : { id: String(id) }),
  };
}

function rowIdIn(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

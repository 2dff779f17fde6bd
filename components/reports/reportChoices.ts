import { harms, type Harm } from '../../lib/reports/harms';
import { reportKinds, type ReportKind } from '../../lib/reports/reportKinds';
import { reportStatuses, type ReportStatus } from '../../lib/reports/reportStatuses';
import { serviceSeverities, type ServiceSeverity } from '../../lib/reports/serviceSeverities';

/** Returns the keys of a table of words, in its order. */
function keysOf<Key extends string>(words: Readonly<Record<Key, unknown>>): Key[] {
  const isKey = (text: string): text is Key => Object.hasOwn(words, text);
  return Object.keys(words).filter(isKey);
}

export const severityKeys: ServiceSeverity[] = keysOf(serviceSeverities);
export const kindChoices: { value: ReportKind; label: string }[] = keysOf(reportKinds).map((value) => ({
  value,
  label: reportKinds[value],
}));
export const statusChoices: { value: ReportStatus; label: string }[] = keysOf(reportStatuses).map((value) => ({
  value,
  label: reportStatuses[value],
}));
/** Not stated comes first: no answer is never "None". */
export const harmChoices: { value: Harm | ''; label: string }[] = [
  { value: '', label: 'Not stated' },
  ...keysOf(harms).map((value) => ({ value, label: harms[value] })),
];
export const quarantineChoices: { value: 'yes' | 'no' | ''; label: string }[] = [
  { value: '', label: 'Not stated' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

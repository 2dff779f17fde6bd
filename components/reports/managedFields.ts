import { harmWords } from '../../lib/reports/entryWords';
import { harms } from '../../lib/reports/harms';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import type { ChangeableField, IssueReport } from '../../lib/reports/schema';
import { serviceSeverities } from '../../lib/reports/serviceSeverities';

/** What a manager sets of a report, as the form holds it: an empty text is not stated, or no one. */
export const managedLabels = {
  status: 'Status',
  assigneeId: 'Assignee',
  severity: 'Service severity',
  kind: 'Kind',
  physical: 'Physical harm',
  psychological: 'Psychological harm',
  isQuarantined: 'Taken out of use and put aside',
  externalReference: 'External reference',
} as const;
export type ManagedField = keyof typeof managedLabels;
export type Managed = Readonly<Record<ManagedField, string>>;

/** What is chosen and not saved, each with what the report said when that was chosen. */
export type Chosen = Readonly<Partial<Record<ManagedField, { value: string; base: string }>>>;

export const managedFields: ManagedField[] = [
  'status',
  'assigneeId',
  'severity',
  'kind',
  'physical',
  'psychological',
  'isQuarantined',
  'externalReference',
];

/** Returns what a report says. */
export function managedOf(report: IssueReport): Managed {
  const { status, severity, kind, harm, assignee, externalReference, device } = report;
  const isQuarantined = device?.isQuarantined ?? null;
  return {
    status,
    severity,
    kind,
    physical: harm?.physical ?? '',
    psychological: harm?.psychological ?? '',
    assigneeId: assignee === null ? '' : String(assignee.id),
    externalReference: externalReference ?? '',
    isQuarantined: isQuarantined === null ? '' : isQuarantined ? 'yes' : 'no',
  };
}

/** Returns what the form shows: what is chosen, over what the report says now. */
export function shownOf(present: Managed, chosen: Chosen): Managed {
  return {
    ...present,
    ...Object.fromEntries(changedFields(present, chosen).map((field) => [field, chosen[field]?.value])),
  };
}

/** Returns the fields whose choice is another one than the report says now. */
export function changedFields(present: Managed, chosen: Chosen): ManagedField[] {
  return managedFields.filter((field) => {
    const choice = chosen[field];
    return choice !== undefined && choice.value !== present[field];
  });
}

/** Returns the fields that another user has changed to something else since this one chose. */
export function conflictsOf(present: Managed, chosen: Chosen): ManagedField[] {
  return changedFields(present, chosen).filter((field) => chosen[field]?.base !== present[field]);
}

/** Returns the part of a change's body that says what is chosen; `reportChange` checks it. */
export function changeBody(present: Managed, chosen: Chosen): object {
  const shown = shownOf(present, chosen);
  const changed = new Set<ManagedField>(changedFields(present, chosen));
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return {
    ...(changed.has('status') ? { status: shown.status } : {}),
    ...(changed.has('severity') ? { severity: shown.severity } : {}),
    ...(changed.has('severity') && shown.severity === 'S1' ? { alarmsUnit: true } : {}),
    ...(changed.has('kind') ? { kind: shown.kind } : {}),
    ...(changed.has('physical') || changed.has('psychological')
      ? { harm: { physical: orNull(shown.physical), psychological: orNull(shown.psychological) } }
      : {}),
    ...(changed.has('assigneeId') ? { assigneeId: shown.assigneeId === '' ? null : Number(shown.assigneeId) } : {}),
    ...(changed.has('externalReference') ? { externalReference: orNull(shown.externalReference.trim()) } : {}),
    ...(changed.has('isQuarantined')
      ? { isQuarantined: shown.isQuarantined === '' ? null : shown.isQuarantined === 'yes' }
      : {}),
  };
}

/** Returns the call's name of a field, by which the server says who may change it and what is wrong with it. */
export function nameOf(field: ManagedField): ChangeableField {
  return field === 'physical' || field === 'psychological' ? 'harm' : field;
}

/** Returns a value of a field in words. */
export function managedWords(field: ManagedField, value: string, people: IssueReport['assignees']): string {
  switch (field) {
    case 'status':
      return wordOf(reportStatuses, value);
    case 'severity':
      return value in serviceSeverities ? value : 'Not known';
    case 'kind':
      return wordOf(reportKinds, value);
    case 'physical':
    case 'psychological':
      return value === '' ? harmWords(null) : wordOf(harms, value);
    case 'assigneeId':
      return value === '' ? 'No one' : (people.find(({ id }) => String(id) === value)?.name ?? 'Someone else');
    case 'externalReference':
      return value === '' ? 'None' : value;
    case 'isQuarantined':
      return value === '' ? 'Not stated' : value === 'yes' ? 'Yes' : 'No';
  }
}

function wordOf(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? value;
}

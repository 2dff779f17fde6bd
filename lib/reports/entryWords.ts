import { harms } from './harms';
import { reportKinds } from './reportKinds';
import { reportStatuses } from './reportStatuses';
import type { ReportEntry } from './schema';
import { serviceSeverities } from './serviceSeverities';

const subjects = {
  status: 'Status',
  severity: 'Service severity',
  kind: 'Kind',
  harmPhysical: 'Physical harm',
  harmPsychological: 'Psychological harm',
  assignee: 'Assignee',
  externalReference: 'External reference',
  isQuarantined: 'Device put aside',
  unit: 'Unit',
} as const satisfies Partial<Record<ReportEntry['is'], string>>;

/** Returns whom S1 alerts: the unit of the report, and without one the ward leads of its site. */
export function whoIsAlerted(unit: { name: string } | null): string {
  return unit?.name ?? 'the ward leads';
}

/**
 * Takes a report's history, the oldest line first, and its present unit, and returns the unit at each line: a report
 * that is raised to S1 moves with its patient, and the lines before say whom it alerted then.
 */
export function unitsAt(
  entries: readonly Pick<ReportEntry, 'is' | 'from'>[],
  unit: { name: string } | null,
): ({ name: string } | null)[] {
  let at = unit;
  return entries
    .toReversed()
    .map(({ is, from }) => {
      const then = at;
      if (is === 'unit') {
        at = from === null ? null : { name: from };
      }
      return then;
    })
    .toReversed();
}

/**
 * Returns a line of a report's history in words, without its time and without who did it. `unit` is that of the report
 * at this line.
 */
export function entryWords(
  { is, from, to }: Pick<ReportEntry, 'is' | 'from' | 'to'>,
  unit: { name: string } | null,
): string {
  switch (is) {
    case 'filed':
      return 'Reported';
    case 'comment':
      return 'Comment';
    case 'alarm':
      return to === 'on' ? `Alerted ${whoIsAlerted(unit)}` : 'The alert ended';
    case 'status':
      return to === null ? 'Status changed' : `Status: ${valueWords(is, to)}`;
    case 'severity':
    case 'kind':
    case 'harmPhysical':
    case 'harmPsychological':
    case 'assignee':
    case 'externalReference':
    case 'isQuarantined':
    case 'unit':
      return from === null && to === null
        ? `${subjects[is]} changed`
        : `${subjects[is]}: ${valueWords(is, to)}, was ${inSentence(is, from)}`;
  }
}

function valueWords(is: keyof typeof subjects, value: string | null): string {
  switch (is) {
    case 'status':
      return wordOf(reportStatuses, value) ?? 'Not known';
    case 'severity':
      return value ?? 'Not known';
    case 'kind':
      return wordOf(reportKinds, value) ?? 'Not known';
    case 'harmPhysical':
    case 'harmPsychological':
      return wordOf(harms, value) ?? 'Not stated';
    case 'assignee':
      return value ?? 'No one';
    case 'unit':
    case 'externalReference':
      return value ?? 'None';
    case 'isQuarantined':
      return value === null ? 'Not stated' : value === 'true' ? 'Yes' : 'No';
  }
}

/** Names keep their capitals. */
function inSentence(is: keyof typeof subjects, value: string | null): string {
  const words = valueWords(is, value);
  return value !== null && ['assignee', 'unit', 'externalReference', 'severity', 'kind'].includes(is)
    ? words
    : words.toLowerCase();
}

/** Another release may know other words: then its own are shown. */
function wordOf(words: Readonly<Record<string, string>>, value: string | null): string | null {
  return value === null ? null : Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}

/** Returns "S1 Monitoring lost or wrong patient data, someone responds within 15 min". */
export function severityWords(severity: keyof typeof serviceSeverities): string {
  const { label, respondWithin } = serviceSeverities[severity];
  return `${severity} ${label}${respondWithin === null ? '' : `: response within ${respondWithin}`}`;
}

/** Returns the words of a stated harm, or "Not stated": never that there was none. */
export function harmWords(harm: keyof typeof harms | null): string {
  return harm === null ? 'Not stated' : harms[harm];
}

import type { ChartSummary } from './schema';

/**
 * Returns current allergies in words: "Penicillin (severe, rash), Latex (mild)" or "No known allergies". Null if no one
 * has asked.
 */
export function allergiesText(allergies: ChartSummary['allergies']): string | null {
  return allergies.length === 0 ? null : allergies.map(({ value }) => textOf(value)).join(', ');
}

function textOf(value: ChartSummary['allergies'][number]['value']): string {
  if (value.is === 'none') {
    return 'No known allergies';
  }
  const severity = value.severity === 'unknown' ? 'severity unknown' : value.severity;
  return `${value.substance} (${value.reaction === null ? severity : `${severity}, ${value.reaction}`})`;
}

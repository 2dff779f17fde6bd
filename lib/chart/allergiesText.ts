import { allergyWords } from './entryWords';
import type { ChartSummary } from './schema';

/**
 * Returns current allergies in words: "Penicillin: rash (severe); Latex (mild)" or "No known allergies". Null if no one
 * has asked.
 */
export function allergiesText(allergies: ChartSummary['allergies']): string | null {
  return allergies.length === 0 ? null : allergies.map(({ value }) => allergyWords(value)).join('; ');
}

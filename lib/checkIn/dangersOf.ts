import { redFlagsOf } from '../symptoms/redFlagsOf';
import { dangerSigns, readingWords } from './patientWords';
import { redReadingsOf } from './redReadingsOf';
import type { OpenedCheckIn, SentCheckIn } from './schema';
import { readingLine, type CheckInAnswers } from './typedCheckIn';

/**
 * Returns why somebody has to call for help because of a check-in, in words: what the page finds in it,
 * and what the server found.
 */
export function dangersOf(
  { answers, redFlags, readings }: CheckInAnswers,
  red: OpenedCheckIn['red'],
  found: Pick<SentCheckIn, 'redFlags' | 'redReadings'> | null,
): string[] {
  const flags = [...redFlagsOf(answers, redFlags), ...(found?.redFlags ?? [])];
  const kinds = [...redReadingsOf(readings, red), ...(found?.redReadings ?? [])];
  const lines = kinds.map((kind) => {
    const value = readings[kind];
    return value === undefined ? readingWords[kind].label : readingLine(kind, value);
  });
  return [...new Set([...flags.map((flag) => dangerSigns[flag]), ...lines])];
}

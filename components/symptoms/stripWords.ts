import type { CellCode } from '../../lib/symptoms/severity';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { cellWords } from '../../lib/symptoms/words';
import { formatDate, formatDayAndTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';

/** Returns the words of a cell; a character that no release writes says that it was not asked. */
export function wordsOfCell(cells: string, column: number): string {
  return cellWords[isCode(cells[column]) ? cells[column] : '.'];
}

function isCode(code: string | undefined): code is CellCode {
  return code !== undefined && code in cellWords;
}

/** "Sat 07 Mar" of a day's column, "07 Mar 14:05" of a report's. */
export function columnTime(strip: SymptomStripResponse, column: number, timeZone: string): string {
  const at = parseInstant(strip.columns[column]?.at ?? '') ?? 0;
  return strip.isDaily ? formatDate(at, timeZone) : formatDayAndTime(at, timeZone);
}

/** "3 reports", "no report", "2 reports and 1 that cannot be read", "1 report that cannot be read". */
export function reportsText(count: number, unreadable: number): string {
  const damaged = unreadable === 0 ? '' : `${unreadable}${count > 0 ? '' : nounOf(unreadable)} that cannot be read`;
  const sound = count === 0 ? 'no report' : `${count}${nounOf(count)}`;
  return damaged === '' ? sound : count === 0 ? damaged : `${sound} and ${damaged}`;
}

const nounOf = (count: number): string => (count === 1 ? ' report' : ' reports');

/** Returns everything that a column says: "07 Mar: 2 reports. Red flag: Blue lips or face. Cough moderate, ...". */
export function columnText(strip: SymptomStripResponse, column: number, timeZone: string): string {
  const { reports, unreadable, redFlags: flags } = strip.columns[column] ?? { reports: 0, unreadable: 0, redFlags: [] };
  const answers = strip.rows
    .filter(({ cells }) => cells[column] !== '.')
    .map(({ symptom, cells }) => `${symptoms[symptom].label} ${wordsOfCell(cells, column)}`);
  return [
    `${columnTime(strip, column, timeZone)}: ${reportsText(reports, unreadable)}`,
    flags.length === 0 ? '' : `Red flag: ${flags.map((flag) => redFlags[flag]).join('; ')}`,
    answers.join(', '),
  ]
    .filter((text) => text !== '')
    .join('. ');
}

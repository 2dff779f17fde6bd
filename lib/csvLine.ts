export type CsvCell = string | number | null;

/**
 * The order mark of UTF-8. Without it Excel reads a file that is opened by a double click in the code page of the
 * computer, and names and units are wrong; RFC 4180 is silent about it.
 */
const orderMark = '\uFEFF';

/**
 * Where a spreadsheet takes a cell to begin: behind whatever one that expects another separator, or no quotes, takes
 * for the end of the one before.
 */
const separators = new Set(';\t\r\n\v\f\u0085\u2028\u2029');
/** What begins a formula. The last four are the full-width forms. */
const formulaSigns = new Set('=+-@＝＋－＠');
/** Spaces, controls and invisible signs (Cc, Cf) hide no formula, because some programs drop them. */
const hiding = /[\s"\p{Cc}\p{Cf}]/u;

/** Returns the first line of a file of comma-separated values. */
export function csvHead(columns: readonly string[]): string {
  return orderMark + csvLine(columns);
}

/**
 * Returns one line of comma-separated values (RFC 4180). In a text an apostrophe is written before what a spreadsheet
 * would run as a formula, because people choose the names and write the notes in it; a number stays a number. Lines
 * within a text end with LF, so that CR LF ends a line of the file and nothing else. Null is empty.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** Most cells have nothing of all that: one look for each, because a file has millions. */
const special = /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[",;\t\r\n\v\f\u0085\u2028\u2029]/u;

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') {
    return cell === null ? '' : String(cell);
  }
  if (!special.test(cell)) {
    return cell;
  }
  const harmless = withApostrophes(cell.replace(/\r+\n?/g, (ends) => (ends.endsWith('\n') ? '\n' : ends)));
  return /[",;\t\r\n\v\f\u0085\u2028\u2029]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Returns a text with an apostrophe before each formula. From its end, so that each sign is looked at once: an
 * expression that looks ahead from each line of a note of 10,000 empty lines takes seconds.
 */
function withApostrophes(text: string): string {
  const signs = Array.from(text);
  let leadsToFormula = false;
  for (let at = signs.length - 1; at >= 0; at -= 1) {
    const sign = signs[at] ?? '';
    leadsToFormula = formulaSigns.has(sign) || (leadsToFormula && hiding.test(sign));
    const isFirst = at === 0;
    const beginsCell = isFirst || separators.has(signs[at - 1] ?? '');
    if (beginsCell && (leadsToFormula || (isFirst && (sign === '\t' || sign === '\r')))) {
      signs[at] = `'${sign}`;
    }
  }
  return signs.join('');
}

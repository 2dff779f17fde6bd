export type CsvCell = string | number | null;

/**
 * The order mark of UTF-8. Without it Excel reads a file that is opened by a double click in the code page of the
 * computer, and names and units are wrong; RFC 4180 is silent about it.
 */
const orderMark = '\uFEFF';

/**
 * Where a spreadsheet would begin a formula: at the start of a text, and behind whatever one that expects another
 * separator, or no quotes, takes for the start of a cell. Spaces, controls and invisible signs (Cc, Cf) do not hide
 * it, because some programs drop them. The last four are the full-width forms.
 */
const formula = /(?<=^|[;\t\r\n\v\f\u0085\u2028\u2029])(?=[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])|^(?=[\t\r])/gu;

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
  const harmless = cell.replace(/\r+\n/g, '\n').replace(formula, "'");
  return /[",;\t\r\n\v\f\u0085\u2028\u2029]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

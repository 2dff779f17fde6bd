/** Returns the cells of a file of values, read as RFC 4180 says. A spreadsheet may expect another separator. */
export function parseCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const char = text.charAt(place);
    if (isQuoted) {
      if (char !== '"') {
        cell += char;
      } else if (text.charAt(place + 1) === '"') {
        cell += '"';
        place += 1;
      } else {
        isQuoted = false;
      }
    } else if (char === '"' && cell === '') {
      isQuoted = true;
    } else if (char === separator) {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text.charAt(place + 1) === '\n') {
      continue;
    } else if (char === '\n' || char === '\r') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else {
      cell += char;
    }
  }
  return [...rows, [...row, cell]];
}

/** SQLite takes 32,766 parameters a statement. */
const rowsPerStatement = 500;

/** Cuts rows into parts of at most `most`: by default as many as one statement can insert. */
export function inParts<Row>(rows: readonly Row[], most = rowsPerStatement): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / most) }, (_, part) => rows.slice(part * most, (part + 1) * most));
}

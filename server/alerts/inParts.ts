/** SQLite takes 32,766 parameters a statement. */
const rowsPerStatement = 500;

/** Cuts rows into parts that one statement can insert. */
export function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, part) =>
    rows.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement),
  );
}

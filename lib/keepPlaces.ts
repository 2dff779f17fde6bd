/** Returns rows in the places that they had before, each as it is now; one that is gone stays as it was. */
export function keepPlaces<Row>(
  before: readonly Row[],
  now: readonly Row[],
  idOf: (row: Row) => number,
): readonly Row[] {
  const known = new Map(now.map((row) => [idOf(row), row]));
  return before.map((row) => known.get(idOf(row)) ?? row);
}

/** What mappings of beds and of codes have in common. */
interface MappingRow {
  id: number;
  site_id: number;
  confirmed_at: number | null;
  ended_at: number | null;
}

/** The mappings that have not ended, those that are only proposed included. */
export interface Mappings<Row> {
  /** Returns the confirmed mapping of a key, or null. */
  confirmed(key: string): Row | null;
  /** Returns the mappings of a site, confirmed or proposed. */
  ofSite(siteId: number): Row[];
  /** Returns whether a mapping has not ended. */
  isOpen(id: number): boolean;
  /** Adds or changes a mapping. Call it after the commit. */
  put(row: Row): void;
}

/** Keeps mappings by the key of what they map; a key has one confirmed mapping at most. */
export function keepMappings<Row extends MappingRow>(
  loaded: readonly Row[],
  keyOf: (row: Row) => string,
): Mappings<Row> {
  const rows = new Map<number, Row>();
  const confirmed = new Map<string, Row>();
  const put = (row: Row): void => {
    const key = keyOf(row);
    if (row.ended_at === null) {
      rows.set(row.id, row);
      if (row.confirmed_at !== null) {
        confirmed.set(key, row);
      }
    } else {
      rows.delete(row.id);
      if (confirmed.get(key)?.id === row.id) {
        confirmed.delete(key);
      }
    }
  };
  for (const row of loaded) {
    put(row);
  }
  return {
    confirmed: (key) => confirmed.get(key) ?? null,
    ofSite: (siteId) => [...rows.values()].filter(({ site_id }) => site_id === siteId),
    isOpen: (id) => rows.has(id),
    put,
  };
}

import type { Store } from '../db/open';
import type { BedMappingRow } from '../db/rows';

/** The mappings of senders' beds that have not ended, those that are only proposed included. */
export interface BedMappings {
  /** Returns the confirmed mapping of a sender's bed, or null. */
  find(senderId: number, senderBed: string): BedMappingRow | null;
  /** Returns the mappings of a site, confirmed or proposed. */
  ofSite(siteId: number): BedMappingRow[];
  /** Adds or changes a mapping. Call it after the commit. */
  put(row: BedMappingRow): void;
}

/** Loads the mappings of all sites. */
export async function loadBedMappings({ db }: Store): Promise<BedMappings> {
  const rows = new Map<number, BedMappingRow>();
  const confirmed = new Map<string, BedMappingRow>();
  const keyOf = (senderId: number, senderBed: string): string => `${senderId} ${senderBed}`;
  const put = (row: BedMappingRow): void => {
    const key = keyOf(row.sender_id, row.sender_bed);
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
  for (const row of await db.selectFrom('bed_mappings').selectAll().where('ended_at', 'is', null).execute()) {
    put(row);
  }
  return {
    find: (senderId, senderBed) => confirmed.get(keyOf(senderId, senderBed)) ?? null,
    ofSite: (siteId) => [...rows.values()].filter(({ site_id }) => site_id === siteId),
    put,
  };
}

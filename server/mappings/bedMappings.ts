import type { Store } from '../db/open';
import type { BedMappingRow } from '../db/rows';
import { keepMappings, type Mappings } from './keepMappings';

export interface BedMappings extends Pick<Mappings<BedMappingRow>, 'ofSite' | 'isOpen' | 'put'> {
  /** Returns the confirmed mapping of a sender's bed, or null. */
  find(senderId: number, senderBed: string): BedMappingRow | null;
}

const keyOf = (senderId: number, senderBed: string): string => `${senderId} ${senderBed}`;

/** Loads the mappings of senders' beds of all sites. */
export async function loadBedMappings({ db }: Store): Promise<BedMappings> {
  const rows = await db.selectFrom('bed_mappings').selectAll().where('ended_at', 'is', null).execute();
  const mappings = keepMappings(rows, ({ sender_id, sender_bed }) => keyOf(sender_id, sender_bed));
  return { ...mappings, find: (senderId, senderBed) => mappings.confirmed(keyOf(senderId, senderBed)) };
}

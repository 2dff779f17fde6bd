import type { Kysely } from 'kysely';
import type { NewBedMapping } from '../../lib/mappings/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import { isTaken } from '../db/isTaken';
import type { Store } from '../db/open';
import type { BedMappingRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { endingOf, recordDecision, requireConfirmable, type Decider, type MappingChange } from './decider';

/**
 * Proposes which bed a sender's bed is, and returns the row. The same proposal again by the same user, after a lost
 * response, is the one that is there. Rejects with 404 if sender or unit are not of the site, and with 409 `bed_mapped`
 * if that bed of the sender has a mapping or a proposal.
 */
export async function proposeBedMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { senderId, senderBed, unitId, bed }: NewBedMapping,
): Promise<BedMappingRow> {
  const proposing = db.transaction().execute(async (transaction) => {
    // A sender that is revoked, or a unit that is retired at this moment, waits.
    await hold(transaction, 'sites', siteId);
    const sender = transaction
      .selectFrom('hl7_senders')
      .select('id')
      .where('id', '=', senderId)
      .where('site_id', '=', siteId)
      .where('revoked_at', 'is', null);
    const unit = transaction
      .selectFrom('units')
      .select('id')
      .where('id', '=', unitId)
      .where('site_id', '=', siteId)
      .where('retired_at', 'is', null);
    if ((await sender.executeTakeFirst()) === undefined || (await unit.executeTakeFirst()) === undefined) {
      throw notFound();
    }
    const open = await transaction
      .selectFrom('bed_mappings')
      .selectAll()
      .where('sender_id', '=', senderId)
      .where('sender_bed', '=', senderBed)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (open !== undefined) {
      const isRepeat =
        open.proposed_by === userId &&
        open.confirmed_at === null &&
        open.unit_id === unitId &&
        unitKey(open.bed) === unitKey(bed);
      if (!isRepeat) {
        throw bedMapped();
      }
      return open;
    }
    const row = await transaction
      .insertInto('bed_mappings')
      .values({
        site_id: siteId,
        sender_id: senderId,
        sender_bed: senderBed,
        unit_id: unitId,
        bed,
        proposed_at: now,
        proposed_by: userId,
        confirmed_at: null,
        confirmed_by: null,
        ended_at: null,
        ended_by: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return await recordDecision(transaction, now, actor, 'propose_bed_mapping', row);
  });
  return await proposing.catch((error: unknown) => {
    throw isTaken(error) ? bedMapped() : error;
  });
}

const bedMapped = (): HttpError =>
  new HttpError(409, 'bed_mapped', 'This bed of the sender has a mapping or a proposal already.');

/**
 * Confirms a proposal, and returns the row. One that is confirmed already stays as it is. Rejects with 404 if the
 * site has no such mapping, with 409 `mapping_ended`, and with 403 `own_proposal` for its proposer.
 */
export async function confirmBedMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  id: number,
): Promise<BedMappingRow> {
  return await db.transaction().execute(async (transaction) => {
    const row = await requireMapping(transaction, siteId, id);
    requireConfirmable(row, userId);
    if (row.confirmed_at !== null) {
      return row;
    }
    const confirmed = await change(transaction, id, { confirmed_at: now, confirmed_by: userId });
    return await recordDecision(transaction, now, actor, 'confirm_bed_mapping', confirmed);
  });
}

/**
 * Ends a mapping or rejects a proposal, and returns the row. `wasWrong`: what came by it is withdrawn from the patients
 * who have it, also where it has ended before. Else one that has ended stays as it is. Rejects with 404 if the site has
 * no such mapping.
 */
export async function endBedMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { id, wasWrong }: { id: number; wasWrong: boolean },
): Promise<BedMappingRow> {
  return await db.transaction().execute(async (transaction) => {
    const row = await requireMapping(transaction, siteId, id);
    const ending = endingOf(row, now, userId, wasWrong);
    if (ending === null) {
      return row;
    }
    const ended = await change(transaction, id, ending.change);
    const action = ending.isUndone ? 'undo_bed_mapping' : 'end_bed_mapping';
    return await recordDecision(transaction, now, actor, action, ended);
  });
}

/** Returns the row, locked: of two who decide at once the second one sees what the first did. */
async function requireMapping(transaction: Kysely<Database>, siteId: number, id: number): Promise<BedMappingRow> {
  const row = await transaction
    .updateTable('bed_mappings')
    .set({ site_id: siteId })
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    throw notFound();
  }
  return row;
}

async function change(transaction: Kysely<Database>, id: number, to: MappingChange): Promise<BedMappingRow> {
  return await transaction
    .updateTable('bed_mappings')
    .set(to)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

import type { Kysely } from 'kysely';
import type { NewBedMapping, NewCodeMapping } from '../../lib/mappings/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import { auditDone, type AuditEvent } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import { isTaken } from '../db/isTaken';
import type { Store } from '../db/open';
import type { BedMappingRow, CodeMappingRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';

/** A user of a site, who decides. */
export interface Decider {
  siteId: number;
  userId: number;
}

/** What a decision writes into a mapping. */
type MappingChange = Partial<
  Record<'confirmed_at' | 'confirmed_by' | 'ended_at' | 'ended_by' | 'undone_at' | 'undone_by', number>
>;

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
 * Proposes which kind a sender's code means, and returns the row. The same proposal again by the same user, after a
 * lost response, is the one that is there. Rejects with 404 if the sender is not of the site, and with 409
 * `code_mapped` if that code of the sender has a mapping or a proposal.
 */
export async function proposeCodeMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { senderId, code, kind, isUnitless }: NewCodeMapping,
): Promise<CodeMappingRow> {
  const proposing = db.transaction().execute(async (transaction) => {
    // A sender that is revoked at this moment waits.
    await hold(transaction, 'sites', siteId);
    const sender = await transaction
      .selectFrom('hl7_senders')
      .select('id')
      .where('id', '=', senderId)
      .where('site_id', '=', siteId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (sender === undefined) {
      throw notFound();
    }
    const [code_id, code_text, code_system] = [code.id, code.text, code.system];
    const is_unitless = isUnitless ? 1 : 0;
    const open = await transaction
      .selectFrom('code_mappings')
      .selectAll()
      .where('sender_id', '=', senderId)
      .where('code_id', '=', code_id)
      .where('code_text', '=', code_text)
      .where('code_system', '=', code_system)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (open !== undefined) {
      const isSame = open.kind === kind && open.is_unitless === is_unitless;
      if (!isSame || open.proposed_by !== userId || open.confirmed_at !== null) {
        throw codeMapped();
      }
      return open;
    }
    const row = await transaction
      .insertInto('code_mappings')
      .values({
        ...{ site_id: siteId, sender_id: senderId, code_id, code_text, code_system, kind, is_unitless },
        ...{ proposed_at: now, proposed_by: userId, confirmed_at: null, confirmed_by: null },
        ...{ ended_at: null, ended_by: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return await recordDecision(transaction, now, actor, 'propose_code_mapping', row);
  });
  return await proposing.catch((error: unknown) => {
    throw isTaken(error) ? codeMapped() : error;
  });
}

const codeMapped = (): HttpError =>
  new HttpError(409, 'code_mapped', 'This code of the sender has a mapping or a proposal already.');

/** What a mapping of beds and one of codes do differently when somebody decides. */
export interface MappingKind<Row extends BedMappingRow | CodeMappingRow> {
  /** Returns the row, locked: of two who decide at once the second one sees what the first did. */
  lock: (transaction: Kysely<Database>, siteId: number, id: number) => Promise<Row | undefined>;
  change: (transaction: Kysely<Database>, id: number, to: MappingChange) => Promise<Row>;
  actions: Record<'confirm' | 'end' | 'undo', AuditEvent['action']>;
}

export const kindOfBeds: MappingKind<BedMappingRow> = {
  lock: (transaction, siteId, id) =>
    transaction
      .updateTable('bed_mappings')
      .set({ site_id: siteId })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
  change: (transaction, id, to) =>
    transaction.updateTable('bed_mappings').set(to).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
  actions: { confirm: 'confirm_bed_mapping', end: 'end_bed_mapping', undo: 'undo_bed_mapping' },
};

export const kindOfCodes: MappingKind<CodeMappingRow> = {
  lock: (transaction, siteId, id) =>
    transaction
      .updateTable('code_mappings')
      .set({ site_id: siteId })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
  change: (transaction, id, to) =>
    transaction.updateTable('code_mappings').set(to).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
  actions: { confirm: 'confirm_code_mapping', end: 'end_code_mapping', undo: 'undo_code_mapping' },
};

/**
 * Confirms a proposal, and returns the row. One that is confirmed already stays as it is. Rejects with 404 if the
 * site has no such mapping, with 409 `mapping_ended`, and with 403 `own_proposal` for its proposer.
 */
export async function confirmMapping<Row extends BedMappingRow | CodeMappingRow>(
  { lock, change, actions }: MappingKind<Row>,
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  id: number,
): Promise<Row> {
  return await db.transaction().execute(async (transaction) => {
    const row = await lock(transaction, siteId, id);
    if (row === undefined) {
      throw notFound();
    }
    if (row.ended_at !== null) {
      throw new HttpError(409, 'mapping_ended', 'This mapping has ended.');
    }
    if (row.proposed_by === userId) {
      throw new HttpError(403, 'own_proposal', 'Another person has to confirm what you proposed.');
    }
    if (row.confirmed_at !== null) {
      return row;
    }
    const confirmed = await change(transaction, id, { confirmed_at: now, confirmed_by: userId });
    return await recordDecision(transaction, now, actor, actions.confirm, confirmed);
  });
}

/**
 * Ends a mapping or rejects a proposal, and returns the row. `wasWrong`: what came by it is withdrawn from the patients
 * who have it, also where it has ended before. Else one that has ended stays as it is. Rejects with 404 if the site has
 * no such mapping.
 */
export async function endMapping<Row extends BedMappingRow | CodeMappingRow>(
  { lock, change, actions }: MappingKind<Row>,
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { id, wasWrong }: { id: number; wasWrong: boolean },
): Promise<Row> {
  return await db.transaction().execute(async (transaction) => {
    const row = await lock(transaction, siteId, id);
    if (row === undefined) {
      throw notFound();
    }
    const ending = endingOf(row, now, userId, wasWrong);
    if (ending === null) {
      return row;
    }
    const ended = await change(transaction, id, ending.change);
    return await recordDecision(transaction, now, actor, ending.isUndone ? actions.undo : actions.end, ended);
  });
}

/**
 * Returns what is written into a mapping that a user ends, or undoes because it was wrong (`wasWrong`), also where it
 * has ended before; null: nothing. A proposal is undone too: a restore takes the confirmation away, and values came by
 * it before.
 */
function endingOf(
  { ended_at, undone_at }: { ended_at: EpochMs | null; undone_at: EpochMs | null },
  now: EpochMs,
  userId: number,
  wasWrong: boolean,
): { change: MappingChange; isUndone: boolean } | null {
  const isUndone = wasWrong && undone_at === null;
  return ended_at !== null && !isUndone
    ? null
    : {
        change: {
          ...(ended_at === null ? { ended_at: now, ended_by: userId } : {}),
          ...(isUndone ? { undone_at: now, undone_by: userId } : {}),
        },
        isUndone,
      };
}

/** Writes the audit row of a decision on a mapping, and returns the mapping. */
async function recordDecision<Row extends { id: number; sender_id: number }>(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  action: AuditEvent['action'],
  row: Row,
): Promise<Row> {
  await auditDone(transaction, now, actor, action, ['sender', row.sender_id], { mapping: row.id });
  return row;
}

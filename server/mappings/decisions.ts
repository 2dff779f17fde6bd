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

type MappingRow = BedMappingRow | CodeMappingRow;

/** What a mapping of beds and one of codes do differently. */
export interface MappingKind<Row extends MappingRow, Wanted> {
  /** Resolves with whether the site has what the sender's word is to mean. */
  isPossible: (transaction: Kysely<Database>, siteId: number, wanted: Wanted) => Promise<boolean>;
  /** Resolves with the mapping or proposal that there is of what the sender says. */
  findOpen: (transaction: Kysely<Database>, wanted: Wanted) => Promise<Row | undefined>;
  isSame: (open: Row, wanted: Wanted) => boolean;
  insert: (
    transaction: Kysely<Database>,
    proposed: Pick<MappingRow, 'site_id' | 'sender_id' | 'proposed_at' | 'proposed_by'>,
    wanted: Wanted,
  ) => Promise<Row>;
  /** Writes into a mapping of a site and returns it, locked: of two who decide at once the second sees the first. */
  put: (
    transaction: Kysely<Database>,
    where: { id: number; siteId: number },
    to: MappingChange,
  ) => Promise<Row | undefined>;
  actions: Record<'propose' | 'confirm' | 'end' | 'undo', AuditEvent['action']>;
  /** The error for what has a mapping or a proposal already. */
  conflict: () => HttpError;
}

export const kindOfBeds: MappingKind<BedMappingRow, NewBedMapping> = {
  isPossible: async (transaction, siteId, { unitId }) => {
    const unit = transaction
      .selectFrom('units')
      .select('id')
      .where('id', '=', unitId)
      .where('site_id', '=', siteId)
      .where('retired_at', 'is', null);
    return (await unit.executeTakeFirst()) !== undefined;
  },
  findOpen: (transaction, { senderId, senderBed }) =>
    transaction
      .selectFrom('bed_mappings')
      .selectAll()
      .where('sender_id', '=', senderId)
      .where('sender_bed', '=', senderBed)
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
  isSame: (open, { unitId, bed }) => open.unit_id === unitId && unitKey(open.bed) === unitKey(bed),
  insert: (transaction, proposed, { senderBed: sender_bed, unitId: unit_id, bed }) =>
    transaction
      .insertInto('bed_mappings')
      .values({ ...proposed, sender_bed, unit_id, bed })
      .returningAll()
      .executeTakeFirstOrThrow(),
  put: (transaction, { id, siteId }, to) =>
    transaction
      .updateTable('bed_mappings')
      .set({ site_id: siteId, ...to })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
  actions: {
    propose: 'propose_bed_mapping',
    confirm: 'confirm_bed_mapping',
    end: 'end_bed_mapping',
    undo: 'undo_bed_mapping',
  },
  conflict: () => new HttpError(409, 'bed_mapped', 'This bed of the sender has a mapping or a proposal already.'),
};

export const kindOfCodes: MappingKind<CodeMappingRow, NewCodeMapping> = {
  isPossible: () => Promise.resolve(true),
  findOpen: (transaction, { senderId, code }) =>
    transaction
      .selectFrom('code_mappings')
      .selectAll()
      .where('sender_id', '=', senderId)
      .where('code_id', '=', code.id)
      .where('code_text', '=', code.text)
      .where('code_system', '=', code.system)
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
  isSame: (open, { kind, isUnitless }) => open.kind === kind && open.is_unitless === Number(isUnitless),
  insert: (transaction, proposed, { code, kind, isUnitless }) =>
    transaction
      .insertInto('code_mappings')
      .values({
        ...proposed,
        ...{ code_id: code.id, code_text: code.text, code_system: code.system },
        ...{ kind, is_unitless: isUnitless ? 1 : 0 },
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  put: (transaction, { id, siteId }, to) =>
    transaction
      .updateTable('code_mappings')
      .set({ site_id: siteId, ...to })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
  actions: {
    propose: 'propose_code_mapping',
    confirm: 'confirm_code_mapping',
    end: 'end_code_mapping',
    undo: 'undo_code_mapping',
  },
  conflict: () => new HttpError(409, 'code_mapped', 'This code of the sender has a mapping or a proposal already.'),
};

/**
 * Proposes what a sender's bed or code is, and returns the row. The same proposal again by the same user, after a lost
 * response, is the one that is there. Rejects with 404 if sender or unit are not of the site, and with 409 `bed_mapped`
 * or `code_mapped` if that bed or code of the sender has a mapping or a proposal.
 */
export async function proposeMapping<Row extends MappingRow, Wanted extends { senderId: number }>(
  kind: MappingKind<Row, Wanted>,
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  wanted: Wanted,
): Promise<Row> {
  const proposing = db.transaction().execute(async (transaction) => {
    // A sender that is revoked, or a unit that is retired at this moment, waits.
    await hold(transaction, 'sites', siteId);
    const sender = await transaction
      .selectFrom('hl7_senders')
      .select('id')
      .where('id', '=', wanted.senderId)
      .where('site_id', '=', siteId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (sender === undefined || !(await kind.isPossible(transaction, siteId, wanted))) {
      throw notFound();
    }
    const open = await kind.findOpen(transaction, wanted);
    if (open !== undefined) {
      if (open.proposed_by !== userId || open.confirmed_at !== null || !kind.isSame(open, wanted)) {
        throw kind.conflict();
      }
      return open;
    }
    const proposed = { site_id: siteId, sender_id: sender.id, proposed_at: now, proposed_by: userId };
    const row = await kind.insert(transaction, proposed, wanted);
    return await recordDecision(transaction, now, actor, kind.actions.propose, row);
  });
  return await proposing.catch((error: unknown) => {
    throw isTaken(error) ? kind.conflict() : error;
  });
}

/** What of a kind somebody needs who decides on a proposal. */
type Decided<Row extends MappingRow> = Pick<MappingKind<Row, never>, 'put' | 'actions'>;

async function write<Row extends MappingRow>(
  { put }: Decided<Row>,
  transaction: Kysely<Database>,
  where: { id: number; siteId: number },
  to: MappingChange,
): Promise<Row> {
  const row = await put(transaction, where, to);
  if (row === undefined) {
    throw notFound();
  }
  return row;
}

/**
 * Confirms a proposal, and returns the row. One that is confirmed already stays as it is. Rejects with 404 if the
 * site has no such mapping, with 409 `mapping_ended`, and with 403 `own_proposal` for its proposer.
 */
export async function confirmMapping<Row extends MappingRow>(
  kind: Decided<Row>,
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  id: number,
): Promise<Row> {
  return await db.transaction().execute(async (transaction) => {
    const row = await write(kind, transaction, { id, siteId }, {});
    if (row.ended_at !== null) {
      throw new HttpError(409, 'mapping_ended', 'This mapping has ended.');
    }
    if (row.proposed_by === userId) {
      throw new HttpError(403, 'own_proposal', 'Another person has to confirm what you proposed.');
    }
    if (row.confirmed_at !== null) {
      return row;
    }
    const confirmed = await write(kind, transaction, { id, siteId }, { confirmed_at: now, confirmed_by: userId });
    return await recordDecision(transaction, now, actor, kind.actions.confirm, confirmed);
  });
}

/**
 * Ends a mapping or rejects a proposal, and returns the row. `wasWrong`: what came by it is withdrawn from the patients
 * who have it, also where it has ended before. Else one that has ended stays as it is. Rejects with 404 if the site has
 * no such mapping.
 */
export async function endMapping<Row extends MappingRow>(
  kind: Decided<Row>,
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { id, wasWrong }: { id: number; wasWrong: boolean },
): Promise<Row> {
  return await db.transaction().execute(async (transaction) => {
    const row = await write(kind, transaction, { id, siteId }, {});
    const ending = endingOf(row, now, userId, wasWrong);
    if (ending === null) {
      return row;
    }
    const ended = await write(kind, transaction, { id, siteId }, ending.change);
    const action = ending.isUndone ? kind.actions.undo : kind.actions.end;
    return await recordDecision(transaction, now, actor, action, ended);
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

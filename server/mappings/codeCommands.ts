import type { Kysely } from 'kysely';
import type { NewCodeMapping } from '../../lib/mappings/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import { isTaken } from '../db/isTaken';
import type { Store } from '../db/open';
import type { CodeMappingRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { endingOf, recordDecision, requireConfirmable, type Decider, type MappingChange } from './decider';

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

/**
 * Confirms a proposal, and returns the row. One that is confirmed already stays as it is. Rejects with 404 if the
 * site has no such mapping, with 409 `mapping_ended`, and with 403 `own_proposal` for its proposer.
 */
export async function confirmCodeMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  id: number,
): Promise<CodeMappingRow> {
  return await db.transaction().execute(async (transaction) => {
    const row = await requireMapping(transaction, siteId, id);
    requireConfirmable(row, userId);
    if (row.confirmed_at !== null) {
      return row;
    }
    const confirmed = await change(transaction, id, { confirmed_at: now, confirmed_by: userId });
    return await recordDecision(transaction, now, actor, 'confirm_code_mapping', confirmed);
  });
}

/**
 * Ends a mapping or rejects a proposal, and returns the row. `wasWrong`: what came by it is withdrawn from the patients
 * who have it, also where it has ended before. Else one that has ended stays as it is. Rejects with 404 if the site has
 * no such mapping.
 */
export async function endCodeMapping(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { siteId, userId }: Decider,
  { id, wasWrong }: { id: number; wasWrong: boolean },
): Promise<CodeMappingRow> {
  return await db.transaction().execute(async (transaction) => {
    const row = await requireMapping(transaction, siteId, id);
    const ending = endingOf(row, now, userId, wasWrong);
    if (ending === null) {
      return row;
    }
    const ended = await change(transaction, id, ending.change);
    const action = ending.isUndone ? 'undo_code_mapping' : 'end_code_mapping';
    return await recordDecision(transaction, now, actor, action, ended);
  });
}

/** Returns the row, locked: of two who decide at once the second one sees what the first did. */
async function requireMapping(transaction: Kysely<Database>, siteId: number, id: number): Promise<CodeMappingRow> {
  const row = await transaction
    .updateTable('code_mappings')
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

async function change(transaction: Kysely<Database>, id: number, to: MappingChange): Promise<CodeMappingRow> {
  return await transaction
    .updateTable('code_mappings')
    .set(to)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

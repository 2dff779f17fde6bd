import { z } from 'zod';
import { missingOf } from '../../lib/handoffs/missingOf';
import type { HandoffFacts } from '../../lib/handoffs/schema';
import { HttpError, invalid } from '../http/httpError';
import { requireVersion } from '../notes/documents';
import {
  auditHandoff,
  changeHandoff,
  holdHandoff,
  wrongState,
  type HandoffRow,
  type HandoffWriter,
} from './findHandoff';

/**
 * Gives a handoff: what is known of the patient is kept with it, and one that was given before is superseded. The giver
 * stays responsible until it is received. Giving it again, after a lost response, resolves with it. Rejects with 404,
 * 409 `handoff_changed` or `handoff_received` and the like, and 422 for what is missing (`missingOf`).
 */
export async function giveHandoff(
  writer: HandoffWriter,
  { id, version }: { id: number; version: number },
  facts: HandoffFacts,
): Promise<HandoffRow> {
  const { store, now, user } = writer;
  return await store.db.transaction().execute(async (transaction) => {
    const row = await holdHandoff(writer, transaction, id);
    if (row.state === 'given' && row.giver_id === user.id && row.version === version + 1) {
      return row;
    }
    if (row.state !== 'draft' && row.state !== 'returned') {
      throw wrongState(row);
    }
    await requireVersion(writer, transaction, 'handoff', row, version);
    const fields = missingOf({
      severity: row.severity,
      summary: row.summary,
      contingencies: z.array(z.unknown()).parse(JSON.parse(row.contingencies)),
      isCarried: row.carried_from !== null,
      isReviewed: row.reviewed_at !== null,
    });
    if (Object.keys(fields).length > 0) {
      throw invalid(fields, 'Something is missing in this handoff.');
    }
    await transaction
      .updateTable('handoffs')
      .set((before) => ({ state: 'superseded', version: before('version', '+', 1), changed_at: now }))
      .where('patient_id', '=', row.patient_id)
      .where('state', 'in', ['given', 'returned'])
      .where('id', '!=', id)
      .execute();
    const given = await changeHandoff(writer, transaction, row, {
      state: 'given',
      facts: JSON.stringify(facts),
      giver_id: user.id,
      giver_type: user.type,
      given_at: now,
    });
    await auditHandoff(writer, transaction, 'give_handoff', given);
    return given;
  });
}

/** Gives a handoff back to its giver with a question. Rejects with 404, 409, and 409 `own_handoff` for the giver. */
export async function returnHandoff(
  writer: HandoffWriter,
  id: number,
  { version, question }: { version: number; question: string },
): Promise<HandoffRow> {
  return await writer.store.db.transaction().execute(async (transaction) => {
    const row = await holdHandoff(writer, transaction, id);
    if (row.state === 'returned' && row.returned_by === writer.user.id && row.version === version + 1) {
      return row;
    }
    requireGivenByOther(writer, row);
    await requireVersion(writer, transaction, 'handoff', row, version);
    const returned = await changeHandoff(writer, transaction, row, {
      state: 'returned',
      question,
      returned_by: writer.user.id,
      returned_at: writer.now,
    });
    await auditHandoff(writer, transaction, 'return_handoff', returned);
    return returned;
  });
}

/**
 * Withdraws a handoff that is not received: its actions do not count any more. A draft may be dropped by everyone who
 * writes it, a given one by its giver or a ward lead. Rejects with 404, 403 `not_giver` and 409.
 */
export async function withdrawHandoff(writer: HandoffWriter, id: number, version: number): Promise<HandoffRow> {
  const { store, user } = writer;
  return await store.db.transaction().execute(async (transaction) => {
    const row = await holdHandoff(writer, transaction, id);
    if (row.state === 'withdrawn' && row.changed_by === user.id && row.version === version + 1) {
      return row;
    }
    if (row.state !== 'draft' && row.state !== 'given' && row.state !== 'returned') {
      throw wrongState(row);
    }
    if (row.state !== 'draft' && row.giver_id !== user.id && user.type !== 'ward_lead') {
      throw new HttpError(403, 'not_giver', 'Only its giver or a ward lead can withdraw a handoff.');
    }
    await requireVersion(writer, transaction, 'handoff', row, version);
    const withdrawn = await changeHandoff(writer, transaction, row, { state: 'withdrawn' });
    await auditHandoff(writer, transaction, 'withdraw_handoff', withdrawn);
    return withdrawn;
  });
}

/** Throws 409 unless a handoff is given, and by another user. */
export function requireGivenByOther({ user }: HandoffWriter, row: HandoffRow): void {
  if (row.state !== 'given') {
    throw wrongState(row);
  }
  if (row.giver_id === user.id) {
    throw new HttpError(409, 'own_handoff', 'Another user has to receive this handoff: you gave it.', { id: row.id });
  }
}

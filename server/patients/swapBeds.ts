import type { Kysely } from 'kysely';
import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { SwapBeds } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { recordMove } from './recordMove';
import { requireActivePatient } from './requirePatient';
import { readLastChange, updatePatientRow } from './updatePatientRow';

/**
 * Gives each of two patients the other's bed, both or neither, and resolves with their rows. The same swap again, after
 * a lost response, changes nothing. Rejects with 404 if one is
 * out of reach, with 409 `patient_discharged`, `no_bed` or `changed_meanwhile`, and with 422 as `recordMove` does.
 */
export async function swapBeds(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  scope: Scope,
  { patients, since: sinceText }: SwapBeds,
): Promise<PatientRow[]> {
  // Two swaps of the same patients lock their rows in one order.
  const [first, second] = [...patients]
    .sort((a, b) => a.id - b.id)
    .map(({ id, version }) => ({ ...requireActivePatient(liveState, id, scope), version }));
  if (first === undefined || second === undefined) {
    throw new Error('a swap without two patients was not refused');
  }
  if (first.unit_id === null || second.unit_id === null) {
    throw new HttpError(409, 'no_bed', 'One of the two patients has no bed.');
  }
  const since = sinceText === undefined ? undefined : Date.parse(sinceText);
  const moves = [
    { from: first, to: second },
    { from: second, to: first },
  ];
  const rows = await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', scope.siteId);
    const before = await readSwapped(transaction, actor, [first, second]);
    if (before !== null) {
      return before;
    }
    // The second one leaves first: a bed never has two, not even inside the transaction.
    await transaction.updateTable('patients').set({ bed: null }).where('id', '=', second.id).execute();
    const changed: PatientRow[] = [];
    for (const { from, to } of moves) {
      const { unit_id, bed, shares_bed } = to;
      changed.push(await updatePatientRow(transaction, now, from, { unit_id, bed, shares_bed }));
      await recordMove(transaction, now, actor, 'moved', from, { from, to, since });
      await audit(transaction, now, actor, {
        action: 'change_patient',
        outcome: 'done',
        objectType: 'patient',
        objectId: from.id,
        details: { fields: ['location'], swappedWith: to.id, ...(sinceText === undefined ? {} : { since: sinceText }) },
      });
    }
    return changed;
  });
  rows.forEach((row) => {
    liveState.putPatient(row, since);
  });
  return rows;
}

const swapDetails = z.object({ swappedWith: z.int() });

/**
 * Resolves with the rows of two patients if their last change is that this user has swapped them, from the versions
 * that are named here; else with null.
 */
async function readSwapped(
  transaction: Kysely<Database>,
  actor: Actor,
  pair: readonly [Known, Known],
): Promise<PatientRow[] | null> {
  const rows: PatientRow[] = [];
  for (const [{ id, version }, other] of [pair, [pair[1], pair[0]] as const]) {
    const row = await transaction.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (row.version !== version + 1) {
      return null;
    }
    const last = await readLastChange(transaction, id);
    const details = last?.details == null ? undefined : readJson(swapDetails, last.details);
    if (last?.actor_id !== actor.actorId || details?.swappedWith !== other.id) {
      return null;
    }
    rows.push(row);
  }
  return rows;
}

type Known = Pick<PatientRow, 'id' | 'version'>;

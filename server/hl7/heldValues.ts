import { sql } from 'kysely';
import type { HeldValues } from '../../lib/patients/heldCalls';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { audit, auditDone } from '../audit';
import { actorOf, type Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { PatientMoveRow, PatientRow } from '../db/rows';
import { requireScope } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { bedKey, changingMs } from '../patients/bedStays';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { readNames } from '../users/readNames';
import { heldMs, senderBedsOf } from './replay';
import { wholeKey } from './sourceOf';

/**
 * So long after a move its held values are listed and released, in milliseconds: as long as a move can be entered late.
 */
const listedMs = 24 * 3_600_000;

/** Values of a patient's bed that are held because the patient of the bed has just changed, and their release. */
export function heldValuesRoutes(app: App, server: Server): void {
  const { store, liveState, auditView, now } = server;
  const present = async (patient: PatientRow): Promise<{ patientId: number; items: HeldValues[] }> => {
    const moves = await readHeld(server, patient);
    const nameOf = await readNames(
      store.db,
      moves.flatMap(({ released_by }) => released_by ?? []),
    );
    return {
      patientId: patient.id,
      items: moves.map(({ to_bed, moved_at, released_by }) => ({
        ...{ bed: to_bed ?? '', since: toInstant(moved_at), until: toInstant(moved_at + changingMs) },
        releasedBy: released_by === null ? null : nameOf(released_by).name,
      })),
    };
  };

  on(app, 'listHeldValues', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    return await present(patient);
  });
  on(app, 'releaseValues', async (request) => {
    const patient = requireActivePatient(liveState, request.params.id, requireScope(request, 'writePatients', now()));
    const { mrn, dateOfBirth, since } = request.body;
    if (mrn.normalize('NFC') !== patient.mrn || dateOfBirth !== patient.date_of_birth) {
      await audit(store.db, now(), actorOf(request), {
        ...{ action: 'release_values', outcome: 'refused', objectType: 'patient', objectId: patient.id },
      });
      throw new HttpError(
        422,
        'patient_not_matched',
        'These two are not the identifiers of this patient. Compare both with the wristband.',
      );
    }
    await setReleased(server, actorOf(request), patient, since, true);
    return await present(patient);
  });
  on(app, 'takeBackRelease', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'writePatients', now()));
    await setReleased(server, actorOf(request), patient, request.body.since, false);
    return await present(patient);
  });
}

/**
 * Releases the values of the bed into which a patient moved: from the move on they are the patient's, and what was held
 * is read again soon. Or takes that back: what came by it is withdrawn (`withdrawWrong`), and values are held again.
 * Doing it twice changes nothing. Rejects with 409 `stay_changed` if no values are held for this move.
 */
async function setReleased(
  server: Server,
  actor: Actor,
  patient: PatientRow,
  since: string,
  isReleased: boolean,
): Promise<void> {
  const { store, liveState, now } = server;
  const move = (await readHeld(server, patient)).find(({ moved_at }) => moved_at === parseInstant(since));
  if (move === undefined) {
    throw new HttpError(409, 'stay_changed', 'The patient’s stay in this bed has changed meanwhile. Look at it again.');
  }
  const { id, site_id, to_unit_id: unit_id, to_bed: bed, moved_at } = move;
  const isChanged = await store.db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('patient_moves')
      .set(
        isReleased
          ? { released_at: now(), released_by: actor.actorId }
          : { released_at: null, released_by: null, held_read_at: null },
      )
      .where('id', '=', id)
      .where('released_at', isReleased ? 'is' : 'is not', null)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) {
      return false;
    }
    if (!isReleased && unit_id !== null && bed !== null) {
      await transaction
        .insertInto('bed_replays')
        .values({ site_id, unit_id, bed, since: moved_at, made_at: now(), made_by: actor.actorId })
        .execute();
    }
    const action = isReleased ? 'release_values' : 'take_back_release';
    await auditDone(transaction, now(), actor, action, ['patient', patient.id], { move: id });
    return true;
  });
  if (isChanged) {
    liveState.bedStays.release(patient.id, moved_at, isReleased);
    liveState.changed(site_id);
  }
}

/**
 * Resolves with the moves of a patient in the last 24 hours that are released, the last first, and with the last one of
 * all if messages that named no one were held by its bed. The rows of quarantine say so, also after a restart.
 */
async function readHeld(server: Server, patient: PatientRow): Promise<PatientMoveRow[]> {
  const rows = await server.store.db
    .selectFrom('patient_moves')
    .selectAll()
    .where('patient_id', '=', patient.id)
    .where('moved_at', '>', server.now() - listedMs)
    .orderBy('id', 'desc')
    .execute();
  const moves = rows.filter((row) => bedKey(row.from_unit_id, row.from_bed) !== bedKey(row.to_unit_id, row.to_bed));
  const isHeld = moves[0] !== undefined && (await wasHeld(server, moves[0]));
  return moves.filter((move, index) => move.released_at !== null || (index === 0 && isHeld));
}

/** Resolves with whether messages of the bed into which a patient moved were held. */
async function wasHeld(server: Server, move: PatientMoveRow): Promise<boolean> {
  for (const { sender_id, sender_bed } of senderBedsOf(server, move)) {
    const whole = server.sources.find(sender_id, wholeKey);
    const query = whole === null ? null : heldQuery(server.store, whole.id, sender_bed, move.moved_at);
    if ((await query?.executeTakeFirst()) !== undefined) {
      return true;
    }
  }
  return false;
}

/** Returns the query for messages of a sender's bed that were held. A row begins with the bed, and may be cut off. */
export function heldQuery({ db }: Pick<Store, 'db'>, deviceId: number, senderBed: string, since: EpochMs) {
  const beginning = JSON.stringify({ bed: senderBed.slice(0, 100) }).slice(0, -1);
  return (
    db
      .selectFrom('quarantine')
      .select('id')
      .where('device_id', '=', deviceId)
      // As it is in the index.
      .where('code', '=', sql.lit('bed_changing'))
      .where('received_at', '>=', since)
      .where('received_at', '<=', since + heldMs)
      .where(sql<boolean>`substr(sample, 1, ${sql.lit([...beginning].length)}) = ${beginning}`)
      .limit(1)
  );
}

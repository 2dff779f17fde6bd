import { changingMs } from '../../lib/heldValues/changingMs';
import type { ReleaseBody } from '../../lib/heldValues/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit, auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { BedReleaseRow, PatientRow } from '../db/rows';
import { HttpError, invalid, notFound } from '../http/httpError';
import { holdPatient } from '../patients/holdPatient';
import { releaseOf } from '../patients/bedStays';
import type { Server } from '../server';
import { readHeld, type HeldMove } from './readHeld';

type Parts = Pick<Server, 'store' | 'liveState' | 'beds' | 'sources' | 'now'>;

/**
 * Releases the values of a patient's bed that are held near a move of theirs: from now on they are the patient's, and
 * what was held is read again soon. The same release again by the same user, after a lost response, changes nothing.
 * Rejects with 422 `patient_not_matched` if the two identifiers are not both the patient's, with 422 if the time is on
 * the other side of the move, more than five minutes from it, or to come, and with 409 `already_released`, or
 * `stay_changed` if no values are held for a stay like this of the patient.
 */
export async function releaseValues(
  parts: Parts,
  actor: Actor,
  userId: number,
  patient: PatientRow,
  { mrn, dateOfBirth, stay, change, at: text }: ReleaseBody,
): Promise<void> {
  const { store, liveState, now } = parts;
  if (mrn.normalize('NFC') !== patient.mrn || dateOfBirth !== patient.date_of_birth) {
    await audit(store.db, now(), actor, {
      ...{ action: 'release_values', outcome: 'refused', objectType: 'patient', objectId: patient.id },
    });
    throw notMatched();
  }
  const [from, until] = [stay.from, stay.until].map((one) => (one === null ? null : parseInstant(one)));
  const held = (await readHeld(parts, patient)).find(
    (move) => move.change === change && move.stay.from === from && move.stay.until === until,
  );
  if (held === undefined) {
    throw stayChanged();
  }
  const at = parseInstant(text) ?? held.movedAt;
  requirePossible(held, at, now());
  const row = await store.db.transaction().execute(async (transaction) => {
    await holdPatient(transaction, patient.id);
    const { version } = await transaction
      .selectFrom('patients')
      .select('version')
      .where('id', '=', patient.id)
      .executeTakeFirstOrThrow();
    // A change that is committed, but not in memory yet, may be a move.
    if (version !== liveState.patients.get(patient.id)?.version) {
      throw stayChanged();
    }
    const ofPatient = await transaction
      .selectFrom('bed_releases')
      .selectAll()
      .where('patient_id', '=', patient.id)
      .execute();
    const open = ofPatient.find(
      (one) => one.taken_back_at === null && one.change === change && one.moved_at === held.movedAt,
    );
    if (open !== undefined) {
      if (open.released_by !== userId || open.at !== at) {
        throw new HttpError(409, 'already_released', 'These values were released meanwhile.');
      }
      return null;
    }
    const inserted = await transaction
      .insertInto('bed_releases')
      .values({
        ...{ site_id: patient.site_id, patient_id: patient.id, unit_id: held.unitId, bed: held.bed, change },
        ...{ moved_at: held.movedAt, at, released_at: now(), released_by: userId },
        again: ofPatient.filter((one) => one.taken_back_at !== null && isSameBed(one, held)).length,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(transaction, now(), actor, 'release_values', inserted);
    return inserted;
  });
  if (row !== null) {
    liveState.bedStays.putRelease(releaseOf(row));
    liveState.changed(patient.site_id);
  }
}

const isSameBed = ({ unit_id, bed }: BedReleaseRow, held: HeldMove): boolean =>
  unit_id === held.unitId && bed === held.bed;

/**
 * Takes a release back: what came by it is withdrawn (`withdrawWrong`), and values are held again. One that was taken
 * back before stays so. Rejects with 404 if it is not of the patient.
 */
export async function takeBackRelease(
  { store, liveState, now }: Parts,
  actor: Actor,
  userId: number,
  patient: PatientRow,
  id: number,
): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('bed_releases')
      .set({ taken_back_at: now(), taken_back_by: userId })
      .where('id', '=', id)
      .where('patient_id', '=', patient.id)
      .where('taken_back_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) {
      const { site_id, unit_id, bed, moved_at: since } = row;
      await transaction
        .insertInto('bed_replays')
        .values({ site_id, unit_id, bed, since, made_at: now(), made_by: userId })
        .execute();
      await record(transaction, now(), actor, 'take_back_release', row);
      return;
    }
    const before = transaction.selectFrom('bed_releases').select('id').where('patient_id', '=', patient.id);
    if ((await before.where('id', '=', id).executeTakeFirst()) === undefined) {
      throw notFound();
    }
  });
  liveState.bedStays.removeRelease(id);
  liveState.changed(patient.site_id);
}

async function record(
  transaction: Parameters<typeof audit>[0],
  now: EpochMs,
  actor: Actor,
  action: 'release_values' | 'take_back_release',
  { id, patient_id }: BedReleaseRow,
): Promise<void> {
  await auditDone(transaction, now, actor, action, ['patient', patient_id], { release: id });
}

function requirePossible({ change, movedAt }: HeldMove, at: EpochMs, now: EpochMs): void {
  const sinceMove = change === 'begin' ? at - movedAt : movedAt - at;
  const fault =
    at > now
      ? 'lies in the future'
      : sinceMove < 0
        ? 'is before or after the stay in this bed'
        : sinceMove > changingMs
          ? 'is more than five minutes from the change of the bed'
          : null;
  if (fault !== null) {
    throw invalid({ at: fault });
  }
}

const stayChanged = (): HttpError =>
  new HttpError(409, 'stay_changed', 'The patient’s stay in this bed has changed meanwhile. Look at it again.');

const notMatched = (): HttpError =>
  new HttpError(
    422,
    'patient_not_matched',
    'These two are not the identifiers of this patient. Compare both with the wristband.',
  );

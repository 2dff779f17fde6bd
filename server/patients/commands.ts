import type { Kysely } from 'kysely';
import type { NewPatient, PatientPatch } from '../../lib/patients/schema';
import { dayOf } from '../../lib/time/dayOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import { endPauses } from '../alerts/pauses';
import { auditDone } from '../audit';
import { endLinks, holdLinks } from '../checkIn/endLinks';
import { isTaken } from '../db/isTaken';
import type { PatientRow, UnitRow } from '../db/rows';
import type { Database } from '../db/schema';
import { closeAlarmsOf } from '../deviceAlarms/alarmRows';
import { endAssignments, restoreAssignments } from '../devices/commands';
import { HttpError, invalid } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { ensureUnit, reopenUnit } from '../units/ensureUnit';
import { unitInScope } from '../units/queries';
import { likelyDuplicates } from './likelyDuplicates';
import { readAdded } from './readAdded';
import { impossible, recordMove } from './recordMove';
import { requirePatient } from './requirePatient';
import { beginStay, endStay } from './stays';
import { updateOnce } from './updatePatientRow';
import type { Writer } from './writerOf';

/**
 * Rejects with 409 `bed_taken` if another active patient is in the bed; with their id if they are within reach. Call it
 * in the transaction that puts a patient there, after the unit's row was locked: two moves into one bed then run one
 * after another. Capitals do not matter. A bed that had two patients before this rule keeps them until one is moved.
 */
async function requireFreeBed(
  transaction: Kysely<Database>,
  scope: Scope,
  { unitId, bed }: { unitId: number; bed: string },
  /** The patient who is moved; null: a new one. */
  patientId: number | null,
): Promise<void> {
  const rows = await transaction
    .selectFrom('patients')
    .select(['id', 'site_id', 'unit_id', 'bed'])
    .where('site_id', '=', scope.siteId)
    .where('unit_id', '=', unitId)
    .where('state', '=', 'active')
    .execute();
  const other = rows.find((row) => row.id !== patientId && row.bed !== null && unitKey(row.bed) === unitKey(bed));
  if (other !== undefined) {
    throw new HttpError(409, 'bed_taken', 'Another patient is in this bed.', {
      fields: { 'location.bed': 'is taken by another patient' },
      ...(inScope(scope, other) ? { id: other.id } : {}),
    });
  }
}

const inOtherUnit = 'A patient with this number is in another unit. Ask the ward lead.';

/** Names the other patient only if the caller may see them. */
const mrnExists = (other: Pick<PatientRow, 'id' | 'site_id' | 'unit_id'>, scope: Scope): HttpError => {
  const isNear = inScope(scope, other);
  return new HttpError(409, 'mrn_exists', isNear ? 'Another patient of this site has this MRN.' : inOtherUnit, {
    fields: { mrn: 'belongs to another patient of this site' },
    ...(isNear ? { id: other.id } : {}),
  });
};

/**
 * Rejects with 409 `likely_duplicate` if a patient of the site is likely the one to be added and `confirm` does not
 * name them. Of those out of the caller's reach only a look-alike MRN is said, and cannot be confirmed.
 */
function requireNew(liveState: LiveState, scope: Scope, patient: NewPatient): void {
  const ofSite = [...liveState.patients.values()].filter(({ site_id }) => site_id === scope.siteId);
  const { byNumber, byName } = likelyDuplicates(ofSite, patient);
  if (!byNumber.every((row) => inScope(scope, row))) {
    throw new HttpError(409, 'likely_duplicate', inOtherUnit, {
      fields: { mrn: 'looks like that of another patient' },
    });
  }
  const near = [...byNumber, ...byName].filter((row) => inScope(scope, row)).map(({ id }) => id);
  const confirm = [...new Set(near)].sort((a, b) => a - b);
  if (!confirm.every((id) => patient.confirm?.includes(id) === true)) {
    throw new HttpError(409, 'likely_duplicate', 'This is likely a patient who is here already. Compare both.', {
      confirm,
    });
  }
}

/**
 * Throws 422 if a date of birth has not come yet anywhere on Earth: a mistyped year would withhold the score without a
 * word, because NEWS2 is not for children.
 */
function requireBorn(dateOfBirth: string | undefined, now: EpochMs): void {
  // The zone in which a day begins first.
  if (dateOfBirth !== undefined && dateOfBirth > dayOf(now, 'Pacific/Kiritimati')) {
    throw invalid({ dateOfBirth: 'lies in the future' }, 'The date of birth lies in the future.');
  }
}

/**
 * Adds a patient and returns the row. The same patient again by the same user, after a lost response, is the one that
 * is there, as long as no one has changed them. Rejects with 403 `other_unit` if the unit is out of reach, with 409
 * `mrn_exists` or `bed_taken`, with the other patient's id if they are within reach, or `likely_duplicate`, and
 * with 422 if the date of birth lies in the future.
 */
export async function createPatient(writer: Omit<Writer, 'user'>, patient: NewPatient): Promise<PatientRow> {
  const { store, liveState, now, actor, scope } = writer;
  const { siteId } = scope;
  requireBorn(patient.dateOfBirth, now);
  if (patient.location !== null && !reachesUnit(scope, liveState.unitByName(siteId, patient.location.unit))) {
    throw new HttpError(403, 'other_unit', 'You can admit patients to your own units only.', {
      fields: { 'location.unit': 'is not a unit of yours' },
    });
  }
  const taken = liveState.patientByMrn(patient.mrn, siteId);
  try {
    if (taken !== null) {
      throw mrnExists(taken, scope);
    }
    requireNew(liveState, scope, patient);
    const placed = await explainTaken(writer, { id: null, mrn: patient.mrn }, () =>
      store.db.transaction().execute((transaction) => insertPatient(transaction, writer, patient)),
    );
    putPlaced(liveState, placed);
    return placed.row;
  } catch (problem) {
    const added = problem instanceof HttpError ? await readAdded(store.db, actor, siteId, patient) : null;
    if (added === null) {
      throw problem;
    }
    putPlaced(liveState, added);
    return added.row;
  }
}

/** Returns whether a patient may be admitted to a unit. A unit that does not exist yet (null) belongs to no one. */
function reachesUnit(scope: Scope, unit: UnitRow | null): boolean {
  return unit === null ? scope.unitIds === null : unitInScope(unit, scope);
}

/** A patient as just written, and their unit, which may be new. */
export interface PlacedPatient {
  row: PatientRow;
  unit: UnitRow | null;
  /** When they came to where they are, if that was entered later. */
  since?: EpochMs | undefined;
}

/** Puts a patient and their unit into the live state. Call it after the commit. */
export function putPlaced(liveState: LiveState, { row, unit, since }: PlacedPatient): void {
  if (unit !== null) {
    liveState.putUnit(unit);
  }
  liveState.putPatient(row, since);
}

/**
 * Inserts a patient and, if it does not exist, their unit, and audits it. Rejects with 409 `bed_taken`. The caller
 * updates the live state after the commit.
 */
export async function insertPatient(
  transaction: Kysely<Database>,
  { now, actor, scope }: Pick<Writer, 'now' | 'actor' | 'scope'>,
  patient: NewPatient,
): Promise<PlacedPatient> {
  const { siteId } = scope;
  const unit = patient.location === null ? null : await ensureUnit(transaction, now, siteId, patient.location.unit);
  if (unit !== null && patient.location !== null) {
    await requireFreeBed(transaction, scope, { unitId: unit.id, bed: patient.location.bed }, null);
  }
  const created = await transaction
    .insertInto('patients')
    .values({
      site_id: siteId,
      mrn: patient.mrn,
      given_name: patient.givenName,
      family_name: patient.familyName,
      date_of_birth: patient.dateOfBirth,
      sex: patient.sex,
      unit_id: unit?.id ?? null,
      bed: patient.location?.bed ?? null,
      profile: patient.profile,
      spo2_scale: patient.spo2Scale,
      is_trial: patient.isTrial ? 1 : 0,
      state: 'active',
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await beginStay(transaction, now, created);
  await recordMove(transaction, now, actor, 'admitted', created, { from: null, to: created });
  await auditDone(transaction, now, actor, 'create_patient', ['patient', created.id]);
  return { row: created, unit };
}

/**
 * Changes a patient and returns the row. A move may lead out of the caller's reach. A discharge ends standby, comfort
 * care and the assignments of the patient's devices, closes what these report as alarms, and revokes check-in links;
 * a return within 24 h brings the devices back that no other patient has had since.
 * The same change again, after a lost response, changes nothing and returns the row. Rejects with 404 if the patient is
 * out of reach, with 403 `other_unit` if the unit does not exist and the caller may add none, with 409
 * `changed_meanwhile` if the patch is for another version, with 409 `mrn_exists` or `bed_taken`, and with 422 if the
 * date of birth lies in the future, or a move cannot have been then (`recordMove`).
 */
export async function changePatient(writer: Writer, id: number, patch: PatientPatch): Promise<PatientRow> {
  const { store, liveState, now, actor, scope } = writer;
  const { siteId } = scope;
  const known = requirePatient(liveState, id, scope);
  requireBorn(patch.dateOfBirth, now);
  const taken = patch.mrn === undefined ? null : liveState.patientByMrn(patch.mrn, siteId);
  if (taken !== null && taken.id !== id) {
    throw mrnExists(taken, scope);
  }
  const { version, location, ...fields } = patch;
  const since = sinceOf(patch);
  if (location != null && scope.unitIds !== null && liveState.unitByName(siteId, location.unit) === null) {
    throw new HttpError(403, 'other_unit', 'There is no unit of this name, and you cannot add one.', {
      fields: { 'location.unit': 'is not a unit of this site' },
    });
  }
  let freed: number[] = [];
  let given: number[] = [];
  const placed = await explainTaken(writer, { id, mrn: patch.mrn ?? known.mrn }, () =>
    store.db.transaction().execute(async (transaction) => {
      const unit =
        location === undefined
          ? // A readmitted patient needs their unit again, even if it was retired meanwhile.
            await reopenUnit(transaction, now, siteId, patch.state === 'active' ? known.unit_id : null)
          : location === null
            ? null
            : await ensureUnit(transaction, now, siteId, location.unit);
      const bed = location === undefined ? known.bed : (location?.bed ?? null);
      const isPlaced = location !== undefined ? (patch.state ?? known.state) === 'active' : patch.state === 'active';
      if (isPlaced && unit !== null && bed !== null) {
        await requireFreeBed(transaction, scope, { unitId: unit.id, bed }, id);
      }
      if (patch.state === 'discharged') {
        await holdLinks(transaction, id);
      }
      const { row: changed, isRepeat } = await updateOnce(
        transaction,
        now,
        actor,
        { id, version },
        {
          mrn: fields.mrn,
          given_name: fields.givenName,
          family_name: fields.familyName,
          date_of_birth: fields.dateOfBirth,
          sex: fields.sex,
          profile: fields.profile,
          state: fields.state,
          unit_id: location === undefined ? unit?.id : (unit?.id ?? null),
          bed: location === undefined ? undefined : (location?.bed ?? null),
          // A move or a return has found the bed free.
          shares_bed: isPlaced ? 0 : undefined,
        },
      );
      if (isRepeat) {
        return { row: changed, unit };
      }
      if (known.state === 'active' && changed.state === 'active') {
        await recordMove(transaction, now, actor, 'moved', changed, { from: known, to: changed, since });
      } else if (changed.state === 'active') {
        given = await restoreAssignments(transaction, now, actor, changed);
        await recordMove(transaction, now, actor, 'admitted', changed, { from: null, to: changed, since });
        await beginStay(transaction, since ?? now, changed);
      } else if (known.state === 'active') {
        await recordMove(transaction, now, actor, 'discharged', changed, { from: known, to: null, since });
        await endStay(transaction, since ?? now, changed);
      }
      await auditDone(transaction, now, actor, 'change_patient', ['patient', id], {
        fields: Object.keys(patch).filter((name) => !['version', 'since'].includes(name)),
        ...(patch.since === undefined ? {} : { since: patch.since }),
      });
      if (patch.state === 'discharged') {
        freed = await endAssignments(transaction, now, actor, { patientId: id });
        await endLinks(transaction, now, actor, id);
        await endPauses(transaction, now, { userId: actor.actorId, patientId: id });
        await closeAlarmsOf(transaction, now, id);
      }
      return { row: changed, unit };
    }),
  );
  freed.forEach((deviceId) => liveState.deviceStays.put(deviceId, null, now));
  given.forEach((deviceId) => liveState.deviceStays.put(deviceId, id, now));
  if (patch.state === 'discharged') {
    liveState.putPauses(placed.row, { standby: null, comfortCare: null });
    liveState.deviceAlarms.removeOf(id);
  }
  putPlaced(liveState, { ...placed, since });
  return placed.row;
}

/** Returns when a move was that is entered late. Throws 422 if the patch is no move. */
function sinceOf({ since, location, state }: PatientPatch): EpochMs | undefined {
  if (since !== undefined && location === undefined && state === undefined) {
    throw impossible('is for a move');
  }
  return since === undefined ? undefined : Date.parse(since);
}

/**
 * Runs a write. Rejects with 409 `mrn_exists` if another patient of the site has the MRN, as `createPatient` does. If
 * it is the bed that somebody else took at this moment, the write runs again, and finds who is there. `id`: that of the
 * patient; null: not added yet.
 */
async function explainTaken<T>(
  { store, scope }: Pick<Writer, 'store' | 'scope'>,
  { id, mrn }: { id: number | null; mrn: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) {
      throw error;
    }
    const other = await store.db
      .selectFrom('patients')
      .select(['id', 'site_id', 'unit_id'])
      .where('site_id', '=', scope.siteId)
      .where('mrn', '=', mrn)
      .executeTakeFirst();
    if (other === undefined || other.id === id) {
      return await write();
    }
    throw mrnExists(other, scope);
  }
}

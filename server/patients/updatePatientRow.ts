import type { Kysely, Updateable } from 'kysely';
import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Actor } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import type { Database, PatientsTable } from '../db/schema';
import { HttpError } from '../http/httpError';
import { readNames } from '../users/readNames';

type Columns = Omit<Updateable<PatientsTable>, 'id' | 'version' | 'updated_at'>;
/** A patient and the version of their row that a change is for. */
interface Known {
  id: number;
  version: number;
}

/**
 * Changes columns of a patient's row, raises its version and resolves with the row. Rejects with 409
 * `changed_meanwhile` if `version` is not the row's any more: its message says who changed what. `now` is epoch
 * milliseconds.
 */
export async function updatePatientRow(
  transaction: Kysely<Database>,
  now: EpochMs,
  known: Known,
  columns: Columns,
): Promise<PatientRow> {
  const changed = await updateRow(transaction, now, known, columns);
  if (changed === undefined) {
    throw await changedMeanwhile(transaction, known.id);
  }
  return changed;
}

/**
 * Does the same, and takes the same change again, after a lost response, for done: `isRepeat`, and the row as it is. It
 * is the same if the actor has made it and no one has changed the patient since.
 */
export async function updateOnce(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  known: Known,
  columns: Columns,
): Promise<{ row: PatientRow; isRepeat: boolean }> {
  const changed = await updateRow(transaction, now, known, columns);
  if (changed !== undefined) {
    return { row: changed, isRepeat: false };
  }
  const { id, version } = known;
  const row = await transaction.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const present = new Map<string, unknown>(Object.entries(row));
  const isDone = Object.entries(columns).every(([name, value]) => value === undefined || value === present.get(name));
  if (!isDone || row.version !== version + 1 || (await readLastChange(transaction, id))?.actor_id !== actor.actorId) {
    throw await changedMeanwhile(transaction, id);
  }
  return { row, isRepeat: true };
}

async function updateRow(
  transaction: Kysely<Database>,
  now: EpochMs,
  { id, version }: Known,
  columns: Columns,
): Promise<PatientRow | undefined> {
  return await transaction
    .updateTable('patients')
    .set({ ...columns, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

async function changedMeanwhile(transaction: Kysely<Database>, id: number): Promise<HttpError> {
  const words = (await lastChangeWords(transaction, id)) ?? 'Another user has changed this patient in the meantime.';
  return new HttpError(409, 'changed_meanwhile', `${words} Look at it again, then repeat.`, { id });
}

/** What each action that raises the version changes. The fields of `change_patient` are in its details. */
const actions: Readonly<Record<string, string>> = {
  change_patient: 'this patient',
  set_spo2_target: 'the SpO2 target',
  set_news2_exemption: 'whether NEWS2 applies',
  end_news2_exemption: 'whether NEWS2 applies',
};

const fieldWords: Readonly<Record<string, string>> = {
  mrn: 'MRN',
  givenName: 'given name',
  familyName: 'family name',
  dateOfBirth: 'date of birth',
  sex: 'sex',
  location: 'bed',
  profile: 'profile',
  state: 'admission or discharge',
};

const details = z.object({ fields: z.array(z.string()).optional() });

/** Resolves with the row of the audit for the newest change of a patient's row; undefined: there is none. */
export async function readLastChange(db: Kysely<Database>, id: number) {
  return await db
    .selectFrom('audit')
    .innerJoin('patients', 'patients.id', 'audit.object_id')
    .select(['audit.action', 'audit.actor_id', 'audit.details'])
    // The index is by site and object.
    .whereRef('audit.site_id', '=', 'patients.site_id')
    .where('patients.id', '=', id)
    .where('audit.object_id', '=', id)
    .where('audit.object_type', '=', 'patient')
    .where('audit.outcome', '=', 'done')
    .where('audit.action', 'in', Object.keys(actions))
    .orderBy('audit.at', 'desc')
    .orderBy('audit.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Resolves with the newest change in words: "Noor Demo has changed bed in the meantime."; null if it is unknown. */
async function lastChangeWords(transaction: Kysely<Database>, id: number): Promise<string | null> {
  const row = await readLastChange(transaction, id);
  if (row === undefined || row.actor_id === null) {
    return null;
  }
  const { name } = (await readNames(transaction, [row.actor_id]))(row.actor_id);
  const fields = row.details === null ? undefined : readJson(details, row.details)?.fields;
  const what = fields?.map((field) => fieldWords[field] ?? field).join(', ') ?? actions[row.action] ?? 'this patient';
  return `${name} has changed ${what} in the meantime.`;
}

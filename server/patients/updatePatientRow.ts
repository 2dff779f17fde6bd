import type { Kysely, Updateable } from 'kysely';
import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import type { Database, PatientsTable } from '../db/schema';
import { HttpError } from '../http/httpError';
import { readNames } from '../users/readNames';

/**
 * Changes columns of a patient's row, raises its version and resolves with the row. Rejects with 409
 * `changed_meanwhile` if `version` is not the row's any more: its message says who changed what. `now` is epoch
 * milliseconds.
 */
export async function updatePatientRow(
  transaction: Kysely<Database>,
  now: EpochMs,
  { id, version }: { id: number; version: number },
  columns: Omit<Updateable<PatientsTable>, 'id' | 'version' | 'updated_at'>,
): Promise<PatientRow> {
  const changed = await transaction
    .updateTable('patients')
    .set({ ...columns, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) {
    const words = (await lastChange(transaction, id)) ?? 'Another user has changed this patient in the meantime.';
    throw new HttpError(409, 'changed_meanwhile', `${words} Look at it again, then repeat.`, { id });
  }
  return changed;
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

/** Resolves with the newest change in words: "Noor Demo has changed bed in the meantime."; null if it is unknown. */
async function lastChange(transaction: Kysely<Database>, id: number): Promise<string | null> {
  const row = await transaction
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
  if (row === undefined || row.actor_id === null) {
    return null;
  }
  const { name } = (await readNames(transaction, [row.actor_id]))(row.actor_id);
  const fields = row.details === null ? undefined : readJson(details, row.details)?.fields;
  const what = fields?.map((field) => fieldWords[field] ?? field).join(', ') ?? actions[row.action] ?? 'this patient';
  return `${name} has changed ${what} in the meantime.`;
}

import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { AuditEvent } from '../audit';
import type { Database } from '../db/schema';

/** The row that the address of a call names, and its site: null for both if there is no such row. */
export interface Subject {
  siteId: number | null;
  about: Pick<AuditEvent, 'objectType' | 'objectId'>;
}

interface Rows {
  table: keyof Database;
  /** The column with the patient whom the row is about. */
  patient?: 'id' | 'patient_id';
  /** What the audit calls the row if it is about no patient. */
  type?: AuditEvent['objectType'];
}

/**
 * The rows that an `:id` is of, by the words before it. Each call with one has a line, but for HL7 messages, which are
 * no rows (server/http/access.test.ts).
 */
const rowsOf: Readonly<Record<string, Rows>> = {
  patients: { table: 'patients', patient: 'id' },
  alerts: { table: 'alerts', patient: 'patient_id', type: 'alert' },
  'chart-entries': { table: 'chart_entries', patient: 'patient_id' },
  'check-in-links': { table: 'check_in_links', patient: 'patient_id' },
  handoffs: { table: 'handoffs', patient: 'patient_id' },
  'handoffs/actions': { table: 'handoff_actions', patient: 'patient_id' },
  notes: { table: 'notes', patient: 'patient_id' },
  reports: { table: 'issue_reports', patient: 'patient_id' },
  symptoms: { table: 'symptom_reports', patient: 'patient_id' },
  devices: { table: 'devices', type: 'device' },
  units: { table: 'units', type: 'unit' },
  users: { table: 'users', type: 'user' },
  'users/updateLastActive': { table: 'users', type: 'user' },
  confirmations: { table: 'users', type: 'user' },
  'admin/users': { table: 'users', type: 'user' },
  'admin/invitations': { table: 'account_tokens', type: 'invitation' },
  'admin/break-glass': { table: 'break_glass', type: 'break_glass' },
  'admin/senders': { table: 'hl7_senders', type: 'sender' },
  'admin/mappings': { table: 'bed_mappings' },
  'admin/mappings/codes': { table: 'code_mappings' },
  'site/limits/proposals': { table: 'site_proposals' },
  'site/escalation/proposals': { table: 'site_proposals' },
};

/**
 * The same by the field of a query or body, for a call whose address has no `:id`. Not `ids`: no call is refused for a
 * row out of reach in these lists, it is left out.
 */
const fieldsOf: ReadonlyMap<string, string> = new Map([
  ['patientId', 'patients'],
  ['patients', 'patients'],
  ['alerts', 'alerts'],
  ['alertIds', 'alerts'],
  ['deviceId', 'devices'],
  ['unit', 'units'],
  ['unitId', 'units'],
  ['userId', 'users'],
  ['senderId', 'admin/senders'],
]);

const path = /^\/api\/v2\/(.+?)\/:id(\/|$)/;
const fields = z.record(z.string(), z.unknown()).catch({});
const rowId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const oneId = z.union([rowId, z.object({ id: rowId }).transform(({ id }) => id)]);
const idsOf = z.union([z.array(oneId), oneId.transform((id) => [id])]);

/** Returns which rows a call asks for, in the words of the route and by id. */
export function askedFor(
  route: string,
  { params, query, body }: Record<'params' | 'query' | 'body', unknown>,
): { of: string; id: number }[] {
  const of = path.exec(route)?.[1];
  const named = { ...fields.parse(query), ...fields.parse(body) };
  const asked: [of: string | undefined, value: unknown][] =
    of === undefined
      ? Object.entries(named).map(([field, value]) => [fieldsOf.get(field), value])
      : [[of, fields.parse(params).id]];
  return asked.flatMap(([rows = '', value]) =>
    Object.hasOwn(rowsOf, rows) ? (idsOf.safeParse(value).data ?? []).map((id) => ({ of: rows, id })) : [],
  );
}

/** Resolves with the row of any site that a call has asked for. */
export async function subjectOf(db: Kysely<Database>, { of, id }: { of: string; id: number }): Promise<Subject> {
  const { table, patient, type } = rowsOf[of] ?? { table: 'patients' };
  const patientId = patient === undefined ? sql`NULL` : sql.ref(patient);
  const { rows } = await sql<{ siteId: number; patientId: number | null }>`
    SELECT site_id AS "siteId", ${patientId} AS "patientId" FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) {
    return { siteId: null, about: {} };
  }
  if (row.patientId !== null) {
    return { siteId: row.siteId, about: { objectType: 'patient', objectId: row.patientId } };
  }
  return { siteId: row.siteId, about: type === undefined ? {} : { objectType: type, objectId: id } };
}

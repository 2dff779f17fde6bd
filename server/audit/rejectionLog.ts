import type { FastifyRequest } from 'fastify';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit, type AuditEvent } from '../audit';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { createBudget } from '../http/budget';
import type { HttpError } from '../http/httpError';
import { actorOf } from './actor';
import { createOnce } from './once';

/** The row that the address of a call names, and its site: null for both if there is no such row. */
interface Subject {
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
  'admin/senders/settings': { table: 'proposals' },
  'admin/mappings/proposals': { table: 'proposals' },
  'admin/mappings': { table: 'bed_mappings' },
  'admin/mappings/codes': { table: 'code_mappings' },
  'site/limits/proposals': { table: 'proposals' },
  'site/escalation/proposals': { table: 'proposals' },
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
function askedFor(
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
async function subjectOf(db: Kysely<Database>, { of, id }: { of: string; id: number }): Promise<Subject> {
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

/** The statuses of calls for which the user has no permission. */
const recorded = new Set([403, 404, 423]);
const onceInMs = 60_000;

/** The most rows a minute that one session leaves at what it asks for. A caller who asks for more is guessing ids. */
const subjectsAMinute = 60;

/**
 * Returns a function that audits rejected calls of signed-in users, in two rows.
 *
 * The caller's site has the route pattern alone: at most one row a minute for each session and route, so that no one
 * can flood the audit. The site of what was asked for has a sealed row (`refused_subject`) with its subject: readers of
 * another site than the caller's learn no more of the caller, and the caller does not see it. If there is no such row
 * it is written without a site: a gap in the numbers of the caller's rows would say whether there is one.
 *
 * If a row cannot be written, that is logged and the call is still rejected.
 */
export function createRejectionLog(
  store: Store,
  log: Logger,
  { now, elapsed }: { now: () => EpochMs; elapsed: () => number },
): (request: FastifyRequest, error: HttpError) => Promise<void> {
  const once = createOnce(elapsed, onceInMs);
  const mayWrite = createBudget(subjectsAMinute, elapsed);
  return async (request, { status, code }) => {
    const { session, method } = request;
    const { url, config } = request.routeOptions;
    if (session === null || url === undefined || config.policy === undefined || !recorded.has(status)) {
      return;
    }
    const route = `${method} ${url}`;
    const actor = actorOf(request);
    try {
      await once(`${session.token} ${route}`, () =>
        audit(store.db, now(), actor, { action: 'refused_call', outcome: 'refused', details: { route, code } }),
      );
      // From a locked screen or a foreign page every call is refused, whatever it asks for.
      for (const asked of status === 423 || code === 'xsrf' ? [] : askedFor(url, request)) {
        await once(`${session.token} ${asked.of} ${asked.id}`, async () => {
          if (mayWrite(session.token)) {
            const { siteId, about } = await subjectOf(store.db, asked);
            const event = { action: 'refused_subject', outcome: 'refused', ...about, details: { route } } as const;
            await audit(store.db, now(), { ...actor, siteId }, event);
          }
        });
      }
    } catch (error) {
      log.error(
        { requestId: request.id, code: error instanceof Error ? error.name : 'unknown' },
        'a rejected call could not be recorded',
      );
    }
  };
}

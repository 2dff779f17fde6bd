import type { Kysely } from 'kysely';
import type { AuditAction } from '../lib/audit/actions';
import type { Actor } from './audit/actor';
import { chainHash } from './audit/chain';
import type { Database } from './db/schema';

export interface AuditEvent {
  action: AuditAction;
  outcome: 'done' | 'refused';
  objectType?: 'patient' | 'user' | 'site' | 'device' | 'unit' | 'invitation' | 'break_glass' | 'alert' | 'sender';
  objectId?: number;
  /** Names of fields or filters, counts and ids; never a clinical value or a person's name. */
  details?: Record<string, string | number | boolean | string[] | number[]>;
}

/**
 * Writes one row of the append-only audit, chained to the row before it. Call it in the transaction of the action that
 * it records: if the row cannot be written, the action does not happen. Call it last there, because it locks the audit
 * for all other writers until the commit.
 */
export async function audit(db: Kysely<Database>, at: number, actor: Actor, event: AuditEvent): Promise<void> {
  if (!db.isTransaction) {
    await db.transaction().execute((transaction) => audit(transaction, at, actor, event));
    return;
  }
  // Locks the row until the commit: a concurrent writer waits here and then sees this one's head.
  const head = await db
    .updateTable('audit_head')
    .set((before) => ({ last_id: before('last_id', '+', 1) }))
    .where('id', '=', 1)
    .returning(['last_id', 'hash'])
    .executeTakeFirstOrThrow();
  const row = {
    id: head.last_id,
    at,
    site_id: actor.siteId,
    actor: actor.actor,
    actor_id: actor.actorId,
    session: actor.session,
    ip: actor.ip,
    request_id: actor.requestId,
    action: event.action,
    object_type: event.objectType ?? null,
    object_id: event.objectId ?? null,
    outcome: event.outcome,
    details: event.details === undefined ? null : JSON.stringify(event.details),
  };
  const hash = chainHash(head.hash, row);
  await db
    .insertInto('audit')
    .values({ ...row, hash })
    .execute();
  await db.updateTable('audit_head').set({ hash }).where('id', '=', 1).execute();
}

/** As `audit`, of an act that was done; `about`: the row that it was done to. */
export async function auditDone(
  db: Kysely<Database>,
  at: number,
  actor: Actor,
  action: AuditAction,
  about: readonly [type: NonNullable<AuditEvent['objectType']>, id: number] | null = null,
  details?: AuditEvent['details'],
): Promise<void> {
  const [objectType, objectId] = about ?? [];
  await audit(db, at, actor, { action, outcome: 'done', objectType, objectId, details });
}

/** How long one audited view covers the polls that follow it, in milliseconds. */
export const viewLastsMs = 15 * 60_000;
/** The most views that are remembered. */
const mostViews = 50_000;

/**
 * One view of patient data: a patient, a query of the site's patients, a search, or the latest data of several
 * patients. The audit says who looked at whom, so a filter of it is a view as well.
 */
export type View =
  | {
      action:
        | 'read_patient'
        | 'read_vitals'
        | 'read_symptoms'
        | 'read_sparks'
        | 'read_alerts'
        | 'read_alert_log'
        | 'read_alert_history'
        | 'read_notes'
        | 'open_note'
        | 'read_chart'
        | 'read_handoffs'
        | 'read_check_in_links';
      patientId: number;
    }
  | { action: 'open_report'; reportId: number; patientId: number | null }
  | {
      action:
        | 'list_patients'
        | 'list_devices'
        | 'read_quarantine'
        | 'read_assignments'
        | 'read_audit'
        | 'read_mappings'
        | 'list_messages'
        | 'check_message';
      queryKey: string;
      details?: AuditEvent['details'];
      /** What it is about, if not about patients. */
      about?: Pick<AuditEvent, 'objectType' | 'objectId'>;
    }
  | { action: 'search_patients'; queryKey: string; filters: readonly string[]; shownIds: readonly number[] }
  | {
      action:
        | 'read_sparks'
        | 'read_chat_teams'
        | 'list_alerts'
        | 'list_alert_history'
        | 'list_handoffs'
        | 'list_reports'
        | 'read_notes'
        | 'read_followed'
        | 'read_alert_strip'
        | 'read_wall';
      patientIds: readonly number[];
    };

/** Writes the row of a view. `unseen` are the patients in it who are not on record yet. */
type WriteView = (unseen: readonly number[]) => Promise<void>;

/**
 * Creates a log that audits a view once, not once a poll. The returned function takes a session's name and a view, and
 * calls `write` before the first response and again after 15 minutes. A patient who joins a view of several patients
 * meanwhile is audited at once. Returns null if everything is on record already.
 */
export function createViewLog(
  elapsed: () => number,
): (session: string, view: View, write: WriteView) => Promise<void> | null {
  const seen = new Map<string, { at: number; patientIds: readonly number[] }>();
  return (session, view, write) => {
    const subject =
      'reportId' in view
        ? `report ${view.reportId}`
        : 'patientId' in view
          ? view.patientId
          : 'queryKey' in view
            ? view.queryKey
            : '';
    const key = `${session} ${view.action} ${subject}`;
    const at = elapsed();
    const known = seen.get(key);
    const last = known !== undefined && at - known.at < viewLastsMs ? known : null;
    const before = new Set(last?.patientIds);
    const unseen = 'patientIds' in view ? view.patientIds.filter((id) => !before.has(id)) : [];
    if ('patientIds' in view ? unseen.length === 0 : last !== null) {
      return null;
    }
    return write(unseen).then(() => {
      // The newest last: what is forgotten early is the oldest, and it is written again.
      seen.delete(key);
      seen.set(key, { at: last?.at ?? at, patientIds: [...before, ...unseen] });
      const [oldest] = seen.keys();
      if (seen.size > mostViews && oldest !== undefined) {
        seen.delete(oldest);
      }
    });
  };
}

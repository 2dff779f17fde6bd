import { sql, type CompiledQuery, type Kysely } from 'kysely';
import { isRetrospective, type Alert, type AlertEvent } from '../../lib/alerts/alert';
import type { Evidence } from '../../lib/alerts/evidence';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { heartbeatSite } from './heartbeatPatient';
import { inParts } from '../db/inParts';

/** The part of an alert's record that its history needs. */
interface HistoryRecord {
  id: number;
  siteId: number;
  patientId: number | null;
  alert: Alert;
  evidence: Pick<Evidence, 'worst'>;
  raisedAt: EpochMs;
}

/**
 * Returns the statements that keep the history of alerts (`AlertHistoryTable`) beside the alerts and the new lines of
 * their logs. Call them after those that write the alerts.
 */
export function historyQueries(
  db: Kysely<Database>,
  records: readonly HistoryRecord[],
  events: readonly { record: HistoryRecord; event: AlertEvent }[],
): CompiledQuery[] {
  const rows = records.filter(({ siteId }) => siteId !== heartbeatSite).map(rowOf);
  const lines = events.filter(({ record }) => record.siteId !== heartbeatSite);
  const actors = lines.flatMap(({ record: { id: alert_id }, event }) =>
    'by' in event ? [{ user_id: event.by, alert_id }] : [],
  );
  return [
    ...inParts(rows).map((part) =>
      db
        .insertInto('alert_history')
        .values(part)
        .onConflict((conflict) =>
          // `raised_at` stays that of the first raise.
          conflict.column('alert_id').doUpdateSet((row) => ({
            rule: row.ref('excluded.rule'),
            priority: sql`CASE WHEN 'high' IN (alert_history.priority, excluded.priority) THEN 'high'
              WHEN 'medium' IN (alert_history.priority, excluded.priority) THEN 'medium' ELSE 'low' END`,
            closed_at: row.ref('excluded.closed_at'),
          })),
        )
        .compile(),
    ),
    ...lines.flatMap(({ record, event }) => {
      const response = responseOf(event);
      return response === null
        ? []
        : db.updateTable('alert_history').set(response).where('alert_id', '=', record.id).compile();
    }),
    ...inParts(actors).map((part) =>
      db
        .insertInto('alert_actors')
        .values(part)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    ),
  ];
}

function rowOf({ id, siteId, patientId, alert, evidence, raisedAt }: HistoryRecord) {
  return {
    site_id: siteId,
    raised_at: raisedAt,
    alert_id: id,
    patient_id: patientId,
    parameter: alert.parameter,
    rule: evidence.worst?.rule ?? alert.rule,
    priority: alert.priority,
    closed_at: alert.closed?.at ?? null,
    is_retrospective: isRetrospective(alert) ? (1 as const) : (0 as const),
  };
}

/** Returns what a line of the log changes in the row of its alert; null: nothing. */
function responseOf(event: AlertEvent) {
  if (event.is === 'asked') {
    return {
      highest_step: sql<number>`CASE WHEN highest_step >= ${event.step} THEN highest_step ELSE ${event.step} END`,
    };
  }
  if (event.is === 'acknowledged') {
    return {
      acknowledged_at: sql<number>`coalesce(acknowledged_at, ${event.at})`,
      acknowledgements: sql<number>`acknowledgements + 1`,
    };
  }
  if (event.is === 'accepted') {
    return {
      accepted_at: sql<number>`coalesce(accepted_at, ${event.at})`,
      acceptances: sql<number>`acceptances + 1`,
    };
  }
  // Only the last action can be taken back: if it is the only one, it was the first one.
  if (event.is === 'acknowledgement_withdrawn') {
    return {
      acknowledged_at: sql<number>`CASE WHEN acknowledgements <= 1 THEN NULL ELSE acknowledged_at END`,
      acknowledgements: sql<number>`acknowledgements - 1`,
    };
  }
  if (event.is === 'acceptance_withdrawn') {
    return {
      accepted_at: sql<number>`CASE WHEN acceptances <= 1 THEN NULL ELSE accepted_at END`,
      acceptances: sql<number>`acceptances - 1`,
    };
  }
  return null;
}

import type { CompiledQuery, Kysely } from 'kysely';
import type { Alert } from '../../lib/alerts/alert';
import type { StoredEvent } from '../../lib/alerts/alertFacts';
import type { Evidence } from '../../lib/alerts/evidence';
import type { Database } from '../db/schema';

/** An alert with what the store knows of it beside the alert itself. One of `patientId` and `deviceId` is null. */
export interface AlertRecord {
  id: number;
  siteId: number;
  patientId: number | null;
  deviceId: number | null;
  alert: Alert;
  evidence: Evidence;
  /** When it was told first, epoch milliseconds. */
  raisedAt: number;
}

/** A line of an alert's log as it is kept; a condition that begins, or gets worse, with what it rests on. */
export type KeptEvent = StoredEvent & { evidence?: Evidence };

/** What a transaction writes about alerts. Rows are whole, so that the last word about one stands. */
export interface AlertWrites {
  records: Map<number, AlertRecord>;
  events: { record: AlertRecord; event: KeptEvent }[];
  /** By subject: where the rules stand with it, as JSON. */
  memories: Map<string, { patientId: number; deviceId: number; siteId: number; memory: string }>;
}

export const noWrites = (): AlertWrites => ({ records: new Map(), events: [], memories: new Map() });

/** SQLite takes 32,766 parameters a statement. */
const rowsPerStatement = 500;

/** The statements that write it, for whichever way a transaction runs them: in ingest nothing may wait on SQLite, and elsewhere Kysely does. */
export function queriesOf(db: Kysely<Database>, { records, events, memories }: AlertWrites): CompiledQuery[] {
  return [
    ...inParts([...records.values()].map(rowOf)).map((rows) =>
      db
        .insertInto('alerts')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((row) => ({
            rule: row.ref('excluded.rule'),
            level: row.ref('excluded.level'),
            condition: row.ref('excluded.condition'),
            closed_at: row.ref('excluded.closed_at'),
            facts: row.ref('excluded.facts'),
            evidence: row.ref('excluded.evidence'),
          })),
        )
        .compile(),
    ),
    ...inParts(events).map((part) =>
      db
        .insertInto('alert_events')
        .values(
          part.map(({ record, event }) => ({ site_id: record.siteId, alert_id: record.id, at: event.at, event: JSON.stringify(event) })),
        )
        .compile(),
    ),
    ...inParts([...memories.values()]).map((part) =>
      db
        .insertInto('watches')
        .values(
          part.map(({ patientId, deviceId, siteId, memory }) => ({ patient_id: patientId, device_id: deviceId, site_id: siteId, memory })),
        )
        .onConflict((conflict) =>
          conflict.columns(['patient_id', 'device_id']).doUpdateSet((row) => ({ memory: row.ref('excluded.memory') })),
        )
        .compile(),
    ),
  ];
}

function rowOf({ id, siteId, patientId, deviceId, alert, evidence, raisedAt }: AlertRecord) {
  return {
    id,
    site_id: siteId,
    patient_id: patientId,
    device_id: deviceId,
    parameter: alert.parameter,
    rule: alert.rule,
    level: alert.level,
    condition: alert.condition,
    started_at: alert.startedAt,
    raised_at: raisedAt,
    closed_at: alert.closed?.at ?? null,
    facts: JSON.stringify(alert),
    evidence: JSON.stringify(evidence),
  };
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, part) =>
    rows.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement),
  );
}

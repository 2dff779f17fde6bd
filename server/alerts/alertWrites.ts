import { sql, type CompiledQuery, type Expression, type Kysely } from 'kysely';
import { isRetrospective, type Alert, type AlertEvent } from '../../lib/alerts/alert';
import { unreadEvidence, type Evidence } from '../../lib/alerts/evidence';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { Sample } from '../vitals/sample';
import { historyQueries } from './historyWrites';
import { inParts } from '../db/inParts';

/** An alert with its columns in the store. One of `patientId` and `deviceId` is null. */
export interface AlertRecord {
  id: number;
  siteId: number;
  patientId: number | null;
  deviceId: number | null;
  alert: Alert;
  evidence: Evidence;
  /** When its episode was first raised, epoch milliseconds. */
  raisedAt: EpochMs;
}

/** A line of an alert's log in the store; a condition that begins or is upgraded comes with its evidence. */
export type KeptEvent = AlertEvent & { evidence?: Evidence };

/** What a transaction writes about alerts. Rows are whole, so that the last one wins. */
export interface AlertWrites {
  records: Map<number, AlertRecord>;
  events: { record: AlertRecord; event: KeptEvent }[];
  /** The rule states by subject, as JSON. */
  ruleStates: Map<string, { patientId: number; deviceId: number; siteId: number; state: string }>;
  /** By patient: the epoch minutes of late values to evaluate, and when these arrived. */
  retrospectives: Map<number, { from: number; until: number; at: EpochMs }>;
  /** Queue entries that were evaluated. If more late values arrived meanwhile, the entry waits again from `at` on. */
  evaluatedRetrospectives: { patientId: number; touches: number; at: EpochMs }[];
  /** Alerts whose rows cannot be read. The rows stay as they are, and count as open no more. */
  unreadable: { id: number; at: EpochMs }[];
}

export const noWrites = (): AlertWrites => ({
  records: new Map(),
  events: [],
  ruleStates: new Map(),
  retrospectives: new Map(),
  evaluatedRetrospectives: [],
  unreadable: [],
});

export function writesNothing(writes: AlertWrites): boolean {
  return (
    writes.records.size === 0 &&
    writes.events.length === 0 &&
    writes.ruleStates.size === 0 &&
    writes.retrospectives.size === 0 &&
    writes.evaluatedRetrospectives.length === 0 &&
    writes.unreadable.length === 0
  );
}

/** Adds what one subject writes to what its transaction writes. */
export function mergeWrites(writes: AlertWrites, more: AlertWrites): void {
  more.records.forEach((record, id) => writes.records.set(id, record));
  writes.events.push(...more.events);
  more.ruleStates.forEach((state, key) => writes.ruleStates.set(key, state));
  more.retrospectives.forEach((queued, patientId) => writes.retrospectives.set(patientId, queued));
  writes.evaluatedRetrospectives.push(...more.evaluatedRetrospectives);
  writes.unreadable.push(...more.unreadable);
}

/** Queues the minute of a late sample for a retrospective evaluation. */
export function queueRetrospective(
  { retrospectives }: AlertWrites,
  { patientId, minute, receivedAt }: Pick<Sample, 'patientId' | 'minute' | 'receivedAt'>,
): void {
  const { from, until } = retrospectives.get(patientId) ?? { from: minute, until: minute };
  retrospectives.set(patientId, { from: Math.min(from, minute), until: Math.max(until, minute), at: receivedAt });
}

/** Returns the statements that write it. Ingest runs them without awaiting SQLite; elsewhere Kysely runs them. */
export function queriesOf(
  db: Kysely<Database>,
  { records, events, ruleStates, retrospectives, evaluatedRetrospectives, unreadable }: AlertWrites,
): CompiledQuery[] {
  const lines = events.map(({ record: { siteId: site_id, id: alert_id }, event }) => {
    return { site_id, alert_id, at: event.at, event: JSON.stringify(event) };
  });
  const states = [...ruleStates.values()].map(({ patientId: patient_id, deviceId: device_id, siteId, state }) => {
    return { patient_id, device_id, site_id: siteId, state };
  });
  const queued = [...retrospectives].map(([patient_id, { from, until, at }]) => {
    return { patient_id, from_minute: from, until_minute: until, since: at, touched_at: at, touches: 1 };
  });
  return [
    // First: a new alert of the same parameter may follow.
    ...unreadable.map(({ id, at }) =>
      db.updateTable('alerts').set({ unreadable_at: at }).where('id', '=', id).compile(),
    ),
    ...inParts([...records.values()].map(rowOf)).map((rows) =>
      db
        .insertInto('alerts')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((row) => ({
            rule: row.ref('excluded.rule'),
            priority: row.ref('excluded.priority'),
            condition: row.ref('excluded.condition'),
            raised_at: row.ref('excluded.raised_at'),
            closed_at: row.ref('excluded.closed_at'),
            facts: row.ref('excluded.facts'),
            evidence: keptIfUnread(row.ref('alerts.evidence'), row.ref('excluded.evidence')),
          })),
        )
        .compile(),
    ),
    ...inParts(lines).map((rows) => db.insertInto('alert_events').values(rows).compile()),
    ...historyQueries(db, [...records.values()], events),
    ...inParts(states).map((rows) =>
      db
        .insertInto('rule_states')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['patient_id', 'device_id']).doUpdateSet((row) => ({ state: row.ref('excluded.state') })),
        )
        .compile(),
    ),
    ...inParts(queued).map((rows) =>
      db
        .insertInto('retrospective_queue')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('patient_id').doUpdateSet((row) => ({
            from_minute: least(row.ref('retrospective_queue.from_minute'), row.ref('excluded.from_minute')),
            until_minute: greatest(row.ref('retrospective_queue.until_minute'), row.ref('excluded.until_minute')),
            touched_at: row.ref('excluded.touched_at'),
            touches: sql<number>`${row.ref('retrospective_queue.touches')} + 1`,
          })),
        )
        .compile(),
    ),
    ...evaluatedRetrospectives.flatMap(({ patientId, touches, at }) => [
      db.deleteFrom('retrospective_queue').where('patient_id', '=', patientId).where('touches', '=', touches).compile(),
      db.updateTable('retrospective_queue').set({ since: at }).where('patient_id', '=', patientId).compile(),
    ]),
  ];
}

/** Returns the new evidence, or what the row has if the new one is empty (`unreadEvidence`). */
const keptIfUnread = (before: Expression<string>, after: Expression<string>) =>
  sql<string>`CASE WHEN ${after} = '' THEN ${before} ELSE ${after} END`;

type Column = Expression<number>;

/** In SQL that both engines understand. */
const least = (a: Column, b: Column) => sql<number>`CASE WHEN ${a} < ${b} THEN ${a} ELSE ${b} END`;
const greatest = (a: Column, b: Column) => sql<number>`CASE WHEN ${a} > ${b} THEN ${a} ELSE ${b} END`;

function rowOf({ id, siteId, patientId, deviceId, alert, evidence, raisedAt }: AlertRecord) {
  return {
    id,
    site_id: siteId,
    patient_id: patientId,
    device_id: deviceId,
    parameter: alert.parameter,
    rule: alert.rule,
    priority: alert.priority,
    condition: alert.condition,
    started_at: alert.startedAt,
    raised_at: raisedAt,
    closed_at: alert.closed?.at ?? null,
    is_retrospective: isRetrospective(alert) ? (1 as const) : (0 as const),
    facts: JSON.stringify(alert),
    // What cannot be read stays as it is.
    evidence: evidence === unreadEvidence ? '' : JSON.stringify(evidence),
  };
}

import { sql, type Kysely, type RawBuilder } from 'kysely';
import { getOrAdd } from '../../lib/getOrAdd';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { openMinutesAhead } from '../vitals/openMinutes';
import { readProgress } from '../vitals/progress';
import { movedFrom } from './movedFrom';

/** Samples of this many minutes before the newest one of a series may be evaluated again (loadRuleStates). */
const monitoredMinutes = 15;
/** The same for a patient at home. */
const homeMinutes = 200;
/** Of a slow feed, so many earlier minutes with samples. */
const earlierMinutes = 20;
/** Series of one step: some 50 ms of the thread that answers every request. */
const seriesPerStep = 10;
/** Standbys of so many milliseconds count together (clinical.md section 0, B1). */
const countedMs = 4 * 3_600_000;
/** Greater values are no instants: a lock without an end. */
const noEnd = 1e14;

/**
 * Moves what runs in the store with a step of the clock, in the caller's transaction: rule states, alerts, pauses,
 * sessions, waits, the offsets of devices, the times of samples that may be evaluated again, and what is so new that
 * its age matters (`movedFrom`). `until` is the time after the step. `takenAt` of samples, the audit and the logs of
 * alerts stay as they were written, and since when an entry of a chart holds: a person stated that. Epoch milliseconds.
 */
export async function moveStore(db: Kysely<Database>, ms: number, until: EpochMs): Promise<void> {
  await moveSamples(db, ms);
  await moveRules(db, ms);
  for (const statement of [...runningMoves(ms, until), ...recentMoves(ms, until)]) {
    await statement.execute(db);
  }
}

async function moveSamples(db: Kysely<Database>, ms: number): Promise<void> {
  const series = await db
    .selectFrom('latest_values')
    .innerJoin('patients', 'patients.id', 'latest_values.patient_id')
    .select(['patient_id', 'kind', 'minute', 'taken_at', 'profile'])
    .execute();
  const openFrom = await readProgress(db, 'closed_until');
  const open = await db
    .selectFrom('minutes_to_redo')
    .select(['patient_id', 'kind', 'minute'])
    .union(
      db
        .selectFrom('samples')
        .select(['patient_id', 'kind', 'minute'])
        .distinct()
        .where('minute', '>=', openFrom)
        .where('minute', '<', openFrom + 2 * openMinutesAhead),
    )
    .execute();
  const minutes = new Map<string, { patient_id: number; kind: number; minutes: Set<number> }>();
  const add = (patient_id: number, kind: number, first: number, last: number): void => {
    const begin = () => ({ patient_id, kind, minutes: new Set<number>() });
    const known = getOrAdd(minutes, `${patient_id} ${kind}`, begin);
    for (let minute = first; minute <= last; minute += 1) {
      known.minutes.add(minute);
    }
  };
  for (const { patient_id, kind, minute, taken_at, profile } of series) {
    const newest = minute ?? Math.floor(taken_at / 60_000);
    add(patient_id, kind, newest - (profile === 'home' ? homeMinutes : monitoredMinutes), newest + 1);
  }
  for (const { patient_id, kind, minute } of open) {
    add(patient_id, kind, minute - monitoredMinutes, minute);
  }
  let moved = 0;
  for (const one of minutes.values()) {
    moved += 1;
    if (moved % seriesPerStep === 0) {
      // Health checks and what needs no store go on.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const earlier = await db
      .selectFrom('minutes')
      .select('minute')
      .where('patient_id', '=', one.patient_id)
      .where('kind', '=', one.kind)
      .where('count', '>', 0)
      .orderBy('minute', 'desc')
      .limit(earlierMinutes)
      .execute();
    await db
      .updateTable('samples')
      .set((row) => ({ received_at: row('received_at', '+', ms), offset_ms: row('offset_ms', '+', ms) }))
      .where('minute', 'in', [...new Set([...one.minutes, ...earlier.map(({ minute }) => minute)])])
      .where('patient_id', '=', one.patient_id)
      .where('kind', '=', one.kind)
      .execute();
  }
}

/**
 * No count, value, id or duration in milliseconds is as great; instants from September 2001 to the year 5138 are. The
 * process has no earlier time (`earliestDate` in server/clock/clock), so an instant that was moved can move back.
 */
const leastInstant = 1e12;
const greatestInstant = 1e14;

/**
 * Takes JSON that the rules keep and returns it with every instant in it moved by `ms`, whatever its fields are called:
 * a list of them would forget one. JSON that cannot be read stays as it is: it stops no step.
 */
export function moveInstants(json: string, ms: number): string {
  try {
    const moved: unknown = JSON.parse(json, (_, value: unknown) =>
      typeof value === 'number' && value >= leastInstant && value < greatestInstant ? value + ms : value,
    );
    return JSON.stringify(moved);
  } catch {
    return json;
  }
}

/** Moves rule states, and every alert from which the rules may go on. */
async function moveRules(db: Kysely<Database>, ms: number): Promise<void> {
  for (const { patient_id, device_id, state } of await db.selectFrom('rule_states').selectAll().execute()) {
    await db
      .updateTable('rule_states')
      .set({ state: moveInstants(state, ms) })
      .where('patient_id', '=', patient_id)
      .where('device_id', '=', device_id)
      .execute();
  }
  const newest = db
    .selectFrom('alerts')
    .select((select) => select.fn.max('id').as('id'))
    .where('is_retrospective', '=', 0)
    .groupBy(['patient_id', 'device_id', 'parameter']);
  const alerts = await db
    .selectFrom('alerts')
    .select(['id', 'started_at', 'raised_at', 'closed_at', 'facts', 'evidence'])
    .where((where) => where.or([where('closed_at', 'is', null), where('id', 'in', newest)]))
    .execute();
  for (const { id, started_at, raised_at, closed_at, facts, evidence } of alerts) {
    await db
      .updateTable('alerts')
      .set({
        started_at: started_at + ms,
        raised_at: raised_at + ms,
        closed_at: closed_at === null ? null : closed_at + ms,
        facts: moveInstants(facts, ms),
        evidence: moveInstants(evidence, ms),
      })
      .where('id', '=', id)
      .execute();
    await db
      .updateTable('alert_history')
      .set((row) => ({
        raised_at: row('raised_at', '+', ms),
        closed_at: row('closed_at', '+', ms),
        acknowledged_at: row('acknowledged_at', '+', ms),
        accepted_at: row('accepted_at', '+', ms),
      }))
      .where('alert_id', '=', id)
      .execute();
  }
}

/** What runs: its times are compared with the present. */
const runningMoves = (ms: number, until: EpochMs): RawBuilder<unknown>[] => [
  sql`UPDATE latest_values SET received_at = received_at + ${ms}, offset_ms = offset_ms + ${ms},
    valid_as_of = valid_as_of + ${ms}`,
  sql`UPDATE devices SET clock_offset_ms = clock_offset_ms + ${ms}`,
  sql`UPDATE break_glass SET started_at = started_at + ${ms}, ends_at = ends_at + ${ms} WHERE ends_at > ${until - ms}`,
  // Ended ones too: they count for what may follow within hours.
  sql`UPDATE standbys SET started_at = started_at + ${ms}, until = until + ${ms}, ended_at = ended_at + ${ms}
    WHERE ended_at IS NULL OR ended_at > ${until - ms - countedMs}`,
  sql`UPDATE handoffs SET given_at = given_at + ${ms}, returned_at = returned_at + ${ms}
    WHERE state IN ('given', 'returned')`,
  sql`UPDATE issue_reports SET alarm_at = alarm_at + ${ms} WHERE alarm_at IS NOT NULL AND alarm_ended_at IS NULL`,
  sql`UPDATE proposals SET expires_at = expires_at + ${ms} WHERE state = 'proposed'`,
  sql`UPDATE device_alarms SET started_at = started_at + ${ms}, last_seen_at = last_seen_at + ${ms}
    WHERE ended_at IS NULL`,
  sql`UPDATE comfort_cares SET confirmed_at = confirmed_at + ${ms} WHERE ended_at IS NULL`,
  sql`UPDATE retrospective_queue SET since = since + ${ms}, touched_at = touched_at + ${ms}`,
  sql`UPDATE sessions SET created_at = created_at + ${ms}, expires_at = expires_at + ${ms},
    last_input_at = last_input_at + ${ms}, locked_at = locked_at + ${ms} WHERE ended_at IS NULL`,
  sql`UPDATE throttles SET failed_at = failed_at + ${ms},
    blocked_until = CASE WHEN blocked_until < ${noEnd} THEN blocked_until + ${ms} ELSE blocked_until END`,
  sql`UPDATE account_tokens SET created_at = created_at + ${ms}, expires_at = expires_at + ${ms}
    WHERE used_at IS NULL AND voided_at IS NULL`,
  sql`UPDATE check_in_links SET created_at = created_at + ${ms}, expires_at = expires_at + ${ms},
    locked_at = locked_at + ${ms}, misused_at = misused_at + ${ms}, opened_at = opened_at + ${ms},
    last_opened_at = last_opened_at + ${ms} WHERE revoked_at IS NULL`,
  sql`UPDATE check_in_tries SET tried_at = tried_at + ${ms}`,
  // All: the rule state says up to which of them a person has answered, and it moves.
  sql`UPDATE check_in_calls SET requested_at = requested_at + ${ms}`,
];

/** What is so new that its age matters: it is as old after the step as before. */
const recent = {
  sites: ['created_at', 'intended_use_accepted_at'],
  patients: ['created_at', 'updated_at'],
  patient_stays: ['started_at', 'ended_at'],
  patient_moves: ['moved_at', 'recorded_at', 'released_at'],
  chart_entries: ['recorded_at'],
  chart_marks: ['marked_at'],
  devices: ['created_at'],
  hl7_senders: ['accepted_at', 'settings_at'],
  proposals: ['proposed_at'],
  bed_mappings: ['proposed_at', 'confirmed_at', 'ended_at', 'undone_at'],
  code_mappings: ['proposed_at', 'confirmed_at', 'ended_at', 'undone_at'],
  bed_replays: ['since', 'made_at'],
  withdrawals: ['since', 'until', 'made_at'],
  // So that a repeat is known as long after a step back.
  hl7_answers: ['answered_at'],
  device_assignments: ['assigned_at', 'ended_at'],
  users: ['last_active_at'],
  symptom_reports: ['recorded_at', 'reported_at'],
  notes: ['event_at', 'written_at', 'signed_at', 'changed_at'],
  note_entries: ['added_at'],
  patient_follows: ['followed_at'],
  handoffs: ['created_at', 'changed_at', 'received_at'],
  handoff_actions: ['done_at'],
} satisfies Partial<Record<keyof Database, readonly string[]>>;
const recentMoves = (ms: number, until: EpochMs): RawBuilder<unknown>[] =>
  Object.entries(recent).flatMap(([table, columns]) =>
    columns.map(
      (column) =>
        sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} + ${ms}
          WHERE ${sql.ref(column)} > ${movedFrom(ms, until)}`,
    ),
  );

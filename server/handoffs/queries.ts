import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { groupBy } from '../../lib/groupBy';
import { handoffFacts, type Handoff, type HandoffFacts, type WardHandoff } from '../../lib/handoffs/schema';
import { severities, type Severity } from '../../lib/handoffs/severities';
import { readJson } from '../../lib/readJson';
import { compareText, firstDifference } from '../../lib/sortOrder';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { readNames } from '../users/readNames';
import { presentAddressee, readActionsOf, readOpenActions } from './actions';
import { presentIdentity } from './facts';
import type { HandoffRow } from './findHandoff';

/** The most handoffs of one patient in a response. */
const historyLength = 30;

const contingencies = z.array(z.object({ condition: z.string(), action: z.string() }));

/** Resolves with a patient's handoffs, the newest first; a withdrawn draft that no one got is left out. */
export async function readHandoffsOf(db: Kysely<Database>, patientId: number): Promise<HandoffRow[]> {
  return await db
    .selectFrom('handoffs')
    .selectAll()
    .where('patient_id', '=', patientId)
    .where((where) => where.or([where('state', '!=', 'withdrawn'), where('given_at', 'is not', null)]))
    .orderBy('id', 'desc')
    .limit(historyLength)
    .execute();
}

/**
 * Resolves with handoffs in the form of API responses. `facts` are those of now, by patient, for what is still written;
 * null: responses have none at all.
 */
export async function presentHandoffs(
  db: Kysely<Database>,
  rows: readonly HandoffRow[],
  facts: ReadonlyMap<number, HandoffFacts> | null,
): Promise<Handoff[]> {
  const ids = rows.map(({ id }) => id);
  const actions = await readActionsOf(db, ids);
  const carriedIds = [...new Set(rows.flatMap(({ carried_from }) => carried_from ?? []))];
  const carried =
    carriedIds.length === 0
      ? []
      : await db.selectFrom('handoffs').select(['id', 'given_at']).where('id', 'in', carriedIds).execute();
  const givenAt = new Map(carried.map(({ id, given_at }) => [id, given_at]));
  const nameOf = await readNames(
    db,
    rows.flatMap((row) =>
      [row.receiver_id, row.changed_by, row.giver_id, row.received_by, row.returned_by].flatMap((id) => id ?? []),
    ),
  );
  const personOf = (id: number | null) => (id === null ? null : nameOf(id));
  return rows.map((row) => ({
    id: row.id,
    patientId: row.patient_id,
    version: row.version,
    state: row.state,
    severity: row.severity,
    summary: row.summary,
    contingencies: readJson(contingencies, row.contingencies) ?? [],
    actions: actions.get(row.id) ?? [],
    receiver: presentAddressee(row.receiver_id, row.receiver_role, nameOf) ?? { role: 'nurse' },
    carriedFrom:
      row.carried_from === null
        ? null
        : { id: row.carried_from, givenAt: instantOrNull(givenAt.get(row.carried_from) ?? null) },
    reviewedAt: instantOrNull(row.reviewed_at),
    changedBy: nameOf(row.changed_by),
    changedAt: toInstant(row.changed_at),
    giver: personOf(row.giver_id),
    givenAt: instantOrNull(row.given_at),
    receivedBy: personOf(row.received_by),
    receivedAt: instantOrNull(row.received_at),
    readBack: row.read_back,
    question: row.question,
    returnedBy: personOf(row.returned_by),
    facts: facts === null ? null : factsOf(row, facts),
  }));
}

/** Returns what was known when a handoff was given; of one that is written, what is known now. */
function factsOf(row: HandoffRow, now: ReadonlyMap<number, HandoffFacts>): HandoffFacts | null {
  if (row.state === 'draft' || row.state === 'returned') {
    return now.get(row.patient_id) ?? null;
  }
  return row.facts === null ? null : readJson(handoffFacts, row.facts);
}

/** Resolves with the current handoffs of a site's patients, those that are over left out. */
export async function readCurrent(db: Kysely<Database>, siteId: number): Promise<HandoffRow[]> {
  return await db
    .selectFrom('handoffs')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('state', 'in', ['draft', 'given', 'returned', 'received'])
    .orderBy('id')
    .execute();
}

const order: readonly string[] = Object.keys(severities);

/** Compares two patients for a list of handoffs: unstable, watcher, stable, then those without a severity. */
function inOrderOfSeverity(one: Severity | null, other: Severity | null): number {
  const rank = (severity: Severity | null): number => (severity === null ? order.length : order.indexOf(severity));
  return rank(one) - rank(other);
}

/**
 * Resolves with patients and their current handoffs (`rows`), unstable first, then by bed. `facts` as in
 * `presentHandoffs`.
 */
export async function presentWard(
  db: Kysely<Database>,
  liveState: LiveState,
  patients: readonly PatientRow[],
  rows: readonly HandoffRow[],
  facts: ReadonlyMap<number, HandoffFacts> | null,
): Promise<WardHandoff[]> {
  const handoffs = await presentHandoffs(db, rows, facts);
  const byPatient = groupBy(handoffs, ({ patientId }) => patientId);
  const openActions = await readOpenActions(db, [...byPatient.keys()]);
  const presented = patients.map((row): WardHandoff => {
    const own = byPatient.get(row.id) ?? [];
    const lastOf = (...states: readonly Handoff['state'][]): Handoff | null =>
      own.findLast(({ state }) => states.includes(state)) ?? null;
    const [writing, given, received] = [lastOf('draft', 'returned'), lastOf('given'), lastOf('received')];
    return {
      patient: { id: row.id, profile: row.profile, ...presentIdentity(liveState, row) },
      severity: writing?.severity ?? given?.severity ?? received?.severity ?? null,
      writing,
      given,
      received,
      openActions: openActions.get(row.id) ?? [],
    };
  });
  // To sort a ward of thousands takes as long as to read it, and to serialise it likewise.
  await turn();
  presented.sort((one, other) =>
    firstDifference(
      inOrderOfSeverity(one.severity, other.severity),
      // Who has no bed comes last, as on the list of patients.
      Number(one.patient.unit === null) - Number(other.patient.unit === null),
      compareText(one.patient.unit ?? '', other.patient.unit ?? ''),
      compareText(one.patient.bed ?? '', other.patient.bed ?? ''),
      one.patient.id - other.patient.id,
    ),
  );
  await turn();
  return presented;
}

import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import type { Handoff, HandoffFacts, HandoffResult, OwnHandoffs } from '../../lib/handoffs/schema';
import type { User } from '../../lib/session/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { shiftOf } from '../assignments/shiftOf';
import type { HandoffActionsTable } from '../db/handoffTables';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireScope, sessionOf } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { requireAuthor } from '../notes/documents';
import { unitChoices } from '../patients/queries';
import { requirePatient } from '../patients/requirePatient';
import { writerOf } from '../patients/writerOf';
import type { App, Server } from '../server';
import { finishAction, readOpenActions } from './actions';
import { saveHandoff, startHandoff } from './drafts';
import { readFacts } from './facts';
import { findHandoff, type HandoffRow } from './findHandoff';
import { giveHandoff, returnHandoff, withdrawHandoff } from './give';
import { presentHandoffs, presentWard, readCurrent, readHandoffsOf } from './queries';
import { receiveHandoff } from './receive';

type Owner = Pick<HandoffActionsTable, 'owner_id' | 'owner_role'>;

/**
 * Resolves with the open actions of `patients` that are a user's own, the first due first: theirs by name, or those of
 * a role that they have in this shift. With them how many handoffs wait for the user to receive them: a role can be
 * taken by each user who may have it, because the next shift may not be assigned yet.
 */
async function readOwnHandoffs(
  db: Kysely<Database>,
  liveState: LiveState,
  user: User,
  patients: readonly PatientRow[],
  now: EpochMs,
): Promise<OwnHandoffs> {
  const { start } = shiftOf(user.site, 'current', now);
  const unitOf = (row: PatientRow): number => liveState.unitOf(row)?.id ?? 0;
  const has = (row: PatientRow, wanted: NonNullable<Owner['owner_role']>): boolean =>
    holders(liveState.assignmentsOf(unitOf(row)), start).some(
      ({ role, patientId, userId }) =>
        role === wanted && userId === user.id && (patientId === null || patientId === row.id),
    );
  const byId = new Map(patients.map((row) => [row.id, row]));
  const actions = [...(await readOpenActions(db, [...byId.keys()]))].flatMap(([patientId, ofPatient]) =>
    ofPatient
      .filter(({ owner }) => {
        const row = byId.get(patientId);
        return (
          owner !== null && row !== undefined && ('name' in owner ? owner.userId === user.id : has(row, owner.role))
        );
      })
      .map((action) => ({ ...action, patientId })),
  );
  const dueOf = ({ dueAt }: { dueAt: string | null }): number =>
    dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt);
  const given = await db
    .selectFrom('handoffs')
    .select(['patient_id', 'receiver_id', 'receiver_role'])
    .where('state', '=', 'given')
    .where('site_id', '=', user.siteId)
    .where('giver_id', '!=', user.id)
    .execute();
  const waiting = given.filter(({ patient_id, receiver_id, receiver_role }) => {
    const row = byId.get(patient_id);
    return (
      row !== undefined &&
      (receiver_role === null ? receiver_id === user.id : canHold(receiver_role, user, unitOf(row)))
    );
  });
  return {
    actions: actions.toSorted((one, other) => firstDifference(dueOf(one) - dueOf(other), one.id - other.id)),
    waiting: waiting.length,
  };
}

/** Handoffs of patients from one user to the next. */
export function handoffRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, now, auditView } = server;

  const by = (request: FastifyRequest, authorId: number) => ({ ...writerOf(server, request, 'writeNotes'), authorId });
  /** Resolves with what is known now of the patients of handoffs that are still written. */
  const factsOf = async (request: FastifyRequest, rows: readonly HandoffRow[]): Promise<Map<number, HandoffFacts>> => {
    const written = rows.filter(({ state }) => state === 'draft' || state === 'returned');
    const patients = new Set(written.flatMap(({ patient_id }) => liveState.patients.get(patient_id) ?? []));
    return await readFacts(server, sessionOf(request).user, [...patients], now());
  };
  const presented = async (request: FastifyRequest, row: HandoffRow): Promise<Handoff> => {
    const [handoff] = await presentHandoffs(store.db, [row], await factsOf(request, [row]));
    if (handoff === undefined) {
      throw new Error('one row gave no handoff');
    }
    return handoff;
  };
  const activeIn = (scope: Scope): PatientRow[] =>
    [...liveState.patients.values()].filter((row) => row.state === 'active' && inScope(scope, row));

  on(app, 'listHandoffs', async (request) => {
    const { unit, facts: isWithFacts } = request.query;
    const scope = requireScope(request, 'readNotes', now());
    const all = activeIn(scope);
    const patients = unit === undefined ? all : all.filter(({ unit_id }) => unit_id === unit);
    const ids = new Set(patients.map(({ id }) => id));
    await auditView(request, { action: 'list_handoffs', patientIds: [...ids] });
    const rows = await readCurrent(store.db, scope.siteId);
    const ofWard = rows.filter(({ patient_id }) => ids.has(patient_id));
    const facts = isWithFacts ? await factsOf(request, ofWard) : null;
    const items = await presentWard(store.db, liveState, patients, ofWard, facts);
    return { items, total: items.length, units: unitChoices(liveState, all) };
  });

  on(app, 'readOwnHandoffs', async (request) => {
    const patients = activeIn(requireScope(request, 'readNotes', now()));
    const own = await readOwnHandoffs(store.db, liveState, sessionOf(request).user, patients, now());
    await auditView(request, { action: 'list_handoffs', patientIds: own.actions.map(({ patientId }) => patientId) });
    return own;
  });

  on(app, 'readPatientHandoffs', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readNotes', now()));
    await auditView(request, { action: 'read_handoffs', patientId: patient.id });
    const rows = await readHandoffsOf(store.db, patient.id);
    const open = await readOpenActions(store.db, [patient.id]);
    return {
      items: await presentHandoffs(store.db, rows, await factsOf(request, rows)),
      openActions: open.get(patient.id) ?? [],
    };
  });

  on(app, 'startHandoffs', async (request) => {
    const { patientIds, authorId } = request.body;
    const writer = by(request, authorId);
    requireAuthor(writer, authorId);
    const started: { patientId: number; row: HandoffRow | null; error: HandoffResult['error'] }[] = [];
    for (const patientId of new Set(patientIds)) {
      const { done: row, error } = await attempt(() => startHandoff(writer, patientId));
      started.push({ patientId, row, error });
    }
    const rows = started.flatMap(({ row }) => row ?? []);
    const known = await presentHandoffs(store.db, rows, await factsOf(request, rows));
    await auditView(request, { action: 'list_handoffs', patientIds: rows.map(({ patient_id }) => patient_id) });
    return {
      items: started.map(({ patientId, row, error }) => ({
        patientId,
        handoff: known.find(({ id }) => id === row?.id) ?? null,
        error,
      })),
    };
  });

  on(app, 'saveHandoff', async (request) =>
    presented(request, await saveHandoff(by(request, request.body.authorId), request.params.id, request.body)),
  );

  on(app, 'giveHandoffs', async (request) => {
    const writer = by(request, request.body.authorId);
    const { ids } = request.body;
    const known: HandoffRow[] = [];
    for (const { id } of ids) {
      const { done: row } = await attempt(() => findHandoff(writer, store.db, id));
      known.push(...(row === null ? [] : [row]));
    }
    const facts = await factsOf(request, known);
    return await eachOf(ids, async ({ id, version }) => {
      const row = known.find((each) => each.id === id) ?? (await findHandoff(writer, store.db, id));
      const patient = requirePatient(liveState, row.patient_id, writer.scope);
      const ofPatient =
        facts.get(patient.id) ?? (await readFacts(server, writer.user, [patient], now())).get(patient.id);
      if (ofPatient === undefined) {
        throw new Error('a patient without facts');
      }
      const given = await giveHandoff(writer, { id, version }, ofPatient);
      await alerts.reconsider(patient.id);
      return given;
    });
  });

  on(app, 'receiveHandoffs', async (request) => {
    const writer = by(request, request.body.authorId);
    const { ids, readBack } = request.body;
    return await eachOf(ids, async ({ id, version }) => {
      const received = await receiveHandoff(writer, alerts, { id, version, readBack });
      await alerts.reconsider(received.patient_id);
      return received;
    });
  });

  on(app, 'returnHandoff', async (request) => {
    const returned = await returnHandoff(by(request, request.body.authorId), request.params.id, request.body);
    await alerts.reconsider(returned.patient_id);
    return await presented(request, returned);
  });

  on(app, 'withdrawHandoff', async (request) => {
    const withdrawn = await withdrawHandoff(
      by(request, request.body.authorId),
      request.params.id,
      request.body.version,
    );
    await alerts.reconsider(withdrawn.patient_id);
    return await presented(request, withdrawn);
  });

  on(app, 'finishHandoffAction', async (request) => {
    const { authorId, isDone } = request.body;
    await finishAction(by(request, authorId), request.params.id, isDone);
  });

  /** Does the same with each handoff: one that is refused takes no other with it. */
  async function eachOf(
    ids: readonly { id: number; version: number }[],
    act: (each: { id: number; version: number }) => Promise<HandoffRow>,
  ): Promise<{ items: HandoffResult[] }> {
    const results: { id: number; row: HandoffRow | null; error: HandoffResult['error'] }[] = [];
    for (const each of ids) {
      const { done: row, error } = await attempt(() => act(each));
      results.push({ id: each.id, row, error });
    }
    const shown = await presentHandoffs(
      store.db,
      results.flatMap(({ row }) => row ?? []),
      new Map(),
    );
    return {
      items: results.map(({ id, error }) => ({ id, handoff: shown.find((each) => each.id === id) ?? null, error })),
    };
  }
}

/** Resolves with a result, or with what a refusal says. Other errors go on. */
async function attempt<Result>(
  act: () => Promise<Result>,
): Promise<{ done: Result; error: null } | { done: null; error: NonNullable<HandoffResult['error']> }> {
  try {
    return { done: await act(), error: null };
  } catch (error) {
    if (!(error instanceof HttpError)) {
      throw error;
    }
    const { code, message, details } = error;
    return { done: null, error: { code, message, fields: details.fields } };
  }
}

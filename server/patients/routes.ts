import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { News2Exemptions } from '../../lib/patients/news2Exemption';
import { patientNews2 } from '../../lib/patients/patientNews2';
import type { SwapBeds } from '../../lib/patients/schema';
import { readJson } from '../../lib/readJson';
import { reachOf } from '../../lib/session/permissions';
import { presentPauses } from '../alerts/pauses';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { idsOf } from '../audit/createViewAudit';
import { hold } from '../db/hold';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireScope, sessionOf } from '../http/access';
import { forbidden, HttpError } from '../http/httpError';
import { on } from '../http/on';
import { inScope } from '../http/scope';
import type { App, Server } from '../server';
import { responseVersion } from './board';
import { changePatient, createPatient } from './commands';
import { likelyPairs } from './likelyDuplicates';
import { filtersOf, listQueryOf } from './listQuery';
import { changeNews2Exemption, readNews2Exemptions } from './news2Exemption';
import { listPatients, presentPatient } from './queries';
import { recordMove } from './recordMove';
import { requirePatient, requireActivePatient } from './requirePatient';
import { readSpo2Target, setSpo2Target } from './spo2Target';
import { readLastChange, updatePatientRow } from './updatePatientRow';
import { writerOf, type Writer } from './writerOf';

/**
 * Gives each of two patients the other's bed, both or neither, and resolves with their rows. The same swap again, after
 * a lost response, changes nothing. Rejects with 404 if one is
 * out of reach, with 409 `patient_discharged`, `no_bed` or `changed_meanwhile`, and with 422 as `recordMove` does.
 */
async function swapBeds(
  { store, liveState, now, actor, scope }: Writer,
  { patients, since: sinceText }: SwapBeds,
): Promise<PatientRow[]> {
  // Two swaps of the same patients lock their rows in one order.
  const [first, second] = [...patients]
    .sort((a, b) => a.id - b.id)
    .map(({ id, version }) => ({ ...requireActivePatient(liveState, id, scope), version }));
  if (first === undefined || second === undefined) {
    throw new Error('a swap without two patients was not refused');
  }
  if (first.unit_id === null || second.unit_id === null) {
    throw new HttpError(409, 'no_bed', 'One of the two patients has no bed.');
  }
  const since = sinceText === undefined ? undefined : Date.parse(sinceText);
  const moves = [
    { from: first, to: second },
    { from: second, to: first },
  ];
  const rows = await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', scope.siteId);
    const before = await readSwapped(transaction, actor, [first, second]);
    if (before !== null) {
      return before;
    }
    // The second one leaves first: a bed never has two, not even inside the transaction.
    await transaction.updateTable('patients').set({ bed: null }).where('id', '=', second.id).execute();
    const changed: PatientRow[] = [];
    for (const { from, to } of moves) {
      const { unit_id, bed, shares_bed } = to;
      changed.push(await updatePatientRow(transaction, now, from, { unit_id, bed, shares_bed }));
      await recordMove(transaction, now, actor, 'moved', from, { from, to, since });
      await auditDone(transaction, now, actor, 'change_patient', ['patient', from.id], {
        ...{ fields: ['location'], swappedWith: to.id },
        ...(sinceText === undefined ? {} : { since: sinceText }),
      });
    }
    return changed;
  });
  rows.forEach((row) => {
    liveState.putPatient(row, since);
  });
  return rows;
}

const swapDetails = z.object({ swappedWith: z.int() });

/**
 * Resolves with the rows of two patients if their last change is that this user has swapped them, from the versions
 * that are named here; else with null.
 */
async function readSwapped(
  transaction: Kysely<Database>,
  actor: Actor,
  pair: readonly [Known, Known],
): Promise<PatientRow[] | null> {
  const rows: PatientRow[] = [];
  for (const [{ id, version }, other] of [pair, [pair[1], pair[0]] as const]) {
    const row = await transaction.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (row.version !== version + 1) {
      return null;
    }
    const last = await readLastChange(transaction, id);
    const details = last?.details == null ? undefined : readJson(swapDetails, last.details);
    if (last?.actor_id !== actor.actorId || details?.swappedWith !== other.id) {
      return null;
    }
    rows.push(row);
  }
  return rows;
}

type Known = Pick<PatientRow, 'id' | 'version'>;

/** The patients of the user's site: the polled list, search, one patient, add and change. */
export function patientRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, board, now, auditView } = server;
  on(app, 'listPatients', (request, reply) => {
    const { after, ...asked } = request.query;
    const query = listQueryOf(liveState, sessionOf(request).user, asked, now());
    const snapshot = board(requireScope(request, 'readPatients', now()), query);
    const recorded = auditView(request, {
      action: 'list_patients',
      queryKey: snapshot.queryKey,
      details: { count: snapshot.page.total, filters: filtersOf(query), patientIds: idsOf(snapshot.page.items) },
    });
    const send = (): FastifyReply => sendSnapshot(request, reply, snapshot, after);
    // A poll that is on record already does not wait.
    return recorded === null ? send() : recorded.then(send);
  });

  on(app, 'searchPatients', async (request) => {
    const scope = requireScope(request, 'readPatients', now());
    const { after, ...asked } = request.body;
    const query = listQueryOf(liveState, sessionOf(request).user, asked, now());
    const { page, until } = listPatients(liveState, scope, query, now());
    const queryKey = JSON.stringify([scope.unitIds, query]);
    const version = responseVersion(liveState, scope.siteId, queryKey, until);
    await auditView(request, {
      action: 'search_patients',
      queryKey,
      filters: ['text', ...filtersOf(query)],
      shownIds: page.items.map(({ id }) => id),
    });
    return after === version ? { unchanged: true as const, version } : { ...page, version };
  });

  on(app, 'listLikelyDuplicates', async (request) => {
    const scope = requireScope(request, 'writePatients', now());
    const pairs = likelyPairs([...liveState.patients.values()].filter((row) => inScope(scope, row)));
    const patientIds = idsOf(pairs.flat());
    const details = { count: pairs.flat().length, filters: ['duplicates'], patientIds };
    await auditView(request, { action: 'list_patients', queryKey: 'duplicates', details });
    return { items: pairs.map((pair) => pair.map((row) => presentPatient(liveState, row, now()))) };
  });

  on(app, 'createPatient', async (request) => {
    const { user } = sessionOf(request);
    // Only a physician sets the SpO2 scale (clinical.md section 9): it moves what counts as too low.
    if (request.body.spo2Scale === 2 && reachOf(user, 'setSpo2Scale') === null) {
      throw forbidden();
    }
    const row = await createPatient(writerOf(server, request, 'writePatients'), request.body);
    return presentPatient(liveState, row, now());
  });

  on(app, 'getPatient', async (request) => {
    const row = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: row.id });
    const at = now();
    const patient = presentPatient(liveState, row, at);
    return {
      ...patient,
      ...(await presentPauses(store.db, liveState, row.id, at)),
      news2: patientNews2(patient, at, sessionOf(request).user.site.timeZone),
    };
  });

  on(app, 'changePatient', async (request) => {
    const row = await changePatient(writerOf(server, request, 'writePatients'), request.params.id, request.body);
    await alerts.reconsider(row.id);
    return presentPatient(liveState, row, now());
  });

  on(app, 'swapBeds', async (request) => {
    const rows = await swapBeds(writerOf(server, request, 'writePatients'), request.body);
    for (const { id } of rows) {
      await alerts.reconsider(id);
    }
    return { items: rows.map((row) => presentPatient(liveState, row, now())) };
  });

  on(app, 'getSpo2Target', async (request) => {
    const row = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: row.id });
    return await readSpo2Target(store.db, row);
  });

  on(app, 'getNews2Exemptions', async (request) => {
    const row = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: row.id });
    return await readNews2Exemptions(store.db, row);
  });

  const exempt = async (
    request: FastifyRequest,
    patientId: number,
    change: Parameters<typeof changeNews2Exemption>[2],
  ): Promise<News2Exemptions> => {
    const row = await changeNews2Exemption(writerOf(server, request, 'exemptFromNews2'), patientId, change);
    await alerts.reconsider(row.id);
    return await readNews2Exemptions(store.db, row);
  };

  on(app, 'setNews2Exemption', async (request) => {
    const { version, ...mark } = request.body;
    return await exempt(request, request.params.id, { version, mark });
  });

  on(app, 'endNews2Exemption', async (request) => {
    return await exempt(request, request.params.id, { version: request.body.version, mark: null });
  });

  on(app, 'setSpo2Target', async (request) => {
    const row = await setSpo2Target(writerOf(server, request, 'setSpo2Scale'), request.params.id, request.body);
    await alerts.reconsider(row.id);
    return await readSpo2Target(store.db, row);
  });
}

/**
 * Sends the bytes that were built once: the short response if the caller has them, else all, compressed if accepted.
 */
function sendSnapshot(
  request: FastifyRequest,
  reply: FastifyReply,
  snapshot: { version: string; body: Buffer; gzip: Buffer; unchanged: string },
  after: string | undefined,
): FastifyReply {
  void reply.header('Content-Type', 'application/json; charset=utf-8').header('Vary', 'Accept-Encoding');
  if (after === snapshot.version) {
    return reply.send(snapshot.unchanged);
  }
  const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  return gzip ? reply.header('Content-Encoding', 'gzip').send(snapshot.gzip) : reply.send(snapshot.body);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { News2Exemptions } from '../../lib/patients/news2Exemption';
import { reachOf } from '../../lib/session/permissions';
import { presentPauses } from '../alerts/pauses';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { responseVersion } from './board';
import { forbidden } from '../http/httpError';
import { actorOf } from '../audit/actor';
import { idsOf } from '../audit/createViewAudit';
import { on } from '../http/on';
import { changePatient, createPatient } from './commands';
import { patientNews2 } from '../../lib/patients/patientNews2';
import { listPatients, presentPatient } from './queries';
import { filtersOf, listQueryOf } from './listQuery';
import { requirePatient } from './requirePatient';
import { changeNews2Exemption, readNews2Exemptions } from './news2Exemption';
import { swapBeds } from './swapBeds';
import { readSpo2Target, setSpo2Target } from './spo2Target';

/** The patients of the user's site: the polled list, search, one patient, add and change. */
export function patientRoutes(app: App, { store, liveState, alerts, board, now, auditView }: Server): void {
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

  on(app, 'createPatient', async (request) => {
    const { user } = sessionOf(request);
    // Only a physician sets the SpO2 scale (clinical.md section 9): it moves what counts as too low.
    if (request.body.spo2Scale === 2 && reachOf(user, 'setSpo2Scale') === null) {
      throw forbidden();
    }
    const scope = requireScope(request, 'writePatients', now());
    const row = await createPatient(store, liveState, now(), actorOf(request), scope, request.body);
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
    const scope = requireScope(request, 'writePatients', now());
    const row = await changePatient(store, liveState, now(), actorOf(request), scope, request.params.id, request.body);
    await alerts.reconsider(row.id);
    return presentPatient(liveState, row, now());
  });

  on(app, 'swapBeds', async (request) => {
    const scope = requireScope(request, 'writePatients', now());
    const rows = await swapBeds(store, liveState, now(), actorOf(request), scope, request.body);
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
    change: Parameters<typeof changeNews2Exemption>[6],
  ): Promise<News2Exemptions> => {
    const scope = requireScope(request, 'exemptFromNews2', now());
    const who = { userId: sessionOf(request).user.id, patientId };
    const row = await changeNews2Exemption(store, liveState, now(), actorOf(request), scope, who, change);
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
    const scope = requireScope(request, 'setSpo2Scale', now());
    const who = { userId: sessionOf(request).user.id, patientId: request.params.id };
    const row = await setSpo2Target(store, liveState, now(), actorOf(request), scope, who, request.body);
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

import type { FastifyReply, FastifyRequest } from 'fastify';
import { routes } from '../../lib/api/routes';
import { reachOf } from '../../lib/session/permissions';
import { presentPauses } from '../alerts/pauses';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { answerVersion } from './board';
import { forbidden } from '../http/httpError';
import { actorOf } from '../audit/actor';
import { changePatient, createPatient } from './commands';
import { patientNews2 } from '../../lib/patients/patientNews2';
import { listPatients, presentPatient } from './queries';
import { filtersOf, questionOf } from './question';
import { requirePatient } from './requirePatient';
import { readSpo2Target, setSpo2Target } from './spo2Target';

/** The patients of the user's site: the polled list, search, one patient, add and change. */
export function patientRoutes(app: App, { store, liveState, alerts, board, now, auditView }: Server): void {
  app.route({
    method: routes.listPatients.method,
    url: routes.listPatients.path,
    schema: { querystring: routes.listPatients.query, response: { 200: routes.listPatients.response } },
    handler: (request, reply) => {
      const { after, ...asked } = request.query;
      const query = questionOf(liveState, sessionOf(request).user, asked, now());
      const snapshot = board(requireScope(request, 'readPatients', now()), query);
      const recorded = auditView(request, {
        action: 'list_patients',
        question: snapshot.question,
        details: { count: snapshot.page.total, filters: filtersOf(query) },
      });
      const send = (): void => {
        sendSnapshot(request, reply, snapshot, after);
      };
      // A poll is on record already and waits for nothing.
      if (recorded === null) {
        send();
      }
      return recorded?.then(send);
    },
  });

  app.route({
    method: routes.searchPatients.method,
    url: routes.searchPatients.path,
    schema: { body: routes.searchPatients.body, response: { 200: routes.searchPatients.response } },
    handler: async (request) => {
      const scope = requireScope(request, 'readPatients', now());
      const { after, ...asked } = request.body;
      const query = questionOf(liveState, sessionOf(request).user, asked, now());
      const { page, until } = listPatients(liveState, scope, query, now());
      const question = JSON.stringify([scope.units, query]);
      const version = answerVersion(liveState, scope.siteId, question, until);
      await auditView(request, {
        action: 'list_patients',
        question,
        details: { count: page.total, filters: ['text', ...filtersOf(query)] },
      });
      return after === version ? { unchanged: true as const, version } : { ...page, version };
    },
  });

  app.route({
    method: routes.createPatient.method,
    url: routes.createPatient.path,
    schema: { body: routes.createPatient.body, response: { 201: routes.createPatient.response } },
    handler: async (request, reply) => {
      const { user } = sessionOf(request);
      // Only a physician sets the SpO2 scale (clinical.md section 9): it moves what counts as too low.
      if (request.body.spo2Scale === 2 && reachOf(user, 'setSpo2Scale') === null) {
        throw forbidden();
      }
      const scope = requireScope(request, 'writePatients', now());
      const row = await createPatient(store, liveState, now(), actorOf(request), scope, request.body);
      return await reply.code(201).send(presentPatient(liveState, row, now()));
    },
  });

  app.route({
    method: routes.getPatient.method,
    url: routes.getPatient.path,
    schema: { params: routes.getPatient.params, response: { 200: routes.getPatient.response } },
    handler: async (request) => {
      const row = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
      await auditView(request, { action: 'read_patient', patientId: row.id });
      const at = now();
      const patient = presentPatient(liveState, row, at);
      return {
        ...patient,
        ...(await presentPauses(store.db, liveState, row.id, at)),
        news2: patientNews2(patient, at),
      };
    },
  });

  app.route({
    method: routes.changePatient.method,
    url: routes.changePatient.path,
    schema: {
      params: routes.changePatient.params,
      body: routes.changePatient.body,
      response: { 200: routes.changePatient.response },
    },
    handler: async (request) => {
      const scope = requireScope(request, 'writePatients', now());
      const row = await changePatient(
        store,
        liveState,
        now(),
        actorOf(request),
        scope,
        request.params.id,
        request.body,
      );
      await alerts.reconsider(row.id);
      return presentPatient(liveState, row, now());
    },
  });

  app.route({
    method: routes.getSpo2Target.method,
    url: routes.getSpo2Target.path,
    schema: { params: routes.getSpo2Target.params, response: { 200: routes.getSpo2Target.response } },
    handler: async (request) => {
      const row = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
      await auditView(request, { action: 'read_patient', patientId: row.id });
      return await readSpo2Target(store.db, row);
    },
  });

  app.route({
    method: routes.setSpo2Target.method,
    url: routes.setSpo2Target.path,
    schema: {
      params: routes.setSpo2Target.params,
      body: routes.setSpo2Target.body,
      response: { 200: routes.setSpo2Target.response },
    },
    handler: async (request) => {
      const scope = requireScope(request, 'setSpo2Scale', now());
      const who = { userId: sessionOf(request).user.id, patientId: request.params.id };
      const row = await setSpo2Target(store, liveState, now(), actorOf(request), scope, who, request.body);
      await alerts.reconsider(row.id);
      return await readSpo2Target(store.db, row);
    },
  });
}

/**
 * The bytes that were made once: the short answer when the caller has them, else the whole, compressed if it may be.
 */
function sendSnapshot(
  request: FastifyRequest,
  reply: FastifyReply,
  snapshot: { version: string; body: Buffer; gzip: Buffer; unchanged: string },
  after: string | undefined,
): void {
  void reply.header('Content-Type', 'application/json; charset=utf-8').header('Vary', 'Accept-Encoding');
  if (after === snapshot.version) {
    void reply.send(snapshot.unchanged);
    return;
  }
  const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  void (gzip ? reply.header('Content-Encoding', 'gzip').send(snapshot.gzip) : reply.send(snapshot.body));
}

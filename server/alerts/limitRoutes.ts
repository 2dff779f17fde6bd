import { routes } from '../../lib/api/routes';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { requirePatient } from '../patients/requirePatient';
import { actorOf } from '../audit/actor';
import { changePatientLimits, changeSiteLimits, readPatientLimits, readSiteLimits } from './limits';

/** By which limits the rules judge: a patient's own, and those of the site beneath. */
export function limitRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  app.route({
    method: routes.getLimits.method,
    url: routes.getLimits.path,
    schema: { params: routes.getLimits.params, response: { 200: routes.getLimits.response } },
    handler: async (request) => {
      const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
      await auditView(request, { action: 'read_patient', patientId: patient.id });
      return await readPatientLimits(store.db, liveState, patient, now());
    },
  });

  app.route({
    method: routes.changeLimits.method,
    url: routes.changeLimits.path,
    schema: {
      params: routes.changeLimits.params,
      body: routes.changeLimits.body,
      response: { 200: routes.changeLimits.response },
    },
    handler: async (request) => {
      const scope = requireScope(request, 'changeLimits', now());
      const who = { userId: sessionOf(request).user.id, patientId: request.params.id };
      const patient = await changePatientLimits(store, liveState, now(), actorOf(request), scope, who, request.body);
      await alerts.reconsider(patient.id);
      return await readPatientLimits(store.db, liveState, patient, now());
    },
  });

  app.route({
    method: routes.getSiteLimits.method,
    url: routes.getSiteLimits.path,
    schema: { response: { 200: routes.getSiteLimits.response } },
    handler: async (request) =>
      await readSiteLimits(store.db, requireScope(request, 'readAlerts', now()).siteId, now()),
  });

  app.route({
    method: routes.changeSiteLimits.method,
    url: routes.changeSiteLimits.path,
    schema: { body: routes.changeSiteLimits.body, response: { 200: routes.changeSiteLimits.response } },
    handler: async (request) => {
      const { siteId } = requireScope(request, 'changeSiteLimits', now());
      const who = { userId: sessionOf(request).user.id, siteId };
      await changeSiteLimits(store, now(), actorOf(request), who, request.body);
      await alerts.siteChanged(siteId);
      return await readSiteLimits(store.db, siteId, now());
    },
  });
}

import { routes } from '../../lib/api/routes';
import { parseInstant } from '../../lib/time/parseInstant';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { requirePatient } from '../patients/requirePatient';
import { actorOf } from '../audit/actor';
import { addSymptomReport } from './commands';
import { listReports, presentReport } from './queries';

/** What patients report of themselves. */
export function symptomRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  app.route({
    method: routes.listSymptomReports.method,
    url: routes.listSymptomReports.path,
    schema: {
      params: routes.listSymptomReports.params,
      querystring: routes.listSymptomReports.query,
      response: { 200: routes.listSymptomReports.response },
    },
    handler: async (request) => {
      const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
      await auditView(request, { action: 'read_symptoms', patientId: patient.id });
      const { from, to, page, pageSize } = request.query;
      const window = {
        from: from === undefined ? null : parseInstant(from),
        to: to === undefined ? null : parseInstant(to),
      };
      const { rows, total } = await listReports(store.db, patient.id, { ...window, page, pageSize });
      const { emergencyNumber } = sessionOf(request).user.site;
      return { items: rows.map((row) => presentReport(row, emergencyNumber)), total };
    },
  });

  app.route({
    method: routes.addSymptomReport.method,
    url: routes.addSymptomReport.path,
    schema: {
      params: routes.addSymptomReport.params,
      body: routes.addSymptomReport.body,
      response: { 201: routes.addSymptomReport.response },
    },
    handler: async (request, reply) => {
      const { user } = sessionOf(request);
      const scope = requireScope(request, 'recordObservations', now());
      const who = { userId: user.id, patientId: request.params.id };
      const row = await addSymptomReport(store, liveState, now(), actorOf(request), scope, who, request.body);
      await alerts.reported(row.patient_id);
      return await reply.code(201).send(presentReport(row, user.site.emergencyNumber));
    },
  });
}

import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { requirePatient } from '../patients/requirePatient';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { changePatientLimits, changeSiteLimits, readPatientLimits, readSiteLimits } from './limits';

/** The limits of the rules, of a patient and of the site. */
export function limitRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  on(app, 'getLimits', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    return await readPatientLimits(store.db, liveState, patient, now());
  });

  on(app, 'changeLimits', async (request) => {
    const scope = requireScope(request, 'changeLimits', now());
    const { user } = sessionOf(request);
    const author = { isPhysician: user.type === 'physician', timeZone: user.site.timeZone };
    const who = { userId: user.id, patientId: request.params.id, ...author };
    const patient = await changePatientLimits(store, liveState, now(), actorOf(request), scope, who, request.body);
    await alerts.reconsider(patient.id);
    return await readPatientLimits(store.db, liveState, patient, now());
  });

  on(
    app,
    'getSiteLimits',
    async (request) => await readSiteLimits(store.db, requireScope(request, 'readAlerts', now()).siteId, now()),
  );

  on(app, 'changeSiteLimits', async (request) => {
    const { siteId } = requireScope(request, 'changeSiteLimits', now());
    const who = { userId: sessionOf(request).user.id, siteId };
    await changeSiteLimits(store, now(), actorOf(request), who, request.body);
    await alerts.siteChanged(siteId);
    return await readSiteLimits(store.db, siteId, now());
  });
}

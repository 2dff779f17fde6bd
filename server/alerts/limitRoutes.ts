import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { requirePatient } from '../patients/requirePatient';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { changePatientLimits, readPatientLimits, requireSettable } from './limits';
import { previewTaskOf } from './previewTaskOf';

/** A patient's limits of the rules. */
export function limitRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, now } = server;
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
  on(app, 'previewLimits', async (request) => {
    const scope = requireScope(request, 'changeLimits', now());
    const { user } = sessionOf(request);
    const who = { patientId: request.params.id, isPhysician: user.type === 'physician', timeZone: user.site.timeZone };
    const wanted = { ...request.body, reviewAt: null };
    const patient = requireSettable(liveState, now(), scope, who, wanted);
    await auditView(request, { action: 'read_vitals', patientId: patient.id });
    const task = await previewTaskOf({ db: store.db, env: server.env, liveState }, patient, wanted, now());
    return await server.previews.run(user.id, task);
  });
}

import { toInstant } from '../../lib/time/schema';
import { requireScope } from '../http/access';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { sourceName } from '../vitals/shownSource';
import { closedAlarms } from './alarmRows';

const dayMs = 86_400_000;
const mostAlarms = 200;

/** What devices have reported of a patient as alarms and is over. It is one view of the patient, and recorded once. */
export function deviceAlarmRoutes(app: App, { store, liveState, auditView, now }: Server): void {
  on(app, 'listClosedDeviceAlarms', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    const rows = await closedAlarms(store.db, patient.id, now() - dayMs)
      .limit(mostAlarms + 1)
      .execute();
    return {
      patientId: patient.id,
      items: rows.slice(0, mostAlarms).map(({ id, text, priority, inactivation, ...row }) => ({
        ...{ id, text, priority, isTechnical: row.is_technical === 1, inactivation },
        ...{ source: sourceName(liveState, row.device_id), startedAt: toInstant(row.started_at) },
        lastSeenAt: toInstant(row.last_seen_at),
        endedAt: row.ended_at === null || row.is_end_unknown === 1 ? null : toInstant(row.ended_at),
      })),
      hasMore: rows.length > mostAlarms,
    };
  });
}

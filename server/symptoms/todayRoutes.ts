import { createHash } from 'node:crypto';
import { symptomsToday } from '../../lib/symptoms/symptomsToday';
import { dayOf } from '../../lib/time/dayOf';
import { startOfDay } from '../../lib/time/startOfDay';
import { mineOf } from '../assignments/queries';
import { idsOf } from '../audit/createViewAudit';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { inScope } from '../http/scope';
import { isInPlace } from '../patients/queries';

/** What the patients of a dashboard reported on the site's day, counted from memory. */
export function symptomsTodayRoutes(app: App, { liveState, auditView, now }: Server): void {
  on(app, 'getSymptomsToday', async (request) => {
    const scope = requireScope(request, 'readPatients', now());
    const { user } = sessionOf(request);
    const { after, mine, ...place } = request.query;
    const only = mine ? mineOf(liveState, user, now()) : null;
    const { siteId } = scope;
    const { timeZone } = user.site;
    const day = dayOf(now(), timeZone);
    const queryKey = JSON.stringify(['symptoms today', scope.unitIds, only, place]);
    const shown = new Set(only);
    const patients = [...liveState.patients.values()].filter(
      (row) =>
        inScope(scope, row) && row.state === 'active' && (only === null || shown.has(row.id)) && isInPlace(row, place),
    );
    await auditView(request, {
      action: 'list_patients',
      queryKey,
      details: {
        count: patients.length,
        filters: ['symptoms', ...Object.keys(place), ...(mine ? ['mine'] : [])],
        patientIds: idsOf(patients),
      },
    });
    const which = createHash('sha256').update(`${queryKey} ${day}`).digest('base64url').slice(0, 8);
    const state = `${liveState.rosterVersion(siteId)}.${liveState.symptoms.version(siteId)}`;
    const version = `${liveState.boot}.${state}.${which}`;
    if (after === version) {
      return { unchanged: true as const, version };
    }
    const from = startOfDay(day, timeZone);
    return { version, day, ...symptomsToday(patients.map(({ id }) => liveState.symptoms.since(id, from))) };
  });
}

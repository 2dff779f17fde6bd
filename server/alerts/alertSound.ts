import type { FastifyRequest } from 'fastify';
import { inOrderOfUrgency } from '../../lib/alerts/inOrderOfUrgency';
import { soundOf, soundsFor } from '../../lib/sound/soundOf';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { can } from '../../lib/session/can';
import { isDisplay } from '../../lib/session/isDisplay';
import { toInstant } from '../../lib/time/schema';
import { sessionOf } from '../http/access';
import type { Server } from '../server';
import { readNamesOrInitials } from '../users/readNames';
import { alertsInReach } from './listAlerts';
import { rankOf } from './rankOf';

/**
 * Resolves with what the browser of a user sounds, also of a locked session. Users who handle no alerts are never
 * asked: theirs is silent, and shows a pause as everyone's does. A display sounds for the patients of its unit. No
 * patient is in it, so it is no view to audit.
 */
export async function readAlertSound(server: Server, request: FastifyRequest): Promise<AlertSound> {
  const { alerts, store, liveState, now } = server;
  const { user } = sessionOf(request);
  const isOfDisplay = isDisplay(user);
  if (!isOfDisplay && !can(user, 'readAlerts')) {
    return { priority: null, pause: null, asking: [] };
  }
  const isNear = alertsInReach(server, request, isOfDisplay ? 'readWall' : 'readAlerts');
  const open = alerts
    .listOpen(user.siteId)
    .filter((alert) => isNear(alert) && !(isOfDisplay && alert.patientId === null));
  const listed = open.map(({ alert }) => alert);
  const { priority: asked, pause } = soundOf(listed, isOfDisplay ? null : user.id, now());
  const isAsked = can(user, 'handleAlerts');
  const priority = isOfDisplay || isAsked ? asked : null;
  const sounds = soundsFor(listed, user.id, now());
  const asking = open
    .filter(({ alert }) => isAsked && sounds(alert))
    .map((record) => ({ rank: rankOf(record), priority: record.alert.priority, raisedAt: toInstant(record.raisedAt) }))
    .sort((a, b) => inOrderOfUrgency(a.rank, b.rank))
    .map(({ priority: of, raisedAt }) => ({ priority: of, raisedAt }));
  if (pause === null) {
    return { priority, pause, asking };
  }
  const nameOf = await readNamesOrInitials(store.db, liveState.openAlerts, [pause.by]);
  return { priority, asking, pause: { until: toInstant(pause.until), by: shortName(nameOf(pause.by).name) } };
}

/** "Noor Demo" becomes "N. Demo". */
function shortName(name: string): string {
  const [first = '', ...rest] = name.split(' ');
  return rest.length === 0 ? first : `${[...first][0] ?? ''}. ${rest.join(' ')}`;
}

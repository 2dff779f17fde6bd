import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  alertCandidates,
  alertEventsResponse,
  alertItem,
  alertsResponse,
  alertsQuery,
  pauseAudioBody,
  reassignBody,
  rejectBody,
  resolveBody,
  settleSourceBody,
  takeBody,
  takeResponse,
  undoBody,
  contactBody,
  versionBody,
} from './schema';

/** What somebody does with one alert; `by`: a browser takes it over from the response. */
const act = {
  method: 'POST',
  status: 200,
  params: byId,
  response: alertItem,
  changes: { read: 'listAlerts', by: 'row' },
} as const;
const handled = { ...act, who: can('handleAlerts') } as const;

const get = { method: 'GET', status: 200, who: can('readAlerts') } as const;

/** Alerts and what users do with them. */
export const alertCalls = {
  listAlerts: { ...get, path: '/api/v2/alerts', query: alertsQuery, response: alertsResponse },
  /** What the caller holds, as it is once the caller has signed out: whom it then asks. */
  listHeldAlerts: { ...get, path: '/api/v2/alerts/held', response: z.object({ items: z.array(alertItem) }) },
  listAlertEvents: { ...get, path: '/api/v2/alerts/:id/events', params: byId, response: alertEventsResponse },
  acknowledgeAlert: {
    ...act,
    path: '/api/v2/alerts/:id/acknowledge',
    who: can('acknowledgeAlerts'),
    description:
      'Every action carries the version of the alert that its user saw. If the alert has changed since, 409 ' +
      'alert_changed or alert_closed brings the alert as it is now (error.alert) and the last thing that a user did ' +
      'to it (error.lastAct).',
    body: versionBody,
  },
  acceptAlert: { ...handled, path: '/api/v2/alerts/:id/accept', body: versionBody },
  takeAlerts: {
    method: 'POST',
    path: '/api/v2/alerts/take',
    status: 200,
    who: can('handleAlerts'),
    description: 'Acknowledges and accepts all of these alerts, or none of them.',
    body: takeBody,
    response: takeResponse,
    changes: { read: 'listAlerts' },
  },
  undoAlertAction: {
    ...act,
    path: '/api/v2/alerts/:id/undo',
    who: can('acknowledgeAlerts'),
    description: 'Takes the caller’s acknowledgement or acceptance back, within 15 s and if nothing else happened.',
    body: undoBody,
    changes: { read: 'listAlerts' },
  },
  listAlertCandidates: {
    ...get,
    path: '/api/v2/alerts/:id/people',
    who: can('handleAlerts'),
    description: 'The users on duty who can be asked to accept the alert, except the caller and its present owner.',
    params: byId,
    response: alertCandidates,
  },
  reassignAlert: {
    ...handled,
    path: '/api/v2/alerts/:id/reassign',
    description: 'Asks another user to accept the alert. Its owner keeps it until they do, and its escalation goes on.',
    body: reassignBody,
  },
  rejectAlert: { ...handled, path: '/api/v2/alerts/:id/reject', body: rejectBody },
  answerContact: { ...handled, path: '/api/v2/alerts/:id/contact', body: contactBody },
  pauseAlertAudio: { ...handled, path: '/api/v2/alerts/:id/pause-audio', body: pauseAudioBody },
  settleAlertSource: { ...handled, path: '/api/v2/alerts/:id/source', body: settleSourceBody },
  resolveAlert: { ...handled, path: '/api/v2/alerts/:id/resolve', body: resolveBody },
} as const satisfies Calls;

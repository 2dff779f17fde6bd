import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can, signedInOrLocked } from '../session/policy';
import {
  alertEventsResponse,
  alertItem,
  alertsResponse,
  alertsQuery,
  pauseAudioBody,
  rejectBody,
  resolveBody,
} from './schema';

/** Alerts and what users do with them. */
export const alertCalls = {
  checkAlertPath: {
    method: 'GET',
    path: '/api/v2/alert-path',
    status: 204,
    who: signedInOrLocked,
    description:
      'For a page that makes no other call, such as the lock screen: like every response it carries X-Alert-Path, ' +
      'when the clock evaluation and the heartbeat last succeeded, in epoch milliseconds.',
    response: z.null(),
  },
  listAlerts: {
    method: 'GET',
    path: '/api/v2/alerts',
    status: 200,
    who: can('readAlerts'),
    query: alertsQuery,
    response: alertsResponse,
  },
  listAlertEvents: {
    method: 'GET',
    path: '/api/v2/alerts/:id/events',
    status: 200,
    who: can('readAlerts'),
    params: byId,
    response: alertEventsResponse,
  },
  acknowledgeAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/acknowledge',
    status: 200,
    who: can('handleAlerts'),
    params: byId,
    response: alertItem,
    changes: { read: 'listAlerts', by: 'row' },
  },
  acceptAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/accept',
    status: 200,
    who: can('handleAlerts'),
    params: byId,
    response: alertItem,
    changes: { read: 'listAlerts', by: 'row' },
  },
  rejectAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/reject',
    status: 200,
    who: can('handleAlerts'),
    params: byId,
    body: rejectBody,
    response: alertItem,
    changes: { read: 'listAlerts', by: 'row' },
  },
  pauseAlertAudio: {
    method: 'POST',
    path: '/api/v2/alerts/:id/pause-audio',
    status: 200,
    who: can('handleAlerts'),
    params: byId,
    body: pauseAudioBody,
    response: alertItem,
    changes: { read: 'listAlerts', by: 'row' },
  },
  resolveAlert: {
    method: 'POST',
    path: '/api/v2/alerts/:id/resolve',
    status: 200,
    who: can('handleAlerts'),
    params: byId,
    body: resolveBody,
    response: alertItem,
    changes: { read: 'listAlerts', by: 'row' },
  },
} as const satisfies Calls;

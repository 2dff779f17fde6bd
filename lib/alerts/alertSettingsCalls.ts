import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { escalationSettings, newEscalationTimes } from './escalationTimesSchema';
import { rejection } from './proposalSchema';
import { newSiteLimits, siteLimits } from './siteLimitsSchema';

const limits = '/api/v2/site/limits';
const escalation = '/api/v2/site/escalation';
const ofLimits = { status: 200, response: siteLimits } as const;
const ofEscalation = { status: 200, response: escalationSettings } as const;
/** A proposal, its approval and its rejection: `lib/alerts/proposals` says who of these may approve. */
const decision = { method: 'POST', who: can('proposeAlertSettings') } as const;
const changesLimits = { read: 'getSiteLimits', by: 'whole' } as const;
const changesEscalation = { read: 'getEscalationTimes', by: 'whole' } as const;

/** What one user proposes for the alerts of the whole site, and another approves (clinical.md section 9). */
export const alertSettingsCalls = {
  getSiteLimits: { method: 'GET', path: limits, who: can('readAlerts'), ...ofLimits },
  proposeSiteLimits: {
    ...decision,
    ...ofLimits,
    path: `${limits}/proposals`,
    body: newSiteLimits,
    changes: changesLimits,
  },
  approveSiteLimits: {
    ...decision,
    ...ofLimits,
    path: `${limits}/proposals/:id/approve`,
    params: byId,
    changes: changesLimits,
  },
  rejectSiteLimits: {
    ...decision,
    ...ofLimits,
    path: `${limits}/proposals/:id/reject`,
    params: byId,
    body: rejection,
    changes: changesLimits,
  },
  getEscalationTimes: { method: 'GET', path: escalation, who: can('readAlerts'), ...ofEscalation },
  proposeEscalationTimes: {
    ...decision,
    ...ofEscalation,
    path: `${escalation}/proposals`,
    body: newEscalationTimes,
    changes: changesEscalation,
  },
  approveEscalationTimes: {
    ...decision,
    ...ofEscalation,
    path: `${escalation}/proposals/:id/approve`,
    params: byId,
    changes: changesEscalation,
  },
  rejectEscalationTimes: {
    ...decision,
    ...ofEscalation,
    path: `${escalation}/proposals/:id/reject`,
    params: byId,
    body: rejection,
    changes: changesEscalation,
  },
} as const satisfies Calls;

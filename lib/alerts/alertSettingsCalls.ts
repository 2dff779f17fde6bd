import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { escalationSettings, newEscalationTimes } from './escalationTimesSchema';
import { rejection } from '../proposals/proposals';
import { newSiteLimits, siteLimits } from './siteLimitsSchema';

const limits = '/api/v2/site/limits';
const escalation = '/api/v2/site/escalation';
const read = { method: 'GET', status: 200, who: can('readAlerts') } as const;
/** A proposal, its approval and its rejection: `lib/proposals/proposals` says who of these may approve. */
const decision = { method: 'POST', status: 200, who: can('proposeAlertSettings') } as const;
const ofLimits = { ...decision, response: siteLimits, changes: { read: 'getSiteLimits', by: 'whole' } } as const;
const ofEscalation = {
  ...{ ...decision, response: escalationSettings },
  changes: { read: 'getEscalationTimes', by: 'whole' },
} as const;

/** What one user proposes for the alerts of the whole site, and another approves (clinical.md section 9). */
export const alertSettingsCalls = {
  getSiteLimits: { ...read, path: limits, response: siteLimits },
  proposeSiteLimits: { ...ofLimits, path: `${limits}/proposals`, body: newSiteLimits },
  approveSiteLimits: { ...ofLimits, path: `${limits}/proposals/:id/approve`, params: byId },
  rejectSiteLimits: { ...ofLimits, path: `${limits}/proposals/:id/reject`, params: byId, body: rejection },
  getEscalationTimes: { ...read, path: escalation, response: escalationSettings },
  proposeEscalationTimes: { ...ofEscalation, path: `${escalation}/proposals`, body: newEscalationTimes },
  approveEscalationTimes: { ...ofEscalation, path: `${escalation}/proposals/:id/approve`, params: byId },
  rejectEscalationTimes: { ...ofEscalation, path: `${escalation}/proposals/:id/reject`, params: byId, body: rejection },
} as const satisfies Calls;

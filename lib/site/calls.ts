import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { clockBody, intendedUseBody, sitePatch, siteSettings } from './schema';

/** The settings of a site. */
export const siteCalls = {
  getSite: { method: 'GET', path: '/api/v2/admin/site', status: 200, who: can('manageSite'), response: siteSettings },
  changeSite: {
    method: 'PATCH',
    path: '/api/v2/admin/site',
    status: 200,
    who: can('manageSite'),
    body: sitePatch,
    response: siteSettings,
    changes: { read: 'getSite', by: 'whole' },
  },
  confirmClock: {
    method: 'POST',
    path: '/api/v2/admin/clock',
    status: 200,
    who: can('manageSite'),
    body: clockBody,
    response: siteSettings,
    changes: { read: 'getSite', by: 'whole' },
  },
  acceptIntendedUse: {
    method: 'POST',
    path: '/api/v2/site/intended-use',
    status: 200,
    who: can('manageSite'),
    body: intendedUseBody,
    response: siteSettings,
    changes: { read: 'getSite', by: 'whole' },
  },
} as const satisfies Calls;

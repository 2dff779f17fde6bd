import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { secretLink } from '../users/schema';
import { clockBody, intendedUseBody, newSite, siteInvitation, sitePatch, siteSettings, sitesResponse } from './schema';

/** The settings of a site, and the sites of the installation. */
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
  listSites: {
    method: 'GET',
    path: '/api/v2/admin/sites',
    status: 200,
    who: can('addSites'),
    description:
      'The sites of the installation, for administrators of its first site. It says nothing of what is within a site.',
    response: sitesResponse,
  },
  addSite: {
    method: 'POST',
    path: '/api/v2/admin/sites',
    status: 201,
    who: can('addSites'),
    description:
      'Adds a site and invites its first administrator, who sees no patients. With the clientId of a site of the ' +
      'caller that has no user yet, after a lost response, that site gets a new link and becomes as it is asked for ' +
      'now.',
    body: newSite,
    response: secretLink,
    changes: { read: 'listSites' },
  },
  inviteToSite: {
    method: 'POST',
    path: '/api/v2/admin/site-invitations',
    status: 201,
    who: can('addSites'),
    description: 'Invites the first administrator of a site that has no user yet. Invitations before it are void.',
    body: siteInvitation,
    response: secretLink,
    changes: { read: 'listSites' },
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

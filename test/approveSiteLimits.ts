import type { SiteLimitsResponse } from '../lib/alerts/siteLimitsSchema';
import type { Caller } from './testServer';

const url = '/api/v2/site/limits';

interface Wanted {
  rule: string;
  scale?: 1 | 2;
  values: object;
  reviewAt?: string;
}

/** Proposes limits for a whole site, based on those that hold. */
export async function proposeSiteLimits(who: Caller, wanted: Wanted) {
  const { items } = (await who.call('GET', url)).json<SiteLimitsResponse>();
  const holding = items.find(({ rule, scale }) => rule === wanted.rule && scale === (wanted.scale ?? null));
  const made = { basedOn: holding?.settingId ?? null, replaces: null, reason: 'As the ward agreed' };
  return await who.call('POST', `${url}/proposals`, { ...made, ...wanted });
}

/** Sets limits for a whole site as two users do: one proposes, and a ward lead approves. */
export async function approveSiteLimits(proposer: Caller, lead: Caller, wanted: Wanted): Promise<SiteLimitsResponse> {
  const proposed = await proposeSiteLimits(proposer, wanted);
  expect([proposed.statusCode, proposed.body]).toEqual([200, proposed.body]);
  const [proposal] = proposed.json<SiteLimitsResponse>().proposals;
  const approved = await lead.call('POST', `${url}/proposals/${proposal?.id ?? 0}/approve`);
  expect([approved.statusCode, approved.body]).toEqual([200, approved.body]);
  return approved.json<SiteLimitsResponse>();
}

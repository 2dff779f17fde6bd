import type { Selectable } from 'kysely';
import { intendedUseVersion } from '../../lib/site/intendedUse';
import type { SitesTable } from '../db/schema';

/**
 * Returns whether a site's alert rules run: always on the demo, elsewhere once an administrator has accepted any
 * version of the intended use.
 */
export function areRulesOn(site: Pick<Selectable<SitesTable>, 'is_demo' | 'intended_use_accepted_at'>): boolean {
  return site.is_demo === 1 || site.intended_use_accepted_at !== null;
}

/** Returns whether the intended use has changed since a site's administrator accepted it. */
export function hasIntendedUseChanged(
  site: Pick<Selectable<SitesTable>, 'intended_use_accepted_at' | 'intended_use_version'>,
): boolean {
  return site.intended_use_accepted_at !== null && site.intended_use_version !== intendedUseVersion;
}

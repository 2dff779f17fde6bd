import type { Selectable } from 'kysely';
import { intendedUseVersion } from '../../lib/site/intendedUse';
import type { SitesTable } from '../db/schema';

/**
 * Whether a site's alert rules run: always on the demo, elsewhere once an administrator has accepted the intended use,
 * in whatever version.
 */
export function areRulesOn(site: Pick<Selectable<SitesTable>, 'is_demo' | 'intended_use_accepted_at'>): boolean {
  return site.is_demo === 1 || site.intended_use_accepted_at !== null;
}

/** Whether the statement that a site's administrator accepted is another one than today's. */
export function hasIntendedUseChanged(
  site: Pick<Selectable<SitesTable>, 'intended_use_accepted_at' | 'intended_use_version'>,
): boolean {
  return site.intended_use_accepted_at !== null && site.intended_use_version !== intendedUseVersion;
}

import type { Selectable } from 'kysely';
import type { SitesTable } from '../db/schema';

/** Whether a site's alert rules run: always on the demo, elsewhere once an administrator has accepted the intended use. */
export function areRulesOn(site: Pick<Selectable<SitesTable>, 'is_demo' | 'intended_use_accepted_at'>): boolean {
  return site.is_demo === 1 || site.intended_use_accepted_at !== null;
}

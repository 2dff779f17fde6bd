import type { SiteSettings } from '../../lib/site/schema';
import type { Store } from '../db/open';

type Known = Pick<SiteSettings, 'id' | 'version' | 'mrnAuthorities'>;

/** Whose numbers in HL7 messages are MRNs, for each site. They are in memory: no message waits for a read. */
export interface MrnAuthorities {
  /** Returns the authorities of a site; none: the numbers of any authority are MRNs. */
  ofSite(siteId: number): readonly string[];
  /** Takes what a site has stored. What is older than what is known changes nothing. */
  put(site: Known): void;
}

/** Loads the authorities of all sites. */
export async function loadMrnAuthorities({ db }: Store): Promise<MrnAuthorities> {
  const known = new Map<number, Known>();
  const put = ({ id, version, mrnAuthorities }: Known): void => {
    if (version >= (known.get(id)?.version ?? 0)) {
      known.set(id, { id, version, mrnAuthorities });
    }
  };
  for (const { id, version, mrn_authorities } of await db
    .selectFrom('sites')
    .select(['id', 'version', 'mrn_authorities'])
    .execute()) {
    put({ id, version, mrnAuthorities: authoritiesIn(mrn_authorities) });
  }
  return { ofSite: (siteId) => known.get(siteId)?.mrnAuthorities ?? [], put };
}

/** Returns the authorities of a site from its row. */
export function authoritiesIn(stored: string): string[] {
  return stored === '' ? [] : stored.split('\n');
}

import { sql, type Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { viewLastsMs } from '../audit';
import type { Database } from '../db/schema';

/** A user who may have read names of patients out of their reach in rows `refused_call` of an earlier release. */
export interface RefusalReader {
  siteId: number;
  userId: number;
  fname: string;
  lname: string;
  /** How many patients of other sites these rows named, and of their own site in rows of their own calls. */
  otherSites: number;
  ownSite: number;
  /** When they first and last looked at the audit, or began to, since there were such rows. */
  first: EpochMs;
  last: EpochMs;
}

/**
 * Resolves with those who read the audit before `until`, when this release was installed, and could see rows with names
 * that they may not know: administrators and ward leads (of today) those of their site, others their own.
 */
export async function listRefusalReaders(db: Kysely<Database>, until: EpochMs): Promise<RefusalReader[]> {
  const { rows } = await sql<RefusalReader>`
    SELECT users.site_id AS "siteId", users.id AS "userId", users.fname, users.lname,
      count(DISTINCT CASE WHEN patients.site_id <> refused.site_id THEN patients.id END) AS "otherSites",
      count(DISTINCT CASE WHEN patients.site_id = refused.site_id THEN patients.id END) AS "ownSite",
      min(looks.at) AS "first", max(looks.at) AS "last"
    FROM (SELECT site_id, actor_id, object_id, min(at) AS at FROM audit
      WHERE action = 'refused_call' AND object_type = 'patient' GROUP BY site_id, actor_id, object_id) AS refused
    JOIN patients ON patients.id = refused.object_id
    JOIN audit AS looks ON looks.site_id = refused.site_id AND looks.actor = 'user'
      AND looks.action IN ('read_audit', 'export_audit')
      AND looks.at > refused.at - ${viewLastsMs} AND looks.at < ${until}
    JOIN users ON users.id = looks.actor_id AND (users.id = refused.actor_id
      OR (patients.site_id <> refused.site_id AND (users.is_admin = 1 OR users.type = 'ward_lead')))
    GROUP BY users.site_id, users.id, users.fname, users.lname ORDER BY users.site_id, users.id`.execute(db);
  return rows;
}

import type { Kysely } from 'kysely';
import { reportKinds, type ReportKind } from '../../lib/reports/reportKinds';
import type { IssueReport } from '../../lib/reports/schema';
import { kindsToManage } from '../../lib/reports/sightOf';
import { compareText, firstDifference } from '../../lib/sortOrder';
import type { Database } from '../db/schema';
import { activeUsers } from '../users/activeUsers';

const isKind = (text: string): text is ReportKind => Object.hasOwn(reportKinds, text);
const kinds = Object.keys(reportKinds).filter(isKind);

/** Resolves with the users of a site who can be made the assignee of reports, by name, each with the kinds. */
export async function readAssignees(db: Kysely<Database>, siteId: number): Promise<IssueReport['assignees']> {
  const rows = await activeUsers(db, siteId)
    .select(['id', 'fname', 'lname', 'type', 'is_admin'])
    .where((where) => where.or([where('type', 'in', ['ward_lead', 'technician']), where('is_admin', '=', 1)]))
    .execute();
  return rows
    .map(({ id, fname, lname, type, is_admin }) => ({
      id,
      name: `${fname} ${lname}`,
      kinds: kindsToManage({ type, isAdmin: is_admin === 1 }, kinds),
    }))
    .sort((a, b) => firstDifference(compareText(a.name, b.name), a.id - b.id));
}

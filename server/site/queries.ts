import type { Kysely, Selectable } from 'kysely';
import type { ListedSite, SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database, SitesTable } from '../db/schema';
import { hasIntendedUseChanged } from './areRulesOn';
import { authoritiesIn } from './mrnAuthorities';

/** Returns the sites of the installation, the oldest first, with how many people may sign in to each. */
export async function listSites(db: Kysely<Database>): Promise<ListedSite[]> {
  const rows = await db
    .selectFrom('sites')
    .leftJoin('users', (join) =>
      join
        .onRef('users.site_id', '=', 'sites.id')
        .on('users.disabled_at', 'is', null)
        .on('users.waiting_since', 'is', null),
    )
    .select(['sites.id', 'sites.name', 'sites.time_zone as timeZone', 'sites.created_at'])
    .select((select) => select.fn.count<number>('users.id').as('users'))
    .groupBy(['sites.id', 'sites.name', 'sites.time_zone', 'sites.created_at'])
    .orderBy('sites.id')
    .execute();
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: toInstant(created_at) }));
}

/** Returns the row of a site, which has to exist. */
export async function siteRow(db: Kysely<Database>, id: number): Promise<Selectable<SitesTable>> {
  return await db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Returns a site's settings as its administrators see them, as far as the store has them. */
export async function readSite(
  db: Kysely<Database>,
  siteId: number,
): Promise<Omit<SiteSettings, 'seenAuthorities' | 'backup' | 'clockDoubt'>> {
  const row = await db
    .selectFrom('sites')
    .leftJoin('users', 'users.id', 'sites.intended_use_accepted_by')
    .selectAll('sites')
    .select(['users.fname', 'users.lname'])
    .where('sites.id', '=', siteId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    isDemo: row.is_demo === 1,
    emergencyNumber: row.emergency_number,
    rapidResponseNumber: row.rapid_response_number,
    signUpMode: row.sign_up_mode,
    idleMinutes: row.idle_minutes,
    shiftStarts: row.shift_starts.split(','),
    checkInTimes: row.check_in_times.split(','),
    outOfHoursText: row.out_of_hours_text,
    chatPatientLabel: row.chat_patient_label,
    dateOrder: row.date_order,
    mrnAuthorities: authoritiesIn(row.mrn_authorities),
    intendedUse:
      row.intended_use_accepted_at === null
        ? null
        : {
            acceptedAt: toInstant(row.intended_use_accepted_at),
            acceptedBy: `${row.fname ?? ''} ${row.lname ?? ''}`.trim(),
            isCurrent: !hasIntendedUseChanged(row),
          },
    version: row.version,
  };
}

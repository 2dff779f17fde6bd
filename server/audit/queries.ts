import { sql, type Kysely, type Selectable } from 'kysely';
import { z } from 'zod';
import { type AuditResponse, type AuditEntry, type AuditFilter, auditEntry } from '../../lib/audit/schema';
import { markTrial } from '../../lib/patients/markTrial';
import { readJson } from '../../lib/readJson';
import { reachOf } from '../../lib/session/permissions';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import type { AuditTable, Database } from '../db/schema';
import { forbidden } from '../http/httpError';
import { scopeOf, type Scope, inScope } from '../http/scope';
import type { Session } from '../session/session';

/** A row of the audit as far as it names others by their ids. */
interface NamedRow {
  object_type: string | null;
  object_id: number | null;
  details: string | null;
}

/** The names of what a row is about, as they are now: the audit itself stores ids alone. */
interface AuditNames {
  /** "Jonsdottir K., M1", "Noor Demo", "North"; null if there is no such row any more, or none with a name. */
  about: string | null;
  /** Of the ids in the details, by the name of the detail. */
  details: Record<string, string>;
}

const idsInDetails = z.object({ userId: z.int().optional(), unitId: z.int().optional() });

/**
 * Resolves with a function that returns the names of a row, for a reader who reaches the patients of `scope` (null:
 * none) and knows users, units and devices of their own site. A row need not be about anything of that site: earlier
 * releases kept there what its users were refused.
 */
async function readAuditNames(
  db: Kysely<Database>,
  siteId: number,
  scope: Scope | null,
  rows: readonly NamedRow[],
): Promise<(row: NamedRow) => AuditNames> {
  const idsOf = (type: string): number[] =>
    rows.flatMap(({ object_type, object_id }) => (object_type === type && object_id !== null ? [object_id] : []));
  const detailed = rows.map((row) => detailIdsOf(row));
  const alerts = await patientsOfAlerts(db, idsOf('alert'));
  const patients = await patientNames(db, scope, [...idsOf('patient'), ...alerts.values()]);
  const users = await siteNames(db, siteId, 'users', [
    ...idsOf('user'),
    ...detailed.flatMap(({ userId }) => userId ?? []),
  ]);
  const units = await siteNames(db, siteId, 'units', [
    ...idsOf('unit'),
    ...detailed.flatMap(({ unitId }) => unitId ?? []),
  ]);
  const namesBy = new Map([
    ['patient', patients],
    ['user', users],
    ['unit', units],
    ['device', await siteNames(db, siteId, 'devices', idsOf('device'))],
  ]);
  const aboutOf = ({ object_type, object_id }: NamedRow): string | undefined =>
    object_type === 'alert'
      ? patients.get(alerts.get(object_id ?? 0) ?? 0)
      : namesBy.get(object_type ?? '')?.get(object_id ?? 0);
  return (row) => {
    const { userId, unitId } = detailIdsOf(row);
    const [user, unit] = [users.get(userId ?? 0), units.get(unitId ?? 0)];
    return {
      about: aboutOf(row) ?? null,
      details: { ...(user === undefined ? {} : { userId: user }), ...(unit === undefined ? {} : { unitId: unit }) },
    };
  };
}

function detailIdsOf({ details }: NamedRow): z.infer<typeof idsInDetails> {
  return (details === null ? null : readJson(idsInDetails, details)) ?? {};
}

async function patientsOfAlerts(db: Kysely<Database>, ids: readonly number[]): Promise<Map<number, number>> {
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('alerts').select(['id', 'patient_id']).where('id', 'in', ids).execute();
  return new Map(rows.flatMap(({ id, patient_id }) => (patient_id === null ? [] : [[id, patient_id] as const])));
}

async function patientNames(
  db: Kysely<Database>,
  scope: Scope | null,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0 || scope === null) {
    return new Map();
  }
  const rows = await db
    .selectFrom('patients')
    .select(['id', 'site_id', 'unit_id', 'family_name', 'given_name', 'bed', 'is_trial'])
    .where('id', 'in', [...new Set(ids)])
    .where('site_id', '=', scope.siteId)
    .execute();
  const known = rows.filter((row) => inScope(scope, row));
  return new Map(
    known.map(({ id, family_name, given_name, bed, is_trial }) => {
      const name = markTrial(`${family_name} ${[...given_name][0] ?? ''}.`, { isTrial: is_trial === 1 });
      return [id, bed === null ? name : `${name}, ${bed}`];
    }),
  );
}

async function siteNames(
  db: Kysely<Database>,
  siteId: number,
  table: 'users' | 'units' | 'devices',
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) {
    return new Map();
  }
  const name = table === 'users' ? sql`fname || ' ' || lname` : sql.ref('name');
  const { rows } = await sql<{ id: number; name: string }>`SELECT id, ${name} AS name FROM ${sql.table(table)}
    WHERE site_id = ${siteId} AND id IN (${sql.join([...new Set(ids)])})`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * The rows that a reader may see: all of the site, or their own and those about the patients of `units`. `named`: the
 * patients whose names they may read there; null: none.
 */
export type AuditReach = { siteId: number; named: Scope | null } & (
  | { of: 'site' }
  | { of: 'own'; userId: number; units: 'all' | 'none' | readonly number[] }
);

/** Returns which audit rows a user may see (clinical.md section 9). Throws 403 if they may see none. */
export function auditReachOf(session: Session, now: EpochMs): AuditReach {
  const { user } = session;
  const { id: userId, siteId } = user;
  const reach = reachOf(user, 'readAudit');
  const named = scopeOf(session, 'readPatients', now);
  switch (reach) {
    case null:
      throw forbidden();
    case 'site':
      return { siteId, named: { siteId, unitIds: null }, of: 'site' };
    case 'unit':
      return {
        ...{ siteId, named, of: 'own', userId },
        units: user.units.length === 0 ? 'all' : user.units.map(({ id }) => id),
      };
    case 'self':
      return { siteId, named, of: 'own', userId, units: 'none' };
    default:
      return reach satisfies never;
  }
}

/** The last row of a page. The next page begins after it. */
export interface AuditPlace {
  at: number;
  id: number;
}

export type AuditRowWithName = Selectable<AuditTable> & {
  fname: string | null;
  lname: string | null;
  device_name: string | null;
};

/** The action whose rows are not for those who did it, nor name them to another site (see `createRejectionLog`). */
const sealed = 'refused_subject';

/**
 * Returns the query of the newest rows after a place (null: from the newest row on) that match the filter, at most
 * `limit`. It pages by time and id, so that the thousandth page costs no more than the first.
 */
export function auditRows(
  db: Kysely<Database>,
  reach: AuditReach,
  filter: AuditFilter,
  behind: AuditPlace | null,
  limit: number,
) {
  const from = filter.from === undefined ? null : parseInstant(filter.from);
  const to = filter.to === undefined ? null : parseInstant(filter.to);
  let query = db
    .selectFrom('audit')
    .leftJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'audit.actor_id')
        .on('audit.actor', '=', 'user')
        .on((is) => is.or([is('audit.action', '!=', sealed), is('users.site_id', '=', reach.siteId)])),
    )
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'audit.actor_id').on('audit.actor', '=', 'device'))
    .selectAll('audit')
    .select(['users.fname', 'users.lname', 'devices.name as device_name'])
    .where('audit.site_id', '=', reach.siteId);
  if (reach.of === 'own') {
    query = query.where((is) => {
      const own = is.and([
        is('audit.actor', '=', 'user'),
        is('audit.actor_id', '=', reach.userId),
        is('audit.action', '!=', sealed),
      ]);
      const ofPatient = is('audit.object_type', '=', 'patient');
      if (reach.units === 'none') {
        return own;
      }
      if (reach.units === 'all') {
        return is.or([own, ofPatient]);
      }
      const unitIds = [...reach.units];
      // Every user of the site reaches a patient without a unit (server/http/scope).
      const inUnits = is
        .selectFrom('patients')
        .select('patients.id')
        .where('patients.site_id', '=', reach.siteId)
        .where((its) => its.or([its('patients.unit_id', 'is', null), its('patients.unit_id', 'in', unitIds)]));
      return is.or([own, is.and([ofPatient, is('audit.object_id', 'in', inUnits)])]);
    });
  }
  if (from !== null) {
    query = query.where('audit.at', '>=', from);
  }
  if (to !== null) {
    query = query.where('audit.at', '<', to);
  }
  query = query.where((is) =>
    is.and({
      ...{ 'audit.actor_id': filter.actor, 'users.id': filter.actor, 'audit.object_id': filter.patientId },
      'audit.actor': filter.actor === undefined ? undefined : 'user',
      'audit.action': filter.action,
      'audit.object_type': filter.patientId === undefined ? undefined : 'patient',
    }),
  );
  if (behind !== null) {
    query = query.where(sql<boolean>`(audit.at, audit.id) < (${behind.at}, ${behind.id})`);
  }
  return query.orderBy('audit.at', 'desc').orderBy('audit.id', 'desc').limit(limit);
}

/** Returns one page of the rows that a reader may see. */
export async function listAudit(
  db: Kysely<Database>,
  reach: AuditReach,
  filter: AuditFilter,
  behind: AuditPlace | null,
  pageSize: number,
): Promise<AuditResponse> {
  const rows: AuditRowWithName[] = await auditRows(db, reach, filter, behind, pageSize + 1).execute();
  const items = rows.slice(0, pageSize);
  const last = items.at(-1);
  const namesOf = await readAuditNames(db, reach.siteId, reach.named, items);
  return {
    items: items.map((row) => present(shownRow(row), namesOf(row))),
    next: rows.length > pageSize && last !== undefined ? `${last.at}-${last.id}` : null,
  };
}

/** Returns a row as its reader may see it: of a caller of another site a sealed one says no more than that. */
export function shownRow(row: AuditRowWithName): AuditRowWithName {
  return row.action === sealed && row.fname === null
    ? { ...row, actor_id: null, session: null, ip: null, request_id: null }
    : row;
}

/** Returns a row in the form of API responses. The fields are listed explicitly: this is what leaves the server. */
function present(row: AuditRowWithName, { about, details: names }: AuditNames): AuditEntry {
  return auditEntry.parse({
    id: row.id,
    at: toInstant(row.at),
    actor: row.actor,
    actorId: row.actor_id,
    actorName: nameOf(row),
    action: row.action,
    objectType: row.object_type,
    objectId: row.object_id,
    about,
    names,
    outcome: row.outcome,
    details: row.details === null ? {} : (JSON.parse(row.details) as unknown),
    ip: row.ip,
  });
}

/** Returns the name of the user or device that acted, or null. */
export function nameOf({ fname, lname, device_name }: AuditRowWithName): string | null {
  return fname === null || lname === null ? device_name : `${fname} ${lname}`;
}

/** Returns the users by whom a reader can filter: those of the site, or the reader alone if they see only own rows. */
export async function listAuditPeople(
  db: Kysely<Database>,
  reach: AuditReach,
): Promise<{ items: { id: number; name: string }[] }> {
  let query = db.selectFrom('users').select(['id', 'fname', 'lname']).where('site_id', '=', reach.siteId);
  if (reach.of === 'own' && reach.units === 'none') {
    query = query.where('id', '=', reach.userId);
  }
  const rows = await query.orderBy('lname').orderBy('fname').orderBy('id').execute();
  return { items: rows.map(({ id, fname, lname }) => ({ id, name: `${fname} ${lname}` })) };
}

import { sql, type Kysely } from 'kysely';
import { markTrial } from '../../lib/patients/markTrial';
import { readJson } from '../../lib/readJson';
import { z } from 'zod';
import type { Database } from '../db/schema';
import { inScope, type Scope } from '../http/scope';

/** A row of the audit as far as it names others by their ids. */
interface NamedRow {
  object_type: string | null;
  object_id: number | null;
  details: string | null;
}

/** The names of what a row is about, as they are now: the audit itself stores ids alone. */
export interface AuditNames {
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
export async function readAuditNames(
  db: Kysely<Database>,
  siteId: number,
  scope: Scope | null,
  rows: readonly NamedRow[],
): Promise<(row: NamedRow) => AuditNames> {
  const idsOf = (type: string): number[] =>
    rows.flatMap(({ object_type, object_id }) => (object_type === type && object_id !== null ? [object_id] : []));
  const detailed = rows.map((row) => detailIdsOf(row));
  const alerts = await patientsOfAlerts(db, idsOf('alert'));
  const [patients, users, units, devices] = [
    await patientNames(db, scope, [...idsOf('patient'), ...alerts.values()]),
    await siteNames(db, siteId, 'users', [...idsOf('user'), ...detailed.flatMap(({ userId }) => userId ?? [])]),
    await siteNames(db, siteId, 'units', [...idsOf('unit'), ...detailed.flatMap(({ unitId }) => unitId ?? [])]),
    await siteNames(db, siteId, 'devices', idsOf('device')),
  ];
  const aboutOf = ({ object_type, object_id }: NamedRow): string | undefined => {
    if (object_id === null || object_type === null) {
      return undefined;
    }
    switch (object_type) {
      case 'patient':
        return patients.get(object_id);
      case 'alert':
        return patients.get(alerts.get(object_id) ?? 0);
      case 'user':
        return users.get(object_id);
      case 'unit':
        return units.get(object_id);
      case 'device':
        return devices.get(object_id);
      default:
        return undefined;
    }
  };
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

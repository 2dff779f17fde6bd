import type { Unit } from '../../lib/units/schema';
import type { Store } from '../db/open';
import { notFound } from '../http/httpError';
import type { Scope } from '../http/scope';
import { compareText } from '../../lib/sortOrder';
import type { LiveState } from '../liveState';
import type { UnitRow } from '../db/rows';

/** Returns the site's units, sorted by name. `scope` decides whose assignments the user sees; null shows none. */
export async function listUnits(
  store: Store,
  liveState: LiveState,
  siteId: number,
  scope: Scope | null,
): Promise<Unit[]> {
  const rows = [...liveState.units.values()].filter((row) => row.site_id === siteId);
  const people = await store.db
    .selectFrom('user_units')
    .innerJoin('units', 'units.id', 'user_units.unit_id')
    .select((select) => ['unit_id', select.fn.countAll<number | string>().as('count')])
    .where('units.site_id', '=', siteId)
    .groupBy('unit_id')
    .execute();
  const counts = new Map(people.map(({ unit_id, count }) => [unit_id, Number(count)]));
  return rows
    .sort((a, b) => compareText(a.name, b.name))
    .map((row) => presentUnit(liveState, row, counts.get(row.id) ?? 0, scope));
}

/** Returns one unit in the form of API responses. */
export async function readUnit(store: Store, liveState: LiveState, row: UnitRow, scope: Scope | null): Promise<Unit> {
  const { count } = await store.db
    .selectFrom('user_units')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('unit_id', '=', row.id)
    .executeTakeFirstOrThrow();
  return presentUnit(liveState, row, Number(count), scope);
}

function presentUnit(liveState: LiveState, row: UnitRow, people: number, scope: Scope | null): Unit {
  const patients = [...liveState.patients.values()].filter(
    ({ unit_id, state }) => unit_id === row.id && state === 'active',
  );
  return { id: row.id, name: row.name, patients: patients.length, people, isOpen: unitInScope(row, scope) };
}

/** Returns whether a scope reaches a unit's patients. */
export function unitInScope(row: UnitRow, scope: Scope | null): boolean {
  return scope !== null && row.site_id === scope.siteId && (scope.unitIds === null || scope.unitIds.includes(row.id));
}

/** Returns a unit within reach. Throws the same 404 if it does not exist or is out of reach. */
export function requireUnit(liveState: LiveState, scope: Scope, id: number): UnitRow {
  const row = liveState.units.get(id);
  if (row === undefined || !unitInScope(row, scope)) {
    throw notFound();
  }
  return row;
}

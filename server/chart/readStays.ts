import type { Kysely } from 'kysely';
import { comfortCareUntil } from '../../lib/alerts/pauses';
import type { Chart } from '../../lib/chart/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { readNames } from '../users/readNames';

type Sections = Chart['sections'];

/** The most rows of a history in a chart. */
const historyLength = 100;

/** What all entries have that other parts of the product record. */
const recorded = { source: null, replaces: null, reason: null } as const;

/** Resolves with the devices that a patient wears and wore. */
export async function readDevicesSection(db: Kysely<Database>, patientId: number): Promise<Sections['devices']> {
  const rows = await db
    .selectFrom('device_assignments')
    .innerJoin('devices', 'devices.id', 'device_assignments.device_id')
    .selectAll('device_assignments')
    .select('devices.name')
    .where('patient_id', '=', patientId)
    .orderBy('device_assignments.id', 'desc')
    .limit(historyLength)
    .execute();
  const nameOf = await readNames(db, idsOf(rows.flatMap(({ assigned_by, ended_by }) => [assigned_by, ended_by])));
  return rows.map(({ id, device_id, name, assigned_at, assigned_by, ended_at, ended_by, wrong_at }) => ({
    ...recorded,
    id,
    section: 'devices',
    value: { deviceId: device_id, name },
    effectiveAt: toInstant(assigned_at),
    author: nameOf(assigned_by),
    recordedAt: toInstant(assigned_at),
    status: wrong_at !== null ? 'entered_in_error' : ended_at === null ? 'current' : 'ended',
    mark: ended_at === null ? null : { by: personOf(nameOf, ended_by), at: toInstant(ended_at), reason: null },
  }));
}

/** Resolves with standbys and comfort care: what runs at `now` (epoch milliseconds), and what is over. */
export async function readStandbysSection(
  db: Kysely<Database>,
  patientId: number,
  now: EpochMs,
): Promise<Sections['standbys']> {
  const standbys = await db
    .selectFrom('standbys')
    .selectAll()
    .where('patient_id', '=', patientId)
    .orderBy('id', 'desc')
    .limit(historyLength)
    .execute();
  const comfortCares = await db
    .selectFrom('comfort_cares')
    .selectAll()
    .where('patient_id', '=', patientId)
    .orderBy('id', 'desc')
    .limit(historyLength)
    .execute();
  const all = [
    ...standbys.map(({ started_at, started_by, ...row }) => ({
      ...row,
      is: 'standby' as const,
      from: started_at,
      by: started_by,
    })),
    ...comfortCares.map(({ confirmed_at, confirmed_by, ...row }) => ({
      ...row,
      is: 'comfortCare' as const,
      from: confirmed_at,
      by: confirmed_by,
      until: comfortCareUntil({ confirmedAt: confirmed_at }),
    })),
  ].sort((a, b) => b.from - a.from);
  const nameOf = await readNames(db, idsOf(all.flatMap(({ by, ended_by }) => [by, ended_by])));
  return all.map(({ is, from, until, by, reason, ended_at, ended_by }, place) => ({
    ...recorded,
    // Of two tables: its rows are numbered here, the oldest is 1.
    id: all.length - place,
    section: 'standbys',
    value: { is, until: toInstant(until) },
    effectiveAt: toInstant(from),
    author: nameOf(by),
    recordedAt: toInstant(from),
    reason,
    status: ended_at === null && now < until ? 'current' : 'ended',
    mark:
      ended_at === null || ended_at > until
        ? null
        : { by: personOf(nameOf, ended_by), at: toInstant(ended_at), reason: null },
  }));
}

/** Resolves with a patient's admissions, moves and discharges. */
export async function readStaysSection(
  db: Kysely<Database>,
  liveState: LiveState,
  patientId: number,
): Promise<Sections['stays']> {
  const rows = await db
    .selectFrom('patient_moves')
    .selectAll()
    .where('patient_id', '=', patientId)
    .orderBy('id', 'desc')
    .limit(historyLength)
    .execute();
  const nameOf = await readNames(db, idsOf(rows.map(({ moved_by }) => moved_by)));
  const placeOf = (unit_id: number | null, bed: string | null) => {
    const unit = liveState.unitNameOf({ unit_id });
    return unit === null ? null : { unit, bed };
  };
  return rows.map((row, place) => ({
    ...recorded,
    id: row.id,
    section: 'stays',
    value: {
      is: row.kind,
      from: placeOf(row.from_unit_id, row.from_bed),
      to: placeOf(row.to_unit_id, row.to_bed),
    },
    effectiveAt: toInstant(row.moved_at),
    author: personOf(nameOf, row.moved_by),
    recordedAt: toInstant(row.recorded_at ?? row.moved_at),
    status: place === 0 ? 'current' : 'superseded',
    mark: null,
  }));
}

const idsOf = (ids: readonly (number | null)[]): number[] => ids.filter((id) => id !== null);

const personOf = <Person>(nameOf: (id: number) => Person, id: number | null): Person | null =>
  id === null ? null : nameOf(id);

import { sql } from 'kysely';
import { changingMs } from '../../lib/heldValues/changingMs';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import type { BedMappingRow, BedReleaseRow, PatientRow } from '../db/rows';
import { heldMs } from '../hl7/replay';
import { wholeKey } from '../hl7/sourceOf';
import type { Server } from '../server';
import { bedKey, bedOf, type BedStay } from '../patients/bedStays';

/** A move of a patient near which values of their bed were held. */
export interface HeldMove {
  stay: BedStay;
  change: 'begin' | 'end';
  movedAt: EpochMs;
  unitId: number;
  bed: string;
  /** When the first of the messages and the last one came. */
  first: EpochMs;
  last: EpochMs;
  /** Null: they are not released. */
  release: BedReleaseRow | null;
}

type Parts = Pick<Server, 'store' | 'liveState' | 'beds' | 'sources' | 'now'>;

/**
 * So long after a move its held values are listed and released, in milliseconds: as long as a move can be entered late.
 */
const listedMs = 24 * 3_600_000;

/**
 * Resolves with the moves of a patient, the last first, near which messages that named no one were held by their beds.
 * The rows of quarantine say so, also after a restart, and so does a release. Only beds that are mapped still count:
 * nothing else is read again.
 */
export async function readHeld(
  { store, liveState, beds, sources, now }: Parts,
  patient: PatientRow,
): Promise<HeldMove[]> {
  const since = now() - listedMs;
  const mappings = beds.ofSite(patient.site_id).filter(({ confirmed_at }) => confirmed_at !== null);
  const released = await store.db
    .selectFrom('bed_releases')
    .selectAll()
    .where('patient_id', '=', patient.id)
    .where('moved_at', '>', since)
    .where('taken_back_at', 'is', null)
    .execute();
  const found: HeldMove[] = [];
  for (const stay of liveState.bedStays.staysOf(patient.id, bedOf(patient))) {
    const ofBed = mappings.filter(({ unit_id, bed }) => bedKey(unit_id, bed) === stay.bed);
    const [mapping] = ofBed;
    for (const change of ['end', 'begin'] as const) {
      const movedAt = change === 'begin' ? stay.from : stay.until;
      if (mapping !== undefined && movedAt !== null && movedAt > since) {
        const between =
          change === 'begin'
            ? { from: movedAt, to: Math.min(movedAt + heldMs, stay.until ?? Infinity) }
            : { from: Math.max(movedAt - changingMs, stay.from ?? 0), to: movedAt };
        const release = released.find((row) => row.change === change && row.moved_at === movedAt) ?? null;
        const times =
          (await readTimes({ store, sources }, ofBed, between)) ??
          // Rows of quarantine do not move with a step of our clock. What is released can be taken back all the same.
          (release === null ? null : { first: movedAt, last: movedAt });
        // What is held of a patient who has left is given to no one; what was released can be taken back.
        if (times !== null && (release !== null || patient.state === 'active')) {
          found.push({ stay, change, movedAt, unitId: mapping.unit_id, bed: mapping.bed, ...times, release });
        }
      }
    }
  }
  return found;
}

/** Resolves with when the first and the last message came that were held for beds of senders; null: there are none. */
async function readTimes(
  { store, sources }: Pick<Parts, 'store' | 'sources'>,
  ofBed: readonly BedMappingRow[],
  between: Between,
): Promise<{ first: EpochMs; last: EpochMs } | null> {
  const times: EpochMs[] = [];
  for (const { sender_id, sender_bed } of ofBed) {
    const whole = sources.find(sender_id, wholeKey);
    if (whole !== null) {
      const { first, last } = await heldQuery(store, whole.id, sender_bed, between).executeTakeFirstOrThrow();
      times.push(...[first, last].filter((time) => time !== null));
    }
  }
  return times.length === 0 ? null : { first: Math.min(...times), last: Math.max(...times) };
}

/** Returns the query for when messages of a sender's bed were held. A row begins with the bed, and may be cut off. */
export function heldQuery({ db }: Pick<Store, 'db'>, deviceId: number, senderBed: string, between: Between) {
  const beginning = JSON.stringify({ bed: senderBed.slice(0, 100) }).slice(0, -1);
  return (
    db
      .selectFrom('quarantine')
      .select(({ fn }) => [
        fn.min<number | null>('received_at').as('first'),
        fn.max<number | null>('received_at').as('last'),
      ])
      .where('device_id', '=', deviceId)
      // As it is in the index.
      .where('code', '=', sql.lit('bed_changing'))
      .where('received_at', '>=', between.from)
      .where('received_at', '<=', between.to)
      .where(sql<boolean>`substr(sample, 1, ${sql.lit([...beginning].length)}) = ${beginning}`)
  );
}

interface Between {
  from: EpochMs;
  to: EpochMs;
}

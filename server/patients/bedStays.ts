import { getOrAdd } from '../../lib/getOrAdd';
import { unitKey } from '../../lib/units/unitKey';
import type { EpochMs } from '../../lib/time/epochMs';
import { movedFrom } from '../clock/movedFrom';
import type { PatientRow } from '../db/rows';

/** A bed by which both who is in it and who was is found. */
export type BedKey = string;

/**
 * Who is in a bed, or why the bed does not say. `releasedSince`: it says so only because a person has looked; when the
 * patient came into the bed, epoch milliseconds.
 */
export type Occupancy =
  | { patientId: number; releasedSince?: EpochMs }
  | { code: 'empty_bed' | 'bed_changing' | 'identity_conflict' };

/** A patient came into a bed, left one, or both. */
export interface BedMove {
  patientId: number;
  /** When they did, epoch milliseconds. */
  at: EpochMs;
  from: BedKey | null;
  to: BedKey | null;
  /** A person has seen that the monitor of `to` is on the patient. */
  isReleased?: boolean;
}

/** So near to a change of its patient a bed does not say whose a value is (the clocks of bed and staff differ). */
export const changingMs = 5 * 60_000;

/**
 * Messages are kept for 30 days, and values of more than 24 h before their message are refused (`sortValues`): earlier
 * moves decide nothing.
 */
export const keptMs = 31 * 24 * 3_600_000 + 2 * changingMs;

/** Returns the bed of a patient who is here; null if they have none. */
export function bedOf({ unit_id, bed, state }: Pick<PatientRow, 'unit_id' | 'bed' | 'state'>): BedKey | null {
  return state === 'active' ? bedKey(unit_id, bed) : null;
}

/** Returns the key of a bed; null if there is none. Capitals do not matter. */
export function bedKey(unitId: number | null, bed: string | null): BedKey | null {
  return unitId === null || bed === null ? null : bedKeyOf(unitId, bed);
}

/** Returns the key of a bed that there is. */
export const bedKeyOf = (unitId: number, bed: string): BedKey => `${unitId} ${unitKey(bed)}`;

/** Who is in each bed now, and who was in the last 31 days. It is derived from the patients and their moves. */
export class BedStays {
  private readonly occupants = new Map<BedKey, Set<number>>();
  /** In the order of their times. */
  private moves: BedMove[] = [];
  /** The moves of each bed and of each patient, the last first. */
  private readonly byBed = new Map<BedKey, BedMove[]>();
  private readonly byPatient = new Map<number, BedMove[]>();

  /** Takes where a patient is now. `at`: since when, if they came or left; null if that is in `load`. */
  take(patientId: number, from: BedKey | null, to: BedKey | null, at: EpochMs | null): void {
    if (from === to) {
      return;
    }
    if (from !== null) {
      this.occupants.get(from)?.delete(patientId);
    }
    if (to !== null) {
      getOrAdd(this.occupants, to, () => new Set<number>()).add(patientId);
    }
    if (at === null) {
      return;
    }
    const move = { patientId, at, from, to };
    if (at < (this.moves.at(-1)?.at ?? 0)) {
      this.put([...this.moves, move]);
      return;
    }
    this.append(move);
  }

  /** Takes the moves before this start. */
  load(moves: readonly BedMove[]): void {
    this.put([...moves, ...this.moves]);
  }

  /**
   * Returns the one patient of a bed from `from` to `to`, epoch milliseconds, and the five minutes before and after.
   * Both the time of a value and that of its arrival belong between them: if the sender's clock is wrong, it is one of
   * the patients in between, and unless that is one and the same the bed does not say whose it is. That the patient who
   * was there is released takes away the five minutes after they came.
   */
  occupantOf(bed: BedKey, from: EpochMs, to: EpochMs): Occupancy {
    const plain = this.occupantBetween(bed, from, to, -Infinity);
    if (!('code' in plain) || plain.code !== 'bed_changing') {
      return plain;
    }
    const begun = this.byBed.get(bed)?.find((move) => move.isReleased === true && move.to === bed && move.at <= from);
    const found = begun === undefined ? plain : this.occupantBetween(bed, from, to, begun.at);
    return begun !== undefined && 'patientId' in found && found.patientId === begun.patientId
      ? { ...found, releasedSince: begun.at }
      : plain;
  }

  /**
   * Returns the one patient of a bed from `from` to `to` and the five minutes around, but for moves up to `begun`,
   * which are before that time.
   */
  private occupantBetween(bed: BedKey, from: EpochMs, to: EpochMs, begun: EpochMs): Occupancy {
    const ids = new Set(this.occupants.get(bed));
    // Back from now to the end of that time.
    for (const { patientId, at, to: entered } of this.byBed.get(bed) ?? []) {
      if (at <= begun) {
        break;
      }
      if (at >= from - changingMs && at <= to + changingMs) {
        return { code: 'bed_changing' };
      }
      if (at < from) {
        break;
      }
      if (entered === bed) {
        ids.delete(patientId);
      } else {
        ids.add(patientId);
      }
    }
    const [patientId, ...others] = ids;
    return patientId === undefined
      ? { code: 'empty_bed' }
      : others.length > 0
        ? { code: 'identity_conflict' }
        : { patientId };
  }

  /** Notes that a move of a patient at `at` is released, or no longer. It counts as long as the move is known. */
  release(patientId: number, at: EpochMs, isReleased: boolean): void {
    for (const move of this.byPatient.get(patientId)?.filter((one) => one.at === at) ?? []) {
      move.isReleased = isReleased;
    }
  }

  /** Returns whether a patient was in a bed at any time since `since`, epoch milliseconds, or is. */
  wasIn(patientId: number, bed: BedKey, since: EpochMs): boolean {
    return (
      this.occupants.get(bed)?.has(patientId) === true ||
      (this.byBed.get(bed) ?? []).some(
        (move) => move.patientId === patientId && move.from === bed && move.at >= since - changingMs,
      )
    );
  }

  /**
   * Returns whether a patient was in other beds only from `from` to `to`, epoch milliseconds, and the five minutes
   * before and after. `now`: the bed in which they are. Who was in no bed was nowhere else.
   */
  wasElsewhere(
    patientId: number,
    bed: BedKey,
    now: BedKey | null,
    { from, to }: { from: EpochMs; to: EpochMs },
  ): boolean {
    const beds = new Set<BedKey>();
    let [isIn, until] = [now, Infinity];
    for (const { at, from: left } of this.byPatient.get(patientId) ?? []) {
      if (isIn !== null && at <= to + changingMs && until >= from - changingMs) {
        beds.add(isIn);
      }
      [isIn, until] = [left, at];
    }
    if (isIn !== null && until >= from - changingMs) {
      beds.add(isIn);
    }
    return beds.size > 0 && !beds.has(bed);
  }

  /** Moves the times with a step of the server's clock (`movedFrom`). The store has moved them before. */
  moveClock(ms: number, until: EpochMs): void {
    const from = movedFrom(ms, until);
    const moved = (at: EpochMs): EpochMs => (at > from ? at + ms : at);
    this.put(this.moves.map((move) => ({ ...move, at: moved(move.at) })));
  }

  private put(moves: BedMove[]): void {
    this.moves = [];
    this.byBed.clear();
    this.byPatient.clear();
    for (const move of moves.sort((a, b) => a.at - b.at)) {
      this.append(move);
    }
  }

  /** Adds the newest move, and forgets those that are too old by it. Thousands are not sorted for each one. */
  private append(move: BedMove): void {
    this.moves.push(move);
    for (const bed of bedsOf(move)) {
      getOrAdd(this.byBed, bed, () => []).unshift(move);
    }
    getOrAdd(this.byPatient, move.patientId, () => []).unshift(move);
    for (let [oldest] = this.moves; oldest !== undefined && oldest.at < move.at - keptMs; [oldest] = this.moves) {
      this.moves.shift();
      for (const bed of bedsOf(oldest)) {
        dropLast(this.byBed, bed);
      }
      dropLast(this.byPatient, oldest.patientId);
    }
  }
}

const bedsOf = ({ from, to }: BedMove): BedKey[] => [from, to].filter((bed) => bed !== null);

function dropLast<Key>(lists: Map<Key, BedMove[]>, key: Key): void {
  const list = lists.get(key);
  list?.pop();
  if (list?.length === 0) {
    lists.delete(key);
  }
}

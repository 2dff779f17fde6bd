import { changingMs } from '../../lib/heldValues/changingMs';
import { unitKey } from '../../lib/units/unitKey';
import type { EpochMs } from '../../lib/time/epochMs';
import { movedFrom } from '../clock/movedFrom';
import type { BedReleaseRow, PatientRow } from '../db/rows';

/** A bed by which both who is in it and who was is found. */
export type BedKey = string;

/** Who is in a bed, or why the bed does not say. `isReleased`: it says so only because a person has looked. */
export type Occupancy =
  | { patientId: number; isReleased?: true }
  | { code: 'empty_bed' | 'bed_changing' | 'identity_conflict' };

/** A patient came into a bed, left one, or both. */
export interface BedMove {
  patientId: number;
  /** When they did, epoch milliseconds. */
  at: EpochMs;
  from: BedKey | null;
  to: BedKey | null;
}

/** That a person has seen whose monitor it is that is in a bed, near one move of a patient into it or out of it. */
export interface BedRelease {
  id: number;
  patientId: number;
  bed: BedKey;
  /** Whether the patient came into the bed or left it. */
  change: 'begin' | 'end';
  /** When they did, epoch milliseconds. */
  movedAt: EpochMs;
  /** From when on the monitor is on the patient who came, or until when on the one who left. */
  at: EpochMs;
}

/** A stay in a bed, epoch milliseconds. Null: since before all that is known; until now. */
export interface BedStay {
  bed: BedKey;
  from: EpochMs | null;
  until: EpochMs | null;
}

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

/** Returns the release that a row is. */
export function releaseOf({ id, patient_id, unit_id, bed, change, moved_at, at }: BedReleaseRow): BedRelease {
  return { id, patientId: patient_id, bed: bedKeyOf(unit_id, bed), change, movedAt: moved_at, at };
}

/** Who is in each bed now, and who was in the last 31 days. It is derived from the patients and their moves. */
export class BedStays {
  private readonly occupants = new Map<BedKey, Set<number>>();
  /** In the order of their times. */
  private moves: BedMove[] = [];
  /** The moves of each bed and of each patient, the last first. */
  private readonly byBed = new Map<BedKey, BedMove[]>();
  private readonly byPatient = new Map<number, BedMove[]>();
  private readonly releases = new Map<BedKey, BedRelease[]>();

  /** Takes where a patient is now. `at`: since when, if they came or left; null if that is in `load`. */
  take(patientId: number, from: BedKey | null, to: BedKey | null, at: EpochMs | null): void {
    if (from === to) {
      return;
    }
    if (from !== null) {
      this.occupants.get(from)?.delete(patientId);
    }
    if (to !== null) {
      const others = this.occupants.get(to);
      if (others === undefined) {
        this.occupants.set(to, new Set([patientId]));
      } else {
        others.add(patientId);
      }
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
   * the patients in between, and unless that is one and the same the bed does not say whose it is. A release of the
   * patient who was there takes the five minutes away on the side of their stay.
   */
  occupantOf(bed: BedKey, from: EpochMs, to: EpochMs): Occupancy {
    const plain = this.occupantBetween(bed, from, to, { begun: -Infinity, ended: Infinity });
    if (!('code' in plain) || plain.code !== 'bed_changing') {
      return plain;
    }
    const releases = (this.releases.get(bed) ?? []).filter((release) => this.isOfMove(release));
    const released = [...new Set(releases.map((release) => release.patientId))].filter((patientId) => {
      const own = releases.filter((release) => release.patientId === patientId);
      const begun = own.filter(({ change, movedAt, at }) => change === 'begin' && Math.max(movedAt, at) <= from);
      const ended = own.filter(({ change, movedAt, at }) => change === 'end' && Math.min(movedAt, at) >= to);
      const found = this.occupantBetween(bed, from, to, {
        begun: Math.max(-Infinity, ...begun.map(({ movedAt }) => movedAt)),
        ended: Math.min(Infinity, ...ended.map(({ movedAt }) => movedAt)),
      });
      return 'patientId' in found && found.patientId === patientId;
    });
    // The moment in which one left and the other came may be released of both.
    const [patientId, ...others] = released;
    return patientId === undefined || others.length > 0 ? plain : { patientId, isReleased: true };
  }

  /**
   * Returns the one patient of a bed from `from` to `to` and the five minutes around, but for moves up to `begun`,
   * which are before that time, and those from `ended` on, which are after it.
   */
  private occupantBetween(
    bed: BedKey,
    from: EpochMs,
    to: EpochMs,
    { begun, ended }: { begun: EpochMs; ended: EpochMs },
  ): Occupancy {
    const ids = new Set(this.occupants.get(bed));
    // Back from now to the end of that time.
    for (const { patientId, at, to: entered } of this.byBed.get(bed) ?? []) {
      if (at <= begun) {
        break;
      }
      if (at < ended && at >= from - changingMs && at <= to + changingMs) {
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

  /** Adds a release. It counts as long as its move is known. */
  putRelease(release: BedRelease): void {
    this.releases.set(release.bed, [...(this.releases.get(release.bed) ?? []), release]);
  }

  /** Takes a release away. */
  removeRelease(id: number): void {
    for (const [bed, releases] of this.releases) {
      this.releases.set(
        bed,
        releases.filter((release) => release.id !== id),
      );
    }
  }

  /** Returns whether a release counts. */
  hasRelease(bed: BedKey, id: number): boolean {
    return (this.releases.get(bed) ?? []).some((release) => release.id === id && this.isOfMove(release));
  }

  private isOfMove({ patientId, bed, change, movedAt }: BedRelease): boolean {
    return (this.byBed.get(bed) ?? []).some(
      (move) =>
        move.patientId === patientId && move.at === movedAt && (change === 'begin' ? move.to : move.from) === bed,
    );
  }

  /** Returns the stays of a patient in beds, the last first. `now`: the bed in which they are. */
  staysOf(patientId: number, now: BedKey | null): BedStay[] {
    const stays: BedStay[] = [];
    let [bed, until]: [BedKey | null, EpochMs | null] = [now, null];
    for (const { at, from } of this.byPatient.get(patientId) ?? []) {
      if (bed !== null) {
        stays.push({ bed, from: at, until });
      }
      [bed, until] = [from, at];
    }
    return bed === null ? stays : [...stays, { bed, from: null, until }];
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
    for (const [bed, releases] of this.releases) {
      this.releases.set(
        bed,
        releases.map((release) => ({ ...release, movedAt: moved(release.movedAt), at: moved(release.at) })),
      );
    }
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
      addTo(this.byBed, bed, move);
    }
    addTo(this.byPatient, move.patientId, move);
    for (let [oldest] = this.moves; oldest !== undefined && oldest.at < move.at - keptMs; [oldest] = this.moves) {
      this.moves.shift();
      for (const bed of bedsOf(oldest)) {
        dropLast(this.byBed, bed);
        const { at } = oldest;
        const left = this.releases.get(bed)?.filter(({ movedAt }) => movedAt > at) ?? [];
        if (left.length > 0) {
          this.releases.set(bed, left);
        } else {
          this.releases.delete(bed);
        }
      }
      dropLast(this.byPatient, oldest.patientId);
    }
  }
}

const bedsOf = ({ from, to }: BedMove): BedKey[] => [from, to].filter((bed) => bed !== null);

function addTo<Key>(lists: Map<Key, BedMove[]>, key: Key, move: BedMove): void {
  const list = lists.get(key);
  if (list === undefined) {
    lists.set(key, [move]);
  } else {
    list.unshift(move);
  }
}

function dropLast<Key>(lists: Map<Key, BedMove[]>, key: Key): void {
  const list = lists.get(key);
  list?.pop();
  if (list?.length === 0) {
    lists.delete(key);
  }
}

import type { Selectable } from 'kysely';
import { getOrAdd } from '../../lib/getOrAdd';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { keptMs } from '../patients/bedStays';

type Stay = Pick<Selectable<Database['device_assignments']>, 'patient_id' | 'assigned_at' | 'ended_at'>;

interface KnownStay {
  patientId: number;
  from: EpochMs;
  /** Infinity while it lasts. */
  until: EpochMs;
  /** The patient was the wrong one. */
  isWrong: boolean;
}

/** Whose each device is, and was for as long as a device may send what it kept back. */
export class DeviceStays {
  /** The patient of each assigned device, by ids. */
  readonly assigned = new Map<number, number>();
  /** The assignments of each device, in the order of their times. */
  private readonly stays = new Map<number, readonly KnownStay[]>();

  /** Assigns a device from `at` on; null: to no one. Calls come in the order of their times. */
  put(deviceId: number, patientId: number | null, at: EpochMs): void {
    const before = (this.stays.get(deviceId) ?? [])
      .filter(({ until }) => until > at - keptMs)
      .map((stay) => ({ ...stay, until: Math.min(stay.until, at) }));
    if (patientId === null) {
      this.assigned.delete(deviceId);
    } else {
      this.assigned.set(deviceId, patientId);
      before.push({ patientId, from: at, until: Infinity, isWrong: false });
    }
    this.stays.set(deviceId, before);
  }

  /** Marks one stay of a device, and ends it if it lasts: it was on the wrong patient. */
  drop(deviceId: number, { patient_id, assigned_at, ended_at }: Stay, at: EpochMs): void {
    if (ended_at === null) {
      this.put(deviceId, null, at);
    }
    const stays = this.stays.get(deviceId) ?? [];
    this.stays.set(
      deviceId,
      stays.map((stay) =>
        stay.patientId === patient_id && stay.from === assigned_at ? { ...stay, isWrong: true } : stay,
      ),
    );
  }

  /** Returns whose a device was at a time, or null. */
  at(deviceId: number, at: EpochMs): number | null {
    return this.stayAt(deviceId, at, false)?.patientId ?? null;
  }

  /** Returns the devices that each patient has now, with since when. */
  byPatient(): Map<number, { deviceId: number; since: EpochMs }[]> {
    const found = new Map<number, { deviceId: number; since: EpochMs }[]>();
    for (const [deviceId, patientId] of this.assigned) {
      const since = this.stays.get(deviceId)?.at(-1)?.from ?? 0;
      getOrAdd(found, patientId, () => []).push({ deviceId, since });
    }
    return found;
  }

  /** Returns whether a device was on a patient at a time who was the wrong one. */
  wasWrong(deviceId: number, patientId: number, at: EpochMs): boolean {
    return this.stayAt(deviceId, at, true)?.patientId === patientId;
  }

  private stayAt(deviceId: number, at: EpochMs, isWrong: boolean): KnownStay | undefined {
    const stays = this.stays.get(deviceId) ?? [];
    return stays.find((stay) => stay.from <= at && at < stay.until && stay.isWrong === isWrong);
  }

  /** Moves times with a step of the server's clock by `moved`. */
  moveClock(moved: (at: EpochMs) => EpochMs): void {
    for (const [deviceId, stays] of this.stays) {
      const after = stays.map((stay) => ({ ...stay, from: moved(stay.from), until: moved(stay.until) }));
      this.stays.set(deviceId, after);
    }
  }
}

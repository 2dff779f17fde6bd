import type { EpochMs } from '../../lib/time/epochMs';
import { keptMs } from '../patients/bedStays';

/** Whose each device is, and was for as long as a device may send what it kept back. */
export class DeviceStays {
  /** The patient of each assigned device, by ids. */
  readonly assigned = new Map<number, number>();
  /** The assignments of each device, in the order of their times; `until` is Infinity while it lasts. */
  private readonly stays = new Map<number, readonly { patientId: number; from: EpochMs; until: EpochMs }[]>();

  /** Assigns a device from `at` on; null: to no one. Calls come in the order of their times. */
  put(deviceId: number, patientId: number | null, at: EpochMs): void {
    const before = (this.stays.get(deviceId) ?? [])
      .filter(({ until }) => until > at - keptMs)
      .map((stay) => ({ ...stay, until: Math.min(stay.until, at) }));
    if (patientId === null) {
      this.assigned.delete(deviceId);
    } else {
      this.assigned.set(deviceId, patientId);
      before.push({ patientId, from: at, until: Infinity });
    }
    this.stays.set(deviceId, before);
  }

  /** Forgets that a device was last on a patient, or still is: it was the wrong one. */
  drop(deviceId: number, patientId: number, at: EpochMs): void {
    if (this.assigned.get(deviceId) === patientId) {
      this.put(deviceId, null, at);
    }
    const stays = this.stays.get(deviceId) ?? [];
    const wrong = stays.findLast((stay) => stay.patientId === patientId);
    this.stays.set(
      deviceId,
      stays.filter((stay) => stay !== wrong),
    );
  }

  /** Returns whose a device was at a time, or null. */
  at(deviceId: number, at: EpochMs): number | null {
    return this.stays.get(deviceId)?.find(({ from, until }) => from <= at && at < until)?.patientId ?? null;
  }

  /** Moves times with a step of the server's clock by `moved`. */
  moveClock(moved: (at: EpochMs) => EpochMs): void {
    for (const [deviceId, stays] of this.stays) {
      const after = stays.map((stay) => ({ ...stay, from: moved(stay.from), until: moved(stay.until) }));
      this.stays.set(deviceId, after);
    }
  }
}

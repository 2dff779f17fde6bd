import type { EpochMs } from '../../lib/time/epochMs';
import { keptMs } from '../patients/bedStays';

/** An assignment of a device; `until` is null while it lasts. */
interface DeviceStay {
  patientId: number;
  from: EpochMs;
  until: EpochMs | null;
}

/** Whose each device is, and was for as long as a device may send what it kept back. */
export class DeviceStays {
  /** The patient of each assigned device, by ids. */
  readonly assigned = new Map<number, number>();
  private readonly stays = new Map<number, readonly DeviceStay[]>();

  /** Assigns a device from `at` on; null: to no one. Calls come in the order of their times. */
  put(deviceId: number, patientId: number | null, at: EpochMs): void {
    const before = (this.stays.get(deviceId) ?? [])
      .filter(({ until }) => until === null || until > at - keptMs)
      .map((stay) => ({ ...stay, until: stay.until ?? at }));
    if (patientId === null) {
      this.stays.set(deviceId, before);
      this.assigned.delete(deviceId);
    } else {
      this.stays.set(deviceId, [...before, { patientId, from: at, until: null }]);
      this.assigned.set(deviceId, patientId);
    }
  }

  /** Returns whose a device was at a time, or null. */
  at(deviceId: number, at: EpochMs): number | null {
    const stay = this.stays.get(deviceId)?.find(({ from, until }) => from <= at && (until === null || at < until));
    return stay?.patientId ?? null;
  }

  /** Moves times with a step of the server's clock by `moved`. */
  moveClock(moved: (at: EpochMs) => EpochMs): void {
    for (const [deviceId, stays] of this.stays) {
      const after = stays.map(({ patientId, from, until }) => ({
        patientId,
        from: moved(from),
        until: until === null ? null : moved(until),
      }));
      this.stays.set(deviceId, after);
    }
  }
}

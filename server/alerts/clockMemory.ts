import {
  evaluateCut,
  type CutConnection,
  type MonitorFate,
  type MonitorRefusal,
  type ServerClockStep,
} from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ClockStep } from '../clock/clock';
import type { DeviceCall } from './clockFacts';
import { isServer } from './serverSubject';

/** What ticks remember since this start, and no store keeps. */
export class ClockMemory {
  /** The newest call of each device. */
  readonly calls = new Map<number, DeviceCall>();
  /** What became of the messages of each monitor behind an HL7 sender. */
  readonly fates = new Map<number, MonitorFate>();
  ticks = 0;
  /** The server's clock may be wrong by more than a day. */
  isClockDoubted = false;
  /** When the server was started again after a fault of its own, null if it was not. */
  startedAfterFault: EpochMs | null = null;
  /** The disk with the data is nearly full; null: not looked at yet. */
  isDiskLow: boolean | null = null;
  /** The last connection that got or kept no place at the HL7 port; for an hour that of an accepted sender. */
  cut: CutConnection | null = null;

  /**
   * Silence counts from `listeningSince` on: the server was not running before. `step` is the last step of the server's
   * clock, null if there was none.
   */
  constructor(
    public listeningSince: EpochMs,
    public step: ServerClockStep | null,
  ) {}

  /** Notes a call. One without a battery leaves what the call before said of it. */
  deviceCalled(deviceId: number, { at, offsetMs, battery }: DeviceCall): void {
    this.calls.set(deviceId, { at, offsetMs, battery: battery ?? this.calls.get(deviceId)?.battery ?? null });
  }

  /** Notes what became of a message of a monitor: why its values were refused; null: they were a patient's. */
  monitorHeard(deviceId: number, reason: MonitorRefusal | null, at: EpochMs): void {
    const { refused = null, takenAt = null } = this.fates.get(deviceId) ?? {};
    this.fates.set(deviceId, reason === null ? { refused, takenAt: at } : { refused: { at, reason }, takenAt });
  }

  connectionCut(isKnown: boolean, at: EpochMs): void {
    const isWorse = this.cut?.isKnown === true && evaluateCut(this.cut, at) !== null;
    this.cut = { isKnown: isKnown || isWorse, at };
  }

  /** Returns when a device last called, or a monitor last sent something that was taken or refused; null: not yet. */
  seenAt(deviceId: number): EpochMs | null {
    const { refused = null, takenAt = null } = this.fates.get(deviceId) ?? {};
    const at = Math.max(this.calls.get(deviceId)?.at ?? 0, refused?.at ?? 0, takenAt ?? 0);
    return at === 0 ? null : at;
  }

  /** Returns the newest call of a device, and as that of the server the last step of its clock; null without one. */
  callOf(deviceId: number): DeviceCall | null {
    return isServer(deviceId) && this.step !== null
      ? { at: this.step.at, offsetMs: this.step.jumpedMs, battery: null }
      : (this.calls.get(deviceId) ?? null);
  }

  /** Moves with a step of the server's clock, after which it is `now`. */
  moveClock({ jumpedMs, moveMs }: ClockStep, now: EpochMs): void {
    this.listeningSince += moveMs;
    this.startedAfterFault = this.startedAfterFault === null ? null : this.startedAfterFault + moveMs;
    for (const [deviceId, call] of this.calls) {
      const offsetMs = call.offsetMs === null ? null : call.offsetMs + moveMs;
      this.calls.set(deviceId, { ...call, at: call.at + moveMs, offsetMs });
    }
    for (const [deviceId, { refused, takenAt }] of this.fates) {
      this.fates.set(deviceId, {
        refused: refused === null ? null : { ...refused, at: refused.at + moveMs },
        takenAt: takenAt === null ? null : takenAt + moveMs,
      });
    }
    this.cut = this.cut === null ? null : { ...this.cut, at: this.cut.at + moveMs };
    this.step = { jumpedMs, at: now };
  }
}

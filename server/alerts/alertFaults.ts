import type { Logger } from 'pino';
import { placesOf } from '../http/errors';

/** Whom a fault of the alarm path is about, by number: no log and no metric has more of a patient. */
export interface FaultySubject {
  patientId: number | null;
  deviceId: number | null;
}

/** What was evaluated: what failed in one of these is well again when the same does not throw. */
export type Evaluating = 'samples' | 'clock' | 'devices' | 'report' | 'settings';

/** Counts the faults of the alarm path since this start, and writes them to the log without patient data. */
export class AlertFaults {
  /** How often evaluating a subject threw, by what was evaluated. */
  readonly failures = new Map<Evaluating, number>();
  private readonly failing = new Map<string, Set<Evaluating>>();

  constructor(private readonly log: Logger) {}

  /** Notes that evaluating a subject threw. The log gets one line until the same is well again. */
  failed(subject: FaultySubject, evaluating: Evaluating, error: unknown): void {
    this.failures.set(evaluating, (this.failures.get(evaluating) ?? 0) + 1);
    const failing = this.failing.get(keyOf(subject)) ?? new Set();
    if (!failing.has(evaluating)) {
      failing.add(evaluating);
      this.failing.set(keyOf(subject), failing);
      const fault = error instanceof Error ? error.name : 'unknown';
      this.log.error({ ...subject, evaluating, fault, stack: placesOf(error) }, 'the rules failed for a subject');
    }
  }

  /** Notes that evaluating a subject did not throw. */
  passed(subject: FaultySubject, evaluating: Evaluating): void {
    // With every call of a device, and mostly nothing fails.
    if (this.failing.size > 0) {
      const failing = this.failing.get(keyOf(subject));
      failing?.delete(evaluating);
      if (failing?.size === 0) {
        this.failing.delete(keyOf(subject));
      }
    }
  }

  isFailing(subject: FaultySubject): boolean {
    return this.failing.has(keyOf(subject));
  }
}

const keyOf = ({ patientId, deviceId }: FaultySubject): string => `${patientId ?? 0} ${deviceId ?? 0}`;

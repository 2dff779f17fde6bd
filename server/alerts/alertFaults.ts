import type { Logger } from 'pino';
import { placesOf } from '../http/errors';

/** Whom a fault of the alarm path is about, by number: no log and no metric has more of a patient. */
export interface FaultySubject {
  patientId: number | null;
  deviceId: number | null;
}

/** What was evaluated: what failed in one of these is well again when the same does not throw. */
export type Evaluating = 'samples' | 'clock' | 'devices' | 'report' | 'unread report' | 'settings';

/** What of the store could not be read. */
export type Unread = 'alert' | 'evidence' | 'limits' | 'escalation' | 'pause' | 'retrospective' | 'symptoms';

/** Counts the faults of the alarm path since this start, and writes them to the log without patient data. */
export class AlertFaults {
  /** How often evaluating a subject threw, by what was evaluated. */
  readonly failures = new Map<string, number>();
  /** The subjects whose rule state was rebuilt, each with how often. */
  readonly rebuiltSubjects = new Map<string, number>();
  /** How much of each could not be read. */
  readonly unreadable = new Map<Unread, number>();
  private readonly knownRows = new Set<string>();
  private readonly failing = new Map<string, Set<Evaluating>>();

  constructor(private readonly log: Logger) {}

  /** Notes that evaluating a subject threw. The log gets one line until the same is well again (`passed`). */
  failed(subject: FaultySubject, evaluating: Evaluating, error: unknown): void {
    const failing = this.failing.get(keyOf(subject)) ?? new Set();
    this.failing.set(keyOf(subject), failing);
    if (failing.has(evaluating)) {
      this.count(evaluating);
    } else {
      failing.add(evaluating);
      this.failedOnce(subject, evaluating, error);
    }
  }

  /** Notes that something threw which is not tried again with every call or tick. */
  failedOnce(
    subject: FaultySubject,
    evaluating: Evaluating | 'start' | 'retrospective' | 'listener',
    error: unknown,
  ): void {
    this.count(evaluating);
    const fault = error instanceof Error ? error.name : 'unknown';
    this.log.error({ ...subject, evaluating, fault, stack: placesOf(error) }, 'the rules failed for a subject');
  }

  private count(evaluating: string): void {
    this.failures.set(evaluating, (this.failures.get(evaluating) ?? 0) + 1);
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

  /** Notes that parts of a subject's rule state could not be read and were rebuilt. */
  rebuilt(subject: FaultySubject, parts: readonly string[]): void {
    const key = subject.patientId === null ? `device ${subject.deviceId ?? 0}` : `patient ${subject.patientId}`;
    this.rebuiltSubjects.set(key, (this.rebuiltSubjects.get(key) ?? 0) + 1);
    this.log.error({ ...subject, parts }, 'a rule state could not be read and was rebuilt');
  }

  /** Notes that a row of the store could not be read: one with an id once, however often pages read it. */
  unread(what: Unread, subject: FaultySubject, id?: number): void {
    const row = `${what} ${id ?? ''}`;
    if (id !== undefined && this.knownRows.has(row)) {
      return;
    }
    this.knownRows.add(row);
    this.unreadable.set(what, (this.unreadable.get(what) ?? 0) + 1);
    this.log.error({ ...subject, what, id }, 'a row of the alarm path could not be read');
  }

  isFailing(subject: FaultySubject): boolean {
    return this.failing.has(keyOf(subject));
  }
}

const keyOf = ({ patientId, deviceId }: FaultySubject): string => `${patientId ?? 0} ${deviceId ?? 0}`;

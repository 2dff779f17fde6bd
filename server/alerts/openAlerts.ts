import { initialsOf } from '../../lib/users/initialsOf';
import type { OpenAlert } from './openAlert';

const none: readonly OpenAlert[] = [];

/** The committed open alerts of all patients, so that a list of patients shows each number with its alert. */
export class OpenAlerts {
  private readonly byPatient = new Map<number, readonly OpenAlert[]>();
  private readonly versions = new Map<number, number>();
  /** The initials of the users of all sites with rules, as they were read last. */
  private readonly initials = new Map<number, string>();

  /** `changed` is called with the site of each patient whose alerts have changed. */
  constructor(private readonly changed: (siteId: number) => void) {}

  /** Returns the open alerts of a patient, the most urgent first. */
  of(patientId: number): readonly OpenAlert[] {
    return this.byPatient.get(patientId) ?? none;
  }

  /** Replaces the open alerts of a patient; the most urgent comes first. */
  put({ patientId, siteId }: { patientId: number; siteId: number }, alerts: readonly OpenAlert[]): void {
    const had = this.byPatient.delete(patientId);
    if (alerts.length > 0) {
      this.byPatient.set(patientId, alerts);
    }
    if (had || alerts.length > 0) {
      this.versions.set(siteId, this.version(siteId) + 1);
      this.changed(siteId);
    }
  }

  /** Returns a number that changes with every open alert of a patient of the site. */
  version(siteId: number): number {
    return this.versions.get(siteId) ?? 0;
  }

  /** Returns the initials of a user; "?" until the users were read since they were added. */
  initialsOf(userId: number): string {
    return this.initials.get(userId) ?? '?';
  }

  putNames(people: Iterable<{ id: number; name: string }>): void {
    for (const { id, name } of people) {
      this.initials.set(id, initialsOf(name));
    }
  }
}

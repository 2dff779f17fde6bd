import type { Priority } from '../../lib/alerts/priority';
import type { EpochMs } from '../../lib/time/epochMs';

/** A gateway whose silence is an alert. */
export interface SilentGateway {
  siteId: number;
  deviceId: number;
  name: string;
  priority: Priority;
  /** When it was last seen. */
  since: EpochMs;
  /** The patients whose values came by it until then. */
  patientIds: readonly number[];
}

/** The gateways that are silent as of the last tick: the lists of patients name what carries their values. */
export class SilentGateways {
  private all: readonly SilentGateway[] = [];

  /** `changed` is called with each site whose silent gateways have changed. */
  constructor(private readonly changed: (siteId: number) => void) {}

  ofSite(siteId: number): SilentGateway[] {
    return this.all.filter((one) => one.siteId === siteId);
  }

  /** Returns the gateway of a patient that has been silent for the longest time; null: none is. */
  ofPatient(patientId: number): SilentGateway | null {
    const [first] = this.all
      .filter(({ patientIds }) => patientIds.includes(patientId))
      .sort((a, b) => a.since - b.since);
    return first ?? null;
  }

  /** Returns when a silent gateway was last seen; null: it is not silent. */
  sinceOf(deviceId: number): EpochMs | null {
    return this.all.find((one) => one.deviceId === deviceId)?.since ?? null;
  }

  replace(silent: readonly SilentGateway[]): void {
    const before = this.all;
    this.all = silent;
    for (const siteId of new Set([...before, ...silent].map((one) => one.siteId))) {
      const isOfSite = (one: SilentGateway): boolean => one.siteId === siteId;
      if (JSON.stringify(before.filter(isOfSite)) !== JSON.stringify(silent.filter(isOfSite))) {
        this.changed(siteId);
      }
    }
  }

  /** Moves with a step of the server's clock, in milliseconds. */
  moveClock(ms: number): void {
    this.replace(this.all.map((one) => ({ ...one, since: one.since + ms })));
  }
}

import type { DeviceWatch } from './deviceWatch';
import type { PatientWatch } from './patientWatch';

export const isPatient = (subject: PatientWatch | DeviceWatch): subject is PatientWatch => subject.deviceId === null;

/**
 * Patients and devices as a transaction would have them, over what is committed. It is thrown away where the
 * transaction fails, and taken over after its commit.
 */
export class Layer {
  private readonly patients = new Map<number, PatientWatch>();
  private readonly devices = new Map<number, DeviceWatch>();

  constructor(private readonly below: Layer | null) {}

  patient(id: number): PatientWatch | undefined {
    return this.patients.get(id) ?? this.below?.patient(id);
  }

  device(id: number): DeviceWatch | undefined {
    return this.devices.get(id) ?? this.below?.device(id);
  }

  put(subject: PatientWatch | DeviceWatch): void {
    if (isPatient(subject)) {
      this.patients.set(subject.patientId, subject);
    } else {
      this.devices.set(subject.deviceId, subject);
    }
  }

  /** Those of this layer itself. */
  all(): (PatientWatch | DeviceWatch)[] {
    return [...this.patients.values(), ...this.devices.values()];
  }

  /** Puts everything of this layer into the one below. */
  settle(): void {
    for (const subject of this.all()) {
      this.below?.put(subject);
    }
  }
}

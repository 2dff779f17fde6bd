import type { DeviceRuleState } from './deviceRuleState';
import type { PatientRuleState } from './patientRuleState';

export const isPatient = (subject: PatientRuleState | DeviceRuleState): subject is PatientRuleState =>
  subject.deviceId === null;

/**
 * Patients and devices as a transaction would have them, over what is committed. It is thrown away where the
 * transaction fails, and taken over after its commit.
 */
export class RuleStates {
  private readonly patients = new Map<number, PatientRuleState>();
  private readonly devices = new Map<number, DeviceRuleState>();

  constructor(private readonly below: RuleStates | null) {}

  patient(id: number): PatientRuleState | undefined {
    return this.patients.get(id) ?? this.below?.patient(id);
  }

  device(id: number): DeviceRuleState | undefined {
    return this.devices.get(id) ?? this.below?.device(id);
  }

  put(subject: PatientRuleState | DeviceRuleState): void {
    if (isPatient(subject)) {
      this.patients.set(subject.patientId, subject);
    } else {
      this.devices.set(subject.deviceId, subject);
    }
  }

  /** Those of this layer itself. */
  all(): (PatientRuleState | DeviceRuleState)[] {
    return [...this.patients.values(), ...this.devices.values()];
  }

  /** Puts everything of this layer into the one below. */
  settle(): void {
    for (const subject of this.all()) {
      this.below?.put(subject);
    }
  }
}

import type { DeviceRuleState } from './deviceRuleState';
import type { PatientRuleState } from './patientRuleState';

export type AnyRuleState = PatientRuleState | DeviceRuleState;

export const isPatient = (subject: AnyRuleState): subject is PatientRuleState => subject.deviceId === null;

/**
 * The rule states of patients and devices in a transaction, over the committed ones. Dropped if the transaction fails,
 * published after its commit.
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

  /** Returns the state of the same patient or device. */
  like(subject: AnyRuleState): AnyRuleState | undefined {
    return isPatient(subject) ? this.patient(subject.patientId) : this.device(subject.deviceId);
  }

  put(subject: AnyRuleState): void {
    if (isPatient(subject)) {
      this.patients.set(subject.patientId, subject);
    } else {
      this.devices.set(subject.deviceId, subject);
    }
  }

  /** Returns the states that were put here, without those below. */
  all(): AnyRuleState[] {
    return [...this.patients.values(), ...this.devices.values()];
  }

  /** Puts all states from here into the instance below. */
  settle(): void {
    for (const subject of this.all()) {
      this.below?.put(subject);
    }
  }
}

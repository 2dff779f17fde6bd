import type { AssignmentRole } from '../assignments/roles';
import type { Priority } from './priority';

/** The contacts that a unit can arrange outside of Wardlight. */
export const contacts = ['rapid_response', 'emergency_protocol'] as const;
export type Contact = (typeof contacts)[number];

/** A step of an escalation plan: who is asked, and how long after the alert was raised, in milliseconds. */
export interface EscalationStep {
  afterMs: number;
  /** The roles of the current shift whose holders are asked. */
  roles: readonly AssignmentRole[];
  /** Also asks everyone on duty in the unit. */
  wholeUnit?: true;
  /** The contact outside of Wardlight. */
  contact?: Contact;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The table "Escalation" of clinical.md section 3. The organisation can change the times; these are the defaults. */
export const escalationPlans = {
  continuous: {
    high: [
      { afterMs: 0, roles: ['nurse'] },
      { afterMs: 60 * second, roles: ['buddy', 'charge_nurse'] },
      { afterMs: 120 * second, roles: ['on_call_physician'], wholeUnit: true },
      { afterMs: 300 * second, roles: [], contact: 'rapid_response' },
    ],
    medium: [
      { afterMs: 0, roles: ['nurse'] },
      { afterMs: 5 * minute, roles: ['buddy'] },
      { afterMs: 10 * minute, roles: ['charge_nurse'] },
      { afterMs: 30 * minute, roles: ['on_call_physician'] },
    ],
    // On the worklist only.
    low: [],
  },
  home: {
    high: [
      { afterMs: 0, roles: ['duty_clinician'] },
      { afterMs: 5 * minute, roles: ['ward_lead'] },
      { afterMs: 15 * minute, roles: ['on_call_physician'] },
      { afterMs: 30 * minute, roles: [], contact: 'emergency_protocol' },
    ],
    medium: [
      { afterMs: 0, roles: ['duty_clinician'] },
      { afterMs: 30 * minute, roles: ['ward_lead'] },
      { afterMs: 60 * minute, roles: ['on_call_physician'] },
    ],
    low: [
      { afterMs: 0, roles: [] },
      { afterMs: 4 * hour, roles: ['ward_lead'] },
    ],
  },
} as const satisfies Record<'continuous' | 'home', Record<Priority, readonly EscalationStep[]>>;

/** The user who holds a role for the alert's patient and unit now. */
export interface RoleHolder {
  role: AssignmentRole;
  userId: number | null;
}

/** The people whom a step asks. */
export interface Recipients {
  userIds: number[];
  wholeUnit: boolean;
  /** The roles of the step without a holder. If all are, the whole unit is asked, with that reason. */
  unheld: AssignmentRole[];
  contact: Contact | null;
}

/** Takes a step and the holders of roles, and returns whom the step asks: the whole unit if no role has a holder. */
export function recipientsOf(step: EscalationStep, holders: readonly RoleHolder[]): Recipients {
  const held = new Map(
    step.roles.map((role) => [role, holders.find((holder) => holder.role === role)?.userId ?? null]),
  );
  const userIds = [...new Set(held.values())].filter((userId) => userId !== null);
  const unheld = step.roles.filter((role) => held.get(role) === null);
  const isUnheld = step.roles.length > 0 && userIds.length === 0;
  return { userIds, wholeUnit: step.wholeUnit === true || isUnheld, unheld, contact: step.contact ?? null };
}

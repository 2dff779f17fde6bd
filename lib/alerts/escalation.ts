import type { z } from 'zod';
import type { AssignmentRole } from '../assignments/roles';
import type { EpochMs } from '../time/epochMs';
import type { contacts, escalation, recipients } from './alertFacts';
import type { Priority } from './priority';

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

/** The plan of each priority. */
export type EscalationPlans = Readonly<Record<Priority, readonly EscalationStep[]>>;

/** The user who holds a role for the alert's patient and unit now. */
export interface RoleHolder {
  role: AssignmentRole;
  userId: number | null;
}

/** The people whom a step asks. */
export type Recipients = z.infer<typeof recipients>;

/** Takes a step and the holders of roles, and returns whom the step asks: the whole unit if no role has a holder. */
export function recipientsOf(step: EscalationStep, holders: readonly RoleHolder[]): Recipients {
  const held = new Map(
    step.roles.map((role) => [role, holders.find((holder) => holder.role === role)?.userId ?? null]),
  );
  const userIds = [...new Set(held.values())].filter((userId) => userId !== null);
  const unheld = step.roles.filter((role) => held.get(role) === null);
  const isUnheld = step.roles.length > 0 && userIds.length === 0;
  return {
    roles: [...step.roles],
    userIds,
    wholeUnit: step.wholeUnit === true || isUnheld,
    unheld,
    contact: step.contact ?? null,
  };
}

/**
 * How far an alert has been escalated within its episode. The clock counts only the time in which the condition is
 * active and no one holds the alert (clinical.md section 0, E1). Times are those of the server's clock.
 */
export type Escalation = z.infer<typeof escalation>;
/** A step that was asked, and whom it reached. */
export type AskedStep = Escalation['asked'][number];
/** What somebody said to a call for help outside; `reason`: why it is not needed. */
export type ContactAnswer = NonNullable<Escalation['answered']>;

/** Returns the escalation of an episode that is raised at `now`: no step is asked yet. */
export function createEscalation(priority: Priority, raises: readonly EpochMs[], now: EpochMs): Escalation {
  return {
    startedAt: now,
    priority,
    step: 0,
    followed: [priority],
    runsSince: null,
    leftMs: { high: 0, medium: 0, low: 0 },
    asked: [],
    times: null,
    raises,
    ownerAskedAt: null,
    answerBy: null,
    repeats: 0,
    answered: null,
    aheadMs: 0,
    former: null,
  };
}

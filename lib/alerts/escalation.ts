import type { AssignmentRole } from '../assignments/roles';
import type { EpochMs } from '../time/epochMs';
import type { EscalationTimes } from './escalationTimes';
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

/** The plan of each priority. */
export type EscalationPlans = Readonly<Record<Priority, readonly EscalationStep[]>>;

/** The user who holds a role for the alert's patient and unit now. */
export interface RoleHolder {
  role: AssignmentRole;
  userId: number | null;
}

/** The people whom a step asks. */
export interface Recipients {
  /** The roles of the step. */
  roles: AssignmentRole[];
  userIds: number[];
  wholeUnit: boolean;
  /** The roles of the step without a holder. If all are, the whole unit is asked, with that reason. */
  unheld: AssignmentRole[];
  contact: Contact | null;
  /** None of them was there when they were asked (clinical.md section 00, A1). */
  nobodyPresent?: true;
}

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
export interface Escalation {
  /** When the episode was first raised. */
  startedAt: EpochMs;
  /** The priority whose plan `step` counts in. */
  priority: Priority;
  /** How many steps of that plan have been asked. */
  step: number;
  /** The priorities that the episode has had: what was due by the plan of a milder one stays due (E2). */
  followed: readonly Priority[];
  /** Since when the clock runs; null while it waits. */
  runsSince: EpochMs | null;
  /**
   * How much time was left at `runsSince` until the next step of each priority's plan, in milliseconds; null if it has
   * none. The time at a priority counts for the milder plans as well: so a patient who gets worse for a moment is
   * never asked for later.
   */
  leftMs: Readonly<Record<Priority, number | null>>;
  /** What was asked within the episode, each step once, with the last time; the last one asked at the end. */
  asked: readonly AskedStep[];
  /**
   * The times that the episode follows: of each interval the shortest that held while it lasted. So a site that moves
   * its times delays no step of an open alert. Null: no step has been asked yet.
   */
  times: EscalationTimes | null;
  /** The HIGH raises of the last 30 min that have moved no step yet (E4); also those of the alert before. */
  raises: readonly EpochMs[];
  /** When the user who accepted was last asked again (E3 to E5). */
  ownerAskedAt: EpochMs | null;
  /** Until when that user has to accept again; null: no answer is awaited. */
  answerBy: EpochMs | null;
  /** How often it asked again after the last step of its plan. */
  repeats: number;
  /** What somebody said to a call for help outside, which holds that step for a while; null: nothing. */
  answered: ContactAnswer | null;
  /** The unit whose people are asked; null: the patient has none. Undefined: no one was asked yet. */
  unitId?: number | null | undefined;
  /** How much time had run before a move that the steps after step 1 still have to make up for, in milliseconds. */
  aheadMs: number;
  /** Whom the unit before a move had asked: they are asked until somebody who is there takes their place. */
  former: FormerUnit | null;
}

/** Whether help outside was called; `reason`: why it is not needed. */
export const contactAnswers = ['called', 'not_needed'] as const;
export interface ContactAnswer {
  is: (typeof contactAnswers)[number];
  by: number;
  at: EpochMs;
  reason: string;
}

/** The people of the unit that a patient has left, and since when. */
export interface FormerUnit extends Pick<Recipients, 'userIds' | 'wholeUnit'> {
  at: EpochMs;
  unitId: number | null;
}

/** A step that was asked, and whom it reached. */
export interface AskedStep {
  /** The priority whose plan the step belongs to. */
  priority: Priority;
  step: number;
  at: EpochMs;
  to: Recipients;
}

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

import type { EpochMs } from '../time/epochMs';
import { isAnswered, isOwned, unheard, type Alert, type AlertChange, type AlertEvent, type OwnerAsked } from './alert';
import {
  createEscalation,
  recipientsOf as recipientsOfStep,
  type AskedStep,
  type Escalation,
  type EscalationPlans,
  type EscalationStep,
  type Recipients,
} from './escalation';
import { shorterTimes, type EscalationTimes } from './escalationTimes';
import { followTimes } from './followTimes';
import { severityOf } from './inOrderOfUrgency';
import { intervalTo, nextStep } from './nextStep';
import { repeatOf } from './repeats';
import { isMoreUrgent, perPriority, priorities, type Priority } from './priority';
import { isUnconfirmed } from './stepSpotRule';

const minute = 60_000;

/**
 * How long after its acknowledgement an alert sounds again while its condition lasts, in milliseconds (clinical.md
 * section 3). Each further time the same user acknowledges it, twice as long, at most `askOwnerEveryMs`.
 */
export const remindAfterMs = { high: 2 * minute, medium: 10 * minute, low: null } as const;

/** How often the user who accepted is asked again while the condition lasts, in milliseconds (section 0, E5). */
export const askOwnerEveryMs = { high: 30 * minute, medium: 60 * minute, low: null } as const;

/** The owner is asked at most once in this time, in ms, because of repeated raises (E4), and because of worse rules. */
const askOwnerOfRepeatsMs = 15 * minute;

/** A step is never asked sooner after another one than this, in milliseconds, if both are due by time. */
const shortestMs = minute;

/** How long at most the unit is still asked that a patient has left, in milliseconds (clinical.md section 00, A3). */
const formerUnitMs = 2 * minute;

/** What escalation needs from outside. */
export interface SiteEscalation {
  /** The unit in which the patient is now; null: none. */
  unitId: number | null;
  /** The ECG showed hardly any beat when it was last raised. */
  isAsystole: boolean;
  /** The times of the site as they are now. */
  times: EscalationTimes;
  /** Returns the plans of the patient's profile with these times. */
  plansOf: (times: EscalationTimes) => EscalationPlans;
  /** Returns whom a step asks now. */
  recipientsOf: (step: EscalationStep) => Recipients;
  /** Returns whether any of those whom a step asks is there. */
  isPresent: (to: Recipients) => boolean;
  /**
   * Returns these people with the whole unit, and if no one of it is there with everyone on duty in the site who may
   * see the patient; null: no one is there at all.
   */
  widen: (to: Recipients) => Recipients | null;
}

/** The same with the times that the episode follows. */
interface EscalationContext extends Omit<SiteEscalation, 'times' | 'plansOf'> {
  plans: EscalationPlans;
}

/**
 * Takes what happened to an alert just now; no events: only time has passed. Returns it with what is due (clinical.md
 * section 0, E1 to E7): at most the next step of the plan, step 0 after an upgrade or a lost acceptance, a question to
 * the user who accepted, a reminder. Returns the same change if nothing is due.
 */
export function escalate(change: AlertChange, site: SiteEscalation, now: EpochMs): AlertChange {
  const { alert } = change;
  if (alert.closed !== null) {
    return withEscalation(change, stop(alert.escalation, now));
  }
  const known = alert.escalation.times;
  const times = known === null ? site.times : shorterTimes(known, site.times);
  const context: EscalationContext = { ...site, plans: site.plansOf(times) };
  const timed = followTimes(alert.escalation, times, site.plansOf);
  // The condition may also begin again as a worse one.
  const isUpgraded =
    isMoreUrgent(alert.priority, alert.escalation.priority) ||
    change.events.some((event) => event.is === 'upgraded' && isMoreUrgent(event.to, event.from));
  const ruled = followRule(timed, alert, { isUpgraded, isAsystole: site.isAsystole }, now);
  const isWorse = isUpgraded || ruled.knownRule?.askedAt !== alert.escalation.knownRule?.askedAt;
  const planned = followUnit(withEscalation(change, followPlan(ruled, alert, context, now)), context, now);
  const isRepeated = repeats(planned, times, now);
  const counted = isRepeated ? withEscalation(planned, { ...planned.alert.escalation, raises: [] }) : planned;
  const asked = isOwned(alert)
    ? askOwner(askSecond(awaitSuccessor(counted, context, now), context, now), { isWorse, isRepeated }, context, now)
    : askFirst(counted, { isUpgraded }, context, now);
  const ofPlan = isHeld(asked.alert, now)
    ? withEscalation(asked, stop(asked.alert.escalation, now))
    : askAgain(askNext(asked, { isForced: isRepeated || cannotCome(change) }, context, now), context, now);
  const last = ofPlan.events.findLast((event) => event.is === 'asked') ?? null;
  const present = askPresent(askSuccessors(ofPlan, context, now), last, context, now);
  return remind(forgetFormer(present, context, now), context, now);
}

/**
 * Begins again for the people of the unit to which the patient has moved (clinical.md section 00, A3): they have seen
 * and heard nothing yet. Step 0 is due at once, step 1 an interval later, the others by the time that had run.
 */
function followUnit(change: AlertChange, { plans, unitId }: EscalationContext, now: EpochMs): AlertChange {
  const { alert, events } = change;
  const { escalation, priority } = alert;
  if (escalation.unitId === unitId) {
    return change;
  }
  if (escalation.unitId === undefined) {
    return withEscalation(change, { ...escalation, unitId });
  }
  const { step, leftMs, raises, startedAt, times, ownerAskedAt, answerBy, knownRule, asked } = count(escalation, now);
  const left = leftMs[priority];
  const dueMs = (plans[priority][step] ?? plans[priority].at(-1))?.afterMs ?? 0;
  const former = {
    at: now,
    unitId: escalation.unitId,
    userIds: [...new Set(asked.flatMap(({ to }) => to.userIds))],
    wholeUnit: asked.some(({ to }) => to.wholeUnit),
  };
  return {
    alert: {
      ...unheard(alert),
      audioPaused: null,
      escalation: {
        ...createEscalation(priority, raises, now),
        ...{ startedAt, times, ownerAskedAt, answerBy, knownRule, unitId },
        aheadMs: Math.max(0, dueMs - (left ?? 0)),
        former: escalation.former ?? former,
      },
    },
    events: [...events, { is: 'moved', at: now }],
  };
}

/** Takes the time that had run before a move off the next step, once step 1 was asked in the new unit (A3). */
function makeUp(escalation: Escalation): Escalation {
  const { aheadMs, priority, leftMs, step } = escalation;
  const left = leftMs[priority];
  if (aheadMs === 0 || left === null || step < 2) {
    return escalation;
  }
  const taken = Math.min(aheadMs, Math.max(0, left));
  return { ...escalation, aheadMs: aheadMs - taken, leftMs: { ...leftMs, [priority]: left - taken } };
}

/** Lets the unit that the patient has left fall silent once somebody who is there was asked in the new one (A3). */
function forgetFormer(change: AlertChange, { isPresent }: EscalationContext, now: EpochMs): AlertChange {
  const { escalation } = change.alert;
  const { former, asked } = escalation;
  const isOver = former !== null && (now - former.at >= formerUnitMs || !isAwaiting(change.alert, now));
  return isOver || (former !== null && asked.some(({ to }) => isPresent(to)))
    ? withEscalation(change, { ...escalation, former: null })
    : change;
}

function withEscalation(change: AlertChange, escalation: Escalation): AlertChange {
  return escalation === change.alert.escalation
    ? change
    : { alert: { ...change.alert, escalation }, events: change.events };
}

/**
 * Returns whether the clock waits: somebody holds the alert, or its condition has ended. A HIGH alert that ended
 * unanswered is still asked for at step 1 (E7). A LOW alert that was acknowledged is not escalated. Before a first
 * reading is confirmed, only steps 0 and 1 are asked (S1), of a MEDIUM alert step 0 (section 00, A5).
 */
function isHeld(alert: Alert, now: EpochMs): boolean {
  const askedAtFirst = alert.priority === 'high' ? 2 : 1;
  const isWaiting = alert.condition === 'active' && isUnconfirmed(alert, now);
  return (isWaiting && alert.escalation.step >= askedAtFirst) || isAnswered(alert, now);
}

/**
 * Returns when the next step is due, or null while the clock waits or if no step is left. What was due by a milder
 * plan stays due, if the alert has followed that plan: a score of 7 that is raised as HIGH keeps its own, slower times.
 */
export function nextStepAt({ runsSince, leftMs, priority, followed }: Escalation): EpochMs | null {
  const left = countedAt(priority)
    .filter((each) => followed.includes(each))
    .flatMap((each) => leftMs[each] ?? []);
  return runsSince === null || leftMs[priority] === null ? null : runsSince + Math.min(...left);
}

/** Returns the priorities whose plans count the time at a priority: itself and the milder ones. */
function countedAt(priority: Priority): readonly Priority[] {
  return priorities.slice(priorities.indexOf(priority));
}

/** Counts the time until `now`. */
function count(escalation: Escalation, now: EpochMs): Escalation {
  const { runsSince, leftMs, priority } = escalation;
  if (runsSince === null) {
    return escalation;
  }
  const after: Record<Priority, number | null> = { ...leftMs };
  for (const each of countedAt(priority)) {
    const left = leftMs[each];
    after[each] = left === null ? null : left - (now - runsSince);
  }
  return { ...escalation, runsSince: now, leftMs: after };
}

function stop(escalation: Escalation, now: EpochMs): Escalation {
  return escalation.runsSince === null ? escalation : { ...count(escalation, now), runsSince: null };
}

/** Lets the clock run. If the user who accepted did not answer, the next step is due. */
function start(escalation: Escalation, isUnanswered: boolean, now: EpochMs): Escalation {
  const { runsSince, leftMs, priority } = escalation;
  if (runsSince !== null || leftMs[priority] === null) {
    return escalation;
  }
  return { ...escalation, runsSince: now, leftMs: isUnanswered ? { ...leftMs, [priority]: 0 } : leftMs };
}

/**
 * Follows the plan of the alert's present priority. Its next step is the first one with someone who was not asked yet,
 * so that no one is asked later because the patient got worse (E2).
 */
function followPlan(escalation: Escalation, alert: Alert, { plans }: EscalationContext, now: EpochMs): Escalation {
  const { priority } = alert;
  const { followed } = escalation;
  const moved =
    escalation.priority === priority
      ? escalation
      : {
          ...count(escalation, now),
          priority,
          step: nextStep(plans, priority, escalation.asked),
          followed: followed.includes(priority) ? followed : [...followed, priority],
        };
  return adopt(moved, plans, now);
}

/** Gives an alert of an earlier release its times: the plan's own, since it was raised. */
function adopt(escalation: Escalation, plans: EscalationPlans, now: EpochMs): Escalation {
  const { leftMs, priority, step, startedAt } = escalation;
  const plan = plans[priority];
  const next = plan[step];
  if (next === undefined || priorities.some((each) => leftMs[each] !== null)) {
    return escalation;
  }
  const asked = plan.slice(0, step).map((each, index): AskedStep => {
    const known = escalation.asked.find((one) => one.step === index);
    const to = { ...(known?.to ?? recipientsOfStep(each, [])), roles: [...each.roles] };
    return { priority, step: index, at: known?.at ?? startedAt, to };
  });
  const leftOf = (each: Priority): number | null => intervalTo(plans[each], nextStep(plans, each, asked));
  return { ...escalation, asked, leftMs: { ...perPriority(leftOf), [priority]: startedAt + next.afterMs - now } };
}

/**
 * Returns the time that is left for each plan after a step of the present one was asked. A step that was asked early
 * leaves the time of the one after it; one that was asked late moves it, so that the two are an interval apart.
 */
function leftAfter(
  { leftMs, priority }: Escalation,
  plans: EscalationPlans,
  [before, after]: readonly [readonly AskedStep[], readonly AskedStep[]],
  isDue: boolean,
): Escalation['leftMs'] {
  const moveOf = (each: Priority) => {
    const plan = plans[each];
    const [last, next] = [nextStep(plans, each, before), nextStep(plans, each, after)];
    const waitMs = (plan[next]?.afterMs ?? 0) - (plan[last]?.afterMs ?? 0);
    return { isMoved: last !== next, waitMs, interval: intervalTo(plan, next) };
  };
  const own = moveOf(priority);
  const leftOf = (each: Priority): number | null => {
    const { isMoved, waitMs, interval } = each === priority ? own : moveOf(each);
    const left = leftMs[each];
    if (interval === null || left === null) {
      return null;
    }
    if (!isMoved) {
      if (!countedAt(priority).includes(each)) {
        return left;
      }
      // A step that was due by the milder plan has been asked for in its place. That happens once, not each minute.
      return left > 0 ? Math.max(left, shortestMs) : Math.max(interval, own.waitMs);
    }
    const rest = each === priority && isDue ? 0 : Math.max(0, left);
    return each === priority ? rest + waitMs : Math.min(rest + waitMs, interval);
  };
  return perPriority(leftOf);
}

/** Returns whether with a HIGH raise there are as many that have moved no step yet as the site's rule says (E4). */
function repeats({ alert, events }: AlertChange, { repeat }: EscalationTimes, now: EpochMs): boolean {
  const isRaised = events.some(({ is }) => is === 'raised' || is === 'raised_again');
  const { raises } = alert.escalation;
  const first = raises.at(-repeat.raises);
  return isRaised && raises.at(-1) === now && first !== undefined && now - first <= repeat.withinMinutes * minute;
}

/** Returns whether a user who was asked has just said that they cannot come. */
function cannotCome({ events }: AlertChange): boolean {
  return events.some(({ is }) => is === 'rejected') && !events.some(({ is }) => is === 'released');
}

/** Gives a user who is asked to take an alert over the first step's time. Without an answer the next step is asked. */
function awaitSuccessor(change: AlertChange, { plans }: EscalationContext, now: EpochMs): AlertChange {
  const { escalation, priority } = change.alert;
  const waitMs = intervalTo(plans[priority], 1);
  return waitMs === null || !change.events.some(({ is }) => is === 'reassigned')
    ? change
    : withEscalation(change, { ...escalation, answerBy: escalation.answerBy ?? now + waitMs });
}

/**
 * Follows the rule that the owner knows of: the one that they accepted, or were asked about. A worse one within the
 * priority asks them once (section 00, A1); if it comes too soon, at its time.
 */
function followRule(
  escalation: Escalation,
  { rule, ruleRaisedAt, condition, responsibility }: Alert,
  { isUpgraded, isAsystole }: { isUpgraded: boolean; isAsystole: boolean },
  now: EpochMs,
): Escalation {
  const { askedAt, ...known } = escalation.knownRule ?? { rule, isAsystole };
  const [is, was] = [severityOf({ rule, isAsystole }), severityOf(known)];
  const isTold = isUpgraded || responsibility?.is !== 'accepted' || responsibility.at > ruleRaisedAt;
  const isDue = condition === 'active' && now - (askedAt ?? -Infinity) >= askOwnerOfRepeatsMs;
  const isNews = is < was ? isTold || isDue : is > was && isTold && askedAt === undefined;
  return isNews || escalation.knownRule === undefined
    ? { ...escalation, knownRule: { rule, isAsystole, askedAt: isNews && !isTold ? now : askedAt } }
    : escalation;
}

/**
 * Asks the user who accepted: after an upgrade to another priority (E3) or a worse rule (section 00, A1), repeated
 * raises (E4) or a long time (E5). An alert that was silenced sounds by that.
 */
function askOwner(
  change: AlertChange,
  what: { isWorse: boolean; isRepeated: boolean },
  { plans }: EscalationContext,
  now: EpochMs,
): AlertChange {
  const { alert, events } = change;
  const { escalation, responsibility, priority } = alert;
  const waitMs = intervalTo(plans[priority], 1);
  const because = ownerAskedBecause(alert, what, now);
  if (responsibility?.is !== 'accepted' || because === null || waitMs === null) {
    return change;
  }
  return {
    alert: {
      ...alert,
      remindedAt: alert.acknowledged === null ? null : now,
      escalation: { ...escalation, ownerAskedAt: now, answerBy: escalation.answerBy ?? now + waitMs },
    },
    events: [...events, { is: 'owner_asked', user: responsibility.by, because, at: now }],
  };
}

function ownerAskedBecause(
  { escalation, responsibility, priority, condition }: Alert,
  { isWorse, isRepeated }: { isWorse: boolean; isRepeated: boolean },
  now: EpochMs,
): OwnerAsked | null {
  if (isWorse) {
    return 'upgraded';
  }
  if (isRepeated && now - (escalation.ownerAskedAt ?? -Infinity) >= askOwnerOfRepeatsMs) {
    return 'repeated';
  }
  const everyMs = askOwnerEveryMs[priority];
  const answeredAt = Math.max(responsibility?.at ?? now, escalation.ownerAskedAt ?? -Infinity);
  return condition === 'active' && everyMs !== null && now - answeredAt >= everyMs ? 'lasting' : null;
}

/** Asks step 0 after an upgrade (E2) and after an acceptance has ended (E1). */
function askFirst(
  change: AlertChange,
  { isUpgraded }: { isUpgraded: boolean },
  context: EscalationContext,
  now: EpochMs,
): AlertChange {
  const { alert, events } = change;
  const { escalation } = alert;
  const plan = context.plans[alert.priority];
  const isWorse = isUpgraded || events.some(({ is }) => is === 'upgraded');
  const released = events.filter((event) => event.is === 'released');
  // Beside an acknowledgement the clock ran on: no one is asked later because its user has left (A1).
  const isReleased = released.some(({ acknowledgement }) => acknowledgement !== true);
  if (!(isWorse || released.length > 0) || escalation.step === 0 || isAnswered(alert, now)) {
    return change;
  }
  const counted = count(escalation, now);
  const interval = intervalTo(plan, escalation.step) ?? 0;
  const changed = (left: number | null): number | null =>
    left === null ? null : isReleased ? Math.max(left, interval) : Math.min(left, interval);
  const { leftMs, priority } = counted;
  const left = isReleased ? perPriority((each) => changed(leftMs[each])) : leftMs;
  const ofPlan = leftMs[priority] === null ? null : isReleased ? interval : changed(leftMs[priority]);
  return ask(withEscalation(change, { ...counted, leftMs: { ...left, [priority]: ofPlan } }), plan, 0, context, now);
}

/**
 * Asks step 1 again once the owner is not there, if it was asked before they took it, and the next one an interval
 * later (clinical.md section 00, A1). One that was not asked yet is due at once (`start`), with step 0 if the patient
 * has moved since, so that no one of the new unit was asked.
 */
function askSecond(change: AlertChange, context: EscalationContext, now: EpochMs): AlertChange {
  const { alert } = change;
  const { escalation, priority } = alert;
  const plan = context.plans[priority];
  if (escalation.step === 1 || !change.events.some(({ is }) => is === 'owner_missing')) {
    return change;
  }
  if (escalation.step === 0) {
    const { alert: first, events } = ask(change, plan, 0, context, now);
    return { alert: { ...first, escalation: { ...first.escalation, step: 1 } }, events };
  }
  const interval = intervalTo(plan, escalation.step);
  const leftMs = { ...escalation.leftMs, [priority]: interval };
  const counted = { ...count(escalation, now), leftMs, runsSince: interval === null ? null : now };
  const asked = ask(withEscalation(change, counted), plan, 1, context, now);
  return { ...asked, alert: unheard(asked.alert) };
}

/** Asks the next step if it is due. The one after it keeps its time, and is at least one interval later. */
function askNext(
  change: AlertChange,
  { isForced: isNow }: { isForced: boolean },
  context: EscalationContext,
  now: EpochMs,
): AlertChange {
  const { plans } = context;
  const { priority } = change.alert;
  const plan = plans[priority];
  const { answerBy } = change.alert.escalation;
  // After an undo, what fell due meanwhile counts from its own time: no one is asked later because of the undo.
  const isUndone = change.events.some(({ is }) => is === 'acceptance_withdrawn' || is === 'acknowledgement_withdrawn');
  const since = isUndone ? Math.min(now, answerBy ?? now) : now;
  const running = start(change.alert.escalation, isOwned(change.alert), since);
  const { step } = running;
  const dueAt = nextStepAt(running);
  if (dueAt === null || !(isNow || now >= dueAt)) {
    return withEscalation(change, running);
  }
  const counted = count(running, isUndone ? Math.min(now, dueAt) : now);
  const { alert, events } = ask(withEscalation(change, counted), plan, step, context, now);
  const { asked } = alert.escalation;
  const escalation = makeUp({
    ...alert.escalation,
    step: nextStep(plans, priority, asked),
    leftMs: leftAfter(counted, plans, [counted.asked, asked], now >= dueAt),
  });
  // The people whom a later step asks have not seen the alert.
  return { alert: { ...(step === 0 ? alert : unheard(alert)), escalation }, events };
}

/** Asks again what is due after the last step of the plan (clinical.md section 00, A2). */
function askAgain(change: AlertChange, context: EscalationContext, now: EpochMs): AlertChange {
  const { plans, recipientsOf, isPresent } = context;
  const repeat = repeatOf(change.alert, plans);
  if (repeat === null || now < repeat.at) {
    return change;
  }
  const step = plans[change.alert.priority].length;
  const to = withPresence(recipientsOf(repeat.step), isPresent);
  const { alert, events } = askThem(change, step, to, now);
  const escalation = { ...alert.escalation, repeats: alert.escalation.repeats + 1 };
  // The one in charge hears it by name, and the others may have acknowledged it; they hear it if no one else does.
  const isByName = !to.wholeUnit && to.nobodyPresent !== true;
  return { alert: { ...(isByName ? alert : unheard(alert)), escalation }, events };
}

function ask(
  { alert, events }: AlertChange,
  plan: readonly EscalationStep[],
  step: number,
  { recipientsOf, isPresent }: EscalationContext,
  now: EpochMs,
): AlertChange {
  const asked = plan[step];
  return asked === undefined
    ? { alert, events }
    : askThem({ alert, events }, step, withPresence(recipientsOf(asked), isPresent), now);
}

function withPresence(to: Recipients, isPresent: EscalationContext['isPresent']): Recipients {
  return isPresent(to) ? to : { ...to, nobodyPresent: true };
}

function askThem({ alert, events }: AlertChange, step: number, to: Recipients, now: EpochMs): AlertChange {
  const { escalation, priority } = alert;
  const others = escalation.asked.filter((each) => each.priority !== priority || each.step !== step);
  return {
    alert: { ...alert, escalation: { ...escalation, asked: [...others, { priority, step, at: now, to }] } },
    events: [...events, { is: 'asked', step, to, at: now }],
  };
}

/** Returns whether a HIGH or MEDIUM alert waits for people: it lasts or was missed, and no one who is there has it. */
function isAwaiting(alert: Alert, now: EpochMs): boolean {
  const isMissed = alert.condition === 'ended' && alert.latched && !isOwned(alert);
  return alert.priority !== 'low' && alert.escalation.asked.length > 0 && (isMissed || !isAnswered(alert, now));
}

/**
 * Asks those who hold a role now in the place of those who held it when their step was asked (clinical.md section 00,
 * A2). A former holder is asked no more once a new one who is there has been.
 */
function askSuccessors(change: AlertChange, context: EscalationContext, now: EpochMs): AlertChange {
  if (!isAwaiting(change.alert, now)) {
    return change;
  }
  const events = [...change.events];
  const told = new Set<number>();
  const asked = change.alert.escalation.asked.map((each): AskedStep => {
    const step = context.plans[each.priority][each.step];
    if (step === undefined || step.roles.length === 0 || each.at === now) {
      return each;
    }
    const held = context.recipientsOf(step);
    if (each.to.wholeUnit && held.unheld.length === step.roles.length) {
      return each;
    }
    // The whole unit is those who are in it now; once it was asked, it is asked beside a new holder.
    const to = each.to.wholeUnit ? { ...held, wholeUnit: true } : held;
    const added = to.userIds.filter((userId) => !each.to.userIds.includes(userId));
    const former = each.to.userIds.filter((userId) => !to.userIds.includes(userId));
    const isTaken = context.isPresent(to);
    const isWidened = to.wholeUnit && !each.to.wholeUnit;
    if (added.length === 0 && !isWidened) {
      return former.length > 0 && isTaken ? { ...each, to } : each;
    }
    if (isWidened || added.some((userId) => !told.has(userId))) {
      events.push({ is: 'asked', step: each.step, to: withPresence(to, context.isPresent), at: now });
    }
    added.forEach((userId) => told.add(userId));
    const reached = isTaken ? to : { ...to, userIds: [...to.userIds, ...former], nobodyPresent: true as const };
    return { ...each, at: now, to: reached };
  });
  const isSame = asked.every((each, index) => each === change.alert.escalation.asked[index]);
  return isSame ? change : { alert: { ...change.alert, escalation: { ...change.alert.escalation, asked } }, events };
}

/**
 * Asks the next steps in the same second if no one is there whom the last one asked, or all of them: up to the whole
 * unit, and if no one of it is there everyone on duty in the site (clinical.md section 00, A1). Never a contact outside
 * by this alone. While no one is there at all, each step is asked at its time. `last`: what was due just now.
 */
function askPresent(
  change: AlertChange,
  last: { step: number; to: Recipients } | null,
  context: EscalationContext,
  now: EpochMs,
): AlertChange {
  const { plans, isPresent, widen } = context;
  const { escalation, priority } = change.alert;
  const plan = plans[priority];
  const asksPeople = (step: number): boolean => plan[step] !== undefined && plan[step].contact === undefined;
  const own = escalation.asked.filter((each) => each.priority === priority && asksPeople(each.step));
  const isUnheard = !escalation.asked.some(({ to }) => isPresent(to));
  const furthest = own.reduce((most, { step }) => Math.max(most, step), -1);
  const from = last !== null && !isPresent(last.to) && asksPeople(last.step) ? last.step : isUnheard ? furthest : -1;
  const everyone = own.find(({ step }) => step === from)?.to;
  if (everyone === undefined || !isAwaiting(change.alert, now) || widen(everyone) === null) {
    return change;
  }
  let after = withEscalation(change, count(escalation, now));
  const { escalation: before } = after.alert;
  let reached = everyone;
  let step = from;
  while (!isPresent(reached) && asksPeople(step + 1)) {
    step += 1;
    after = ask(after, plan, step, context, now);
    reached = after.alert.escalation.asked.at(-1)?.to ?? reached;
  }
  const widened = isPresent(reached) ? null : widen(reached);
  const { alert, events } = widened === null ? after : askThem(after, step, widened, now);
  const { asked } = alert.escalation;
  return {
    alert: {
      ...unheard(alert),
      escalation: makeUp({
        ...alert.escalation,
        step: nextStep(plans, priority, asked),
        leftMs: leftAfter(before, plans, [before.asked, asked], false),
      }),
    },
    events,
  };
}

/**
 * Lets an alert sound again that was acknowledged and lasts. One that somebody has accepted asks its owner by E5, and
 * an acknowledgement holds a MEDIUM one for an hour once its plan is over (A2): neither reminds in between.
 */
function remind(change: AlertChange, { plans }: EscalationContext, now: EpochMs): AlertChange {
  const { alert, events } = change;
  if (
    (isOwned(alert) && isAnswered(alert, now)) ||
    (alert.priority === 'medium' && !isHeld(alert, now) && repeatOf(alert, plans) !== null)
  ) {
    return change;
  }
  const { acknowledged, remindedAt, condition, reminders } = alert;
  const [firstMs, mostMs] = [remindAfterMs[alert.priority], askOwnerEveryMs[alert.priority]];
  if (condition === 'ended' || acknowledged === null || remindedAt !== null || firstMs === null || mostMs === null) {
    return change;
  }
  if (now - acknowledged.at < Math.min(firstMs * 2 ** reminders, mostMs)) {
    return change;
  }
  const event: AlertEvent = { is: 'reminded', reminder: reminders + 1, at: now };
  return { alert: { ...alert, remindedAt: now, reminders: reminders + 1 }, events: [...events, event] };
}

import { assignmentRoleLabels } from '../assignments/roles';
import { callWords } from './escalationWords';
import { planNames, type EscalationTimes, type PlanName } from './escalationTimes';
import { askedByPlan } from './plansOf';

/** The alerts of each plan, in words. */
export const planLabels = {
  high: 'HIGH on the ward',
  medium: 'MEDIUM on the ward',
  score: 'HIGH NEWS2 score',
  homeHigh: 'HIGH at home',
  homeMedium: 'MEDIUM at home',
  homeLow: 'LOW at home',
} as const satisfies Record<PlanName, string>;

/** Returns a time in seconds as a reader says it: "90 s", "2 min", "7.5 min", "4 h". */
export function secondsWords(seconds: number): string {
  if (seconds < 120) {
    return `${seconds} s`;
  }
  if (seconds < 7_200) {
    return seconds % 6 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  return seconds % 360 === 0
    ? `${seconds / 3_600} h`
    : `${Math.floor(seconds / 3_600)} h ${secondsWords(seconds % 3_600)}`;
}

/** Returns whom a step of a plan asks: "buddy and charge nurse", "whole unit and on-call physician". */
export function askedWords(name: PlanName, step: number): string {
  const { roles = [], wholeUnit, contact } = askedByPlan[name][step] ?? {};
  const parts = [
    ...(wholeUnit === undefined ? [] : ['whole unit']),
    ...roles.map((role) => assignmentRoleLabels[role].toLowerCase()),
  ];
  const who = parts.length === 0 ? 'worklist' : parts.join(' and ');
  return contact === undefined ? who : `${who} to ${callWords[contact]}`;
}

/** Returns the rule about repeated raises (E4): "3 HIGH raises within 15 min". */
export function repeatWords({ raises, withinMinutes }: EscalationTimes['repeat']): string {
  return `${raises} HIGH raises within ${withinMinutes} min`;
}

/** Returns what differs between two times: "HIGH on the ward, whole unit and on-call physician: 2 min → 90 s". */
export function timesDifference(held: EscalationTimes, wanted: EscalationTimes): string[] {
  const steps = planNames.flatMap((name) =>
    wanted.steps[name].flatMap((after, index) => {
      const before = held.steps[name][index];
      return before === undefined || before === after
        ? []
        : [`${planLabels[name]}, ${askedWords(name, index + 1)}: ${secondsWords(before)} → ${secondsWords(after)}`];
    }),
  );
  const [before, after] = [repeatWords(held.repeat), repeatWords(wanted.repeat)];
  return before === after ? steps : [...steps, `Next step by itself: ${before} → ${after}`];
}

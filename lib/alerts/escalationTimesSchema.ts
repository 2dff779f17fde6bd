import { z } from 'zod';
import { assignmentRoleLabels } from '../assignments/roles';
import { leastGapSeconds, repeatBounds, stepBounds } from './escalationBounds';
import { secondsWords } from './escalationTimesWords';
import { ofEachPlan, type PlanName } from './escalationTimes';
import type { Range } from './limits';
import { askedByPlan } from './plansOf';
import { madeOn, proposal } from '../proposals/proposals';
import { timesShape } from './timesShape';

/** The times of a plan: each step within its bounds, and no two steps in a burst. */
const stepsOf = (name: PlanName) => {
  const bounds = stepBounds[name];
  return z
    .array(z.int('is not in whole seconds'))
    .length(bounds.length, `needs ${bounds.length} steps`)
    .superRefine((steps, context) => {
      bounds.forEach(({ min, max }, index) => {
        const after = steps[index] ?? 0;
        if (after < min || after > max) {
          const message = `is not from ${secondsWords(min)} to ${secondsWords(max)}`;
          context.addIssue({ code: 'custom', path: [index], message });
        } else if (after - (steps[index - 1] ?? -Infinity) < leastGapSeconds) {
          const message = `is less than ${leastGapSeconds} s after the step before`;
          context.addIssue({ code: 'custom', path: [index], message });
        }
      });
    });
};

/** Who is asked by the milder plan must not be asked later by the more urgent one. */
const comparedPlans: readonly (readonly [urgent: PlanName, milder: PlanName])[] = [
  ['high', 'medium'],
  ['score', 'medium'],
  ['homeHigh', 'homeMedium'],
  ['homeMedium', 'homeLow'],
];

/** What a site may set as its escalation times, in seconds and minutes. Both sides of the API check it. */
export const escalationTimes = z.strictObject({
  steps: z.strictObject(ofEachPlan(stepsOf)).superRefine((steps, context) => {
    for (const [urgent, milder] of comparedPlans) {
      askedByPlan[milder].forEach(({ roles }, milderStep) => {
        for (const role of roles) {
          const at = askedByPlan[urgent].findIndex((asked) => asked.roles.includes(role));
          const after = steps[urgent][at - 1];
          const milderAfter = steps[milder][milderStep - 1];
          if (after !== undefined && milderAfter !== undefined && after > milderAfter) {
            const who = assignmentRoleLabels[role].toLowerCase();
            const message = `asks the ${who} later than the milder alert does (${secondsWords(milderAfter)})`;
            context.addIssue({ code: 'custom', path: [urgent, at - 1], message });
          }
        }
      });
    }
  }),
  repeat: z.strictObject({
    raises: within(repeatBounds.raises, 'raises'),
    withinMinutes: within(repeatBounds.withinMinutes, 'minutes'),
  }),
});

function within({ min, max }: Range, unit: string) {
  const words = `is not from ${min} to ${max} ${unit}`;
  return z.int('is not a whole number').min(min, words).max(max, words);
}

export const newEscalationTimes = z.strictObject({ times: escalationTimes, ...madeOn });
export type NewEscalationTimes = z.output<typeof newEscalationTimes>;

const escalationProposal = proposal.extend({
  /** What held when it was proposed, and what it wants. */
  held: timesShape,
  wanted: timesShape,
});
export type EscalationProposal = z.infer<typeof escalationProposal>;

export const escalationSettings = z.object({
  default: timesShape,
  now: timesShape,
  /** The approved proposal whose times hold now; null: the default. A new proposal says that it is based on it. */
  settingId: z.int().nullable(),
  /** The newest first; at most one is open. */
  proposals: z.array(escalationProposal),
});
export type EscalationSettings = z.infer<typeof escalationSettings>;

import { defaultEscalationTimes, ofEachPlan, type PlanName } from './escalationTimes';
import type { Range } from './limits';

const halfToDouble = (name: PlanName): readonly Range[] =>
  defaultEscalationTimes.steps[name].map((after) => ({ min: after / 2, max: after * 2 }));

/** How far a site may move each step, in seconds: those of HIGH are given, all others half to double the default. */
export const stepBounds: Readonly<Record<PlanName, readonly Range[]>> = {
  ...ofEachPlan(halfToDouble),
  high: [
    { min: 30, max: 180 },
    { min: 60, max: 300 },
    { min: 180, max: 900 },
  ],
};

/** How far a site may move the rule about repeated raises (E4). */
export const repeatBounds = { raises: { min: 2, max: 5 }, withinMinutes: { min: 10, max: 30 } } as const;

/** Two steps are never asked closer together than this, in seconds: the people of the first need time to answer. */
export const leastGapSeconds = 30;

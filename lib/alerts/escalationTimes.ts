/** The escalation plans whose times a site sets: on the ward, at home, and of a HIGH score. */
export const planNames = ['high', 'medium', 'score', 'homeHigh', 'homeMedium', 'homeLow'] as const;
export type PlanName = (typeof planNames)[number];

/** Returns something of each plan. */
export const ofEachPlan = <Of>(of: (name: PlanName) => Of): Record<PlanName, Of> => ({
  ...{ high: of('high'), medium: of('medium'), score: of('score') },
  ...{ homeHigh: of('homeHigh'), homeMedium: of('homeMedium'), homeLow: of('homeLow') },
});

/** When a site's alerts go one step further. */
export interface EscalationTimes {
  /** By plan: how long after the alert was raised each step after the first one is asked, in seconds. */
  steps: Readonly<Record<PlanName, readonly number[]>>;
  /**
   * So many HIGH raises of one patient and parameter within so many minutes go one step further by themselves
   * (clinical.md section 0, E4).
   */
  repeat: { raises: number; withinMinutes: number };
}

/** The table "Escalation" of clinical.md section 3; `score`: section 0, N1; `repeat`: E4. */
export const defaultEscalationTimes: EscalationTimes = {
  steps: {
    high: [60, 120, 300],
    medium: [300, 600, 1_800],
    score: [300, 900, 1_800],
    homeHigh: [300, 900, 1_800],
    homeMedium: [1_800, 3_600],
    homeLow: [14_400],
  },
  repeat: { raises: 3, withinMinutes: 15 },
};

/**
 * Returns, interval by interval, the shorter of two times: no step comes later after the one before it than by either.
 * Returns `known` itself if nothing of `other` is shorter.
 */
export function shorterTimes(known: EscalationTimes, other: EscalationTimes): EscalationTimes {
  if (known === other) {
    return known;
  }
  const steps = ofEachPlan((name) => shorterSteps(known.steps[name], other.steps[name]));
  const repeat = {
    raises: Math.min(known.repeat.raises, other.repeat.raises),
    withinMinutes: Math.max(known.repeat.withinMinutes, other.repeat.withinMinutes),
  };
  const isSame =
    planNames.every((name) => steps[name] === known.steps[name]) &&
    repeat.raises === known.repeat.raises &&
    repeat.withinMinutes === known.repeat.withinMinutes;
  return isSame ? known : { steps, repeat };
}

function shorterSteps(known: readonly number[], other: readonly number[]): readonly number[] {
  const intervals = intervalsOf(known);
  const others = intervalsOf(other);
  const shorter = intervals.map((interval, step) => Math.min(interval, others[step] ?? interval));
  return shorter.every((interval, step) => interval === intervals[step])
    ? known
    : shorter.map((_, step) => shorter.slice(0, step + 1).reduce((sum, interval) => sum + interval, 0));
}

function intervalsOf(steps: readonly number[]): number[] {
  return steps.map((after, step) => after - (steps[step - 1] ?? 0));
}

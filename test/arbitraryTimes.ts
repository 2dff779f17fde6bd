import fc from 'fast-check';
import { repeatBounds, stepBounds } from '../lib/alerts/escalationBounds';
import type { EscalationTimes, PlanName } from '../lib/alerts/escalationTimes';
import { escalationTimes } from '../lib/alerts/escalationTimesSchema';

const stepsOf = (name: PlanName): fc.Arbitrary<number[]> =>
  fc.tuple(...stepBounds[name].map(({ min, max }) => fc.integer({ min, max })));

/** Any escalation times that a site may set. */
export const arbitraryTimes: fc.Arbitrary<EscalationTimes> = fc
  .record({
    steps: fc.record({
      high: stepsOf('high'),
      medium: stepsOf('medium'),
      score: stepsOf('score'),
      homeHigh: stepsOf('homeHigh'),
      homeMedium: stepsOf('homeMedium'),
      homeLow: stepsOf('homeLow'),
    }),
    repeat: fc.record({
      raises: fc.integer(repeatBounds.raises),
      withinMinutes: fc.integer(repeatBounds.withinMinutes),
    }),
  })
  .filter((times) => escalationTimes.safeParse(times).success);

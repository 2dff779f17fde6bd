import { z } from 'zod';
import { planNames, type EscalationTimes } from './escalationTimes';

/** Escalation times as they are stored and shown; `escalationTimes` says what a site may set. */
export const timesShape = z.object({
  steps: z.record(z.enum(planNames), z.array(z.number()).readonly()),
  repeat: z.object({ raises: z.int(), withinMinutes: z.number() }),
}) satisfies z.ZodType<EscalationTimes>;

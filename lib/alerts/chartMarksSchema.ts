import { z } from 'zod';
import { note } from '../notes/schema';
import { instant } from '../time/schema';
import { alertItem } from './schema';

export const chartMarksQuery = z.strictObject({ from: instant, to: instant });

const scale = z.union([z.literal(1), z.literal(2)]);
/** SpO2 in percent. */
const target = z.object({ low: z.int(), high: z.int() });

/** The target and the limits from an instant on, until the next step. */
const limitStep = z.object({
  from: instant,
  scale,
  target,
  /** Whether a physician had set the target. */
  isTargetConfirmed: z.boolean(),
  /** The limits of rules about a charted value, in the unit of the value. */
  lines: z.array(
    z.object({
      parameter: z.enum(['spo2', 'rate']),
      priority: z.enum(['high', 'medium']),
      is: z.enum(['below', 'atMost', 'atLeast']),
      value: z.number(),
      /** Applies only while the patient breathes oxygen. */
      onOxygen: z.boolean(),
    }),
  ),
});
export type ChartLimitStep = z.infer<typeof limitStep>;

const chartAlert = alertItem
  .pick({
    id: true,
    parameter: true,
    priority: true,
    condition: true,
    startedAt: true,
    endedAt: true,
    raisedAt: true,
    acknowledged: true,
    closedAt: true,
    sentence: true,
  })
  .extend({
    /** The extremes of the values that it was raised by and of its last episode; null: it is about no charted value. */
    lowest: z.number().nullable(),
    highest: z.number().nullable(),
  });
export type ChartAlert = z.infer<typeof chartAlert>;

/** A note that was entered in error is none. Its text is in the notes. */
const chartNote = note.pick({ id: true, type: true, eventTime: true });
export type ChartNote = z.infer<typeof chartNote>;

/** What a chart shows beside the values: target and limits as they were at each time, and the alerts of that time. */
export const chartMarks = z.object({
  patientId: z.int(),
  from: instant,
  to: instant,
  /** The target as it is now, also if the time shown lies in the past. */
  target: target.extend({ scale, isConfirmed: z.boolean() }),
  /** In order; each holds until the next. */
  limits: z.array(limitStep),
  /** The newest first, at most 200. */
  alerts: z.array(chartAlert),
  /** There are more alerts of this time, older ones. */
  hasMoreAlerts: z.boolean(),
  /** When the events of signed notes happened, the newest first, at most 200; none for those who read no notes. */
  notes: z.array(chartNote),
});
export type ChartMarks = z.infer<typeof chartMarks>;

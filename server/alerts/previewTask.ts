import { z } from 'zod';
import { adjustableRules } from '../../lib/alerts/limits';
import { limitValues, scale } from '../../lib/alerts/limitsSchema';
import { vitalKinds } from '../../lib/vitals/kinds';

const patientLimits = z.partialRecord(z.enum(adjustableRules), limitValues);
/** `own`: those that were set for this patient alone. */
const limits = z.strictObject({ limits: patientLimits, own: patientLimits });
const at = z.int();

/** All that the worker of a preview has to know: it has none of the server's state. Times are epoch milliseconds. */
export const previewTask = z.strictObject({
  store: z.strictObject({ dataDir: z.string(), databaseUrl: z.string().nullable() }),
  patientId: z.int(),
  stream: z.enum(['oxygenation', 'rate']),
  scale,
  isComfortCare: z.boolean(),
  isUnder16: z.boolean(),
  now: limits,
  proposed: limits,
  /** How often each kind is expected, in milliseconds. */
  every: z.partialRecord(z.enum(vitalKinds), z.number()),
  /** The devices that are assigned to the patient, by id. */
  assigned: z.array(z.int()),
  /** How far the clocks of the patient's devices are off, in milliseconds: the store has minutes by those clocks. */
  offsets: z.array(z.number()),
  from: at,
  to: at,
});
export type PreviewTask = z.infer<typeof previewTask>;

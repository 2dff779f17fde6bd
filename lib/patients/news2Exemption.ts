import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';
import { news2ExemptFor } from './news2ExemptFor';

/** What a clinician sets, based on the version of the patient that they saw. */
export const newNews2Exemption = z.strictObject({
  version: z.int().positive(),
  because: z.enum(news2ExemptFor),
  reason: line(300).pipe(z.string().min(5, 'needs at least 5 characters')),
});
export type NewNews2Exemption = z.infer<typeof newNews2Exemption>;

/** The undo of it, based on the same. */
export const news2ExemptionEnd = newNews2Exemption.pick({ version: true });

const person = z.object({ id: z.int(), name: z.string() });

/** All marks of a patient, the newest first; the first one applies while `endedAt` is null. */
export const news2Exemptions = z.object({
  version: z.int(),
  items: z.array(
    z.object({
      because: z.enum(news2ExemptFor),
      reason: z.string(),
      setAt: instant,
      setBy: person,
      endedAt: instant.nullable(),
      endedBy: person.nullable(),
    }),
  ),
});
export type News2Exemptions = z.infer<typeof news2Exemptions>;

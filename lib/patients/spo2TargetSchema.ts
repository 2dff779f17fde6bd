import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';

/** The scale by which NEWS2 scores SpO2, and the range that this patient should be in, in percent. */
const target = {
  scale: z.union([z.literal(1), z.literal(2)]),
  low: z.int().min(70).max(99),
  high: z.int().min(71).max(100),
};

/** What a physician sets, based on the version of the patient that they saw. */
export const newSpo2Target = z
  .strictObject({
    version: z.int().positive(),
    ...target,
    reason: line(300).pipe(z.string().min(5, 'needs at least 5 characters')),
  })
  .refine(({ low, high }) => low < high, { message: 'is not above the lower end', path: ['high'] });
export type NewSpo2Target = z.infer<typeof newSpo2Target>;

const setTarget = z.object({
  ...target,
  reason: z.string(),
  setAt: instant,
  setBy: z.object({ id: z.int(), name: z.string() }),
});

/**
 * The current scale and target, and everything that was set before, the newest first. `isConfirmed`: a physician has
 * set them.
 */
export const spo2Target = z.object({
  version: z.int(),
  ...target,
  isConfirmed: z.boolean(),
  history: z.array(setTarget),
});
export type Spo2Target = z.infer<typeof spo2Target>;

/**
 * The default ranges until a physician sets another: of scale 1, and of scale 2 at risk of hypercapnic failure (BTS
 * guideline 2017).
 */
export const defaultSpo2Targets = { 1: { low: 94, high: 98 }, 2: { low: 88, high: 92 } } as const;

import { z } from 'zod';
import { line } from '../line';

/** The name of a unit, as patients' places name it too. */
export const unitName = line(60);

export const unit = z.object({
  id: z.int(),
  name: z.string(),
  /** Active patients in it. */
  patients: z.int(),
  /** Users who belong to it. */
  people: z.int(),
  /** Whether its assignments are within the user's reach; emergency access opens no more of them. */
  isOpen: z.boolean(),
});
export type Unit = z.infer<typeof unit>;

export const unitsResponse = z.object({ items: z.array(unit), total: z.int() });
export type UnitsResponse = z.infer<typeof unitsResponse>;

export const unitBody = z.strictObject({ name: unitName });

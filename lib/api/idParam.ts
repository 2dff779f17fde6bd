import { z } from 'zod';

/** A row's id in an address: digits only, and small enough to be exact as a number. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
  .transform(Number);

/** A unit's id as a filter in an address, which a page has as a number. */
export const unitParam = z.coerce.number().int().min(1, 'is not the id of a unit').max(Number.MAX_SAFE_INTEGER);

/** The params of an address that names one row. */
export const byId = z.strictObject({ id: idParam });

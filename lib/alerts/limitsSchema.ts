import { z } from 'zod';

const limit = z.number().nullable().optional();

/** What somebody wants of a rule's two sides, in the kind's unit; null: off, left out: as it is without it. */
export const limitValues = z.strictObject({ low: limit, high: limit });

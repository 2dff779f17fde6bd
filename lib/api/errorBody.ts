import { z } from 'zod';

/**
 * The one shape of every error response. `fields` maps a field's path to what is wrong with it; `id` names the row that
 * causes a conflict.
 */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    id: z.int().optional(),
    requestId: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

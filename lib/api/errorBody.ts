import { z } from 'zod';

/**
 * The one shape of every error response. `fields` maps a field's path to what is wrong with it; `id` names the row that
 * causes a conflict. An action on an alert that has changed brings that alert.
 */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    id: z.int().optional(),
    /** The rows that the same call has to name to succeed. */
    confirm: z.array(z.int()).optional(),
    /** How many more wrong years of birth a check-in link takes. */
    triesLeft: z.int().optional(),
    // An alert that has changed: `readAlertConflict` reads them, where the page has the schemas of alerts.
    alert: z.unknown().optional(),
    lastAct: z.unknown().optional(),
    // An entry of a chart that has changed: `changedEntryOf` reads it.
    entry: z.unknown().optional(),
    requestId: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

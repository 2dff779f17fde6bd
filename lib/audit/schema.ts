import { z } from 'zod';
import { instant } from '../time/schema';
import { auditActions, type AuditAction } from './actions';

const isAction = (text: string): text is AuditAction => Object.hasOwn(auditActions, text);
const rowId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
  .transform(Number);

/** Selects rows: all conditions must be true. `from` is the first instant, `to` the first one after. */
export const auditFilter = z.strictObject({
  from: instant.optional(),
  to: instant.optional(),
  /** The id of the user who did it. */
  actor: rowId.optional(),
  action: z
    .string()
    .max(60)
    .refine(isAction, 'is not an action of the audit')
    .transform((text) => (isAction(text) ? text : undefined))
    .optional(),
  patientId: rowId.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

/** The next page: the `next` of the page before. */
export const auditQuery = auditFilter.extend({
  before: z
    .string()
    .regex(/^\d{1,15}-\d{1,15}$/, 'is not the next of a page')
    .optional(),
  pageSize: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'is not a number from 1 to 500')
    .transform(Number)
    .pipe(z.int().max(500, 'is not a number from 1 to 500'))
    .default(50),
});

/** One row of the audit as users read it. */
export const auditEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.enum(['user', 'device', 'system', 'anonymous']),
  actorId: z.int().nullable(),
  /** The user's or the device's name. */
  actorName: z.string().nullable(),
  /** See `auditWords`. */
  action: z.string(),
  objectType: z.string().nullable(),
  objectId: z.int().nullable(),
  /** The name of what it is about, as it is now: "Jonsdottir K., M1"; null if that has none. */
  about: z.string().nullable(),
  outcome: z.enum(['done', 'refused']),
  details: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]),
  ),
  /** The names of ids in the details, by the detail. */
  names: z.record(z.string(), z.string()),
  ip: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Newest first. `next` names the next page; null: there is none. */
export const auditResponse = z.object({ items: z.array(auditEntry), next: z.string().nullable() });
export type AuditResponse = z.infer<typeof auditResponse>;

/** The people by whom the audit can be filtered. */
export const auditPeople = z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })) });

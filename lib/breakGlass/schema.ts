import { z } from 'zod';
import { line } from '../line';
import { userTypes } from '../session/userTypes';
import { instant } from '../time/schema';

export const minReasonLength = 10;
export const maxReasonLength = 500;

export const breakGlassBody = z.strictObject({
  reason: line(maxReasonLength).pipe(z.string().min(minReasonLength, `needs at least ${minReasonLength} characters`)),
});

/**
 * The notice for administrators that a user opened every unit of the site for an emergency: nothing about a patient.
 */
export const breakGlassNotice = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(userTypes),
  reason: z.string(),
  startedAt: instant,
  endsAt: instant,
  seenAt: instant.nullable(),
  seenBy: z.string().nullable(),
});
export type BreakGlassNotice = z.infer<typeof breakGlassNotice>;

export const breakGlassNotices = z.object({
  items: z.array(breakGlassNotice),
  total: z.int(),
  unseen: z.int(),
});
export type BreakGlassNotices = z.infer<typeof breakGlassNotices>;

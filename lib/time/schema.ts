import { z } from 'zod';
import { isCalendarDate, parseInstant } from './parseInstant';

/** An instant on the wire: ISO 8601 with an offset. It stays text; `parseInstant` turns it into epoch milliseconds. */
export const instant = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text) !== null, 'is not an instant such as 2026-05-01T10:00:00Z');

/** A calendar date without a time, such as a date of birth. */
export const calendarDate = z.string().max(10).refine(isCalendarDate, 'is not a date such as 1950-12-31');

/** Epoch milliseconds as the instant in responses: UTC with milliseconds. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same of a moment that may be null. */
export const instantOrNull = (at: number | null): string | null => (at === null ? null : toInstant(at));

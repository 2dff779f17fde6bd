import type { z } from 'zod';

type Parsed<Data> =
  | { success: true; data: Data }
  | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };

/**
 * Parses input from anyone. Unlike zod's own `safeParse` it never throws: zod compares the `length` of any object with
 * a limit, and throws if that `length` is an object that is no number either.
 */
export function safeParse<Schema extends z.ZodType>(schema: Schema, value: unknown): Parsed<z.output<Schema>> {
  try {
    return schema.safeParse(value);
  } catch {
    return { success: false, error: { issues: [{ path: [], message: 'is not valid' }] } };
  }
}

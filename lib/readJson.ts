import type { z } from 'zod';
import { safeParse } from './safeParse';

/** Returns what a text says as JSON of this shape, or null if it is anything else: the store may be damaged. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    const parsed = safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

import type { z } from 'zod';
import { nextTask } from '../nextTask';

/** Rows that are parsed in one task: few enough that a slow computer takes far less than 50 ms for them. */
export const rowsPerTask = 50;

/** A list of an answer with more rows than that. */
interface LongList {
  /** Where it stands, from the body inwards. */
  path: readonly string[];
  rows: readonly unknown[];
  /** What stands there instead. */
  part: unknown[];
}

/**
 * Parses the body of an answer with its schema; `data` is missing when it is not one. Lists of hundreds, wherever they
 * stand in it, are parsed a few rows a task, so that nobody who types or scrolls waits for them: first the answer
 * without those rows, then again with some of them at a time. What comes of it is the same, because no schema of an
 * answer counts its rows.
 */
export async function parseAnswer<Answer>(response: z.ZodType<Answer>, body: unknown): Promise<{ data?: Answer }> {
  const lists: LongList[] = [];
  const shortened = setAside(body, [], lists);
  const { success, data } = response.safeParse(shortened);
  if (!success) {
    return {};
  }
  const whole: unknown[][] = [];
  for (const { path, rows, part } of lists) {
    const parsed: unknown[] = [];
    for (let from = 0; from < rows.length; from += rowsPerTask) {
      // The first rows too: the task that brought the answer has had its text to read.
      await nextTask();
      part.push(...rows.slice(from, from + rowsPerTask));
      const some = response.safeParse(shortened);
      if (!some.success) {
        return {};
      }
      parsed.push(...listAt(some.data, path));
      part.length = 0;
    }
    whole.push(parsed);
  }
  for (const [index, { path }] of lists.entries()) {
    listAt(data, path).push(...(whole[index] ?? []));
  }
  if (lists.length > 0) {
    // What waits for the answer has a screen to draw.
    await nextTask();
  }
  return { data };
}

/** Returns a copy of the value with nothing in its long lists, and adds those to `lists`. */
function setAside(value: unknown, path: readonly string[], lists: LongList[]): unknown {
  if (Array.isArray(value)) {
    const rows: readonly unknown[] = value;
    if (rows.length > rowsPerTask) {
      const part: unknown[] = [];
      lists.push({ path, rows, part });
      return part;
    }
    return rows.map((row, index) => setAside(row, [...path, String(index)], lists));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, setAside(inner, [...path, name], lists)]),
    );
  }
  return value;
}

/** The list that parsing made of the one at a path; a list of nobody's where the schema knows none there. */
function listAt(answer: unknown, path: readonly string[]): unknown[] {
  let at = answer;
  for (const name of path) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  }
  return Array.isArray(at) ? at : [];
}

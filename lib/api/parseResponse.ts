import type { z } from 'zod';
import { nextTask } from '../nextTask';

/**
 * Rows that are parsed in one task: a slow computer takes some 15 ms for them. A patient with values, alerts and
 * symptoms is a row as well.
 */
export const rowsPerTask = 12;

/** A list in a response with more rows than that. */
interface LongList {
  /** The path to the list, from the body inwards. */
  path: readonly string[];
  rows: readonly unknown[];
  /** The list in its place, to which some of the rows are added at a time. */
  part: unknown[];
}

/**
 * Returns the body of a response as its schema parses it; `data` is missing if it does not match. Lists of hundreds,
 * wherever they are in it, are parsed a few rows a task, so that typing and scrolling go on: first the response without
 * those rows, then again with some of them at a time. The result is the same, because no schema of a response limits
 * the number of its rows.
 */
export async function parseResponse<Data>(response: z.ZodType<Data>, body: unknown): Promise<{ data?: Data }> {
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
      // The first rows too: the task that brought the response has already read its text.
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
    // The code that waits for the response has a screen to draw.
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

/** Returns the list at a path of the parsed value; a list of its own if the schema has none there. */
function listAt(value: unknown, path: readonly string[]): unknown[] {
  let at = value;
  for (const name of path) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  }
  return Array.isArray(at) ? at : [];
}

import type { z } from 'zod';

/** Rows that are parsed in one task: few enough that a slow computer takes far less than 50 ms for them. */
export const rowsPerTask = 50;

/**
 * Parses the body of an answer with its schema; `data` is missing when it is not one. A list of hundreds is parsed a few rows
 * a task with `item`, the schema of each of its `items`, so that nobody who types or scrolls waits for it; what comes of it is
 * the same.
 */
export async function parseAnswer<Answer>(
  response: z.ZodType<Answer>,
  item: z.ZodType | undefined,
  body: unknown,
): Promise<{ data?: Answer }> {
  if (item === undefined || !isLongList(body)) {
    const { success, data } = response.safeParse(body);
    return success ? { data } : {};
  }
  const around = response.safeParse({ ...body, items: [] });
  if (!around.success || !isObject(around.data)) {
    return {};
  }
  const items: unknown[] = [];
  for (let from = 0; from < body.items.length; from += rowsPerTask) {
    // The first rows too: the task that brought the answer has had its text to read.
    await nextTask();
    for (const row of body.items.slice(from, from + rowsPerTask)) {
      const parsed = item.safeParse(row);
      if (!parsed.success) {
        return {};
      }
      items.push(parsed.data);
    }
  }
  // What waits for the answer has a screen to draw.
  await nextTask();
  return { data: Object.assign(around.data, { items }) };
}

function isLongList(body: unknown): body is { items: unknown[] } {
  return isObject(body) && 'items' in body && Array.isArray(body.items) && body.items.length > rowsPerTask;
}

function isObject<Value>(value: Value): value is Value & object {
  return typeof value === 'object' && value !== null;
}

/** Goes on in another task. A message and not a timer: browsers hold back the timers of a tab that nobody looks at, for up to a minute each. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

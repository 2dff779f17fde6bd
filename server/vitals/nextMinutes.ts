/** The patient-minutes that are redone in one step at most. */
const minutesAtMost = 50;
/** How long a step may take, in milliseconds. SQLite holds the thread meanwhile, PostgreSQL is waited for. */
const stepMs = { sqlite: 20, postgres: 100 };

/**
 * Returns how many patient-minutes a step redoes next, or 0 if that was enough, given that it has redone `done` in
 * `tookMs` milliseconds, and `last` of them at last. A minute has one sample a second as a rule, but thousands where a
 * monitor sends waves: so it begins with one, and goes on with twice as many while half of its time is left.
 */
export function nextMinutes(
  engine: keyof typeof stepMs,
  { done, last, tookMs }: { done: number; last: number; tookMs: number },
): number {
  if (done === 0) {
    return 1;
  }
  return tookMs < stepMs[engine] / 2 ? Math.min(2 * last, minutesAtMost - done) : 0;
}

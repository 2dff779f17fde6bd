const second = 1_000;

/** What a timer survives of values within the limit, in milliseconds (clinical.md section 2.3). */
export const inLimitMs = 5 * second;

/**
 * How long a feed may be silent before its timers are held (the silence does not count), and before they are cancelled
 * and the rules about silence take over: 10 s and 30 s (clinical.md section 2.3). Takes the time between two values of
 * the feed in milliseconds and widens both for slow feeds just as freshness does (lib/vitals/freshness).
 */
export function gapLimits(everyMs: number): { holds: number; cancels: number } {
  return { holds: Math.max(10 * second, 1.5 * everyMs), cancels: Math.max(30 * second, 2 * everyMs) };
}

/** The same condition of the same patient within this time joins the episode before it (clinical.md section 2.3). */
export const sameEpisodeMs = 5 * 60 * second;

/**
 * A continuous sample that is older than this when it comes is late: it neither sounds nor clears (clinical.md section
 * 2.3).
 */
export const retrospectiveAfterMs = 60 * second;

/** Spot and manual readings are judged like new ones up to this age (design.md section 3). */
export const readingRetrospectiveAfterMs = 2 * 3_600 * second;

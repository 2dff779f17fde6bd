const second = 1_000;

/** How long values may be within the limit before a timer is cancelled, in milliseconds (clinical.md section 2.3). */
export const inLimitMs = 5 * second;

/**
 * Returns how long a feed may be silent before its timers pause (the silence does not count), and before they are
 * cancelled and the rules about silence take over: 10 s and 30 s (clinical.md section 2.3). `everyMs` is the time
 * between two values; both times grow for slow feeds as freshness does (lib/vitals/freshness).
 */
export function gapLimits(everyMs: number): { holds: number; cancels: number } {
  return { holds: Math.max(10 * second, 1.5 * everyMs), cancels: Math.max(30 * second, 2 * everyMs) };
}

/** From this interval on each value of a feed is a spot check, as one that is typed in (clinical.md section 0, S1). */
export const spotEveryMs = 60 * second;

/**
 * Up to this interval the score takes a device for a monitor, which has to show its values twice (section 0, N1): help
 * comes one interval later. One that is slower would keep a patient waiting, so that each of its values is a save.
 */
export const slowestMonitorMs = 5 * 60 * second;

/**
 * A first spot value beyond a HIGH limit is confirmed if no second one has come by then (section 0, S1). From then on
 * the values of a monitor may end what it raised.
 */
export const confirmedAfterMs = 15 * 60 * second;

/** Typed values are due twice a day at least (clinical.md section 1): twice this is not too long between two. */
export const typedEveryMs = 6 * 3_600 * second;

/** An observed pace counts once it was kept for so long without a gap over `steadyGapMs` (section 0, S2). */
export const steadyMs = 15 * 60 * second;
export const steadyGapMs = 2 * 60 * second;

/** A condition that begins again within this time joins the episode before it (clinical.md section 2.3). */
export const sameEpisodeMs = 5 * 60 * second;

/**
 * A continuous sample that is older than this on arrival is retrospective: it neither raises nor ends anything
 * (clinical.md section 2.3).
 */
export const retrospectiveAfterMs = 60 * second;

/** Spot and manual readings up to this age are evaluated like new ones (design.md section 3). */
export const readingRetrospectiveAfterMs = 2 * 3_600 * second;

/** A red reading at home, or a red flag, raises nothing if it is older than this when it arrives. */
export const redTooOldMs = 24 * 3_600 * second;

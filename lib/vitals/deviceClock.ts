import { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import { isInFuture } from '../time/isInFuture';

/** Calls that differ by no more than this agree about a clock, in milliseconds (clinical.md section 0, C3). */
export const agreementMs = 10_000;
/** Two calls that establish an offset are at least this far apart, in milliseconds. */
const apartMs = 5_000;
/** A lag that is shorter than the one before by more than this shrinks: samples of before are sent faster than live. */
const shrinksMs = 2_000;

/**
 * Samples that are older than this by the clock of `sentAt` are late, in milliseconds (design.md section 3): too late
 * to be evaluated in their order.
 */
const lateMs = 60_000;
/**
 * For so long samples of a device that sends its own time arrive equally late before two clocks are taken for the
 * cause, in milliseconds. What was kept back in an outage is sent faster than it was measured, so its lag shrinks.
 */
const equallyLateMs = 30_000;
/** So many such calls it takes: two readings of a spot check may both have waited for an hour. */
const equallyLateCalls = 6;

/** Zones differ by whole quarter hours; the lag of a wrong one is so near to these. Milliseconds. */
const [zoneStepMs, nearZoneMs] = [15 * 60_000, 60_000];

/** Returns by how much the zone of a clock is off that is off by so many milliseconds; null: rather the clock is. */
export function zoneLag(offMs: number): number | null {
  const zoneMs = Math.round(offMs / zoneStepMs) * zoneStepMs;
  return zoneMs !== 0 && Math.abs(offMs - zoneMs) <= nearZoneMs ? zoneMs : null;
}

/** A call (an `EpochMs`), and how much later than by the device's clock it arrived. */
const lag = z.object({ receivedAt: z.number(), lagMs: z.number() });
type Lag = z.infer<typeof lag>;

/** The first of calls that were equally late, and how many there were. */
const lateCalls = lag.extend({ calls: z.number() });
type LateCalls = z.infer<typeof lateCalls>;

/** What is known of a device's clock. Milliseconds; immutable. */
export const deviceClock = z.object({
  /** Added to the device's `takenAt` it gives true time; null if it is not known. */
  offsetMs: z.number().nullable(),
  /**
   * The call that the offset, if any, does not explain: a next one may agree with it. Of a device that sends its own
   * time, the first call with which the others since agree; its lag is the offset.
   */
  candidate: lag.nullable(),
  /**
   * The first of the calls whose newest samples are equally late, or as much in the future, by the time that the device
   * sends with them; null: they are neither.
   */
  late: lateCalls.nullable(),
});
export type DeviceClock = z.infer<typeof deviceClock>;

export const unknownClock: DeviceClock = { offsetMs: null, candidate: null, late: null };

/** How the samples of a call are corrected. */
export interface CallClock {
  clock: DeviceClock;
  offsetMs: number;
  /** False: the offset is a guess, and no one knows how old the samples are. */
  isKnown: boolean;
  /** Two calls at least 5 s apart, by both clocks, agree about it: no single call that is sent again makes it so. */
  isEstablished: boolean;
}

/**
 * Takes what is known of a device's clock and a call, and returns how its samples are corrected. With `sentAt` the call
 * says so, unless samples keep arriving equally late by it, or in its future: then a gateway stamps the call and a
 * monitor the samples, one of the two clocks is wrong, and the newest sample counts as just measured, its age unknown.
 * Without, two calls at least 5 s apart establish the offset if their lags (`receivedAt` less the newest `takenAt`)
 * agree within 10 s: a wrong clock is always wrong by the same amount. A lag that shrinks is a back-fill. A sample
 * cannot arrive before it is measured, so a known offset that is greater than the lag is wrong from then on. A known
 * offset that is smaller stays until two calls agree on another one: until then the call brings old samples. With
 * `asksZone` no offset is established that may be a zone: a person has to say. Until then the newest sample counts as
 * just measured, its age unknown.
 */
export function stepDeviceClock(
  known: DeviceClock,
  call: { receivedAt: EpochMs; sentAt: EpochMs | null; takenAt: readonly (EpochMs | null)[]; asksZone?: boolean },
): CallClock {
  const { receivedAt, sentAt, asksZone = false } = call;
  if (sentAt !== null) {
    const lagMs = receivedAt - sentAt;
    const anchor = agreeing(known.candidate, lagMs) ?? { receivedAt, lagMs };
    const passedMs = Math.min(receivedAt - anchor.receivedAt, sentAt - (anchor.receivedAt - anchor.lagMs));
    const isEstablished = passedMs >= apartMs;
    const late = lateSince(known.late, call.takenAt, receivedAt, sentAt);
    const clock = { offsetMs: lagMs, candidate: anchor, late: late?.since ?? null };
    return late !== null && late.forMs >= equallyLateMs && late.since.calls >= equallyLateCalls
      ? { clock, offsetMs: late.lagMs, isKnown: false, isEstablished: false }
      : { clock, offsetMs: lagMs, isKnown: true, isEstablished };
  }
  const newest = newestOf(call.takenAt, known.offsetMs ?? 0, receivedAt, asksZone && known.offsetMs === null);
  if (newest === null) {
    const isKnown = known.offsetMs !== null;
    return { clock: known, offsetMs: known.offsetMs ?? 0, isKnown, isEstablished: isKnown };
  }
  const lagMs = receivedAt - newest;
  const isOfZone = asksZone && zoneLag(lagMs) !== null;
  const offsetMs = known.offsetMs === null || lagMs < known.offsetMs - agreementMs ? null : known.offsetMs;
  if (offsetMs !== null && lagMs <= offsetMs + agreementMs) {
    const least = Math.min(offsetMs, lagMs);
    return established(least);
  }
  const { candidate } = known;
  const shrinks = candidate !== null && lagMs < candidate.lagMs - shrinksMs;
  const agreed = agreeing(candidate, lagMs);
  // A call that is sent again brings nothing newer: it says nothing about the clock.
  const passedMs = agreed === null ? 0 : newest - (agreed.receivedAt - agreed.lagMs);
  if (agreed !== null && receivedAt - agreed.receivedAt >= apartMs && passedMs >= apartMs) {
    const least = established(Math.min(agreed.lagMs, lagMs));
    return isOfZone ? { ...least, clock: { ...known, offsetMs: null, candidate: agreed }, isKnown: false } : least;
  }
  const clock = { offsetMs, candidate: agreed ?? { receivedAt, lagMs }, late: null };
  if (offsetMs !== null) {
    return { clock, offsetMs, isKnown: true, isEstablished: true };
  }
  // Of a back-fill the device's own times are the best guess; else that the newest sample was just measured. A newest
  // sample far in the future is rather a wrong date.
  const isGuessed = isInFuture(newest, receivedAt) ? isOfZone : !shrinks;
  return { clock, offsetMs: isGuessed ? lagMs : 0, isKnown: false, isEstablished: false };
}

function established(offsetMs: number): CallClock {
  return { clock: { offsetMs, candidate: null, late: null }, offsetMs, isKnown: true, isEstablished: true };
}

/**
 * Returns since which call, and for how long by both clocks, the newest samples have been equally late by the clock of
 * `sentAt`, or as much in its future, and their lag by the server's; null if they are neither.
 */
function lateSince(
  since: LateCalls | null,
  takenAt: readonly (EpochMs | null)[],
  receivedAt: EpochMs,
  sentAt: EpochMs,
): { since: LateCalls; forMs: number; lagMs: number } | null {
  const newest = newestOf(takenAt, receivedAt - sentAt, receivedAt);
  if (newest === null) {
    return since === null ? null : { since, forMs: 0, lagMs: since.lagMs };
  }
  if (sentAt - newest <= lateMs && !isInFuture(newest, sentAt)) {
    return null;
  }
  const lagMs = receivedAt - newest;
  const before = agreeing(since, lagMs) === null ? null : since;
  const first = before === null ? { receivedAt, lagMs, calls: 1 } : { ...before, calls: before.calls + 1 };
  // A call that is sent again brings nothing newer.
  return { since: first, forMs: Math.min(receivedAt - first.receivedAt, newest - takenAtOf(first)), lagMs };
}

const takenAtOf = ({ receivedAt, lagMs }: Lag): EpochMs => receivedAt - lagMs;

/** Returns what is known of a device's clock after the server's clock was set forward by some milliseconds. */
export function movedClock({ offsetMs, candidate, late }: DeviceClock, ms: number): DeviceClock {
  const moved = ({ receivedAt, lagMs }: Lag): Lag => ({ receivedAt: receivedAt + ms, lagMs: lagMs + ms });
  return {
    offsetMs: offsetMs === null ? null : offsetMs + ms,
    candidate: candidate === null ? null : moved(candidate),
    late: late === null ? null : { ...moved(late), calls: late.calls },
  };
}

/** Returns the candidate if a call of this lag agrees with it; null if it does not, or if the lag shrinks. */
function agreeing(candidate: Lag | null, lagMs: number): Lag | null {
  const differs = candidate === null ? Infinity : lagMs - candidate.lagMs;
  return differs >= -shrinksMs && differs <= agreementMs ? candidate : null;
}

/**
 * Returns the newest time that is no wrong date, or if all are, the newest of all; null if there is none. If one in the
 * future `mayBeOfZone`, it is no wrong date.
 */
function newestOf(times: readonly (EpochMs | null)[], offsetMs: number, receivedAt: EpochMs, mayBeOfZone = false) {
  const stated = times.filter((time) => time !== null);
  const isPossible = (time: EpochMs): boolean =>
    !isInFuture(time + offsetMs, receivedAt) || (mayBeOfZone && zoneLag(receivedAt - time) !== null);
  const possible = stated.filter(isPossible);
  const among = possible.length > 0 ? possible : stated;
  return among.reduce<EpochMs | null>((newest, time) => (newest === null || time > newest ? time : newest), null);
}

/** The instant an age counts from: a back-filled value never looks live, and neither does one from a fast clock. */
export function ageFrom(takenAt: EpochMs, offsetMs: number, receivedAt: EpochMs): number {
  return Math.min(takenAt + offsetMs, receivedAt);
}

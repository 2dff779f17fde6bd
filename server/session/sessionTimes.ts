import { isDisplay } from '../../lib/session/isDisplay';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import type { Session } from './session';

const dayMs = 24 * 3_600_000;

/** The absolute lifetime of a session, in milliseconds (security.md A7). */
export const sessionLastsMs = 12 * 3_600_000;
/** Of a display: as long as a browser keeps a cookie. It is renewed each day, so a display that runs never ends. */
const displayLastsMs = 400 * dayMs;
/** The age at which the session of a display is renewed (screens.md section 9). */
const renewAfterMs = dayMs;
/** The least time between two renewals of one session. */
export const renewAgainMs = 60_000;
/** How long a renewed session can still be used: if no one uses the new one, and from the first use of that. */
export const replacedLastsMs = dayMs;
export const replacedUsedMs = 60_000;

/** Returns how long a new session of a user lasts, in milliseconds. */
export function lifetimeOf(user: User): number {
  return isDisplay(user) ? displayLastsMs : sessionLastsMs;
}

/** Returns whether the session of a display has had its token for a day. */
export function needsRenewal({ user, expiresAt }: Session, now: EpochMs): boolean {
  return isDisplay(user) && now >= expiresAt - displayLastsMs + renewAfterMs;
}

/** Returns whether a session is locked. A wall display never locks by itself, because no one is there to unlock it. */
export function isLocked({ lockedAt, lastInputAt, user }: Session, now: EpochMs): boolean {
  return lockedAt !== null || (!isDisplay(user) && now - lastInputAt >= user.site.idleMinutes * 60_000);
}

export function breakGlassUntilOf({ breakGlassUntil }: User): EpochMs | null {
  return breakGlassUntil === null ? null : parseInstant(breakGlassUntil);
}

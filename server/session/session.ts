import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';

export interface Session {
  /** The public name of the session, which the page may read. */
  token: string;
  secretHash: string;
  /** When its user signed in. A rotated session keeps the time of the first one. */
  startedAt: EpochMs;
  expiresAt: EpochMs;
  /** When its user last touched the page. Polls, pings and event streams do not count. */
  lastInputAt: EpochMs;
  /** Since when only the password opens it again, or null if it is not locked. */
  lockedAt: EpochMs | null;
  /**
   * When its user last gave their password in this session, by the clock that no one sets (`elapsed`), in milliseconds.
   * Null: before this process started.
   */
  provedAt: number | null;
  ip: string | null;
  userAgent: string | null;
  user: User;
  /** Until when this user has broken the glass, or null if they have not. */
  breakGlassUntil: EpochMs | null;
}

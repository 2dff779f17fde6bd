import type { EpochMs } from '../../lib/time/epochMs';
import type { Session } from './session';

/** Someone who has not been heard of for so long is not there, in milliseconds (clinical.md section 00, A1). */
const silentAfterMs = 2 * 60_000;
/** Nor is someone whose screen has been locked for so long. */
const lockedForMs = 30 * 60_000;
/** A later look is a stall of the server, in which no one could be heard: it counts as this, in milliseconds. */
const longestLookMs = 5_000;

/** A moment, and how much time had been counted then. */
interface Moment {
  at: EpochMs;
  counted: number;
}

/**
 * Knows of each session whether anyone is at it. The time is that of a clock that no one sets, since this process
 * started, without its stalls. Each page polls every few seconds, hidden and locked ones too: so requests are all that
 * is heard. An event stream alone can stay open for a quarter of an hour after its browser has gone.
 */
export class Presence {
  private counted = 0;
  private lookedAt: number;
  private readonly known = new Map<string, { heard: Moment; lockedSince: Moment | null }>();

  constructor(
    private readonly now: () => EpochMs,
    private readonly elapsed: () => number,
  ) {
    this.lookedAt = elapsed();
  }

  private moment(): Moment {
    return { at: this.now(), counted: this.counted + this.sinceLook() };
  }

  private sinceLook(): number {
    return Math.min(this.elapsed() - this.lookedAt, longestLookMs);
  }

  /** Notes a request of a session. */
  heard(token: string): void {
    this.known.set(token, { lockedSince: this.known.get(token)?.lockedSince ?? null, heard: this.moment() });
  }

  /** Counts the time since it was called last, and notes which sessions there are and which of them are locked. */
  look(sessions: ReadonlyMap<string, Session>, isLocked: (session: Session) => boolean): void {
    this.counted += this.sinceLook();
    this.lookedAt = this.elapsed();
    for (const token of this.known.keys()) {
      if (!sessions.has(token)) {
        this.known.delete(token);
      }
    }
    for (const [token, session] of sessions) {
      const { heard, lockedSince } = this.known.get(token) ?? { heard: this.moment(), lockedSince: null };
      this.known.set(token, { heard, lockedSince: isLocked(session) ? (lockedSince ?? this.moment()) : null });
    }
  }

  /** Returns since when no one has been at a session; null: somebody is. */
  absentSince(token: string): EpochMs | null {
    const { heard, lockedSince = null } = this.known.get(token) ?? {};
    if (heard !== undefined && this.counted - heard.counted >= silentAfterMs) {
      return heard.at;
    }
    return lockedSince !== null && this.counted - lockedSince.counted >= lockedForMs ? lockedSince.at : null;
  }

  /** Moves with a step of the server's clock. */
  moveClock(ms: number): void {
    for (const { heard, lockedSince } of this.known.values()) {
      heard.at += ms;
      if (lockedSince !== null) {
        lockedSince.at += ms;
      }
    }
  }
}

import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Alerts } from '../alerts/alerts';
import { audit } from '../audit';
import { system } from '../audit/actor';
import type { Store } from '../db/open';
import type { Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { Sessions } from '../session/sessions';
import { readProgress, writeProgress } from '../vitals/progress';
import type { Clock, ClockStep } from './clock';
import { moveStore } from './moveStore';

export interface ClockWatch {
  /** Looks whether the wall clock was set, and then moves with it whatever runs. Resolves when that is done. */
  check(): Promise<void>;
  /**
   * Returns whether the wall clock was not found to be wrong by an hour or more for a day. Until then nothing may be
   * deleted for its age: a clock that was just set may be wrong by years, and what is deleted by it is gone.
   */
  isSettled(): boolean;
  /**
   * Returns the time by which old rows are deleted, epoch milliseconds: the present one, but no later than the newest
   * sample of before this start and the time that has passed since. A clock that was set forward deletes nothing.
   */
  deletionTime(): EpochMs;
}

/** In milliseconds. */
const settledAfterMs = 24 * 3_600_000;
/**
 * Steps that move the clock by less than this altogether leave no doubt, in milliseconds: by them nothing is deleted
 * more than an hour too early, and a computer that sleeps or is moved to another host makes one each day.
 */
const doubtedFromMs = 3_600_000;

interface ClockWatchParts {
  clock: Clock;
  /** How long before this start the clock was last found to be set, in milliseconds (`settlingFor`). */
  settlingForMs: number;
  /** When the newest sample of before this start arrived, epoch milliseconds; 0: there was none. */
  heardAt: EpochMs;
  store: Store;
  liveState: LiveState;
  sessions: Sessions;
  recorder: Recorder;
  alerts: Alerts;
  log: Logger;
}

/**
 * Resolves with how long ago the clock was found to be set, in milliseconds, before this start too. A time in the
 * future is that of a clock that was set back while nothing ran: it counts as now.
 */
export async function settlingFor({ db }: Store, now: EpochMs): Promise<number> {
  const doubtedAt = await readProgress(db, 'clock_doubted_at');
  if (doubtedAt > now) {
    await writeProgress(db, 'clock_doubted_at', now);
  }
  return Math.max(0, now - doubtedAt);
}

/**
 * Creates the watch over the wall clock (clinical.md section 0, C1). A step is taken between two transactions of the
 * store's queue: first what is stored moves, then the anchor, then what is in memory. Until then the process goes on by
 * its old time, so no alert waits for it.
 */
export function createClockWatch({
  clock,
  settlingForMs,
  heardAt,
  store,
  liveState,
  sessions,
  recorder,
  alerts,
  log,
}: ClockWatchParts): ClockWatch {
  const startedAt = clock.elapsed();
  let steppedAt = clock.elapsed() - settlingForMs;
  /** By how much the clock was set since it was last doubted, or since this start. */
  let smallStepsMs = 0;
  /** A step whose commit may have failed, and the time by which its commit is recognised. */
  let pending: { step: ClockStep; at: EpochMs } | null = null;

  const take = async (givenUp: AbortSignal): Promise<void> => {
    const found = pending === null ? clock.check() : null;
    pending ??= found === null ? null : { step: found, at: clock.now() };
    if (pending === null) {
      return;
    }
    const { step, at } = pending;
    const { moveMs, jumpedMs } = step;
    const until = at + moveMs;
    const isDoubted = Math.abs(smallStepsMs + jumpedMs) >= doubtedFromMs;
    // The answer to a commit may be lost: nothing may move twice.
    if ((await readProgress(store.db, 'clock_moved')) !== at) {
      await store.db.transaction().execute(async (transaction) => {
        if (moveMs !== 0) {
          await moveStore(transaction, moveMs, until);
        }
        await writeProgress(transaction, 'clock_moved', at);
        if (isDoubted) {
          await writeProgress(transaction, 'clock_doubted_at', until);
        }
        await audit(transaction, until, system, { action: 'set_clock', outcome: 'done', details: { ms: jumpedMs } });
        givenUp.throwIfAborted();
      });
      givenUp.throwIfAborted();
    }
    clock.move(step);
    pending = null;
    steppedAt = isDoubted ? clock.elapsed() : steppedAt;
    smallStepsMs = isDoubted ? 0 : smallStepsMs + jumpedMs;
    log.warn({ ms: jumpedMs }, 'the clock of the server was set');
    liveState.moveClock(moveMs, until);
    recorder.moveClock(moveMs);
    // Before anything waits: by the new time all sessions would be idle, or over.
    const sessionsRead = sessions.moveClock(moveMs);
    try {
      // It doubts every state before it first waits: the next evaluation reads them even if this fails.
      await alerts.moveClock(step);
    } finally {
      await sessionsRead;
    }
  };

  return {
    check: async () => {
      if (pending !== null || clock.check() !== null) {
        await store.writeQueue(take);
      }
    },
    isSettled: () => clock.elapsed() - steppedAt >= settledAfterMs,
    deletionTime: () =>
      heardAt === 0 ? clock.now() : Math.min(clock.now(), heardAt + Math.floor(clock.elapsed() - startedAt)),
  };
}

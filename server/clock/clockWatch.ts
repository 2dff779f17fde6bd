import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Alerts } from '../alerts/alerts';
import { auditDone } from '../audit';
import { system, type Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { Sessions } from '../session/sessions';
import { readProgress, writeProgress } from '../vitals/progress';
import type { Clock, ClockStep } from './clock';
import { clockDoubtOf, type ClockDoubt } from './clockDoubt';
import { beginEra, loadEra } from './era';
import { moveStore } from './moveStore';

export interface ClockWatch {
  /** Looks whether the wall clock was set, and then moves with it whatever runs. Resolves when that is done. */
  check(): Promise<void>;
  /**
   * Resolves with the time by which old rows may be deleted, epoch milliseconds: the present one, but no later than the
   * newest sample of before this start and the time that has passed since. Null if nothing may be deleted, because the
   * wall clock was found to be wrong by an hour or more within the last day, or is in doubt: what is deleted by a wrong
   * clock is gone. A doubt ends here once the clock was left alone for a day. Call it every hour.
   */
  deletionTime(): Promise<EpochMs | null>;
  /** Returns the number of the present era: instants that are kept outside the store are compared with no other. */
  era(): number;
  /** Returns the doubt about the wall clock that an administrator has to clear, or null. */
  doubt(): ClockDoubt | null;
  /** Takes an administrator's word that the wall clock is right. Does nothing if it is not in doubt. */
  confirm(who: Actor): Promise<void>;
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
  /** The time at this start by what was known before (`moveAtStart`), epoch milliseconds; 0: nothing was. */
  heardAt: EpochMs;
  /** `loadEra`. */
  era: number;
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
  heardAt: heardAtStart,
  era: eraAtStart,
  store,
  liveState,
  sessions,
  recorder,
  alerts,
  log,
}: ClockWatchParts): ClockWatch {
  let steppedAt = clock.elapsed() - settlingForMs;
  /** Since when this process has seen no step: who did not look cannot say that the clock was left alone. */
  let steadySince = clock.elapsed();
  let known: { heardAt: EpochMs; elapsed: number } | null =
    heardAtStart === 0 ? null : { heardAt: heardAtStart, elapsed: clock.elapsed() };
  /** By how much the clock was set since it was last doubted, or since this start. */
  let smallStepsMs = 0;
  let era = eraAtStart;
  /** A step whose commit may have failed, and the time by which its commit is recognised. */
  let pending: { step: ClockStep; at: EpochMs } | null = null;

  /** What the clock should say, 0 if nothing is known. No step moves it. */
  const expectedAt = (): EpochMs => (known === null ? 0 : known.heardAt + Math.floor(clock.elapsed() - known.elapsed));
  const doubt = (): ClockDoubt | null => clockDoubtOf(clock.now(), expectedAt());
  alerts.doubtClock(doubt() !== null);

  /** Believes the clock from now on. */
  const believe = (who: Actor): Promise<void> =>
    store.writeQueue(async (givenUp) => {
      const doubted = doubt();
      if (doubted === null) {
        return;
      }
      const [now, ms] = [clock.now(), doubted.statedAt - doubted.expectedAt];
      await store.db.transaction().execute(async (transaction) => {
        await writeProgress(transaction, 'clock_expected_at', 0);
        await writeProgress(transaction, 'clock_doubted_at', now - settledAfterMs);
        await auditDone(transaction, now, who, 'confirm_clock', null, { ms });
        givenUp.throwIfAborted();
      });
      known = { heardAt: now, elapsed: clock.elapsed() };
      steppedAt = clock.elapsed() - settledAfterMs;
      alerts.doubtClock(false);
      log.warn({ ms, by: who.actor }, 'the clock of the server is believed again');
      await sessions.reloadAll();
    });

  const take = async (givenUp: AbortSignal): Promise<void> => {
    // What is not stored yet has the times before the step.
    await alerts.ready(givenUp);
    const found = pending === null ? clock.check() : null;
    pending ??= found === null ? null : { step: found, at: clock.now() };
    if (pending === null) {
      return;
    }
    const { step, at } = pending;
    const { moveMs, jumpedMs } = step;
    const until = at + moveMs;
    const isDoubted = Math.abs(smallStepsMs + jumpedMs) >= doubtedFromMs;
    if (known === null && liveState.hasValues()) {
      // The first samples came after this start: they came by the clock before the step.
      known = { heardAt: at, elapsed: clock.elapsed() };
    }
    const expected = clockDoubtOf(until, expectedAt())?.expectedAt ?? 0;
    // The answer to a commit may be lost: nothing may move twice.
    if ((await readProgress(store.db, 'clock_moved')) !== at) {
      await store.db.transaction().execute(async (transaction) => {
        if (moveMs !== 0) {
          await moveStore(transaction, moveMs, until);
          await beginEra(transaction);
        }
        await writeProgress(transaction, 'clock_moved', at);
        await writeProgress(transaction, 'clock_expected_at', expected);
        if (isDoubted) {
          await writeProgress(transaction, 'clock_doubted_at', until);
        }
        await auditDone(transaction, until, system, 'set_clock', null, { ms: jumpedMs });
        givenUp.throwIfAborted();
      });
      givenUp.throwIfAborted();
    }
    const begun = await loadEra(store.db);
    givenUp.throwIfAborted();
    clock.move(step);
    era = begun;
    pending = null;
    steadySince = clock.elapsed();
    steppedAt = isDoubted ? clock.elapsed() : steppedAt;
    smallStepsMs = isDoubted ? 0 : smallStepsMs + jumpedMs;
    log.warn({ ms: jumpedMs }, 'the clock of the server was set');
    liveState.moveClock(moveMs, until);
    recorder.moveClock(moveMs);
    // Before anything waits: by the new time all sessions would be idle, or over.
    const sessionsRead = sessions.moveClock(moveMs);
    alerts.doubtClock(doubt() !== null);
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
    deletionTime: async () => {
      if (doubt() !== null && clock.elapsed() - steadySince >= settledAfterMs) {
        await believe(system);
      }
      const doubted = doubt();
      if (doubted !== null) {
        // The next start counts from here.
        await writeProgress(store.db, 'clock_expected_at', doubted.expectedAt);
        return null;
      }
      const isSettled = clock.elapsed() - steppedAt >= settledAfterMs;
      return isSettled ? Math.min(clock.now(), known === null ? Infinity : expectedAt()) : null;
    },
    era: () => era,
    doubt,
    confirm: believe,
  };
}

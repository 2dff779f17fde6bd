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
  /** When the wall clock was last set, by `Clock.elapsed`; minus infinity if it was not. */
  steppedAt(): number;
}

interface ClockWatchParts {
  clock: Clock;
  store: Store;
  liveState: LiveState;
  sessions: Sessions;
  recorder: Recorder;
  alerts: Alerts;
  log: Logger;
}

/**
 * Creates the watch over the wall clock (clinical.md section 0, C1). A step is taken between two transactions of the
 * store's queue: first what is stored moves, then the anchor, then what is in memory. Until then the process goes on by
 * its old time, so no alert waits for it.
 */
export function createClockWatch({
  clock,
  store,
  liveState,
  sessions,
  recorder,
  alerts,
  log,
}: ClockWatchParts): ClockWatch {
  let steppedAt = -Infinity;
  /** A step whose commit may have failed, and the time by which its commit is recognised. */
  let pending: { step: ClockStep; at: EpochMs } | null = null;

  const take = async (): Promise<void> => {
    const found = pending === null ? clock.check() : null;
    pending ??= found === null ? null : { step: found, at: clock.now() };
    if (pending === null) {
      return;
    }
    const { step, at } = pending;
    const { moveMs, jumpedMs } = step;
    const until = at + moveMs;
    // The answer to a commit may be lost: nothing may move twice.
    if ((await readProgress(store.db, 'clock_moved')) !== at) {
      await store.db.transaction().execute(async (transaction) => {
        if (moveMs !== 0) {
          await moveStore(transaction, moveMs, until);
        }
        await writeProgress(transaction, 'clock_moved', at);
        await audit(transaction, until, system, { action: 'set_clock', outcome: 'done', details: { ms: jumpedMs } });
      });
    }
    clock.move(step);
    pending = null;
    steppedAt = clock.elapsed();
    log.warn({ ms: jumpedMs }, 'the clock of the server was set');
    liveState.moveClock(moveMs, until);
    recorder.moveClock(moveMs);
    try {
      // It doubts every state before it first waits: the next evaluation reads them even if this fails.
      await alerts.moveClock(step);
    } finally {
      await sessions.moveClock(moveMs);
    }
  };

  return {
    check: async () => {
      if (pending !== null || clock.check() !== null) {
        await store.writeQueue(take);
      }
    },
    steppedAt: () => steppedAt,
  };
}

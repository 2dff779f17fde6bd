import { passOver } from '../http/errors';
import type { AlertState } from './alertState';
import type { ChangedSettings } from './changedSettings';
import type { ClockMemory } from './clockMemory';
import { evaluateClock } from './evaluateClock';
import { evaluateReports, readReportAlarms } from './evaluateReports';

type Tick = (givenUp?: AbortSignal) => Promise<void>;

/**
 * Returns the tick of the clock evaluation. Ticks do not queue up while the store is slow: one waits for the other.
 * While nothing can be stored the clock is evaluated all the same, but for issue reports and changed settings, which
 * only the store has.
 */
export function createTick(state: AlertState, memory: ClockMemory, settings: ChangedSettings): Tick {
  let ticking: { givenUp: AbortSignal | undefined; done: Promise<void> } | null = null;
  const evaluateAndStore: Tick = async (givenUp) => {
    await state.people.readPeopleAgain();
    await state.transact(async (states, writes) => {
      givenUp?.throwIfAborted();
      const reportAlarms = await readReportAlarms(state);
      givenUp?.throwIfAborted();
      await evaluateClock(state, memory, states, writes, givenUp);
      evaluateReports({ state, states, writes, at: state.now() }, reportAlarms);
    });
  };
  const tick: Tick = async (givenUp) => {
    try {
      await evaluateAndStore(givenUp);
    } catch (error) {
      givenUp?.throwIfAborted();
      passOver(error);
      await state.judgeUnstoredInQueue((states, writes, hung) => {
        const stops = givenUp === undefined ? hung : AbortSignal.any([givenUp, hung]);
        stops.throwIfAborted();
        return evaluateClock(state, memory, states, writes, stops);
      });
      return;
    }
    await settings.repeat(givenUp);
  };
  return async (givenUp) => {
    // One that was given up holds back no other.
    if (ticking === null || ticking.givenUp?.aborted === true) {
      const one = { givenUp, done: Promise.resolve() };
      ticking = one;
      one.done = tick(givenUp).finally(() => {
        ticking = ticking === one ? null : ticking;
      });
    }
    await ticking.done;
  };
}

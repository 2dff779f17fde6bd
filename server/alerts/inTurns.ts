import { setImmediate as turn } from 'node:timers/promises';

/** Patients before others have the thread: a few milliseconds of evaluation, 30 ms of a start. */
const patientsPerTurn = 250;

/** Calls `each` for every patient, and lets others have the thread after so many. Rejects once `givenUp` says so. */
export async function inTurns<Item>(
  items: readonly Item[],
  givenUp: AbortSignal | undefined,
  each: (item: Item) => void,
): Promise<void> {
  for (let first = 0; first < items.length; first += patientsPerTurn) {
    if (first > 0) {
      await turn();
      givenUp?.throwIfAborted();
    }
    items.slice(first, first + patientsPerTurn).forEach(each);
  }
}

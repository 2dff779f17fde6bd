import type { Entry } from './plan';
import { visitSince, type Window } from './window';

/** A monitor sends a value or two a second; what sends more is a waveform or a fault. */
const judgedASecond = 10;
/** The newest of such values is never further ahead of what is judged than this, in milliseconds. */
const stepMs = 100;
const secondMs = 1_000;

/**
 * Returns the entries that the rules have to judge, given those of the window: of a device that sends more than 10
 * values of a kind in a second the first 10 that arrive, the two lowest and the two highest, and one each 100 ms: some
 * rules need two in a row.
 * All of them are stored. Without this, 240 values a second in any order take the rules longer than the second. What a
 * person typed in is always judged.
 */
export function withoutRedundant<F>(window: Window<Entry, F>, entries: readonly Entry[]): readonly Entry[] {
  const kept: Entry[] = [];
  for (const entry of entries) {
    if (isNeeded(entry, window, kept)) {
      kept.push(entry);
    }
  }
  return kept.length === entries.length ? entries : kept;
}

function isNeeded<F>(entry: Entry, window: Window<Entry, F>, kept: readonly Entry[]): boolean {
  const from = Math.floor(entry.at / secondMs) * secondMs;
  const newest = window.newest?.newest.entry;
  if (entry.deviceId < 0 || (kept.length < judgedASecond && (newest === undefined || newest.at < from))) {
    return true;
  }
  let count = 0;
  let isKnown = false;
  let [newestAt, asLow, asHigh] = [-Infinity, 0, 0];
  const see = (other: Entry): void => {
    const isOfSecond = other.at >= from && other.at < from + secondMs;
    if (!isOfSecond || other.source !== entry.source || other.deviceId !== entry.deviceId) {
      return;
    }
    count += 1;
    isKnown ||= other.at === entry.at;
    newestAt = Math.max(newestAt, other.at);
    // A value that is doubtful ends nothing, so a good one beside it is no repetition.
    if (other.isValid && other.isDoubtful === entry.isDoubtful) {
      asLow += other.value <= entry.value ? 1 : 0;
      asHigh += other.value >= entry.value ? 1 : 0;
    }
  };
  kept.forEach(see);
  visitSince(window, from, see);
  const isExtreme = entry.isValid && (asLow < 2 || asHigh < 2);
  // The same moment again is a repeat or a correction.
  return count < judgedASecond || isKnown || isExtreme || entry.at >= newestAt + stepMs;
}

import { activeRule, entryOf, planOf, settingOf } from '../../test/stream';
import type { Entry } from './plan';
import { createStream, takeEntriesOfStream } from './stream';

const plan = planOf('oxygenation', settingOf());
const aSecond = 20;

/** Half a minute of 96 %, 20 values a second, with a dip to 60 %. */
function dip(begins: number, lasts: number): Entry[] {
  return Array.from({ length: 30 * aSecond }, (_, index) => {
    const second = index / aSecond;
    return entryOf('oxygenation', 'spo2', second, second >= begins && second < begins + lasts ? 60 : 96);
  });
}

/** The rule that is active after the values of each second came in a call of their own. */
function afterCalls(entries: readonly Entry[], isNewestFirst: boolean): string {
  let stream = createStream(plan);
  for (let from = 0; from < entries.length; from += aSecond) {
    const call = entries.slice(from, from + aSecond);
    const now = Math.max(...call.map(({ at }) => at)) + 1_000;
    stream = takeEntriesOfStream(stream, plan, isNewestFirst ? call.reverse() : call, now);
  }
  return activeRule(plan, stream, 'spo2');
}

describe('a device that sends 20 values a second', () => {
  it.each([
    [0.1, 20],
    [0.1, 20.5],
    [0.1, 20.75],
    [0.5, 20.05],
    [2, 20],
  ])('raises an alert by a dip of %d s, in whatever order it sends', (lasts, begins) => {
    const entries = dip(begins, lasts);
    expect([afterCalls(entries, false), afterCalls(entries, true)]).toEqual(['high spo2.desat', 'high spo2.desat']);
  });
});

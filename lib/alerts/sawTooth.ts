import type { EpochMs } from '../time/epochMs';
import type { Side } from './episode';
import { gapLimits } from './timing';

/** On which side of a HIGH limit the values of a feed were from `at` on; `gap`: nothing is known. */
export interface Stretch {
  at: EpochMs;
  is: Side | 'within' | 'gap';
}

/** A value as `nextStretches` takes it: when, on which side, how long after the one before, and the feed's interval. */
interface Place extends Stretch {
  gapMs: number;
  everyMs: number;
}

/** Clinical.md section 00, A8; milliseconds and shares. */
const windowMs = 120_000;
const slowestMs = 30_000;
const leastCovered = 0.8;
const beyondMost = 0.6;

const none: readonly Stretch[] = [];

/**
 * Takes the stretches of the last two minutes and the next value, and returns them after it: the same ones if nothing
 * began. None while no value has been beyond the limit.
 */
export function nextStretches(before: readonly Stretch[], { at, is, gapMs, everyMs }: Place): readonly Stretch[] {
  if (everyMs > slowestMs || (before.length === 0 && is === 'within')) {
    return none;
  }
  const isGap = before.length > 0 && gapMs > gapLimits(everyMs).holds;
  const gap: readonly Stretch[] = isGap ? [{ at: at - gapMs, is: 'gap' }] : none;
  const all = !isGap && before.at(-1)?.is === is ? before : [...before, ...gap, { at, is }];
  const first = all.findLastIndex((stretch) => stretch.at <= at - windowMs);
  const kept = first > 0 ? all.slice(first) : all;
  return kept.some((stretch) => stretch.is === 'low' || stretch.is === 'high') ? kept : none;
}

/** Returns whether the values of a full window were on one side of the limit for most of the time that is known. */
export function isMostlyBeyond(stretches: readonly Stretch[], side: Side, at: EpochMs): boolean {
  const from = at - windowMs;
  const isFull = (stretches[0]?.at ?? Infinity) <= from;
  let [covered, beyond] = [0, 0];
  stretches.forEach((stretch, index) => {
    const lasts = (stretches[index + 1]?.at ?? at) - Math.max(stretch.at, from);
    covered += stretch.is === 'gap' ? 0 : lasts;
    beyond += stretch.is === side ? lasts : 0;
  });
  return isFull && covered >= leastCovered * windowMs && beyond > beyondMost * covered;
}

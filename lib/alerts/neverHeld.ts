import { isTyped } from './feeds';
import type { Plan } from './plan';
import type { Stream } from './stream';
import { streams } from './streams';

/** The source whose extreme rate no standby holds back: an oximeter is often wrong while a patient is moved. */
const ecg = [...streams.rate.kinds].indexOf('heartRate');

/**
 * Returns whether a standby must not hold back a group's alert: an extreme rate by ECG, or a value beyond a HIGH limit
 * that a person typed in or that waits for a second one (clinical.md section 0, Y2). One feed is enough, whatever the
 * others show.
 */
export function isNeverHeld(plan: Plan, { head }: Stream, groupIndex: number): boolean {
  const group = plan.groups[groupIndex];
  const { feeds, groups } = head.state;
  const timers = groups[groupIndex]?.states ?? [];
  return timers.some((timer, place) => {
    const rule = group?.rules[place % group.rules.length];
    const feed = group === undefined ? undefined : feeds[Math.floor(place / group.rules.length)];
    if (timer.phase !== 'active' || rule?.priority !== 'high' || feed?.counts !== true) {
      return false;
    }
    const isByEcg = group?.parameter === 'rate' && rule.id === 'hr.extreme' && feed.source === ecg;
    return isByEcg || isTyped(feed) || timer.unconfirmedUntil !== null;
  });
}

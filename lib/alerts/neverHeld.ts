import { activeTimers } from './evaluateGroups';
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
export function isNeverHeld(plan: Plan, { head }: Stream, index: number): boolean {
  return activeTimers(plan, head.state, index).some(({ timer, rule, feed }) => {
    const isByEcg = rule.id === 'hr.extreme' && feed.source === ecg;
    return rule.priority === 'high' && feed.counts && (isByEcg || isTyped(feed) || timer.unconfirmedUntil !== null);
  });
}

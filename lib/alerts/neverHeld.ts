import type { Plan } from './plan';
import type { Stream } from './stream';
import { streams } from './streams';

/** The source whose extreme rate no standby holds back: an oximeter is often wrong while a patient is moved. */
const ecg = [...streams.rate.kinds].indexOf('heartRate');

/**
 * Returns whether a standby must not hold back a group's alert: an extreme rate by ECG, or a single value beyond a HIGH
 * limit, which a person typed in (clinical.md section 0, Y2).
 */
export function isNeverHeld(plan: Plan, { head }: Stream, groupIndex: number): boolean {
  const group = plan.groups[groupIndex];
  const episode = head.state.groups[groupIndex]?.episode ?? null;
  if (episode !== null && episode.priority === 'high' && episode.unconfirmedUntil !== null) {
    return true;
  }
  if (group?.parameter !== 'rate') {
    return false;
  }
  const extreme = group.rules.findIndex(({ id }) => id === 'hr.extreme');
  const { feeds, groups } = head.state;
  return feeds.some(
    ({ source, counts }, feed) =>
      source === ecg && counts && groups[groupIndex]?.states[feed * group.rules.length + extreme]?.phase === 'active',
  );
}

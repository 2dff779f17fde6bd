import type { EpochMs } from '../../lib/time/epochMs';
import { freshnessOf, offAfterMs } from '../../lib/vitals/freshness';
import { kinds } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { isInvalid } from '../vitals/qualityCode';
import { expectedEveryMs, shownLatest } from '../vitals/shownSource';

/**
 * Returns whether a patient needs someone at `now`, and until when that stays so if nothing new arrives: with an open
 * alert of any priority, or if their SpO2 does not arrive, because a site whose rules are off has no alert about that.
 * In standby a missing value is expected.
 */
export function needsAttention(liveState: LiveState, row: PatientRow, now: EpochMs): { is: boolean; until: number } {
  const standby = liveState.standbyOf(row.id, now);
  if (liveState.openAlerts.of(row.id).length > 0) {
    return { is: true, until: Infinity };
  }
  if (standby !== null) {
    return { is: false, until: standby.until };
  }
  const newest = liveState.latestOf(row.id).get(kinds.spo2.code);
  if (newest === undefined) {
    return { is: true, until: Infinity };
  }
  const { latest, until } = shownLatest(liveState, row, 'spo2', newest, now);
  const everyMs = expectedEveryMs(liveState, row, 'spo2', latest.sample.deviceId);
  if (isInvalid(latest.sample.quality) || freshnessOf(now - latest.asOf, everyMs) === 'off') {
    return { is: true, until };
  }
  // From the millisecond after its last one.
  return { is: false, until: Math.min(until, latest.asOf + offAfterMs(everyMs) + 1) };
}

import type { RuleSample } from '../../lib/alerts/ruleState';
import { streamNames, streams } from '../../lib/alerts/streams';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds } from '../../lib/vitals/kinds';
import type { LiveState } from '../liveState';
import type { SourceTimings } from '../vitals/sourceTimings';
import { heartbeatPatients } from './heartbeatPatient';
import type { PatientRuleState } from './patientRuleState';

/**
 * Brings back how often the devices of a patient send, as it was observed before a restart (clinical.md section 0, S2):
 * silence would be judged by their settings alone for a quarter of an hour otherwise. Since when a device has been
 * steady is kept with the state of its stream; its last values are in the store. `downMs`: for how long the server was
 * down.
 */
export function resumePaces(
  sourceTimings: SourceTimings,
  { patientId, profile, ruleState }: PatientRuleState,
  arrived: readonly { sample: RuleSample; receivedAt: EpochMs }[],
  downMs: number,
): void {
  if (profile === 'home') {
    return;
  }
  for (const name of streamNames) {
    for (const { source, deviceId, steadySince } of ruleState[name].head.state.feeds) {
      const kind = streams[name].kinds[source];
      if (kind === undefined || deviceId === null || deviceId < 0 || steadySince === null) {
        continue;
      }
      const values = arrived
        .filter(({ sample }) => sample.kind === kind && sample.deviceId === deviceId)
        .map(({ sample: { value, measuredAt, quality }, receivedAt }) => ({
          at: Math.min(measuredAt, receivedAt),
          receivedAt,
          value,
          isDoubtful: quality === 'questionable',
          isValid: quality !== 'invalid',
        }))
        .sort((a, b) => a.at - b.at);
      sourceTimings.resume({ patientId, kind: kinds[kind].code, deviceId }, steadySince, values, downMs);
    }
  }
}

/** Returns for how long the server was down at `now`, in milliseconds: since the newest sample arrived. */
export function downtimeAt(liveState: LiveState, now: EpochMs): number {
  const rows = [...heartbeatPatients, ...liveState.patients.values()];
  const newest = rows.flatMap(({ id }) => [...liveState.latestOf(id).values()].map(({ sample }) => sample.receivedAt));
  const heardUntil = newest.reduce((latest, at) => Math.max(latest, at), 0);
  return heardUntil === 0 ? 0 : Math.max(0, now - heardUntil);
}

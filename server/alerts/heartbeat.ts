import { closeAdministratively } from '../../lib/alerts/actions';
import { toInstant } from '../../lib/time/schema';
import type { Server } from '../server';
import { heartbeatPatient, heartbeatSite } from './heartbeatPatient';

/** The heartbeat's device is no row of the store either. */
const heartbeatDevice = 0;

/** How long a beat may take before it counts as missed, in milliseconds. */
const patienceMs = 10_000;
const keepLogMs = 24 * 3_600_000;

/**
 * Sends invented samples through ingest, rules and events, as a device's samples would go, and resolves with the
 * milliseconds until their event arrived. Rejects if none arrives or the store does not take the samples.
 */
export async function beat({
  alerts,
  recorder,
  now,
  store,
}: Pick<Server, 'alerts' | 'recorder' | 'now' | 'store'>): Promise<number> {
  const at = now();
  const sample = (agoMs: number, value: number): object => ({
    mrn: heartbeatPatient.mrn,
    kind: 'spo2',
    value,
    takenAt: toInstant(at - agoMs),
    quality: 'good',
  });
  // First values within the limits, long enough to end the last beat's alert; then two values of a rule without delay.
  const well = Array.from({ length: 9 }, (_, index) => sample(47_000 - index * 5_000, 97));
  const begun = performance.now();
  let stop = (): void => undefined;
  const raised = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('The heartbeat was not heard'));
    }, patienceMs);
    const stopListening = alerts.onChange((siteId) => {
      if (siteId === heartbeatSite) {
        resolve(performance.now() - begun);
      }
    });
    stop = () => {
      clearTimeout(timer);
      stopListening();
    };
  });
  try {
    await recorder.record({
      deviceId: heartbeatDevice,
      siteId: heartbeatSite,
      receivedAt: at,
      sentAt: toInstant(at),
      battery: null,
      samples: [...well, sample(2_000, 50), sample(1_000, 50)],
    });
    return await raised;
  } finally {
    stop();
    for (const { id } of alerts.listOpen(heartbeatSite)) {
      await alerts.handle(id, (alert, when) => closeAdministratively(alert, 'heartbeat', when), null);
    }
    await store.db
      .deleteFrom('alert_events')
      .where('site_id', '=', heartbeatSite)
      .where('at', '<', at - keepLogMs)
      .execute();
  }
}

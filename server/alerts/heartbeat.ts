import { closeAdministratively } from '../../lib/alerts/actions';
import type { Parameter } from '../../lib/alerts/parameters';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import type { PatientRow } from '../db/rows';
import { passOver } from '../http/errors';
import type { Server } from '../server';
import { heartbeatPatients, heartbeatSite } from './heartbeatPatient';

/** The heartbeat's device is no row of the store either. */
const heartbeatDevice = 0;

/** How long the event of a beat may take before it counts as missed, in milliseconds. */
const patienceMs = 10_000;
/** How long alerts of the heartbeat and their logs are kept, in milliseconds. */
const keepAlertsMs = 3_600_000;
/** Samples of the heartbeat are deleted after these minutes, when no rule and no rollup needs them. */
const keepSamplesMinutes = 5;

/** A beat whose samples were heard. */
export interface Beat {
  /** Milliseconds from the samples to their event. */
  tookMs: number;
  /** Whether the stream's silence before was noticed too. False for the first beat of each stream since a start. */
  isComplete: boolean;
}

type Parts = Pick<Server, 'alerts' | 'recorder' | 'now' | 'elapsed' | 'store'>;

/**
 * Creates the heartbeat: a function for every 30 s, which takes its two invented streams in turn (clinical.md section
 * 0, P2). Each time the clock evaluation must have noticed that the stream was silent for a minute. Then samples go
 * through ingest, rules and events as those of a device would. Rejects if either does not happen. That nothing can be
 * stored is another watch's news (server/storageWatch.ts): alerts are raised all the same.
 */
export function createHeartbeat({ alerts, recorder, now, elapsed, store }: Parts): () => Promise<Beat> {
  /** The clock of the invented device: like that of a real one it does not move when the server's clock is set. */
  const deviceAhead = now() - elapsed();
  /** Streams that fell silent since this start. */
  const silent = new Set<PatientRow>();
  let beats = 0;

  const isOpen = (patient: PatientRow, parameter: Parameter): boolean =>
    alerts
      .listOpen(heartbeatSite)
      .some(({ patientId, alert }) => patientId === patient.id && alert.parameter === parameter);

  const closeAll = async (patient: PatientRow): Promise<void> => {
    for (const { id, patientId } of alerts.listOpen(heartbeatSite)) {
      if (patientId === patient.id) {
        await alerts.handle([{ id, action: (alert, at) => closeAdministratively(alert, 'heartbeat', at) }], null);
      }
    }
  };

  return async () => {
    const sentAt = Math.round(deviceAhead + elapsed());
    const patient = heartbeatPatients[beats % heartbeatPatients.length];
    if (patient === undefined) {
      throw new Error('The heartbeat has no stream');
    }
    beats += 1;
    const wasSilent = silent.delete(patient);
    const isSilenceNoticed = isOpen(patient, 'reporting');
    // Whatever the last beat left: only an alert that opens from here on counts.
    await closeAll(patient);
    const begun = performance.now();
    let stop = (): void => undefined;
    const raised = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error('The heartbeat was not heard'));
      }, patienceMs);
      const stopListening = alerts.onChange((siteId) => {
        if (siteId === heartbeatSite && isOpen(patient, 'spo2')) {
          resolve(performance.now() - begun);
        }
      });
      stop = () => {
        clearTimeout(timer);
        stopListening();
      };
    });
    try {
      const recorded = recorder.record({
        deviceId: heartbeatDevice,
        siteId: heartbeatSite,
        receivedAt: now(),
        sentAt: toInstant(sentAt),
        battery: null,
        samples: samplesOf(patient, sentAt),
      });
      // A store that hangs must not hold back the news that nothing was heard.
      const [tookMs] = await Promise.all([raised, recorded.catch(passOver)]);
      silent.add(patient);
      if (wasSilent && !isSilenceNoticed) {
        throw new Error('The silence of the heartbeat was not noticed');
      }
      return { tookMs, isComplete: wasSilent };
    } finally {
      stop();
      await closeAll(patient);
      await store.writeQueue(() => removeOld(store, now(), sentAt)).catch(passOver);
    }
  };
}

/**
 * First values within the limits, long enough to end what the last beat raised; then two values of a rule without
 * delay. The last one is 7 s old: the silence after it is noticed before the stream's next beat.
 */
function samplesOf({ mrn }: PatientRow, sentAt: EpochMs): object[] {
  const sample = (agoMs: number, value: number): object => ({
    mrn,
    kind: 'spo2',
    value,
    takenAt: toInstant(sentAt - agoMs),
    quality: 'good',
  });
  return [
    ...Array.from({ length: 9 }, (_, index) => sample(53_000 - index * 5_000, 97)),
    sample(8_000, 50),
    sample(7_000, 50),
  ];
}

/**
 * Deletes what earlier beats left in the store, so that nothing grows: alerts by the server's clock, samples by the
 * device's. Every query finds its rows by a key.
 */
async function removeOld({ db }: Store, at: EpochMs, sentAt: EpochMs): Promise<void> {
  const patientIds = heartbeatPatients.map(({ id }) => id);
  const alertsBefore = at - keepAlertsMs;
  const ofSite = db.selectFrom('alerts').select('id').where('site_id', '=', heartbeatSite);
  await db.deleteFrom('alert_events').where('alert_id', 'in', ofSite).where('at', '<', alertsBefore).execute();
  await db
    .deleteFrom('alerts')
    .where('site_id', '=', heartbeatSite)
    .where('closed_at', '<', alertsBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('alert_events').select('id').whereRef('alert_id', '=', 'alerts.id'))),
    )
    .execute();
  const until = Math.floor(sentAt / 60_000) - keepSamplesMinutes;
  const minutes = Array.from({ length: keepSamplesMinutes }, (_, index) => until - index);
  await db.deleteFrom('samples').where('minute', 'in', minutes).where('patient_id', 'in', patientIds).execute();
  await db.deleteFrom('minutes').where('patient_id', 'in', patientIds).where('minute', '<=', until).execute();
}

import type { Store } from '../db/open';
import type { LiveState } from '../liveState';
import { isWithdrawn } from './qualityCode';
import { movedMs, sampleKeyText, type Sample, type SampleKey } from './sample';
import { samplesOfMinutes, toSample } from './samples';

/** Resolves with the stored samples of these keys that are not withdrawn, each once. Devices’ need `liveState`. */
export async function readStored(
  { db }: Pick<Store, 'db'>,
  keys: readonly SampleKey[],
  liveState?: Pick<LiveState, 'latestOfDevice'>,
): Promise<Sample[]> {
  const places = keys.flatMap((key) => {
    const { patientId: patient_id, kind, takenAt } = key;
    const own = Math.floor(takenAt / 60_000);
    const newest = liveState?.latestOfDevice(key)?.sample;
    const moved = key.minute ?? (newest === undefined ? own : own + movedMs(newest) / 60_000);
    return [own, moved].map((minute) => ({ minute, patient_id, kind }));
  });
  // A minute that is listed twice would be read twice.
  const minutes = new Map(places.map((one) => [`${one.patient_id} ${one.kind} ${one.minute}`, one]));
  const rows = minutes.size === 0 ? [] : (await samplesOfMinutes([...minutes.values()]).execute(db)).rows;
  const wanted = new Set(keys.map(sampleKeyText));
  return rows.map(toSample).filter((sample) => !isWithdrawn(sample.quality) && wanted.has(sampleKeyText(sample)));
}

import type { Store } from '../db/open';
import { isWithdrawn } from './qualityCode';
import { sampleKeyText, type Sample, type SampleKey } from './sample';
import { samplesOfMinutes, toSample } from './samples';

/** Resolves with the stored samples of these keys that are not withdrawn, each once. */
export async function readStored({ db }: Pick<Store, 'db'>, keys: readonly SampleKey[]): Promise<Sample[]> {
  // A minute that is listed twice would be read twice.
  const minutes = new Map(
    keys.map(({ patientId, kind, takenAt }) => {
      const minute = Math.floor(takenAt / 60_000);
      return [[patientId, kind, minute].join(' '), { minute, patient_id: patientId, kind }];
    }),
  );
  const rows = minutes.size === 0 ? [] : (await samplesOfMinutes([...minutes.values()]).execute(db)).rows;
  const wanted = new Set(keys.map(sampleKeyText));
  return rows.map(toSample).filter((sample) => !isWithdrawn(sample.quality) && wanted.has(sampleKeyText(sample)));
}

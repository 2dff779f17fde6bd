import type { Store } from '../db/open';
import type { Latest, Ward } from '../ward';
import { newest } from './newest';
import { samplesOfMinutes, toSample } from './samples';

const minuteMs = 60_000;
const minutesPerHour = 60;

/**
 * Reads a patient's newest values of one kind from the store again, because something of them was corrected or may have
 * been: what came before a value that was taken back is known to the store alone. Looks in the given epoch minutes, where
 * the known ones are, in the hour before each of these, and in the newest minute before in which anything was measured.
 */
export async function deriveLatest(store: Store, ward: Ward, patientId: number, kind: number, minutes: readonly number[]): Promise<void> {
  const read = async (latest: Latest | undefined, among: readonly number[]): Promise<Latest | undefined> => {
    const { rows } = await samplesOfMinutes(among.map((minute) => ({ minute, patient_id: patientId, kind }))).execute(store.db);
    return rows.map(toSample).reduce<Latest | undefined>(newest, latest);
  };
  const known = ward.latestOf(patientId).get(kind);
  const times = [known?.sample.takenAt, known?.valid?.takenAt].filter((takenAt) => takenAt !== undefined);
  const places = [...minutes, ...times.map((takenAt) => Math.floor(takenAt / minuteMs))];
  const hours = places.flatMap((place) => Array.from({ length: minutesPerHour }, (_, before) => place - before));
  let latest = await read(undefined, [...new Set(hours)]);
  if (latest?.valid === null) {
    const earlier = await store.db
      .selectFrom('minutes')
      .select('minute')
      .where('patient_id', '=', patientId)
      .where('kind', '=', kind)
      .where('minute', '<=', Math.min(...places) - minutesPerHour)
      .where('count', '>', 0)
      .orderBy('minute', 'desc')
      .limit(1)
      .executeTakeFirst();
    latest = earlier === undefined ? latest : await read(latest, [earlier.minute]);
  }
  if (latest !== undefined) {
    ward.putLatest(latest);
  }
}

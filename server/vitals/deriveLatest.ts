import type { Store } from '../db/open';
import type { LiveState } from '../liveState';
import { movedMs, type Latest } from './sample';
import { newest } from './newest';
import { isWithdrawn } from './qualityCode';
import { samplesOfMinutes, toSample } from './samples';

const minuteMs = 60_000;
const minutesPerHour = 60;

/**
 * Reads a patient's newest values of one kind from the store again after a possible correction: only the store has the
 * value before a corrected one. Looks in the given epoch minutes, in the minutes of the known values and in the hour
 * before each of these. For a device without a value there it looks in the newest earlier minute with any value. If
 * that is of another device, the other device's value is the newer one. A device whose known value was entered in error
 * and has none before it has none any more.
 */
export async function deriveLatest(
  store: Store,
  liveState: LiveState,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): Promise<void> {
  const byDevice = new Map<number, Latest>();
  const withdrawn = new Set<string>();
  const read = async (among: readonly number[]): Promise<void> => {
    const { rows } = await samplesOfMinutes(among.map((minute) => ({ minute, patient_id: patientId, kind }))).execute(
      store.db,
    );
    for (const sample of rows.map(toSample)) {
      if (isWithdrawn(sample.quality)) {
        withdrawn.add(`${sample.deviceId} ${sample.takenAt}`);
      } else {
        byDevice.set(sample.deviceId, newest(byDevice.get(sample.deviceId), sample));
      }
    }
  };
  const known = liveState.latestOfDevices(patientId, kind);
  const hours = [...minutes, ...known.flatMap(minutesOf)].flatMap((place) =>
    Array.from({ length: minutesPerHour }, (_, before) => place - before),
  );
  await read([...new Set(hours)]);
  const lost = known.flatMap(({ sample: { deviceId, takenAt } }) =>
    withdrawn.has(`${deviceId} ${takenAt}`) ? [deviceId] : [],
  );
  const unknown = [...byDevice].flatMap(([deviceId, { valid }]) => (valid === null ? [deviceId] : []));
  for (const deviceId of [...unknown, ...lost.filter((id) => !byDevice.has(id))]) {
    const places = [...minutes, ...known.filter((other) => other.sample.deviceId === deviceId).flatMap(minutesOf)];
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
    if (earlier !== undefined) {
      await read([earlier.minute]);
    }
  }
  for (const deviceId of lost.filter((id) => !byDevice.has(id))) {
    liveState.removeLatest({ patientId, kind, deviceId });
  }
  for (const latest of byDevice.values()) {
    liveState.putLatest(latest);
  }
}

/** Returns the epoch minutes in which the two samples of a latest value may be. */
export function minutesOf({ sample, valid }: Latest): number[] {
  const validAt = valid === null ? [] : [valid.takenAt, valid.takenAt + movedMs(sample)];
  return [sample.minute, ...validAt.map((at) => Math.floor(at / minuteMs))];
}

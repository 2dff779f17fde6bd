import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode, noSignalValue } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { BedReleaseRow, SenderRow } from '../db/rows';
import type { Recorder } from '../ingest/record';
import type { CodeMappings } from '../mappings/mappings';
import { furthestMs, type SourceValues } from './sortValues';
import { earlierOf } from './sourceOf';
import type { Sources } from './sources';

interface Parts {
  store: Store;
  codes: Pick<CodeMappings, 'ofSite'>;
  recorder: Pick<Recorder, 'recordEarlier' | 'withdraw'>;
  sources: Pick<Sources, 'find' | 'make'>;
  now: () => EpochMs;
}

/** Returns whether what a source sends may take back what is read again from kept messages. */
export function mayTakeBackEarlier({ source, withdrawn, replacing }: SourceValues): boolean {
  const isReadAgain = typeof source.codeMappingId === 'number' || typeof source.bedMappingId === 'number';
  return isReadAgain && withdrawn.length + replacing.length > 0;
}

/**
 * Withdraws what came before its code was mapped or its bed released, and is taken back or replaced since. While the
 * messages of before are not read, a withdrawn sample is stored in its place: nothing brings one back, also after a
 * restart.
 */
export async function takeBackEarlier(
  parts: Parts,
  sender: SenderRow,
  all: readonly SourceValues[],
  receivedAt: EpochMs,
): Promise<void> {
  const { codes, recorder, sources, now } = parts;
  const unread = new Set(
    codes.ofSite(sender.site_id).flatMap(({ id, earlier_read_at }) => (earlier_read_at === null ? [id] : [])),
  );
  for (const values of all) {
    const { source: ofNow, withdrawn, replacing } = values;
    const releases = await readReleases(parts, values);
    for (const again of new Set([0, ...releases.map((release) => release.again)])) {
      const source = earlierOf(ofNow, again);
      const isUnread =
        (again === 0 && unread.has(ofNow.codeMappingId ?? 0)) ||
        releases.some((release) => release.again === again && release.read_at === null);
      if (isUnread) {
        await sources.make(sender, [source]);
      }
      const device = sources.find(sender.id, source.key);
      if (device !== null) {
        const keys = [...withdrawn, ...replacing].map((key) => ({ ...key, deviceId: device.id }));
        await recorder.withdraw(keys, now());
        if (isUnread) {
          const samples = keys.map(({ patientId, kind, takenAt }) => ({
            ...{ patientId, kind: kindOfCode(kind), value: noSignalValue(kindOfCode(kind)) },
            ...{ takenAt: toInstant(takenAt), quality: 'invalid' },
          }));
          // By a clock so far behind that what is read later is never taken for a later value with the same time.
          const clock = { offsetMs: furthestMs, isKnown: false, isEstablished: false };
          const cameAt = Math.max(receivedAt, ...keys.map(({ takenAt }) => takenAt)) + furthestMs;
          await recorder.recordEarlier([
            { deviceId: device.id, siteId: sender.site_id, cameAt, readAt: now(), samples, clock },
          ]);
          await recorder.withdraw(keys, now());
        }
      }
    }
  }
}

/** Resolves with the releases of the patients of a source's values, if these are theirs by the bed. */
async function readReleases(
  { store }: Parts,
  { source, withdrawn, replacing }: SourceValues,
): Promise<Pick<BedReleaseRow, 'again' | 'read_at'>[]> {
  if (typeof source.bedMappingId !== 'number') {
    return [];
  }
  const patientIds = [...new Set([...withdrawn, ...replacing].map(({ patientId }) => patientId))];
  return await store.db
    .selectFrom('bed_releases')
    .select(['again', 'read_at'])
    .where('patient_id', 'in', patientIds)
    .execute();
}

import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode, noSignalValue } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { SenderRow } from '../db/rows';
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

/**
 * Withdraws what came before its code was mapped, its bed released or its sender answered for, and is taken back or
 * replaced since. While the messages of before are not read, or where a value that is taken back was not stored, a
 * withdrawn sample is stored in its place: nothing brings one back, also after a restart.
 */
export async function takeBackEarlier(
  parts: Parts,
  sender: SenderRow,
  all: readonly SourceValues[],
  { receivedAt, isAllKnown }: { receivedAt: EpochMs; isAllKnown: boolean },
): Promise<void> {
  const { codes, recorder, sources, now } = parts;
  for (const { source, withdrawn, replacing } of all) {
    const taken = [...withdrawn, ...replacing];
    const mapping = codes.ofSite(sender.site_id).find(({ id }) => id === source.codeMappingId);
    const isUnread =
      (!isAllKnown && withdrawn.length > 0) ||
      sender.settings_replay !== null ||
      mapping?.earlier_read_at === null ||
      (typeof source.bedMappingId === 'number' && (await hasUnreadRelease(parts, taken)));
    const earlier = earlierOf(source);
    if (isUnread) {
      await sources.make(sender, [earlier]);
    }
    const device = sources.find(sender.id, earlier.key);
    const keys = device === null ? [] : taken.map((key) => ({ ...key, deviceId: device.id }));
    await recorder.withdraw(keys, now());
    if (device !== null && isUnread) {
      const samples = keys.map(({ patientId, kind, takenAt }) => ({
        ...{ patientId, kind: kindOfCode(kind), value: noSignalValue(kindOfCode(kind)) },
        ...{ takenAt: toInstant(takenAt), quality: 'invalid' },
      }));
      // By a clock so far behind that what is read later is never taken for a later value with the same time.
      const clock = { offsetMs: furthestMs, isKnown: false, isEstablished: false };
      const cameAt = Math.max(receivedAt, ...keys.map(({ takenAt }) => takenAt)) + furthestMs;
      const of = { deviceId: device.id, siteId: sender.site_id };
      await recorder.recordEarlier([{ ...of, cameAt, readAt: now(), samples, clock }]);
      await recorder.withdraw(keys, now());
    }
  }
}

/** Resolves with whether what was held of the patients of values is still to be read. */
async function hasUnreadRelease({ store }: Parts, values: SourceValues['withdrawn']): Promise<boolean> {
  const unread = store.db
    .selectFrom('patient_moves')
    .select('id')
    .where('patient_id', 'in', [...new Set(values.map(({ patientId }) => patientId))])
    .where('released_at', 'is not', null)
    .where('held_read_at', 'is', null);
  return (await unread.executeTakeFirst()) !== undefined;
}

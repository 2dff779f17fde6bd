import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode } from '../../lib/vitals/kinds';
import type { SenderRow } from '../db/rows';
import type { Recorder } from '../ingest/record';
import type { CodeMappings } from '../mappings/codeMappings';
import { furthestMs, noSignalValue, type SourceValues } from './sortValues';
import { earlierOf } from './sourceOf';
import type { Sources } from './sources';

interface Parts {
  codes: Pick<CodeMappings, 'ofSite'>;
  recorder: Pick<Recorder, 'recordEarlier' | 'withdraw'>;
  sources: Pick<Sources, 'find' | 'make'>;
  now: () => EpochMs;
}

/**
 * Withdraws what came before its code was mapped and is taken back or replaced since, by sources of mapped codes. While
 * the messages of before are not read, a withdrawn sample is stored in its place: nothing brings one back, also after a
 * restart.
 */
export async function takeBackEarlier(
  { codes, recorder, sources, now }: Parts,
  sender: SenderRow,
  all: readonly SourceValues[],
  receivedAt: EpochMs,
): Promise<void> {
  const unread = new Set(
    codes.ofSite(sender.site_id).flatMap(({ id, earlier_read_at }) => (earlier_read_at === null ? [id] : [])),
  );
  for (const { source: ofNow, withdrawn, replacing } of all) {
    const source = earlierOf(ofNow);
    const isUnread = unread.has(ofNow.codeMappingId ?? 0);
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

import type { ReleaseResult } from '../../lib/heldValues/schema';
import { toInstant } from '../../lib/time/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { unknownClock } from '../../lib/vitals/deviceClock';
import { kinds } from '../../lib/vitals/kinds';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { BedReleaseRow } from '../db/rows';
import { bedKey, bedOf, releaseOf } from '../patients/bedStays';
import { readStored } from '../vitals/readStored';
import { sampleKeyText, type SampleKey } from '../vitals/sample';
import type { ReaderParts, ReadingTask } from './readKept';
import { earlierOf } from './sourceOf';
import { valueWardOf } from './valueWard';

/**
 * Values are held near a move; those of a gateway's queue come later. What came more than so long before or after its
 * move is left out, in milliseconds.
 */
export const heldMs = 3_600_000;
/** What came so long after a release may have been judged without it, in milliseconds. */
const judgedMs = 60_000;

/**
 * Returns what reads the values again that a release gives to its patient. What came since it was made is stored
 * already, and what came in the moment in which it was made may be: both are looked for, and left out.
 */
export function releaseTask(parts: ReaderParts, row: BedReleaseRow): ReadingTask {
  const { hl7, beds, sources, liveState, store } = parts;
  const release = releaseOf(row);
  const ofBed = beds
    .ofSite(row.site_id)
    .filter((mapping) => mapping.confirmed_at !== null && bedKey(mapping.unit_id, mapping.bed) === release.bed);
  const isOfBed = (senderId: number, senderBed: string | null): boolean =>
    ofBed.some(({ sender_id, sender_bed }) => sender_id === senderId && sender_bed === senderBed);
  const { from, until } = messagesOf(parts, row);
  return {
    siteId: row.site_id,
    senders: hl7.senders.ofSite(row.site_id).filter(({ id }) => ofBed.some(({ sender_id }) => sender_id === id)),
    isWanted: ({ receivedAt }) => receivedAt >= from && receivedAt <= until,
    isInForce: () => liveState.bedStays.hasRelease(release.bed, row.id),
    partsOf: (read, sender) => {
      const { meaningOf } = valueWardOf(sender, parts);
      const results = read.filter(({ bed, patient }) => !patient.hasIdentifier && isOfBed(sender.id, bed));
      const observations = results.flatMap((one) => one.observations);
      return { results, sent: observations.filter(({ code }) => meaningOf(code) !== null).length };
    },
    stays: {
      occupantOf: (bed, since, to) => {
        const found = liveState.bedStays.occupantOf(bed, since, to);
        const isTheirs = 'isReleased' in found && found.patientId === row.patient_id && bed === release.bed;
        return isTheirs ? found : { code: 'bed_changing' };
      },
    },
    sourceOf: (source) => earlierOf(source, row.again),
    // It is of the same hour, and of a source whose clock is known.
    clockOf: ({ key }, sender) => {
      const { offsetMs } = liveState.deviceClocks.get(sources.find(sender.id, key)?.id ?? 0) ?? unknownClock;
      return { ...unknownClock, offsetMs };
    },
    notStored: async ({ source, samples }, sender) => {
      const keys = [source.key, ...Array.from({ length: row.again }, (_, again) => earlierOf(source, again).key)];
      const deviceIds = new Set(keys.flatMap((key) => sources.find(sender.id, key)?.id ?? []));
      const keysOf = ({ patientId, kind, takenAt }: (typeof samples)[number]): SampleKey[] =>
        [...deviceIds].map((deviceId) => ({
          patientId,
          kind: kinds[kind].code,
          takenAt: parseInstant(takenAt) ?? 0,
          deviceId,
        }));
      const stored = new Set((await readStored(store, samples.flatMap(keysOf), liveState)).map(sampleKeyText));
      return samples.filter((sample) => !keysOf(sample).some((key) => stored.has(sampleKeyText(key))));
    },
    finish: (result, times) =>
      finish(parts, row, {
        ...result,
        first: times === null ? null : toInstant(times.first),
        last: times === null ? null : toInstant(times.last),
      }),
  };
}

/** Returns when the messages came that may have such values: those of the stay, near its move, before the release. */
function messagesOf({ liveState }: ReaderParts, row: BedReleaseRow): { from: EpochMs; until: EpochMs } {
  const patient = liveState.patients.get(row.patient_id);
  const stays = liveState.bedStays.staysOf(row.patient_id, patient === undefined ? null : bedOf(patient));
  const stay = stays.find(({ from, until }) => (row.change === 'begin' ? from : until) === row.moved_at);
  return row.change === 'begin'
    ? {
        from: row.moved_at,
        until: Math.min(row.moved_at + heldMs, stay?.until ?? Infinity, row.released_at + judgedMs),
      }
    : { from: Math.max(row.moved_at - heldMs, stay?.from ?? 0), until: row.moved_at };
}

/** Notes what became of it. */
async function finish(
  { store, liveState, now }: ReaderParts,
  row: BedReleaseRow,
  result: ReleaseResult,
): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const updated = await transaction
      .updateTable('bed_releases')
      .set({ read_at: now(), result: JSON.stringify(result) })
      .where('id', '=', row.id)
      .where('read_at', 'is', null)
      .executeTakeFirst();
    if (Number(updated.numUpdatedRows) > 0) {
      const { values, leftOut, unread } = result;
      const details = { release: row.id, values, leftOut, unread };
      const actor = { ...system, siteId: row.site_id };
      await auditDone(transaction, now(), actor, 'read_held_values', ['patient', row.patient_id], details);
    }
  });
  liveState.changed(row.site_id);
}

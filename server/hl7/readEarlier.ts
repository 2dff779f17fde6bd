import { earlierResult, type EarlierResult } from '../../lib/mappings/schema';
import { retrospectiveAfterMs } from '../../lib/alerts/timing';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { unknownClock } from '../../lib/vitals/deviceClock';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { BedReleaseRow, CodeMappingRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import { codeKey, codeOf } from '../mappings/mappings';
import { readKept, type ReaderParts, type ReadingTask } from './readKept';
import { releaseTask } from './releaseTask';
import { earlierOf } from './sourceOf';

/** Reads again from the kept messages what came under a code before it was mapped, or was held and is released. */
export interface EarlierReader {
  /**
   * Reads the kept messages of each mapping that was confirmed, and of each release, for which that was not done.
   * `signal` ends it after the current message; the next run begins again, and what is stored is not stored twice.
   * Rejects with the last failure, after the others were tried.
   */
  read(signal: AbortSignal): Promise<void>;
  /** Returns whether the key of the messages could not be read by the last run. */
  isKeyMissing(): boolean;
}

/**
 * So long after the confirmation it begins, in milliseconds. What came just before is in its file by then, and too late
 * for an alert of now: it is evaluated in retrospect.
 */
const settledMs = 2 * retrospectiveAfterMs;

/** Creates the reader. `parts` is called when it reads. */
export function createEarlierReader(parts: () => ReaderParts): EarlierReader {
  let isKeyMissing = false;
  return {
    isKeyMissing: () => isKeyMissing,
    read: async (signal) => {
      const server = parts();
      // A clock that is in doubt would give the values times that are.
      if (server.storage.notStoredSince() !== null || server.clockWatch.doubt() !== null) {
        return;
      }
      const failures: unknown[] = [];
      const readOne = async (reading: Promise<void>): Promise<void> => {
        await reading.then(
          () => {
            isKeyMissing = false;
          },
          (error: unknown) => {
            isKeyMissing = error instanceof HttpError && error.code === 'key_missing';
            failures.push(error);
          },
        );
      };
      // A release is of an hour, a mapping of a month.
      for (const row of await readReleases(server)) {
        if (!signal.aborted) {
          await readOne(readKept(server, releaseTask(server, row), signal));
        }
      }
      for (const row of await readMappings(server)) {
        if (!signal.aborted) {
          await readOne(readMapping(server, row, signal));
        }
      }
      if (failures.length > 0) {
        throw failures.at(-1);
      }
    },
  };
}

/** Returns what became of the values that came before a code was mapped, as `senderCode` shows it. */
export function earlierIn(
  { confirmed_at, earlier_read_at, earlier_result }: CodeMappingRow,
  reader: Pick<EarlierReader, 'isKeyMissing'>,
): EarlierResult | 'reading' | 'key_missing' | null {
  if (confirmed_at !== null && earlier_read_at === null) {
    return reader.isKeyMissing() ? 'key_missing' : 'reading';
  }
  return earlier_result === null ? null : readJson(earlierResult, earlier_result);
}

async function readMappings({ store, now }: ReaderParts): Promise<CodeMappingRow[]> {
  return await store.db
    .selectFrom('code_mappings')
    .selectAll()
    .where('confirmed_at', '<=', now() - settledMs)
    .where('earlier_read_at', 'is', null)
    .orderBy('id')
    .execute();
}

async function readReleases({ store, now }: ReaderParts): Promise<BedReleaseRow[]> {
  return await store.db
    .selectFrom('bed_releases')
    .selectAll()
    .where('read_at', 'is', null)
    .where('released_at', '<=', now() - settledMs)
    .orderBy('id')
    .execute();
}

/** Reads the messages of a mapping. */
async function readMapping(parts: ReaderParts, row: CodeMappingRow, signal: AbortSignal): Promise<void> {
  const sender = parts.hl7.senders.ofSite(row.site_id).find(({ id }) => id === row.sender_id);
  if (sender === undefined || !isInForce(parts, row)) {
    // A run before this one may have read some.
    await finish(parts, row, null);
    return;
  }
  const since = await endOfTheOneBefore(parts, row);
  const wanted = codeKey(codeOf(row));
  const task: ReadingTask = {
    siteId: row.site_id,
    senders: [sender],
    isWanted: ({ receivedAt }) => receivedAt > since && receivedAt <= (row.confirmed_at ?? 0),
    isInForce: () => isInForce(parts, row),
    partsOf: (results) => {
      const observations = results.flatMap((one) => one.observations);
      return { results, sent: observations.filter(({ code }) => codeKey(code) === wanted).length };
    },
    stays: parts.liveState.bedStays,
    sourceOf: (source) => (source.codeMappingId === row.id ? earlierOf(source) : null),
    // The present clocks are those of weeks later.
    clockOf: () => unknownClock,
    notStored: ({ samples }) => Promise.resolve(samples),
    finish: (result) => finish(parts, row, result),
  };
  await readKept(parts, task, signal);
}

const isInForce = ({ codes }: ReaderParts, row: CodeMappingRow): boolean =>
  codes.find(row.sender_id, codeKey(codeOf(row)))?.id === row.id;

/** Resolves with when an earlier mapping of the code ended, 0 if none did: what came before was its. */
async function endOfTheOneBefore({ store }: ReaderParts, row: CodeMappingRow): Promise<EpochMs> {
  const before = await store.db
    .selectFrom('code_mappings')
    .select('ended_at')
    .where('sender_id', '=', row.sender_id)
    .where('code_id', '=', row.code_id)
    .where('code_text', '=', row.code_text)
    .where('code_system', '=', row.code_system)
    .where('id', '<', row.id)
    .where('confirmed_at', 'is not', null)
    .where('undone_at', 'is', null)
    .execute();
  return Math.max(0, ...before.map(({ ended_at }) => ended_at ?? 0));
}

/** Notes that a mapping is done with. `result`: null if it has ended and nothing was read now. */
async function finish(
  { store, codes, now }: ReaderParts,
  row: CodeMappingRow,
  result: EarlierResult | null,
): Promise<void> {
  const finished = await store.db.transaction().execute(async (transaction) => {
    const updated = await transaction
      .updateTable('code_mappings')
      .set({ earlier_read_at: now(), ...(result === null ? {} : { earlier_result: JSON.stringify(result) }) })
      .where('id', '=', row.id)
      .where('earlier_read_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    const { patients } = await transaction
      .selectFrom('earlier_days')
      .innerJoin('devices', 'devices.id', 'earlier_days.device_id')
      .select(({ fn }) => fn.count<number>('patient_id').distinct().as('patients'))
      .where('code_mapping_id', '=', row.id)
      .executeTakeFirstOrThrow();
    if (updated !== undefined && (result !== null || Number(patients) > 0)) {
      const details = { mapping: row.id, patients: Number(patients), ...result };
      const actor = { ...system, siteId: row.site_id };
      await auditDone(transaction, now(), actor, 'read_earlier_values', ['sender', row.sender_id], details);
    }
    return updated;
  });
  // One that has ended meanwhile must not come back.
  if (finished !== undefined && codes.find(row.sender_id, codeKey(codeOf(row)))?.id === row.id) {
    codes.put(finished);
  }
}

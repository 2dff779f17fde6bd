import { earlierResult, type EarlierResult } from '../../lib/mappings/schema';
import { retrospectiveAfterMs } from '../../lib/alerts/timing';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { unknownClock } from '../../lib/vitals/deviceClock';
import type { Alerts } from '../alerts/alerts';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { ClockWatch } from '../clock/clockWatch';
import type { BedMappingRow, CodeMappingRow, PatientMoveRow, SenderRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import { codeKey, codeOf, type BedMappings, type CodeMappings } from '../mappings/mappings';
import { bedKey, bedKeyOf } from '../patients/bedStays';
import { proposalsOf } from '../proposals/proposals';
import type { StorageWatch } from '../storageWatch';
import type { Senders } from './senders';
import { meaningOf } from './sortValues';
import { takeAgain, type ReaderParts, type Reading } from './takeAgain';
import { valueWardOf } from './valueWard';
import { withdrawWrong, type WithdrawParts } from './withdrawWrong';

/** The parts of the server that replay what HL7 senders sent. */
interface ReplayParts extends ReaderParts, WithdrawParts {
  alerts: Pick<Alerts, 'timeZoneOf'> & WithdrawParts['alerts'];
  beds: Pick<BedMappings, 'find' | 'isOpen' | 'ofSite'>;
  codes: Pick<CodeMappings, 'find' | 'ofSite' | 'put'>;
  recorder: ReaderParts['recorder'];
  hl7: { senders: Pick<Senders, 'ofSite' | 'put'> };
  clockWatch: Pick<ClockWatch, 'era' | 'doubt'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
}

/** Decides again about what HL7 senders sent, by what is known now. The rows of what became known say what is left. */
export interface Replay {
  /** Withdraws what is under a wrong patient or of a wrong kind (`withdrawWrong`). */
  withdraw(signal: AbortSignal): Promise<void>;
  /**
   * Takes again from the kept messages what came before its code was mapped, was held and is released, or was
   * quarantined by settings of its sender that are others now. `signal` ends it after the current message; the next run
   * goes on (`takeAgain`). Rejects with the last failure, after the others were tried.
   */
  takeAgain(signal: AbortSignal): Promise<void>;
  /** Returns whether the key of the messages could not be read by the last run. */
  isKeyMissing(): boolean;
}

/**
 * So long after the decision it begins, in milliseconds. What came just before is in its file by then, and too late for
 * an alert of now: it is evaluated in retrospect.
 */
const settledMs = 2 * retrospectiveAfterMs;
/**
 * Values are held after a move; those of a gateway's queue come later. What came more than so long after its move is
 * left out, in milliseconds.
 */
export const heldMs = 3_600_000;
/** What came so long after a decision may have been judged without it, in milliseconds. */
const judgedMs = 60_000;

/** Creates the replay. `parts` is called when it runs. */
export function createReplay(parts: () => ReplayParts): Replay {
  let isKeyMissing = false;
  return {
    withdraw: (signal) => withdrawWrong(parts(), signal),
    isKeyMissing: () => isKeyMissing,
    takeAgain: async (signal) => {
      const server = parts();
      // A clock that is in doubt would give the values times that are.
      if (server.storage.notStoredSince() !== null || server.clockWatch.doubt() !== null) {
        return;
      }
      const failures: unknown[] = [];
      for (const readingOf of await readLeft(server)) {
        if (!signal.aborted) {
          try {
            const reading = await readingOf();
            if (reading !== null) {
              await takeAgain(server, reading, signal);
            }
            isKeyMissing = false;
          } catch (error) {
            isKeyMissing = error instanceof HttpError && error.code === 'key_missing';
            failures.push(error);
          }
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
  replay: Pick<Replay, 'isKeyMissing'>,
): EarlierResult | 'reading' | 'key_missing' | null {
  if (confirmed_at !== null && earlier_read_at === null) {
    return replay.isKeyMissing() ? 'key_missing' : 'reading';
  }
  return earlier_result === null ? null : readJson(earlierResult, earlier_result);
}

/** Resolves with what reads the kept messages for each decision for which that was not done, the shortest first. */
async function readLeft(parts: ReplayParts): Promise<(() => Promise<Reading | null> | Reading)[]> {
  const { db } = parts.store;
  const until = parts.now() - settledMs;
  // A release is of an hour, the others are of a month.
  const releases = db.selectFrom('patient_moves').selectAll().where('released_at', '<=', until).orderBy('id');
  const senders = db.selectFrom('hl7_senders').selectAll().where('settings_at', '<=', until).orderBy('id');
  const mappings = db.selectFrom('code_mappings').selectAll().where('confirmed_at', '<=', until).orderBy('id');
  return [
    ...(await releases.where('held_read_at', 'is', null).execute()).map((row) => () => releaseReading(parts, row)),
    ...(await senders.where('settings_replay', 'is not', null).execute()).map((row) => () => senderReading(parts, row)),
    ...(await mappings.where('earlier_read_at', 'is', null).execute()).map((row) => () => mappingReading(parts, row)),
  ];
}

/** Resolves with the reading of what came before a code was mapped; null: the mapping has ended, which is noted. */
async function mappingReading(parts: ReplayParts, row: CodeMappingRow): Promise<Reading | null> {
  const sender = parts.hl7.senders.ofSite(row.site_id).find(({ id }) => id === row.sender_id);
  const wanted = codeKey(codeOf(row));
  const isInForce = (): boolean => parts.codes.find(row.sender_id, wanted)?.id === row.id;
  if (sender === undefined || !isInForce()) {
    // A run before this one may have read some.
    await finishMapping(parts, row, null);
    return null;
  }
  return {
    siteId: row.site_id,
    senders: [sender],
    came: { first: ((await readEnds(parts, row.sender_id)).get(wanted) ?? 0) + 1, last: row.confirmed_at ?? 0 },
    isInForce,
    isWanted: ({ code }) => codeKey(code) === wanted,
    isMeant: ({ codeMappingId }) => codeMappingId === row.id,
    stays: parts.liveState.bedStays,
    // The present clocks are those of weeks later.
    clockOf: () => unknownClock,
    progress: {
      noted: row.earlier_progress,
      note: (text) =>
        parts.store.db.updateTable('code_mappings').set({ earlier_progress: text }).where('id', '=', row.id).execute(),
    },
    finish: (result) => finishMapping(parts, row, result),
  };
}

/** Resolves with when the last mapping of each code of a sender ended that was right: what came before was its. */
async function readEnds({ store }: ReplayParts, senderId: number): Promise<Map<string, EpochMs>> {
  const rows = await store.db
    .selectFrom('code_mappings')
    .selectAll()
    .where('sender_id', '=', senderId)
    .where('confirmed_at', 'is not', null)
    .where('ended_at', 'is not', null)
    .where('undone_at', 'is', null)
    .orderBy('ended_at')
    .execute();
  return new Map(rows.map((row) => [codeKey(codeOf(row)), row.ended_at ?? 0]));
}

/** Notes that a mapping is done with. `result`: null if it has ended and nothing was read now. */
async function finishMapping(
  { store, codes, now }: ReplayParts,
  row: CodeMappingRow,
  result: EarlierResult | null,
): Promise<void> {
  const finished = await store.db.transaction().execute(async (transaction) => {
    const updated = await transaction
      .updateTable('code_mappings')
      .set({
        ...{ earlier_read_at: now(), earlier_progress: null },
        ...(result === null ? {} : { earlier_result: JSON.stringify(result) }),
      })
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

/**
 * Resolves with the reading of what was quarantined whole before the settings of its sender were confirmed. Of what was
 * partly taken, values may have been withdrawn since, and nothing tells them from those that were not taken.
 */
async function senderReading(parts: ReplayParts, row: SenderRow): Promise<Reading> {
  const { store, hl7, codes, liveState, now } = parts;
  const { id, site_id: siteId, settings_version: version } = row;
  const held = (): SenderRow | undefined =>
    hl7.senders.ofSite(siteId).find((one) => one.id === id && one.settings_version === version);
  const ofVersion = store.db.updateTable('hl7_senders').where('id', '=', id).where('settings_version', '=', version);
  const before = proposalsOf(store.db, siteId, 'sender').where('object_id', '=', id).where('state', '=', 'approved');
  const ends = await readEnds(parts, id);
  // By the mapping that has ended it may be on record.
  const mappedAgain = codes.ofSite(siteId).filter((one) => one.sender_id === id && ends.has(codeKey(codeOf(one))));
  return {
    ...{ siteId, senders: [row], stays: liveState.bedStays },
    came: { first: 0, last: (row.settings_at ?? 0) + judgedMs },
    former: (await before.select('held').execute()).map((proposal) => ({ ...row, settings: proposal.held })),
    isInForce: () => held() !== undefined,
    isWanted: (observation, _, sender) => meaningOf(observation, valueWardOf(sender, parts)) !== null,
    isMeant: ({ codeMappingId }) => mappedAgain.every((one) => one.id !== codeMappingId),
    clockOf: () => unknownClock,
    progress: { noted: row.settings_replay, note: (text) => ofVersion.set({ settings_replay: text }).execute() },
    finish: async (result) => {
      await store.db.transaction().execute(async (transaction) => {
        const left = transaction.updateTable('hl7_senders').set({ settings_replay: null }).where('id', '=', id);
        const ofThis = left.where('settings_version', '=', version).where('settings_replay', 'is not', null);
        const { numUpdatedRows } = await ofThis.executeTakeFirst();
        // The next version may have ended it.
        if (Number(numUpdatedRows) > 0 || result.values > 0) {
          const actor = { ...system, siteId };
          const details = { settings: version, ...result };
          await auditDone(transaction, now(), actor, 'read_earlier_values', ['sender', id], details);
        }
      });
      const sender = held();
      if (sender !== undefined) {
        hl7.senders.put({ ...sender, settings_replay: null });
      }
    },
  };
}

/** Returns the beds of senders that are the bed into which a patient moved. */
export function senderBedsOf({ beds }: Pick<ReplayParts, 'beds'>, move: PatientMoveRow): BedMappingRow[] {
  const bed = bedKey(move.to_unit_id, move.to_bed);
  return beds
    .ofSite(move.site_id)
    .filter((mapping) => mapping.confirmed_at !== null && bedKeyOf(mapping.unit_id, mapping.bed) === bed);
}

/** Returns the reading of what was held near a move and is released. What came since the release is stored already. */
function releaseReading(parts: ReplayParts, row: PatientMoveRow): Reading {
  const { store, hl7, sources, liveState, now } = parts;
  const { id, site_id, patient_id, moved_at, released_at } = row;
  const ofBed = senderBedsOf(parts, row);
  const isOfBed = (senderId: number, senderBed: string | null): boolean =>
    ofBed.some(({ sender_id, sender_bed }) => sender_id === senderId && sender_bed === senderBed);
  return {
    siteId: site_id,
    senders: hl7.senders.ofSite(site_id).filter((sender) => ofBed.some(({ sender_id }) => sender_id === sender.id)),
    came: { first: moved_at, last: Math.min(moved_at + heldMs, (released_at ?? 0) + judgedMs) },
    // Once it is taken back, nothing more is taken, and the last pass of `withdrawWrong` finds what was on its way.
    isInForce: () => true,
    isWanted: ({ code }, { bed, patient }, sender) =>
      !patient.hasIdentifier && isOfBed(sender.id, bed) && valueWardOf(sender, parts).meaningOf(code) !== null,
    // The bed is that of a source only where it alone says whose the values are.
    isMeant: ({ bed }, sender) => isOfBed(sender.id, bed ?? null),
    stays: {
      occupantOf: (bed, since, to) => {
        const found = liveState.bedStays.occupantOf(bed, since, to);
        const isTheirs = 'releasedSince' in found && found.releasedSince === moved_at && found.patientId === patient_id;
        return isTheirs ? found : { code: 'bed_changing' };
      },
    },
    // It is of the same hour, and of a source whose clock is known.
    clockOf: ({ key }, sender) => {
      const { offsetMs } = liveState.deviceClocks.get(sources.find(sender.id, key)?.id ?? 0) ?? unknownClock;
      return { ...unknownClock, offsetMs };
    },
    // One that was taken back meanwhile, and released again, is read again.
    finish: () =>
      store.db
        .updateTable('patient_moves')
        .set({ held_read_at: now() })
        .where('id', '=', id)
        .where('released_at', '=', released_at)
        .execute(),
  };
}

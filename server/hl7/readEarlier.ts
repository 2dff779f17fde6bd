import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { isAlarmReport } from '../../lib/hl7/readAlarms';
import { readOru } from '../../lib/hl7/readOru';
import { earlierResult, type EarlierResult } from '../../lib/mappings/schema';
import { retrospectiveAfterMs } from '../../lib/alerts/timing';
import { readJson } from '../../lib/readJson';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { stepDeviceClock, unknownClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import type { Alerts } from '../alerts/alerts';
import { audit } from '../audit';
import { system } from '../audit/actor';
import type { ClockWatch } from '../clock/clockWatch';
import type { Store } from '../db/open';
import type { BedMappingRow, CodeMappingRow, PatientRow, SenderRow } from '../db/rows';
import { isStorageUnavailable } from '../http/errors';
import { HttpError } from '../http/httpError';
import type { EarlierCall, Recorder, SampleKey } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { BedMappings } from '../mappings/bedMappings';
import { codeKey, codeOf, type CodeMappings } from '../mappings/codeMappings';
import type { MrnAuthorities } from '../site/mrnAuthorities';
import { bedKey, bedOf, keptMs } from '../patients/bedStays';
import type { StorageWatch } from '../storageWatch';
import type { RawHead } from './rawFile';
import type { RawMessages } from './rawMessages';
import type { Senders } from './senders';
import { sortValues, type PatientPart, type SourceValues, type ValueWard } from './sortValues';
import { earlierOf, type Source } from './sourceOf';
import type { Sources } from './sources';
import { valueWardOf } from './valueWard';

/** The parts of the server that the reader needs. */
interface Parts {
  store: Store;
  liveState: LiveState;
  beds: Pick<BedMappings, 'find' | 'isOpen'>;
  codes: Pick<CodeMappings, 'find' | 'put'>;
  mrnAuthorities: Pick<MrnAuthorities, 'ofSite'>;
  alerts: Pick<Alerts, 'timeZoneOf'>;
  hl7: { senders: Pick<Senders, 'ofSite'> };
  sources: Sources;
  recorder: Pick<Recorder, 'recordEarlier' | 'withdraw' | 'waitingRows'>;
  rawMessages: Pick<RawMessages, 'readNotWhole'>;
  clockWatch: Pick<ClockWatch, 'era' | 'doubt'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
  now: () => EpochMs;
}

/** Reads what came under a code before it was mapped. */
export interface EarlierReader {
  /**
   * Reads the kept messages of each mapping that was confirmed and for which that was not done. `signal` ends it after
   * the current message; the next run begins again, and what is stored is not stored twice. Rejects with the last
   * failure, after the other mappings were tried.
   */
  read(signal: AbortSignal): Promise<void>;
  /** Returns whether the key of the messages could not be read by the last run. */
  isKeyMissing(): boolean;
}

/** So many values are stored in one go. A commit takes the disk longer than all else of a message. */
const valuesAtOnce = 100;
/** More bytes of messages do not wait for it. */
const bytesAtOnce = 1_048_576;
/**
 * After so long it is judged again whose a value is, in milliseconds: what was judged before a late move or the undoing
 * of a bed has to be stored before the last pass of `correctValues`.
 */
const judgedMs = 5_000;
/** After so long it is tried again to store what the store could not take, in milliseconds. */
const retryMs = 1_000;
/** After so long the thread belongs to others for as long, in milliseconds. */
const workMs = 20;
/** Others wait for the store: what is read again waits for them. In rows. */
const mostWaiting = 200;
const dayMs = 86_400_000;
/**
 * So long after the confirmation it begins, in milliseconds. What came just before is in its file by then, and too late
 * for an alert of now: it is evaluated in retrospect.
 */
const settledMs = 2 * retrospectiveAfterMs;

/** Creates the reader. `parts` is called when it reads. */
export function createEarlierReader(parts: () => Parts): EarlierReader {
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
      for (const row of await readDue(server)) {
        await readMapping(server, row, signal).then(
          () => {
            isKeyMissing = false;
          },
          (error: unknown) => {
            isKeyMissing = error instanceof HttpError && error.code === 'key_missing';
            failures.push(error);
          },
        );
        if (signal.aborted) {
          return;
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

async function readDue({ store, now }: Parts): Promise<CodeMappingRow[]> {
  return await store.db
    .selectFrom('code_mappings')
    .selectAll()
    .where('confirmed_at', '<=', now() - settledMs)
    .where('earlier_read_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** A mapping whose messages are being read. */
interface Run {
  row: CodeMappingRow;
  sender: SenderRow;
  /** Of the messages that are read. */
  era: number;
  /** What is known of the clock of each source, by the messages that were read. The present clocks are none of it. */
  clocks: Map<number, DeviceClock>;
  stays: { of: Map<number, Stay[]>; version: number };
  /** What is to be stored next. Whose its values are is judged only then. */
  waiting: EarlierMessage[];
  /** Between which days each patient has values, as it is stored. */
  days: Map<number, { first: number; last: number }>;
  result: EarlierResult;
  /** When the thread was last left to others, by `performance.now`. */
  workedSince: number;
}

/** A message with values of the code. */
interface EarlierMessage {
  receivedAt: EpochMs;
  results: PatientPart[];
  /** How many values. */
  sent: number;
  bytes: number;
}

/** What messages bring, in the form in which it is stored. */
interface Judged {
  /** So many messages. */
  messages: number;
  clocks: Run['clocks'];
  calls: (EarlierCall & { samples: SourceValues['samples'] })[];
  /** What the last of the messages withdraws. */
  withdrawn: SampleKey[];
  leftOut: number;
}

interface Stay {
  from: EpochMs;
  until: EpochMs | null;
}

/** Reads the messages of a mapping. One that has ended since is not read any further. */
async function readMapping(parts: Parts, row: CodeMappingRow, signal: AbortSignal): Promise<void> {
  const { store, hl7, rawMessages, clockWatch } = parts;
  const sender = hl7.senders.ofSite(row.site_id).find(({ id }) => id === row.sender_id);
  if (sender === undefined || !isInForce(parts, row)) {
    // A run before this one may have read some.
    await finish(parts, row, null);
    return;
  }
  const days = await store.db.selectFrom('earlier_values').selectAll().where('mapping_id', '=', row.id).execute();
  const run: Run = {
    ...{ row, sender, era: clockWatch.era(), clocks: new Map(), stays: { of: new Map(), version: -1 }, waiting: [] },
    days: new Map(
      days.map(({ patient_id, first_day, last_day }) => [patient_id, { first: first_day, last: last_day }]),
    ),
    result: { values: 0, leftOut: 0, unread: 0 },
    workedSince: performance.now(),
  };
  const since = await endOfTheOneBefore(parts, row);
  const isWanted = ({ senderId, era, fate, receivedAt }: RawHead): boolean =>
    senderId === sender.id &&
    era === run.era &&
    // The gateway was asked to send it again, or it was none.
    fate !== 'AR' &&
    receivedAt > since &&
    receivedAt <= (row.confirmed_at ?? 0);
  for await (const record of rawMessages.readNotWhole(isWanted)) {
    if (signal.aborted) {
      return;
    }
    if (!isOn(parts, run)) {
      break;
    }
    if (record === null || record.content === null) {
      run.result.unread += 1;
    } else {
      await readMessage(parts, run, record.head.receivedAt, record.content);
    }
    if (
      run.waiting.reduce((sum, { sent }) => sum + sent, 0) >= valuesAtOnce ||
      run.waiting.reduce((sum, { bytes }) => sum + bytes, 0) >= bytesAtOnce
    ) {
      await storeWaiting(parts, run, signal);
    }
    await rest(parts, run);
  }
  await storeWaiting(parts, run, signal);
  if (signal.aborted) {
    return;
  }
  await whenStored(() => finish(parts, row, run.result), signal);
}

const isInForce = ({ codes }: Parts, row: CodeMappingRow): boolean =>
  codes.find(row.sender_id, codeOf(row))?.id === row.id;

/** Returns whether it goes on: after a step of our clock no message that was kept before has its right time. */
const isOn = (parts: Parts, { row, era }: Run): boolean => isInForce(parts, row) && parts.clockWatch.era() === era;

/** Resolves with when an earlier mapping of the code ended, 0 if none did: what came before was its. */
async function endOfTheOneBefore({ store }: Parts, row: CodeMappingRow): Promise<EpochMs> {
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

/** Takes a message with values of the code. */
async function readMessage({ alerts }: Parts, run: Run, receivedAt: EpochMs, content: Uint8Array): Promise<void> {
  const { row } = run;
  const parsed = parseMessage(content);
  // Numbers in a report of alarms are no values.
  if (!parsed.ok || isAlarmReport(parsed.message)) {
    return;
  }
  await turn();
  const read = readOru(parsed.message, { timeZone: alerts.timeZoneOf(row.site_id), receivedAt });
  const wanted = codeKey(codeOf(row));
  const sent = read.flatMap(({ observations }) => observations).filter(({ code }) => codeKey(code) === wanted).length;
  if (sent > 0) {
    const results = read.map((one) => ({ ...one, alarms: [], isAlarmReport: false }));
    run.waiting.push({ receivedAt, results, sent, bytes: content.length });
  }
}

/** Stores what waits, unless it is not wanted any more. */
async function storeWaiting(parts: Parts, run: Run, signal: AbortSignal): Promise<void> {
  while (run.waiting.length > 0 && !signal.aborted) {
    if (!isOn(parts, run)) {
      run.waiting = [];
      return;
    }
    await whenStored(() => storeSome(parts, run), signal);
  }
}

/** Does what the store may not take for now, and tries it again: a run of hours does not begin again for that. */
async function whenStored(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isPassing(error) || signal.aborted) {
        throw error;
      }
      await pause(retryMs);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  isStorageUnavailable(error) || (error instanceof HttpError && error.status === 503);

/** Stores what waits up to the first message that withdraws something. Nothing, if it took too long to judge. */
async function storeSome(parts: Parts, run: Run): Promise<void> {
  const { recorder, now } = parts;
  const begun = performance.now();
  const { messages, clocks, calls, withdrawn, leftOut } = await judge(parts, run);
  await noteDays(parts, run, calls);
  if (!isOn(parts, run) || performance.now() - begun > judgedMs) {
    return;
  }
  const values = await recorder.recordEarlier(calls);
  if (withdrawn.length > 0) {
    await recorder.withdraw(withdrawn, now());
  }
  run.waiting = run.waiting.slice(messages);
  run.clocks = clocks;
  run.result.values += values;
  run.result.leftOut += leftOut - values;
}

/** Returns whose the values of the messages are that wait, by the same rules as when they came. */
async function judge(parts: Parts, run: Run): Promise<Judged> {
  const { sources, now } = parts;
  const { row, sender } = run;
  const beds = await readBeds(parts, sender);
  const judged: Judged = { messages: 0, clocks: new Map(run.clocks), calls: [], withdrawn: [], leftOut: 0 };
  for (const { receivedAt, results, sent } of run.waiting) {
    await turn();
    const stays = await readStays(parts, run);
    const sorted = sortValues(results, receivedAt, wardAt(parts, sender, { stays, beds }, receivedAt));
    const own = [...sorted.sources.values()]
      .filter(
        ({ source, samples, withdrawn }) =>
          source.codeMappingId === row.id && isCorrectable(parts, source) && samples.length + withdrawn.length > 0,
      )
      .map((values) => ({ ...values, source: earlierOf(values.source) }));
    await sources.make(
      sender,
      own.map(({ source }) => source),
    );
    for (const { source, monitor, samples, withdrawn } of own) {
      const device = sources.find(sender.id, source.key);
      if (device !== null) {
        const known = judged.clocks.get(device.id) ?? unknownClock;
        const times = samples.map(({ takenAt }) => parseInstant(takenAt));
        const takenAt = known.offsetMs === null ? [...times, ...monitor.takenAt] : times;
        const clock = stepDeviceClock(known, { receivedAt, sentAt: null, takenAt });
        judged.clocks.set(device.id, clock.clock);
        const of = { deviceId: device.id, siteId: row.site_id };
        judged.calls.push({ ...of, cameAt: receivedAt, readAt: now(), samples, clock });
        judged.withdrawn.push(...withdrawn.map((key) => ({ ...key, deviceId: device.id })));
      }
    }
    judged.messages += 1;
    judged.leftOut += sent - judged.withdrawn.length;
    if (judged.withdrawn.length > 0) {
      break;
    }
  }
  return judged;
}

/**
 * Returns whether a move that is entered late would still withdraw the values of a source: what comes by the bed alone
 * is read only while the mapping of the bed lasts.
 */
const isCorrectable = ({ beds }: Parts, { bedMappingId }: Source): boolean =>
  typeof bedMappingId !== 'number' || beds.isOpen(bedMappingId);

/** Resolves with the mappings of a sender's beds that were right, also those that have ended. */
async function readBeds({ store }: Parts, { id }: SenderRow): Promise<BedMappingRow[]> {
  return await store.db
    .selectFrom('bed_mappings')
    .selectAll()
    .where('sender_id', '=', id)
    .where('confirmed_at', 'is not', null)
    .where('undone_at', 'is', null)
    .execute();
}

/** Returns who was there when a message came, and which bed was which. */
function wardAt(
  parts: Parts,
  sender: SenderRow,
  { stays, beds }: { stays: Run['stays']['of']; beds: readonly BedMappingRow[] },
  receivedAt: EpochMs,
): ValueWard {
  const { liveState } = parts;
  const ward = valueWardOf(sender, parts);
  const ifHere = (patient: PatientRow | null): PatientRow | null =>
    patient !== null &&
    stays.get(patient.id)?.some(({ from, until }) => from <= receivedAt && receivedAt <= (until ?? Infinity)) === true
      ? patient
      : null;
  return {
    ...ward,
    byMrn: (mrn) => ifHere(ward.byMrn(mrn)),
    byId: (id) => ifHere(ward.byId(id)),
    bedOf: (senderBed) => {
      const mapping = beds.find(
        ({ sender_bed, confirmed_at, ended_at }) =>
          sender_bed === senderBed && (confirmed_at ?? Infinity) < receivedAt && receivedAt <= (ended_at ?? Infinity),
      );
      const key = mapping === undefined ? null : bedKey(mapping.unit_id, mapping.bed);
      return mapping === undefined || key === null ? null : { key, mappingId: mapping.id };
    },
    isElsewhere: (patient, bed, { takenAt }) =>
      liveState.bedStays.wasElsewhere(patient.id, bed, bedOf(patient), {
        from: Math.min(takenAt, receivedAt),
        to: Math.max(takenAt, receivedAt),
      }),
  };
}

/** Resolves with when the patients of the site were here, read again after each change of them. */
async function readStays({ store, liveState, now }: Parts, run: Run): Promise<Run['stays']['of']> {
  const siteId = run.row.site_id;
  const version = liveState.rosterVersion(siteId);
  if (run.stays.version !== version) {
    const ofSite = store.db.selectFrom('patient_stays').selectAll().where('site_id', '=', siteId);
    const rows = [
      ...(await ofSite.where('ended_at', 'is', null).execute()),
      ...(await ofSite.where('ended_at', '>=', now() - keptMs).execute()),
    ];
    const of = new Map<number, Stay[]>();
    for (const { patient_id, started_at, ended_at } of rows) {
      of.set(patient_id, [...(of.get(patient_id) ?? []), { from: started_at, until: ended_at }]);
    }
    run.stays = { of, version };
  }
  return run.stays.of;
}

/** Notes whose values are stored next, before they are: an undoing of the mapping finds them by it. */
async function noteDays({ store }: Parts, { row, days }: Run, calls: Judged['calls']): Promise<void> {
  const changed: Run['days'] = new Map();
  for (const { patientId, takenAt } of calls.flatMap(({ samples }) => samples)) {
    const day = Math.floor((parseInstant(takenAt) ?? 0) / dayMs);
    const known = changed.get(patientId) ?? days.get(patientId);
    if (known === undefined || day < known.first || day > known.last) {
      const { first, last } = known ?? { first: day, last: day };
      changed.set(patientId, { first: Math.min(first, day), last: Math.max(last, day) });
    }
  }
  for (const [patientId, { first, last }] of changed) {
    const of = { first_day: first, last_day: last };
    await store.db
      .insertInto('earlier_values')
      .values({ mapping_id: row.id, patient_id: patientId, ...of })
      .onConflict((conflict) => conflict.columns(['mapping_id', 'patient_id']).doUpdateSet(of))
      .execute();
    days.set(patientId, { first, last });
  }
}

/** Leaves the thread and the store to others, for as long as they were used. */
async function rest({ recorder }: Parts, run: Run): Promise<void> {
  const tookMs = performance.now() - run.workedSince;
  if (tookMs < workMs) {
    return;
  }
  await pause(tookMs);
  while (recorder.waitingRows() > mostWaiting) {
    await pause(workMs);
  }
  run.workedSince = performance.now();
}

/** Notes that a mapping is done with. `result`: null if it has ended and nothing was read now. */
async function finish({ store, codes, now }: Parts, row: CodeMappingRow, result: EarlierResult | null): Promise<void> {
  const finished = await store.db.transaction().execute(async (transaction) => {
    const updated = await transaction
      .updateTable('code_mappings')
      .set({ earlier_read_at: now(), ...(result === null ? {} : { earlier_result: JSON.stringify(result) }) })
      .where('id', '=', row.id)
      .where('earlier_read_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    const { patients } = await transaction
      .selectFrom('earlier_values')
      .select((select) => select.fn.countAll<number>().as('patients'))
      .where('mapping_id', '=', row.id)
      .executeTakeFirstOrThrow();
    if (updated !== undefined && (result !== null || Number(patients) > 0)) {
      const details = { mapping: row.id, patients: Number(patients), ...result };
      await audit(
        transaction,
        now(),
        { ...system, siteId: row.site_id },
        { action: 'read_earlier_values', outcome: 'done', objectType: 'sender', objectId: row.sender_id, details },
      );
    }
    return updated;
  });
  // One that has ended meanwhile must not come back.
  if (finished !== undefined && codes.find(row.sender_id, codeOf(row))?.id === row.id) {
    codes.put(finished);
  }
}

import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { isAlarmReport } from '../../lib/hl7/readAlarms';
import { readOru, type OruResult } from '../../lib/hl7/readOru';
import type { EarlierResult } from '../../lib/mappings/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { ageFrom, stepDeviceClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import { kinds } from '../../lib/vitals/kinds';
import type { Alerts } from '../alerts/alerts';
import type { ClockWatch } from '../clock/clockWatch';
import type { Store } from '../db/open';
import type { BedMappingRow, PatientRow, SenderRow } from '../db/rows';
import { isStorageUnavailable } from '../http/errors';
import { HttpError } from '../http/httpError';
import type { EarlierCall, Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { BedMappings, CodeMappings } from '../mappings/mappings';
import type { MrnAuthorities } from '../site/mrnAuthorities';
import { bedKey, bedOf, keptMs } from '../patients/bedStays';
import { readStored } from '../vitals/readStored';
import { sampleKeyText, type SampleKey } from '../vitals/sample';
import type { Ward } from './matchPatient';
import type { RawHead } from './rawFile';
import type { RawMessages } from './rawMessages';
import { settingsOf } from './senderSettings';
import { sortValues, type PatientPart, type SourceValues, type ValueWard } from './sortValues';
import { earlierOf, type Source } from './sourceOf';
import type { Sources } from './sources';
import { valueWardOf } from './valueWard';

/** The parts of the server that take values again. */
export interface ReaderParts {
  store: Store;
  liveState: LiveState;
  beds: Pick<BedMappings, 'find' | 'isOpen'>;
  codes: Pick<CodeMappings, 'find'>;
  mrnAuthorities: Pick<MrnAuthorities, 'ofSite'>;
  alerts: Pick<Alerts, 'timeZoneOf'>;
  sources: Sources;
  recorder: Pick<Recorder, 'recordEarlier' | 'withdraw' | 'waitingRows'>;
  rawMessages: Pick<RawMessages, 'readNotWhole'>;
  clockWatch: Pick<ClockWatch, 'era'>;
  now: () => EpochMs;
}

/** So many values are stored in one go. A commit takes the disk longer than all else of a message. */
const valuesAtOnce = 100;
/** More bytes of messages do not wait for it. */
const bytesAtOnce = 1_048_576;
/**
 * After so long it is judged again whose a value is, in milliseconds: what was judged before a late move or the undoing
 * of a bed has to be stored before the last pass of `withdrawWrong`.
 */
const judgedMs = 5_000;
/** After so long it is tried again to store what the store could not take, in milliseconds. */
const retryMs = 1_000;
/** After so long the thread belongs to others for as long, in milliseconds. */
const workMs = 20;
/** Others wait for the store: what is read again waits for them. In rows. */
const mostWaiting = 200;
const dayMs = 86_400_000;

/** Kept messages that are read again, and what of them is taken. */
export interface Reading {
  siteId: number;
  /** Who sent them. */
  senders: readonly SenderRow[];
  /** Between which times they came, both included. */
  came: Times;
  /** Returns whether it goes on. */
  isInForce: () => boolean;
  /** Returns what of a message is meant, and how many values that are. */
  partsOf: (read: readonly OruResult[], sender: SenderRow) => { results: readonly OruResult[]; sent: number };
  /** Returns whether values of a source are meant. */
  isMeant: (source: Source) => boolean;
  /** Who is in which bed. */
  stays: Ward['stays'];
  /** Returns what is known of the clock of a source before its first message. */
  clockOf: (source: Source, sender: SenderRow) => DeviceClock;
  /** How often such values were taken and withdrawn before (`earlierOf`). */
  again: number;
  /** Notes that it is done with. `measured`: between which times the values were that are stored. */
  finish: (result: EarlierResult, measured: Times | null) => Promise<void>;
}

export interface Times {
  first: EpochMs;
  last: EpochMs;
}

/** A reading that is under way. */
interface Run {
  reading: Reading;
  /** Of the messages that are read. */
  era: number;
  /** What is known of the clock of each source, by the messages that were read. */
  clocks: Map<number, DeviceClock>;
  stays: { of: Map<number, Stay[]>; version: number };
  /** What is to be stored next. Whose its values are is judged only then. */
  waiting: EarlierMessage[];
  /** The days that are noted. */
  days: Set<string>;
  times: Times | null;
  result: EarlierResult;
  /** When the thread was last left to others, by `performance.now`. */
  workedSince: number;
}

/** A message with values that are meant. */
interface EarlierMessage {
  sender: SenderRow;
  receivedAt: EpochMs;
  results: PatientPart[];
  /** How many values. */
  sent: number;
  bytes: number;
}

interface JudgedCall extends EarlierCall {
  samples: SourceValues['samples'];
}

/** What messages bring, in the form in which it is stored. */
interface Judged {
  /** So many messages. */
  messages: number;
  clocks: Run['clocks'];
  calls: JudgedCall[];
  /** What the last of the messages withdraws. */
  withdrawn: SampleKey[];
  leftOut: number;
}

interface Stay {
  from: EpochMs;
  until: EpochMs | null;
}

/**
 * Takes values again from the kept messages of a reading, in the order in which they came. `signal` ends it after the
 * current message; the next run begins again, and what is stored is not stored twice. One that is no longer in force is
 * not read any further. Rejects if the messages cannot be read or stored.
 */
export async function takeAgain(parts: ReaderParts, reading: Reading, signal: AbortSignal): Promise<void> {
  const { rawMessages, clockWatch } = parts;
  const run: Run = {
    ...{ reading, era: clockWatch.era(), clocks: new Map(), stays: { of: new Map(), version: -1 }, waiting: [] },
    ...{ days: new Set(), times: null },
    result: { values: 0, leftOut: 0, unread: 0 },
    workedSince: performance.now(),
  };
  const { came } = reading;
  const senders = new Map(reading.senders.map((sender) => [sender.id, sender]));
  const isWanted = (head: RawHead): boolean =>
    senders.has(head.senderId) &&
    head.era === run.era &&
    // The gateway was asked to send it again, or it was none.
    head.fate !== 'AR' &&
    head.receivedAt >= came.first &&
    head.receivedAt <= came.last;
  for await (const record of rawMessages.readNotWhole(isWanted)) {
    if (signal.aborted) {
      return;
    }
    if (!isOn(parts, run)) {
      break;
    }
    const sender = senders.get(record?.head.senderId ?? 0);
    if (record === null || record.content === null || sender === undefined) {
      run.result.unread += 1;
    } else {
      await readMessage(parts, run, { sender, receivedAt: record.head.receivedAt, content: record.content });
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
  await whenStored(() => reading.finish(run.result, run.times), signal);
}

/** Returns whether it goes on: after a step of our clock no message that was kept before has its right time. */
const isOn = (parts: ReaderParts, { reading, era }: Run): boolean =>
  reading.isInForce() && parts.clockWatch.era() === era;

/** Lets a message wait that has values which are meant. */
async function readMessage(
  { alerts }: ReaderParts,
  run: Run,
  { sender, receivedAt, content }: { sender: SenderRow; receivedAt: EpochMs; content: Uint8Array },
): Promise<void> {
  const { reading } = run;
  const settings = settingsOf(sender);
  const parsed = parseMessage(content, settings.charset);
  // Numbers in a report of alarms are no values.
  if (!parsed.ok || isAlarmReport(parsed.message)) {
    return;
  }
  await turn();
  const read = readOru(parsed.message, { timeZone: alerts.timeZoneOf(reading.siteId), receivedAt }, settings);
  const { results: own, sent } = reading.partsOf(read, sender);
  if (sent > 0) {
    const results = own.map((one) => ({ ...one, alarms: [], isAlarmReport: false }));
    run.waiting.push({ sender, receivedAt, results, sent, bytes: content.length });
  }
}

/** Stores what waits, unless it is not wanted any more. */
async function storeWaiting(parts: ReaderParts, run: Run, signal: AbortSignal): Promise<void> {
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
async function storeSome(parts: ReaderParts, run: Run): Promise<void> {
  const { recorder, now } = parts;
  const begun = performance.now();
  const { messages, clocks, calls, withdrawn, leftOut } = await judge(parts, run);
  await noteDays(parts, run, calls);
  if (!isOn(parts, run) || performance.now() - begun > judgedMs) {
    return;
  }
  const values = await recorder.recordEarlier(calls);
  noteTimes(run, calls);
  if (withdrawn.length > 0) {
    await recorder.withdraw(withdrawn, now());
  }
  run.waiting = run.waiting.slice(messages);
  run.clocks = clocks;
  run.result.values += values;
  run.result.leftOut += leftOut - values;
}

/** Returns whose the values of the messages are that wait, by the same rules as when they came. */
async function judge(parts: ReaderParts, run: Run): Promise<Judged> {
  const { sources, now } = parts;
  const { reading } = run;
  const bedsOf = new Map<number, BedMappingRow[]>();
  for (const sender of reading.senders) {
    bedsOf.set(sender.id, await readBeds(parts, sender));
  }
  const judged: Judged = { messages: 0, clocks: new Map(run.clocks), calls: [], withdrawn: [], leftOut: 0 };
  for (const { sender, receivedAt, results, sent } of run.waiting) {
    await turn();
    const stays = await readStays(parts, run);
    const ward = wardAt(parts, sender, { stays, beds: bedsOf.get(sender.id) ?? [] }, receivedAt);
    const sorted = sortValues(results, receivedAt, { ...ward, stays: reading.stays });
    const own = [...sorted.sources.values()].flatMap((values) => {
      const { source, samples, withdrawn } = values;
      const isOwn = reading.isMeant(source) && isCorrectable(parts, source) && samples.length + withdrawn.length > 0;
      return isOwn ? [{ values, earlier: earlierOf(source, reading.again) }] : [];
    });
    await sources.make(
      sender,
      own.map(({ earlier }) => earlier),
    );
    for (const { values, earlier } of own) {
      const { monitor, withdrawn } = values;
      const device = sources.find(sender.id, earlier.key);
      if (device !== null) {
        const known = judged.clocks.get(device.id) ?? reading.clockOf(values.source, sender);
        const times = values.samples.map(({ takenAt }) => parseInstant(takenAt));
        const takenAt = known.offsetMs === null ? [...times, ...monitor.takenAt] : times;
        const clock = stepDeviceClock(known, { receivedAt, sentAt: null, takenAt, asksZone: true });
        judged.clocks.set(device.id, clock.clock);
        const samples = await readMissing(parts, sender, values, reading.again);
        judged.leftOut -= values.samples.length - samples.length;
        const of = { deviceId: device.id, siteId: reading.siteId };
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
 * Resolves with those samples of a source that are not stored: neither live, as what came in the moment of a release
 * may be, nor by a reading before that was taken back.
 */
async function readMissing(
  { store, liveState, sources }: ReaderParts,
  sender: SenderRow,
  { source, samples }: SourceValues,
  again: number,
): Promise<SourceValues['samples']> {
  const keys = [source.key, ...Array.from({ length: again }, (_, before) => earlierOf(source, before).key)];
  const deviceIds = keys.flatMap((key) => sources.find(sender.id, key)?.id ?? []);
  const keysOf = ({ patientId, kind, takenAt }: (typeof samples)[number]): SampleKey[] =>
    deviceIds.map((deviceId) => ({
      ...{ patientId, kind: kinds[kind].code, deviceId },
      takenAt: parseInstant(takenAt) ?? 0,
    }));
  const stored = new Set((await readStored(store, samples.flatMap(keysOf), liveState)).map(sampleKeyText));
  return samples.filter((sample) => !keysOf(sample).some((key) => stored.has(sampleKeyText(key))));
}

/**
 * Returns whether a move that is entered late would still withdraw the values of a source: what comes by the bed alone
 * is read only while the mapping of the bed lasts.
 */
const isCorrectable = ({ beds }: ReaderParts, { bedMappingId }: Source): boolean =>
  typeof bedMappingId !== 'number' || beds.isOpen(bedMappingId);

/** Resolves with the mappings of a sender's beds that were right, also those that have ended. */
async function readBeds({ store }: ReaderParts, { id }: SenderRow): Promise<BedMappingRow[]> {
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
  parts: ReaderParts,
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
async function readStays({ store, liveState, now }: ReaderParts, run: Run): Promise<Run['stays']['of']> {
  const { siteId } = run.reading;
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

/** Notes whose values are stored next, and their days, before they are: what withdraws them finds them by it. */
async function noteDays({ store }: ReaderParts, { days }: Run, calls: Judged['calls']): Promise<void> {
  const rows = new Map(
    calls.flatMap(({ deviceId: device_id, samples }) =>
      samples.map(({ patientId: patient_id, takenAt }) => {
        const day = Math.floor((parseInstant(takenAt) ?? 0) / dayMs);
        return [`${device_id} ${patient_id} ${day}`, { device_id, patient_id, day }] as const;
      }),
    ),
  );
  const missing = [...rows].filter(([key]) => !days.has(key));
  if (missing.length > 0) {
    await store.db
      .insertInto('earlier_days')
      .values(missing.map(([, row]) => row))
      // A run before this one may have noted some.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    missing.forEach(([key]) => days.add(key));
  }
}

/** Notes when values were measured that are stored. */
function noteTimes(run: Run, calls: Judged['calls']): void {
  for (const { samples, cameAt, clock } of calls) {
    for (const { takenAt } of samples) {
      const at = ageFrom(parseInstant(takenAt) ?? cameAt, clock.offsetMs, cameAt);
      const { first, last } = run.times ?? { first: at, last: at };
      run.times = { first: Math.min(first, at), last: Math.max(last, at) };
    }
  }
}

/** Leaves the thread and the store to others, for as long as they were used. */
async function rest({ recorder }: ReaderParts, run: Run): Promise<void> {
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

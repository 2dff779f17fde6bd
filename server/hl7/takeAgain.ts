import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { isAlarmReport } from '../../lib/hl7/readAlarms';
import { readOru, type Observation, type OruResult } from '../../lib/hl7/readOru';
import { earlierResult, type EarlierResult } from '../../lib/mappings/schema';
import { groupBy } from '../../lib/groupBy';
import { readJson } from '../../lib/readJson';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { deviceClock, stepDeviceClock, type CallClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import { kinds } from '../../lib/vitals/kinds';
import type { Alerts } from '../alerts/alerts';
import type { ClockWatch } from '../clock/clockWatch';
import type { Store } from '../db/open';
import type { PatientRow, SenderRow } from '../db/rows';
import { isStorageUnavailable } from '../http/errors';
import { HttpError } from '../http/httpError';
import type { EarlierCall, Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { BedMappings, CodeMappings } from '../mappings/mappings';
import type { MrnAuthorities } from '../site/mrnAuthorities';
import { bedKeyOf, bedOf, keptMs } from '../patients/bedStays';
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

/**
 * After so long it is judged again whose a value is, in milliseconds: what was judged before a late move or the undoing
 * of a bed has to be stored before the last pass of `withdrawWrong`.
 */
const judgedMs = 5_000;
/** After so long it is tried again to store what the store could not take, in milliseconds. */
const retryMs = 1_000;
/** After so long the thread belongs to others for as long, in milliseconds. */
const workMs = 20;
/** So often it is noted how far a run has come, in milliseconds. */
const notedMs = 10_000;
/** Others wait for the store: what is read again waits for them. In rows. */
const mostWaiting = 200;
const dayMs = 86_400_000;

/** Kept messages that are read again, and what of them is taken. */
export interface Reading {
  siteId: number;
  /** Who sent them. */
  senders: readonly SenderRow[];
  /** The sender with its settings from before. If given, a message that was used in part is not read (`isFree`). */
  former?: readonly SenderRow[];
  /** Between which times they came, both included. */
  came: { first: EpochMs; last: EpochMs };
  /** Returns whether the reading still applies. */
  isInForce: () => boolean;
  /** Returns whether an observation is to become a value of a patient. */
  isWanted: (observation: Observation, result: OruResult, sender: SenderRow) => boolean;
  /** Returns whether a source is one of such observations. */
  isMeant: (source: Source, sender: SenderRow) => boolean;
  /** Who is in which bed. */
  stays: Ward['stays'];
  /** Returns what is known of the clock of a source before its first message. */
  clockOf: (source: Source, sender: SenderRow) => DeviceClock;
  /** How far a run before this one has come, and what notes that; undefined: it is of an hour, and begins again. */
  progress?: { noted: string | null; note: (text: string) => Promise<unknown> };
  /** Notes that it is done with. */
  finish: (result: EarlierResult) => Promise<unknown>;
}

/** How far a run has come. */
const progressSchema = z.object({
  era: z.int(),
  /** The last message that was taken. */
  id: z.int(),
  clocks: z.array(z.tuple([z.int(), deviceClock])),
  result: earlierResult,
});

/** A reading that is under way. */
interface Run {
  reading: Reading;
  /** Of the messages that are read. */
  era: number;
  /** What is known of the clock of each source, by the messages that were read. */
  clocks: Map<number, DeviceClock>;
  stays: { of: Map<number, Stay[]>; version: number };
  /** The days that are noted. */
  days: Set<string>;
  result: EarlierResult;
  /** When it was last noted how far it has come, and when the thread was last left to others, by `performance.now`. */
  notedAt: number;
  workedSince: number;
}

/** A message with values that are wanted. */
interface KeptMessage {
  sender: SenderRow;
  receivedAt: EpochMs;
  content: Uint8Array;
  results: PatientPart[];
  /** How many values. */
  sent: number;
}

/** What a source sent in one message, in the form in which it is stored. */
interface SourceCall extends EarlierCall {
  samples: SourceValues['samples'];
  clock: CallClock;
}

interface Stay {
  started_at: EpochMs;
  ended_at: EpochMs | null;
}

/**
 * Takes values again from the kept messages of a reading, in the order in which they came. `signal` ends it after the
 * current message; the next run goes on where this one has noted that it was, and what is stored is not stored twice.
 * One that is no longer in force is not read any further. Rejects if the messages cannot be read or stored.
 */
export async function takeAgain(parts: ReaderParts, reading: Reading, signal: AbortSignal): Promise<void> {
  const { rawMessages, clockWatch } = parts;
  const noted = reading.progress?.noted ?? null;
  const known = noted === null ? null : readJson(progressSchema, noted);
  // What was known of clocks has moved with a step of ours.
  const before = known?.era === clockWatch.era() ? known : null;
  const run: Run = {
    ...{ reading, era: clockWatch.era(), clocks: new Map(before?.clocks), stays: { of: new Map(), version: -1 } },
    ...{ days: new Set<string>(), result: before?.result ?? { values: 0, leftOut: 0, unread: 0 } },
    ...{ notedAt: -Infinity, workedSince: performance.now() },
  };
  const { came } = reading;
  const senders = new Map(reading.senders.map((sender) => [sender.id, sender]));
  const isWanted = (head: RawHead): boolean =>
    senders.has(head.senderId) &&
    head.era === run.era &&
    // The gateway was asked to send it again, or it was none.
    head.fate !== 'AR' &&
    (reading.former === undefined || head.fate === 'AE') &&
    head.receivedAt >= came.first &&
    head.receivedAt <= came.last;
  for await (const record of rawMessages.readNotWhole(isWanted, before?.id)) {
    if (signal.aborted) {
      return;
    }
    if (!isStillInForce(parts, run)) {
      break;
    }
    const sender = senders.get(record?.head.senderId ?? 0);
    if (record === null || record.content === null || sender === undefined) {
      run.result.unread += 1;
    } else {
      const { receivedAt } = record.head;
      const message = await readMessage(parts, reading, { sender, receivedAt, content: record.content });
      if (message !== null) {
        await whenStored(() => takeValues(parts, run, message), signal);
      }
    }
    if (record !== null) {
      await noteProgress(run, record.id, signal);
    }
    await rest(parts, run);
  }
  if (!signal.aborted) {
    await whenStored(() => reading.finish(run.result), signal);
  }
}

/** Returns whether to read on: after a step of our clock no message that was kept before has its right time. */
const isStillInForce = (parts: ReaderParts, { reading, era }: Run): boolean =>
  reading.isInForce() && parts.clockWatch.era() === era;

/** Resolves with a message; null: nothing of it is wanted. */
async function readMessage(
  { alerts }: ReaderParts,
  { siteId, isWanted }: Reading,
  { sender, receivedAt, content }: Pick<KeptMessage, 'sender' | 'receivedAt' | 'content'>,
): Promise<KeptMessage | null> {
  const settings = settingsOf(sender);
  const parsed = parseMessage(content, settings.charset);
  // Numbers in a report of alarms are no values.
  if (!parsed.ok || isAlarmReport(parsed.message)) {
    return null;
  }
  await turn();
  const read = readOru(parsed.message, { timeZone: alerts.timeZoneOf(siteId), receivedAt }, settings);
  const sent = read.flatMap((one) =>
    one.observations.filter((observation) => isWanted(observation, one, sender)),
  ).length;
  const isOfAlarms = { alarms: [], isAlarmReport: false };
  const results = read.map((one) => ({ ...one, ...isOfAlarms }));
  return sent === 0 ? null : { sender, receivedAt, content, results, sent };
}

/** Notes now and then how far a run has come. */
async function noteProgress(run: Run, id: number, signal: AbortSignal): Promise<void> {
  const { reading, era, clocks, result, notedAt } = run;
  const { progress } = reading;
  if (progress !== undefined && performance.now() - notedAt >= notedMs) {
    const text = JSON.stringify({ era, id, clocks: [...clocks], result });
    await whenStored(() => progress.note(text), signal);
    run.notedAt = performance.now();
  }
}

/** Does what the store may not take for now, and tries it again: a run of hours does not begin again for that. */
async function whenStored(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
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

/** Stores the values of a message, whose they are by what is known now and by the same rules as when they came. */
async function takeValues(parts: ReaderParts, run: Run, message: KeptMessage): Promise<void> {
  const { recorder, sources, now } = parts;
  const { reading } = run;
  const { sender, receivedAt, sent } = message;
  const begun = performance.now();
  const all = await sortAgain(parts, run, message);
  const own = ((await isFree(parts, run, message, all)) ? all : [])
    .filter(({ source }) => isCorrectable(parts, source))
    .map((values) => ({ values, earlier: earlierOf(values.source) }));
  await sources.make(
    sender,
    own.map(({ earlier }) => earlier),
  );
  const calls: SourceCall[] = [];
  const takenBack: SampleKey[] = [];
  let stored = 0;
  for (const { values, earlier } of own) {
    const { source, monitor, samples } = values;
    const device = sources.find(sender.id, earlier.key);
    if (device !== null) {
      const known = run.clocks.get(device.id) ?? reading.clockOf(source, sender);
      const times = samples.map(({ takenAt }) => parseInstant(takenAt));
      const takenAt = known.offsetMs === null ? [...times, ...monitor.takenAt] : times;
      const clock = stepDeviceClock(known, { receivedAt, sentAt: null, takenAt, asksZone: true });
      // One that came in the moment of the decision may be stored live.
      const missing = await readMissing(parts, sender, [source], samples);
      stored += samples.length - missing.length;
      const of = { deviceId: device.id, siteId: reading.siteId, cameAt: receivedAt, readAt: now() };
      calls.push({ ...of, samples: missing, clock });
      takenBack.push(...values.withdrawn.map((key) => ({ ...key, deviceId: device.id })));
    }
  }
  await noteDays(parts, run, calls);
  if (!isStillInForce(parts, run)) {
    return;
  }
  if (performance.now() - begun > judgedMs) {
    throw new HttpError(503, 'busy', 'It took too long to find out whose these values are.');
  }
  const taken = await recorder.recordEarlier(calls);
  if (takenBack.length > 0) {
    await recorder.withdraw(takenBack, now());
  }
  calls.forEach(({ deviceId, clock }) => run.clocks.set(deviceId, clock.clock));
  run.result.values += taken;
  run.result.leftOut += sent - stored - takenBack.length - taken;
}

/** Resolves with what is meant of a message, by source. */
async function sortAgain(
  parts: ReaderParts,
  run: Run,
  { sender, receivedAt, results }: KeptMessage,
): Promise<SourceValues[]> {
  const { sources } = sortValues(results, receivedAt, await wardAt(parts, run, sender, receivedAt));
  return [...sources.values()].filter(
    ({ source, samples, withdrawn }) => samples.length + withdrawn.length > 0 && run.reading.isMeant(source, sender),
  );
}

/**
 * Resolves with whether no reading by former settings has given something of a message to another patient, or to
 * another time or source, than what is taken of it now (`all`): no measurement gets into two charts, or twice into one.
 */
async function isFree(parts: ReaderParts, run: Run, message: KeptMessage, all: SourceValues[]): Promise<boolean> {
  const { former = [] } = run.reading;
  const nameOf = ({ key }: Source, { patientId, kind, takenAt }: SourceValues['samples'][number]): string =>
    `${patientId} ${kind} ${takenAt} ${key}`;
  const taken = new Set(all.flatMap(({ source, samples }) => samples.map((sample) => nameOf(source, sample))));
  for (const sender of taken.size === 0 ? [] : former) {
    const read = await readMessage(parts, run.reading, { ...message, sender });
    for (const values of read === null ? [] : await sortAgain(parts, run, read)) {
      const samples = values.samples.filter((sample) => !taken.has(nameOf(values.source, sample)));
      if (
        (await readMissing(parts, sender, [values.source, earlierOf(values.source)], samples)).length < samples.length
      ) {
        return false;
      }
    }
  }
  return true;
}

/** Resolves with those samples that are stored under none of the sources. */
async function readMissing(
  { store, liveState, sources }: ReaderParts,
  sender: SenderRow,
  of: readonly Source[],
  samples: SourceValues['samples'],
): Promise<SourceValues['samples']> {
  const deviceIds = of.flatMap(({ key }) => sources.find(sender.id, key)?.id ?? []);
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

/** Resolves with who was there when a message came, and which bed was which. */
async function wardAt(parts: ReaderParts, run: Run, sender: SenderRow, receivedAt: EpochMs): Promise<ValueWard> {
  const { store, liveState } = parts;
  const stays = await readStays(parts, run);
  // Those of a sender that were right, also those that have ended.
  const beds = await store.db
    .selectFrom('bed_mappings')
    .selectAll()
    .where('sender_id', '=', sender.id)
    .where('confirmed_at', 'is not', null)
    .where('undone_at', 'is', null)
    .execute();
  const ward = valueWardOf(sender, parts);
  const ifHere = (patient: PatientRow | null): PatientRow | null =>
    patient !== null &&
    stays
      .get(patient.id)
      ?.some(({ started_at, ended_at }) => started_at <= receivedAt && receivedAt <= (ended_at ?? Infinity)) === true
      ? patient
      : null;
  return {
    ...ward,
    stays: run.reading.stays,
    byMrn: (mrn) => ifHere(ward.byMrn(mrn)),
    byId: (id) => ifHere(ward.byId(id)),
    bedOf: (senderBed) => {
      const mapping = beds.find(
        ({ sender_bed, confirmed_at, ended_at }) =>
          sender_bed === senderBed && (confirmed_at ?? Infinity) < receivedAt && receivedAt <= (ended_at ?? Infinity),
      );
      return mapping === undefined ? null : { key: bedKeyOf(mapping.unit_id, mapping.bed), mappingId: mapping.id };
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
    run.stays = { of: groupBy(rows, ({ patient_id }) => patient_id), version };
  }
  return run.stays.of;
}

/** Notes whose values are stored next, and their days, before they are: what withdraws them finds them by it. */
async function noteDays({ store }: ReaderParts, { days }: Run, calls: readonly SourceCall[]): Promise<void> {
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

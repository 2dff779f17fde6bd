import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Logger } from 'pino';
import { acknowledge, isWanted, type AckCode } from '../../lib/hl7/acknowledge';
import type { Frame } from '../../lib/hl7/Deframer';
import type { Header } from '../../lib/hl7/header';
import { parseMessage, readHeader, type Message } from '../../lib/hl7/parseMessage';
import { isAlarmReport, readAlarms } from '../../lib/hl7/readAlarms';
import { readOru } from '../../lib/hl7/readOru';
import { mostSeen, noteStructure } from '../../lib/hl7/noteStructure';
import { unanswered } from '../../lib/hl7/senderSettings';
import type { EpochMs } from '../../lib/time/epochMs';
import type { IngestResponse } from '../../lib/vitals/schema';
import type { Alerts } from '../alerts/alerts';
import type { ClockWatch } from '../clock/clockWatch';
import type { Store } from '../db/open';
import type { DeviceRow, SenderRow } from '../db/rows';
import { Hung, inTime } from '../db/untilHung';
import { isStorageUnavailable, placesOf } from '../http/errors';
import { HttpError } from '../http/httpError';
import type { Delivery, Recorder } from '../ingest/record';
import type { MonitorAlarms, TakeAlarms } from '../deviceAlarms/takeAlarms';
import type { LiveState } from '../liveState';
import type { Metrics } from '../metrics';
import type { StorageWatch } from '../storageWatch';
import { findAnswer, keepAnswer } from './answers';
import { notePace } from './pace';
import { fromOf, type Peer, type Senders, type UnknownSender } from './senders';
import {
  fateOf,
  noMessage,
  noStart,
  outcomeOf,
  refusalOf,
  repeated,
  saidTo,
  tooLong,
  unable,
  unknownSender,
  type Fate,
  type Outcome,
} from './outcomes';
import type { MrnAuthorities } from '../site/mrnAuthorities';
import type { RawMessages } from './rawMessages';
import { settingsOf } from './senderSettings';
import type { Sources } from './sources';
import { wholeKey } from './sourceOf';
import type { BedMappings, CodeMappings } from '../mappings/mappings';
import { sortValues, type SortedValues } from './sortValues';
import { takeBackEarlier } from './takeBackEarlier';
import { readStored } from '../vitals/readStored';
import { valueWardOf } from './valueWard';

/** The values are stored by then: a repeat without the stored answer is stored as duplicates. */
const keepWithinMs = 1_000;

/** A message of so many lines takes each step about a millisecond. A shorter one waits for a turn as long. */
const manyLines = 100;

/** An answer, and what became of its message. */
interface Done extends Fate {
  answer: Uint8Array;
}

/** The answer to a message. */
export interface Taken {
  /** The frames to send, one after another; empty if the sender wants none. */
  answer: Uint8Array;
  /** The connection ends with it: who sends here is not known. */
  isLast: boolean;
  /** Null: not known. */
  sender: SenderRow | null;
  /** What came instead of a message; null: it has a header. */
  refusal: keyof typeof noMessage | null;
}

/** A connection that a message came by. */
export interface Origin extends Peer {
  /** Returns whether no answer can reach the sender any more. */
  isGone: () => boolean;
}

export type TakeMessage = (bytes: Uint8Array, origin: Origin) => Promise<Taken>;

/** The parts of the server that messages need. */
export interface Hl7Parts {
  store: Store;
  liveState: LiveState;
  beds: Pick<BedMappings, 'find' | 'isOpen'>;
  codes: Pick<CodeMappings, 'find' | 'isOpen' | 'ofSite'>;
  mrnAuthorities: Pick<MrnAuthorities, 'ofSite'>;
  alerts: Pick<Alerts, 'timeZoneOf' | 'monitorHeard' | 'deviceCalled' | 'connectionCut'>;
  recorder: Pick<Recorder, 'recordTogether' | 'recordEarlier' | 'withdraw'>;
  takeAlarms: TakeAlarms;
  sources: Sources;
  rawMessages: Pick<RawMessages, 'keep'>;
  clockWatch: Pick<ClockWatch, 'era'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
  metrics: Pick<Metrics, 'samples'>;
  log: Logger;
  now: () => EpochMs;
  elapsed: () => number;
  reportFault: (error: unknown, route: string) => string;
}

/** Returns the bytes of the answer to a frame that is no message, if it gets one. */
export function answerFault(fault: Extract<Frame, { kind: 'fault' }>, now: EpochMs): Uint8Array {
  if (fault.reason === 'too_long') {
    return answerBytes(null, tooLong, now);
  }
  // Without a header no one knows which message it was. The sender gets no answer and sends it again.
  const header = fault.reason === 'bytes_outside' && fault.hasEnd ? readHeader(fault.cut) : null;
  return header === null || header.type.code === 'ACK' ? new Uint8Array(0) : answerBytes(header, noStart, now);
}

const byteOrderMark = /^(?:\u00ef\u00bb\u00bf|\u00fe\u00ff|\u00ff\u00fe)/;

/** Returns what a frame is whose header cannot be read. */
function kindOf(bytes: Uint8Array): keyof typeof noMessage {
  const text = Buffer.from(bytes.subarray(0, 40)).toString('latin1').trimStart();
  return byteOrderMark.test(text) ? 'bom' : /^[FB]HS/.test(text) ? 'batch' : 'not_hl7';
}

/**
 * Creates the function that takes a message and resolves with its answer after the commit. It never rejects: a fault
 * is logged without anything of the message, and the sender is asked to send again. What is not wholly stored when it
 * says so is a duplicate when it comes again (`Recorder.record`).
 */
export function createTakeMessage(
  parts: Hl7Parts,
  senders: Senders,
  { answerWithinMs }: { answerWithinMs: number },
): TakeMessage {
  const { store, storage, sources, rawMessages, mrnAuthorities, clockWatch, log, now, elapsed } = parts;
  /** What is being taken, so that a repeat on another connection awaits the same answer. */
  const underWay = new Map<string, Promise<Done>>();

  const explain = (error: unknown): Outcome => {
    if (mayPass(error)) {
      log.warn({ code: error instanceof Error ? error.name : 'unknown' }, 'an HL7 message could not be stored');
    } else {
      logFault(parts, error, 'an HL7 message failed');
    }
    return unable;
  };

  const takeOnce = async (sender: SenderRow, message: Message, digest: string, origin: Origin): Promise<Done> => {
    const { header } = message;
    const key = { senderId: sender.id, digest };
    const state = senders.stateOf(sender.id);
    const receivedAt = now();
    const answerTo = (outcome: Outcome) => ({
      ...key,
      answer: answerBytes(header, saidTo(settingsOf(sender), outcome), now()),
    });
    let outcome: Outcome;
    /** The answer that is stored with the values. */
    let stored: Uint8Array | null = null;
    try {
      const done = await inTime(answerWithinMs, async () => {
        // While nothing can be stored, live values are evaluated and shown all the same: no read may hold them up.
        const known = storage.notStoredSince() === null ? await findAnswer(store.db, receivedAt, key) : null;
        const keep = (of: Outcome): CompiledQuery => {
          const kept = answerTo(of);
          stored = kept.answer;
          return keepAnswer(receivedAt, kept).compile(store.db);
        };
        return known ?? (await record(parts, senders, { sender, message, receivedAt, origin }, keep));
      });
      if (done instanceof Uint8Array) {
        state.repeated += 1;
        return { answer: done, ...repeated };
      }
      ({ outcome } = done);
      stored = done.isAnswerStored ? stored : null;
    } catch (error) {
      outcome = explain(error);
      stored = null;
    }
    state.answers[outcome.code] += 1;
    if (stored !== null) {
      return { answer: stored, ...fateOf(outcome) };
    }
    const kept = answerTo(outcome);
    const { answer } = kept;
    if (outcome.code !== 'AR') {
      await inTime(keepWithinMs, () => keepAnswer(receivedAt, kept).execute(store.db)).catch((error: unknown) => {
        log.warn({ code: error instanceof Error ? error.name : 'unknown' }, 'the answer to an HL7 message is lost');
      });
    }
    return { answer, ...fateOf(outcome) };
  };

  const takeKnown = async (sender: SenderRow, header: Header, bytes: Uint8Array, origin: Origin): Promise<Done> => {
    const state = senders.stateOf(sender.id);
    if (header.type.code === 'ACK') {
      // Two that answer each other's answers would never end.
      return { answer: new Uint8Array(0), fate: 'none', reason: 'acknowledgement', isWhole: true };
    }
    const parsed = parseMessage(bytes, settingsOf(sender).charset);
    const refusal = refusalOf(parsed);
    if (refusal !== null || !parsed.ok) {
      state.answers.AR += 1;
      const outcome = refusal ?? unable;
      return { answer: answerBytes(header, outcome, now()), ...fateOf(outcome) };
    }
    const digest = digestOf(bytes, saidBy(sender, mrnAuthorities.ofSite(sender.site_id)));
    const name = `${sender.id} ${digest}`;
    const before = underWay.get(name);
    if (before !== undefined) {
      return { ...(await before), ...repeated };
    }
    const running = takeOnce(sender, parsed.message, digest, origin).finally(() => {
      underWay.delete(name);
    });
    underWay.set(name, running);
    return await running;
  };

  const take = async (bytes: Uint8Array, origin: Origin): Promise<Taken> => {
    const header = readHeader(bytes);
    if (header === null) {
      const refusal = kindOf(bytes);
      const isLast = refusal === 'not_hl7' || !senders.isExpected(origin);
      return { answer: answerBytes(null, noMessage[refusal], now()), isLast, sender: null, refusal };
    }
    const from = fromOf(origin, header);
    const sender = senders.find(from);
    if (sender === null) {
      lookAt(senders.noteUnknown(from, now()), bytes);
      return { answer: answerBytes(header, unknownSender, now()), isLast: true, sender: null, refusal: null };
    }
    const [receivedAt, era, begun] = [now(), clockWatch.era(), elapsed()];
    const state = senders.stateOf(sender.id);
    state.lastMessageAt = receivedAt;
    // Whatever becomes of the message, its sender is not silent. It has no clock: its sources have theirs.
    const whole = sources.find(sender.id, wholeKey);
    if (whole !== null) {
      parts.alerts.deviceCalled(whole.id, { at: receivedAt, offsetMs: null, battery: null });
    }
    const keep = ({ fate, reason, isWhole }: Fate): void => {
      rawMessages.keep({ sender, receivedAt, era, bytes: bytes.length, content: bytes, fate, reason, isWhole });
    };
    try {
      const done = await takeKnown(sender, header, bytes, origin);
      keep(done);
      return { answer: done.answer, isLast: false, sender, refusal: null };
    } catch (error) {
      keep(fateOf(unable));
      throw error;
    } finally {
      notePace(state.pace, elapsed(), elapsed() - begun);
    }
  };

  return async (bytes, origin) => {
    try {
      return await take(bytes, origin);
    } catch (error) {
      return { answer: answerBytes(null, explain(error), now()), isLast: true, sender: null, refusal: null };
    }
  };
}

/** A stranger's message over so many bytes is not looked at: it costs no more than its header. */
const longestLook = 32_768;

/** Notes what the message of an unknown sender looks like. Nothing that is in it is kept. */
function lookAt(sender: UnknownSender | null, bytes: Uint8Array): void {
  if (sender === null || sender.seen.messages >= mostSeen || bytes.length > longestLook) {
    return;
  }
  const parsed = parseMessage(bytes);
  if (parsed.ok && refusalOf(parsed) === null) {
    const { message } = parsed;
    noteStructure(sender.seen, message, readOru(message, { timeZone: 'UTC', receivedAt: sender.lastAt }, unanswered));
  }
}

/**
 * Returns by what a message that comes again is known. What was set for its sender when it came is part of it: after a
 * change the same bytes are another message, which may get another answer.
 */
function digestOf(bytes: Uint8Array, settings: string): string {
  return createHash('sha256').update(bytes).update(settings).digest('base64url');
}

/** Returns that on which an answer depends, of version 1 as before there were others: repeats of then stay repeats. */
function saidBy(sender: SenderRow, mrnAuthorities: readonly string[]): string {
  const { settings, settings_version, zero_is_no_signal, quarantine_is_accepted } = sender;
  const said = settings === null ? [zero_is_no_signal, quarantine_is_accepted] : [settings_version];
  return JSON.stringify([...said, mrnAuthorities]);
}

/** Returns whether it may go well when the sender sends again. */
function mayPass(error: unknown): boolean {
  return error instanceof Hung || error instanceof HttpError || isStorageUnavailable(error);
}

function logFault({ log, reportFault }: Hl7Parts, error: unknown, what: string): void {
  const fault = error instanceof Error ? error.name : typeof error;
  log.error({ report: reportFault(error, ''), fault, stack: placesOf(error) }, what);
}

interface Received {
  sender: SenderRow;
  message: Message;
  receivedAt: EpochMs;
  origin: Origin;
}

/**
 * Records the values of a message and resolves with its outcome after the commit. If nothing is left to do after the
 * values, the statement of `keep` is in their transaction: a commit takes the disk longer than all else of a message.
 */
async function record(
  parts: Hl7Parts,
  senders: Senders,
  { sender, message, receivedAt, origin }: Received,
  keep: (outcome: Outcome) => CompiledQuery,
): Promise<{ outcome: Outcome; isAnswerStored: boolean }> {
  const { store, liveState, alerts, recorder, sources, takeAlarms, metrics, now, elapsed } = parts;
  const siteId = sender.site_id;
  // The longest message takes each of these steps tens of milliseconds: between them others have their turn.
  const rest = message.segments.length > manyLines ? turn : () => undefined;
  await rest();
  const isReport = isAlarmReport(message);
  const read = readOru(message, { timeZone: alerts.timeZoneOf(siteId), receivedAt }, settingsOf(sender));
  await rest();
  const heard = readAlarms(message, read);
  const results = read.map((result, index) => ({ ...result, alarms: heard[index] ?? [], isAlarmReport: isReport }));
  await rest();
  const sorted = sortValues(results, receivedAt, valueWardOf(sender, parts));
  await rest();
  senders.noteAuthorities(
    sender.id,
    read.map(({ patient }) => patient),
  );
  noteStructure(senders.stateOf(sender.id).seen, message, read, sorted.asked);
  senders.noteUnmapped(sender.id, sorted.unmapped);
  senders.noteUnknownBeds(sender.id, sorted.unknownBeds);
  const all = [...sorted.sources.values()];
  const refusing = [...sorted.monitors.values()].filter(({ reason }) => reason !== null);
  await sources.make(
    sender,
    [...all.filter(({ samples, refused }) => samples.length + refused.length > 0), ...refusing].map(
      ({ source }) => source,
    ),
  );
  noteFates(alerts, sources, sender, { sorted, receivedAt });
  const deliveries = deliveriesOf(sender, sources, sorted, receivedAt);
  const withdrawn = all.flatMap((values) => {
    const device = values.withdrawn.length === 0 ? null : sources.find(sender.id, values.source.key);
    return device === null ? [] : values.withdrawn.map((key) => ({ ...key, deviceId: device.id }));
  });
  const alarming = [...sorted.alarms.values()].filter((ofMonitor) => ofMonitor.alarms.length > 0);
  const refusedBefore = deliveries.flatMap((delivery) => (delivery.refused ?? []).map(({ code }) => code));
  const takenBack = all.filter((values) => values.withdrawn.length + values.replacing.length > 0);
  const isActing = alarming.length > 0 || all.some((values) => values.withdrawn.length > 0);
  const isLastStep = !isActing && takenBack.length === 0;
  const outcomeFor = (rejected: readonly IngestResponse['rejected'][]): Outcome => {
    const late = rejected.flat().map(({ code }) => code);
    const taken = deliveries.reduce((sum, { samples }) => sum + samples.length, 0) - late.length;
    const isUsed = taken > 0 || isActing;
    return outcomeOf(isUsed, [...refusedBefore, ...late], sorted.unmapped.length);
  };
  // All in one go: they share the next transaction, and each source has its own clock.
  const { responses, isEnded } = await recorder.recordTogether(
    deliveries,
    { deviceId: wholeOf(sources, sender).id, isGone: origin.isGone },
    (rejected) => (isLastStep ? keep(outcomeFor(rejected)) : null),
  );
  const { heard: sourcesHeard } = senders.stateOf(sender.id);
  for (const { deviceId } of deliveries.filter(({ samples }) => samples.length > 0)) {
    sourcesHeard.set(deviceId, elapsed());
  }
  const sumOf = (of: 'accepted' | 'duplicates'): number => responses.reduce((sum, response) => sum + response[of], 0);
  metrics.samples.inc({ outcome: 'accepted' }, sumOf('accepted'));
  metrics.samples.inc({ outcome: 'duplicate' }, sumOf('duplicates'));
  const late = responses.flatMap(({ rejected }) => rejected);
  metrics.samples.inc({ outcome: 'rejected' }, refusedBefore.length + late.length);
  const ofAll = all.flatMap((values) => values.withdrawn).length;
  const isAllKnown = ofAll === 0 || (await readStored(store, withdrawn, liveState)).length >= ofAll;
  if (withdrawn.length > 0) {
    await recorder.withdraw(withdrawn, now());
  }
  if (takenBack.length > 0) {
    await takeBackEarlier(parts, sender, takenBack, { receivedAt, isAllKnown });
  }
  // After the values: they never wait for an alarm of the device.
  await sources.make(
    sender,
    alarming.map(({ source }) => source),
  );
  await takeAlarms(alarmsOf(sender, sources, sorted, receivedAt)).catch((error: unknown) => {
    if (mayPass(error)) {
      throw error;
    }
    // A fault of ours in them must not make the gateway send its values for ever.
    logFault(parts, error, 'the alarms of a device are lost');
  });
  return { outcome: outcomeFor(responses.map(({ rejected }) => rejected)), isAnswerStored: isEnded };
}

/** What held before two people were asked may hold for so long without an alert, in milliseconds. */
const undecidedMs = 30 * 86_400_000;

/**
 * Notes what becomes of the values of each monitor: that they are refused is an alert. So is that two people have not
 * decided whether an MRN alone is enough for a sender.
 */
function noteFates(
  alerts: Hl7Parts['alerts'],
  sources: Sources,
  sender: SenderRow,
  { sorted, receivedAt }: { sorted: SortedValues; receivedAt: EpochMs },
): void {
  const { settings, settings_at } = sender;
  const isUndecided = settings === null && settings_at !== null && receivedAt - settings_at >= undecidedMs;
  for (const { source, reason: refusal, isTaken } of sorted.monitors.values()) {
    const reason = refusal ?? (isUndecided && source.key === wholeKey ? 'undecided' : null);
    // A sender with too many sources has the alert itself.
    const device = sources.find(sender.id, source.key) ?? (reason === null ? null : sources.find(sender.id, wholeKey));
    if (device !== null && (reason !== null || isTaken)) {
      alerts.monitorHeard(device.id, reason, receivedAt);
    }
  }
}

/** Returns what is said of the alarms of each monitor; a sender with too many has its own instead. */
function alarmsOf(sender: SenderRow, sources: Sources, { alarms }: SortedValues, receivedAt: EpochMs): MonitorAlarms[] {
  return [...alarms.values()].flatMap(({ source, patientId, alarms: heard, fullAt }) => {
    const device = sources.find(sender.id, source.key) ?? sources.find(sender.id, wholeKey);
    return device === null
      ? []
      : [
          {
            ...{ deviceId: device.id, siteId: sender.site_id, patientId, receivedAt, fullAt, alarms: heard },
            isShared: device.source_key === wholeKey,
          },
        ];
  });
}

/** Returns the source that is the sender itself. */
function wholeOf(sources: Sources, { id }: SenderRow): DeviceRow {
  const whole = sources.find(id, wholeKey);
  if (whole === null) {
    throw new Error('An HL7 sender has no source of its own');
  }
  return whole;
}

/** Returns what each source delivers, and the sender itself for patients whose values are all refused. */
function deliveriesOf(sender: SenderRow, sources: Sources, sorted: SortedValues, receivedAt: EpochMs): Delivery[] {
  const refused = [...sorted.refused];
  const deliveries: Delivery[] = [];
  // A sender of HL7 says nothing of batteries, and MSH-7 is no time of sending: a queue sends with the old one.
  const deliver = (deviceId: number, of: Pick<Delivery, 'samples' | 'besides' | 'refused'>): void => {
    const { samples, besides, refused: ofSource } = of;
    const siteId = sender.site_id;
    deliveries.push({
      deviceId,
      siteId,
      receivedAt,
      sentAt: undefined,
      battery: null,
      samples,
      besides,
      refused: ofSource,
    });
  };
  for (const { source, refused: ofMonitor } of sorted.monitors.values()) {
    const monitor = sources.find(sender.id, source.key);
    if (monitor === null) {
      refused.push(...ofMonitor);
    } else if (ofMonitor.length > 0) {
      deliver(monitor.id, { samples: [], refused: ofMonitor });
    }
  }
  for (const { source, monitor, samples, refused: ofSource } of sorted.sources.values()) {
    if (samples.length + ofSource.length > 0) {
      const device = sources.find(sender.id, source.key);
      if (device === null) {
        refused.push(...samples.map((sample) => ({ code: 'too_many_sources' as const, sample })), ...ofSource);
      } else {
        deliver(device.id, { samples, besides: monitor.takenAt, refused: ofSource });
      }
    }
  }
  if (refused.length > 0) {
    deliver(wholeOf(sources, sender).id, { samples: [], refused });
  }
  return deliveries;
}

/** No other process has this, and no other answer of this one has the count. */
const run = randomBytes(6).toString('hex');
let count = 0;

/** Returns an MSH-10 for an answer. */
function nextControlId(): string {
  count += 1;
  return `${run}${count.toString(36)}`;
}

/**
 * Returns the frames that a sender wants. In enhanced mode (MSH-15, MSH-16) CA means safely stored, so it also waits
 * for the commit. After a refusal at the door there is no second answer.
 */
function answerBytes(
  header: Header | null,
  { code, error }: Pick<Outcome, 'code' | 'error'>,
  now: EpochMs,
): Uint8Array {
  const isOurs = error?.code === 207;
  const accept: AckCode = code !== 'AR' ? 'CA' : isOurs ? 'CE' : 'CR';
  const isAccept = isWanted(header, accept);
  const isApplication = isWanted(header, code) && !(isAccept && code === 'AR');
  const codes: AckCode[] = [...(isAccept ? [accept] : []), ...(isApplication ? [code] : [])];
  return Buffer.concat(
    codes.map((one) =>
      acknowledge({
        header,
        code: one,
        text: error?.text,
        error: one === 'CA' ? undefined : error,
        now,
        controlId: nextControlId(),
      }),
    ),
  );
}

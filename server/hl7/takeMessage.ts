import { hash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { acknowledge, isWanted, type AckCode, type AckError } from '../../lib/hl7/acknowledge';
import type { Header } from '../../lib/hl7/header';
import { parseMessage, readHeader, type Message, type ParsedMessage } from '../../lib/hl7/parseMessage';
import { readOru } from '../../lib/hl7/readOru';
import type { EpochMs } from '../../lib/time/epochMs';
import type { RejectionCode } from '../../lib/vitals/schema';
import type { Alerts } from '../alerts/alerts';
import type { Store } from '../db/open';
import type { SenderRow } from '../db/rows';
import { Hung, untilHung } from '../db/untilHung';
import { isStorageUnavailable, placesOf } from '../http/errors';
import { HttpError } from '../http/httpError';
import type { Delivery, Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import type { Metrics } from '../metrics';
import type { StorageWatch } from '../storageWatch';
import { findAnswer, keepAnswer } from './answers';
import { fromOf, type Senders } from './senders';
import type { Sources } from './sources';
import { wholeKey } from './sourceOf';
import { sortValues, type SortedValues } from './sortValues';

/** The values are stored by then: a repeat without the stored answer is stored as duplicates. */
const keepWithinMs = 1_000;

/** What the application says of a message. */
interface Outcome {
  code: 'AA' | 'AE' | 'AR';
  error?: AckError;
}

/** The answer to a message. */
export interface Taken {
  /** The frames to send, one after another; empty if the sender wants none. */
  answer: Uint8Array;
  /** The connection ends with it: who sends here is not known. */
  isLast: boolean;
  senderId: number | null;
}

/** A connection that a message came by. */
export interface Origin {
  address: string;
  /** Returns whether no answer can reach the sender any more. */
  isGone: () => boolean;
}

export type TakeMessage = (bytes: Uint8Array, origin: Origin) => Promise<Taken>;

/** The parts of the server that messages need. */
export interface Hl7Parts {
  store: Store;
  liveState: LiveState;
  alerts: Pick<Alerts, 'timeZoneOf'>;
  recorder: Pick<Recorder, 'record' | 'withdraw'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
  metrics: Pick<Metrics, 'samples'>;
  log: Logger;
  now: () => EpochMs;
  reportFault: (error: unknown, route: string) => string;
}

const rejected = (code: number, text: string, location?: AckError['location']): Outcome => ({
  code: 'AR',
  error: location === undefined ? { code, text } : { code, text, location },
});

/** HL7's own fault: nothing was kept, and the sender is to send the message again. */
const unable = rejected(207, 'Nothing was stored. Send it again.');
const unknownSender = rejected(207, 'This sender is not accepted here. An administrator has to accept it.');
const notHl7 = rejected(100, 'This is not one HL7 message.');
/** The answer to a frame over the limit, whose beginning was not kept. */
const tooLong = rejected(207, 'The message is too long.');

/** Returns the bytes of the answer to a frame over the limit. */
export function answerTooLong(now: EpochMs): Uint8Array {
  return answerBytes(null, tooLong, now);
}

/**
 * Creates the function that takes a message and resolves with its answer after the commit. It never rejects: a fault
 * is logged without anything of the message, and the sender is asked to send again. What is not wholly stored when it
 * says so is a duplicate when it comes again (`Recorder.record`).
 */
export function createTakeMessage(
  parts: Hl7Parts,
  senders: Senders,
  sources: Sources,
  { answerWithinMs }: { answerWithinMs: number },
): TakeMessage {
  const { store, storage, log, now } = parts;
  /** What is being taken, so that a repeat on another connection awaits the same answer. */
  const underWay = new Map<string, Promise<Uint8Array>>();

  const explain = (error: unknown): Outcome => {
    if (error instanceof Hung || error instanceof HttpError || isStorageUnavailable(error)) {
      log.warn({ code: error instanceof Error ? error.name : 'unknown' }, 'an HL7 message could not be stored');
    } else {
      const fault = error instanceof Error ? error.name : typeof error;
      log.error({ report: parts.reportFault(error, ''), fault, stack: placesOf(error) }, 'an HL7 message failed');
    }
    return unable;
  };

  const takeOnce = async (sender: SenderRow, message: Message, digest: string, origin: Origin): Promise<Uint8Array> => {
    const { header } = message;
    const key = { senderId: sender.id, digest };
    const state = senders.stateOf(sender.id);
    const receivedAt = now();
    let outcome: Outcome;
    try {
      const done = await untilHung(answerWithinMs, async () => {
        // While nothing can be stored, live values are evaluated and shown all the same: no read may hold them up.
        const known = storage.notStoredSince() === null ? await findAnswer(store.db, receivedAt, key) : null;
        return known ?? (await record(parts, sources, senders, { sender, message, receivedAt, origin }));
      });
      if (done instanceof Uint8Array) {
        state.repeated += 1;
        return done;
      }
      outcome = done;
    } catch (error) {
      outcome = explain(error);
    }
    state.answers[outcome.code] += 1;
    const answer = answerBytes(header, outcome, now());
    if (outcome.code !== 'AR') {
      await untilHung(keepWithinMs, () => keepAnswer(store.db, receivedAt, { ...key, answer })).catch(
        (error: unknown) => {
          log.warn({ code: error instanceof Error ? error.name : 'unknown' }, 'the answer to an HL7 message is lost');
        },
      );
    }
    return answer;
  };

  const take = async (bytes: Uint8Array, origin: Origin): Promise<Taken> => {
    const header = readHeader(bytes);
    if (header === null) {
      return { answer: answerBytes(null, notHl7, now()), isLast: true, senderId: null };
    }
    const from = fromOf(origin.address, header);
    const sender = senders.find(from);
    if (sender === null) {
      senders.noteUnknown(from, now());
      return { answer: answerBytes(header, unknownSender, now()), isLast: true, senderId: null };
    }
    const state = senders.stateOf(sender.id);
    state.lastMessageAt = now();
    const taken = (answer: Uint8Array): Taken => ({ answer, isLast: false, senderId: sender.id });
    if (header.type.code === 'ACK') {
      // Two that answer each other's answers would never end.
      return taken(new Uint8Array(0));
    }
    const parsed = parseMessage(bytes);
    const refusal = refusalOf(parsed);
    if (refusal !== null || !parsed.ok) {
      state.answers.AR += 1;
      return taken(answerBytes(header, refusal ?? unable, now()));
    }
    const digest = hash('sha256', bytes, 'base64url');
    const name = `${sender.id} ${digest}`;
    const running =
      underWay.get(name) ??
      takeOnce(sender, parsed.message, digest, origin).finally(() => {
        underWay.delete(name);
      });
    underWay.set(name, running);
    return taken(await running);
  };

  return async (bytes, origin) => {
    try {
      return await take(bytes, origin);
    } catch (error) {
      return { answer: answerBytes(null, explain(error), now()), isLast: true, senderId: null };
    }
  };
}

/** Returns why a message is refused before anything of its patients is read, or null. */
function refusalOf(parsed: ParsedMessage): Outcome | null {
  if (!parsed.ok) {
    return parsed.reason === 'charset'
      ? rejected(103, 'MSH-18 is a character set that is not read here.', { segment: 'MSH', sequence: 1, field: 18 })
      : notHl7;
  }
  const { controlId, type, processingId, version } = parsed.message.header;
  const at = (field: number) => ({ segment: 'MSH', sequence: 1, field });
  if (controlId === '') {
    return rejected(101, 'MSH-10 is empty.', at(10));
  }
  if (type.code !== 'ORU' || type.trigger !== 'R01') {
    return rejected(200, 'Only ORU^R01 is taken here.', at(9));
  }
  if (!['', 'P', 'T', 'D'].includes(processingId)) {
    return rejected(202, 'MSH-11 is not P, T or D.', at(11));
  }
  return version === '' || /^2\.[1-9]/.test(version) ? null : rejected(203, 'MSH-12 is not version 2.', at(12));
}

/** Records the values of a message and resolves with its outcome after the commit. */
async function record(
  { liveState, alerts, recorder, metrics, now }: Hl7Parts,
  sources: Sources,
  senders: Senders,
  { sender, message, receivedAt, origin }: { sender: SenderRow; message: Message; receivedAt: EpochMs; origin: Origin },
): Promise<Outcome> {
  const siteId = sender.site_id;
  // The longest message takes each of these steps tens of milliseconds: between them others have their turn.
  await turn();
  const results = readOru(message, { timeZone: alerts.timeZoneOf(siteId), receivedAt });
  await turn();
  const sorted = sortValues(results, receivedAt, (mrn) => liveState.patientByMrn(mrn, siteId));
  await turn();
  senders.noteUnmapped(sender.id, sorted.unmapped);
  const all = [...sorted.sources.values()];
  await sources.make(
    sender,
    all.filter(({ samples, refused }) => samples.length + refused.length > 0).map(({ source }) => source),
  );
  const deliveries = deliveriesOf(sender, sources, sorted, receivedAt);
  // All in one go: they share the next transaction, and each source has its own clock.
  const responses = await Promise.allSettled(
    deliveries.map((delivery) =>
      recorder.record({ ...delivery, connection: { isGone: origin.isGone }, battery: null, sentAt: undefined }),
    ),
  );
  let taken = 0;
  const refused = deliveries.flatMap((delivery) => (delivery.refused ?? []).map(({ code }) => code));
  for (const response of responses) {
    if (response.status === 'rejected') {
      throw response.reason;
    }
    const { accepted, duplicates, rejected: late } = response.value;
    taken += accepted + duplicates;
    refused.push(...late.map(({ code }) => code));
    metrics.samples.inc({ outcome: 'accepted' }, accepted);
    metrics.samples.inc({ outcome: 'duplicate' }, duplicates);
  }
  metrics.samples.inc({ outcome: 'rejected' }, refused.length);
  const withdrawn = all.flatMap((values) => {
    const device = sources.find(sender.id, values.source.key);
    return device === null ? [] : values.withdrawn.map((key) => ({ ...key, deviceId: device.id }));
  });
  if (withdrawn.length > 0) {
    await recorder.withdraw(withdrawn, now());
  }
  const isUsed = taken > 0 || all.some((values) => values.withdrawn.length > 0);
  return outcomeOf(isUsed, refused, sorted.unmapped.length);
}

/** Returns what each source delivers, and the sender itself for patients whose values are all refused. */
function deliveriesOf(
  sender: SenderRow,
  sources: Sources,
  sorted: SortedValues,
  receivedAt: EpochMs,
): Pick<Delivery, 'deviceId' | 'siteId' | 'receivedAt' | 'samples' | 'refused'>[] {
  const whole = sources.find(sender.id, wholeKey);
  if (whole === null) {
    throw new Error('An HL7 sender has no source of its own');
  }
  const refused = [...sorted.refused];
  const deliveries: ReturnType<typeof deliveriesOf> = [];
  for (const { source, samples, refused: ofSource } of sorted.sources.values()) {
    if (samples.length + ofSource.length > 0) {
      const device = sources.find(sender.id, source.key);
      if (device === null) {
        refused.push(...samples.map((sample) => ({ code: 'too_many_sources' as const, sample })), ...ofSource);
      } else {
        deliveries.push({ deviceId: device.id, siteId: sender.site_id, receivedAt, samples, refused: ofSource });
      }
    }
  }
  return refused.length === 0
    ? deliveries
    : [...deliveries, { deviceId: whole.id, siteId: sender.site_id, receivedAt, samples: [], refused }];
}

/** HL7's numbers (table 0357) for what quarantine calls by its own codes. */
const errorCodes: Partial<Record<RejectionCode, number>> = {
  identity_conflict: 204,
  no_identifier: 101,
  training: 202,
  unknown_unit: 103,
};

/** AA: some of it was used, or there was nothing to use. AE: nothing was, and why. */
function outcomeOf(isUsed: boolean, refused: readonly RejectionCode[], unmapped: number): Outcome {
  const [first] = refused;
  if (isUsed || (first === undefined && unmapped === 0)) {
    return { code: 'AA' };
  }
  return first === undefined
    ? { code: 'AE', error: { code: 103, text: 'No code of the message is known here.' } }
    : { code: 'AE', error: { code: errorCodes[first] ?? 102, text: `In quarantine: ${first}` } };
}

/**
 * Returns the frames that a sender wants. In enhanced mode (MSH-15, MSH-16) CA means safely stored, so it also waits
 * for the commit. After a refusal at the door there is no second answer.
 */
function answerBytes(header: Header | null, { code, error }: Outcome, now: EpochMs): Uint8Array {
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
        controlId: randomBytes(10).toString('hex'),
      }),
    ),
  );
}

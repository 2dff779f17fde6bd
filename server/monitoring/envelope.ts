import { z } from 'zod';
import { scrubClientReport, scrubEvent, scrubReplayEvent, type ScrubbedEvent } from '../../lib/monitoring/scrubEvent';
import { safeParse } from '../../lib/safeParse';
import { HttpError } from '../http/httpError';
import { parseDsn } from './dsn';

/** Limits of security.md 2.9 T1 and T3, in bytes. */
const longestHeader = 8_192;
const mostItems = 20;
const longestEvent = 1_048_576;

/** The part of a page's report that may be passed on. */
export interface Envelope {
  eventId: string | undefined;
  sentAt: string | undefined;
  items: Item[];
}

/** One scrubbed item: its header and its bytes as they are passed on. */
interface Item {
  type: ItemType;
  payload: Buffer;
  /** The event itself if the item is an error. */
  event: ScrubbedEvent | null;
}

/** The kinds of items, the most important first. If there are too many, the last ones are dropped. */
export const itemTypes = ['event', 'client_report', 'transaction', 'replay_event', 'replay_recording'] as const;
type ItemType = (typeof itemTypes)[number];

const envelopeHeader = z.object({
  event_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  sent_at: z.iso.datetime().optional(),
  dsn: z.string().max(500).optional(),
  trace: z.object({ public_key: z.string().max(100) }).optional(),
});
const itemHeader = z.object({ type: z.string().max(40), length: z.int().nonnegative().optional() });
const jsonObject = z.record(z.string(), z.unknown());

const malformed = (): HttpError =>
  new HttpError(400, 'malformed_envelope', 'This is not an envelope of error reports.');
const foreign = (): HttpError =>
  new HttpError(403, 'other_receiver', 'This server passes reports to its own receiver only.');

/**
 * Returns what may be kept or passed on of an envelope: items of known kinds, each through the allow-list of
 * `lib/monitoring/scrubEvent`; others are dropped. `dsn` is the server's own. If it is null nothing is passed on, so
 * the receiver that the envelope names does not matter. Throws 400 if the bytes are no envelope, 403 if it names
 * another receiver, and 413 if it is too long.
 */
export function parseEnvelope(bytes: Buffer, dsn: URL | null): Envelope {
  const first = lineAt(bytes, 0);
  if (first.line.length > longestHeader) {
    throw new HttpError(413, 'body_too_large', 'The header of the envelope is too long.');
  }
  const header = parse(envelopeHeader, first.line);
  if (dsn !== null) {
    checkReceiver(header, dsn);
  }
  const items: Item[] = [];
  let count = 0;
  for (let at = first.next; at < bytes.length;) {
    const head = lineAt(bytes, at);
    at = head.next;
    if (head.line.length === 0) {
      continue;
    }
    count += 1;
    if (count > mostItems || head.line.length > longestHeader) {
      throw new HttpError(413, 'body_too_large', `An envelope holds at most ${mostItems} items.`);
    }
    const { type, length } = parse(itemHeader, head.line);
    const end = length === undefined ? lineAt(bytes, at).end : at + length;
    if (end > bytes.length) {
      throw malformed();
    }
    const item = scrubItem(type, bytes.subarray(at, end));
    if (item !== null) {
      items.push(item);
    }
    at = end + 1;
  }
  return { eventId: header.event_id, sentAt: header.sent_at, items };
}

/** Returns the bytes that are passed on. They are written again, so that nothing else of the input goes out. */
export function writeEnvelope({ eventId, sentAt, items }: Envelope): Buffer {
  const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  return Buffer.concat([
    line({ event_id: eventId, sent_at: sentAt }),
    ...items.flatMap(({ type, payload }) => [line({ type, length: payload.length }), payload, Buffer.from('\n')]),
  ]);
}

/** Throws unless the envelope names our receiver, by its DSN or by the public key of its trace. */
function checkReceiver({ dsn, trace }: z.infer<typeof envelopeHeader>, ours: URL): void {
  const isOurs = dsn === undefined ? trace?.public_key === ours.username : parseDsn(dsn)?.href === ours.href;
  if (!isOurs) {
    throw foreign();
  }
}

function scrubItem(name: string, payload: Buffer): Item | null {
  const type = itemTypes.find((known) => known === name);
  switch (type) {
    case undefined:
      return null;
    case 'event':
    case 'transaction': {
      if (payload.length > longestEvent) {
        throw new HttpError(413, 'body_too_large', 'An event is at most 1 MiB.');
      }
      const event = scrubEvent(parse(jsonObject, payload));
      // A visit to an address that does not exist is not worth a report.
      if (type === 'transaction' && event.transaction === '/404') {
        return null;
      }
      return { type, payload: Buffer.from(JSON.stringify(event)), event: type === 'event' ? event : null };
    }
    case 'replay_event':
      return { type, payload: Buffer.from(JSON.stringify(scrubReplayEvent(parse(jsonObject, payload)))), event: null };
    case 'client_report':
      return { type, payload: Buffer.from(JSON.stringify(scrubClientReport(parse(jsonObject, payload)))), event: null };
    case 'replay_recording':
      // The page masks recordings: they hold no text and no media. Our own worker compresses them and removes the query
      // from their addresses. A recording that did not pass through that worker is dropped.
      return isCompressed(payload) ? { type, payload, event: null } : null;
    default:
      return type satisfies never;
  }
}

/** Returns whether a recording is compressed: a line of JSON with its number, then a zlib stream. */
function isCompressed(payload: Buffer): boolean {
  return (
    /^\{"segment_id":\d{1,9}\}$/.test(lineAt(payload, 0).line.toString('latin1')) &&
    payload[lineAt(payload, 0).next] === 0x78
  );
}

function lineAt(bytes: Buffer, start: number): { line: Buffer; end: number; next: number } {
  const found = bytes.indexOf(10, start);
  const end = found === -1 ? bytes.length : found;
  return { line: bytes.subarray(start, end), end, next: end + 1 };
}

function parse<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed();
  }
  const parsed = safeParse(schema, value);
  if (!parsed.success) {
    throw malformed();
  }
  return parsed.data;
}

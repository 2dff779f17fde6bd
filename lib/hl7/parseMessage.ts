import { asciiBytes, charsetOf, multiByteSets, type Charset } from './charset';
import { unescapeText } from './escapes';
import { readDelimiters, type Delimiters, type Header } from './header';

/** One line of a message. */
export interface Segment {
  /** Three capitals or digits, such as OBX; null if the line is no segment (a tail, or damage). */
  name: string | null;
  /** The line's number in the message, from 1; empty lines count. */
  line: number;
  /** The fields as they were sent, by HL7's numbers: `fields[3]` is OBX-3. `fields[0]` is the name. */
  fields: readonly string[];
}

/** A message with its structure read and its values not judged. */
export interface Message {
  header: Header;
  charset: Charset;
  /** In order, with MSH first and the lines that are no segments. */
  segments: readonly Segment[];
}

/**
 * A value at its place: undefined if the message ends before it, '' if it is empty ("not said"), null if it is `""`
 * ("explicitly nothing").
 */
export type FieldText = string | null | undefined;

export type ParsedMessage =
  | { ok: true; message: Message }
  /**
   * The header is there if it could be read, for the answer. Without the character set, which is null if the bytes are
   * not of it, its texts are ASCII, with U+FFFD for all else.
   */
  | {
      ok: false;
      reason: 'not_hl7' | 'delimiters' | 'charset' | 'two_messages';
      header: Header | null;
      charset: Charset | null;
    };

/**
 * Parses the bytes of one frame. Takes CR, LF and CRLF between segments, leaves escapes in `fields` and never throws.
 * Time and memory are linear in the bytes. Refuses:
 * - `not_hl7`: it does not begin with MSH;
 * - `delimiters`: MSH-1 and MSH-2 are not different signs;
 * - `charset`: MSH-18 names a set that we do not read, or the bytes are not of it: any name would be a guess;
 * - `two_messages`: a second MSH: the end of a frame was lost, and one patient's values would be the other's.
 *
 * `unsaid` is the character set where MSH-18 is empty; '': UTF-8.
 */
export function parseMessage(bytes: Uint8Array, unsaid = ''): ParsedMessage {
  const ascii = asciiHeader(bytes);
  const read = ascii === null ? null : readDelimiters(ascii);
  if (ascii === null || read === null) {
    return { ok: false, reason: ascii === null ? 'not_hl7' : 'delimiters', header: null, charset: null };
  }
  const { delimiters, encodingCharacters } = read;
  const charset = charsetIn(bytes, ascii, delimiters, unsaid);
  // Decoded before it is split: in the sets of Asia a part of a character may look like a separator.
  const text = charset?.decode(bytes) ?? '';
  if (charset === null || charset.isMisread(text)) {
    const header = headerOf(headerFields(ascii, delimiters), delimiters, encodingCharacters, charsetOf([]));
    return { ok: false, reason: 'charset', header, charset: null };
  }
  const segments: Segment[] = [];
  text.split(/\r\n|\r|\n/).forEach((line, index) => {
    if (line !== '') {
      segments.push(readSegment(line, index + 1, delimiters));
    }
  });
  const [first, ...others] = segments;
  const header = headerOf(first?.fields ?? [], delimiters, encodingCharacters, charset);
  return others.some(({ name }) => name === 'MSH')
    ? { ok: false, reason: 'two_messages', header, charset }
    : { ok: true, message: { header, charset, segments } };
}

/** So many sets a message may name: a stranger's header costs no more. */
const mostNames = 8;

/**
 * Returns the character set that MSH-18 names, else `unsaid`, or null: one that we do not read. `ascii` is the line of
 * MSH.
 */
function charsetIn(bytes: Uint8Array, ascii: string, delimiters: Delimiters, unsaid: string): Charset | null {
  const namedIn = (line: string): Charset | null => {
    const sent = headerFields(line, delimiters)[18]?.split(delimiters.repetition, mostNames) ?? [];
    const names = sent.map((name) => textIn(name, {}, delimiters, null) ?? '');
    return charsetOf(names.some((name) => name.trim() !== '') ? names : [unsaid]);
  };
  if (!ascii.includes('\ufffd') && !ascii.includes('\u001b')) {
    return namedIn(ascii);
  }
  // A name before MSH-18 may hold what looks like a separator: then MSH-18 is where its own set finds it.
  return multiByteSets.find((set) => namedIn(set.decode(firstLine(bytes))) === set) ?? namedIn(ascii);
}

/** Returns the header that `parseMessage` would return, in time linear in that line: a stranger costs no more. */
export function readHeader(bytes: Uint8Array): Header | null {
  const parsed = parseMessage(firstLine(bytes));
  return parsed.ok ? parsed.message.header : parsed.header;
}

/** Returns the bytes of the first line that is not empty. */
function firstLine(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (bytes[from] === 0x0d || bytes[from] === 0x0a) {
    from += 1;
  }
  let to = from;
  while (to < bytes.length && bytes[to] !== 0x0d && bytes[to] !== 0x0a) {
    to += 1;
  }
  return bytes.subarray(from, to);
}

/** Returns the first line that is not empty if it begins with MSH, its bytes above ASCII as U+FFFD; otherwise null. */
function asciiHeader(bytes: Uint8Array): string | null {
  const line = asciiBytes(firstLine(bytes));
  return line.startsWith('MSH') ? line : null;
}

/** Returns the fields of MSH by HL7's numbers, in which the separator itself is MSH-1. */
function headerFields(line: string, { field }: Delimiters): string[] {
  const [name = '', ...fields] = line.split(field);
  return [name, field, ...fields];
}

function readSegment(text: string, line: number, delimiters: Delimiters): Segment {
  const isNamed = /^[A-Z][A-Z0-9]{2}/.test(text) && (text.length === 3 || text[3] === delimiters.field);
  if (!isNamed) {
    return { name: null, line, fields: [text] };
  }
  const name = text.slice(0, 3);
  return { name, line, fields: name === 'MSH' ? headerFields(text, delimiters) : text.split(delimiters.field) };
}

function headerPart(
  fields: readonly string[],
  number: number,
  component: number,
  delimiters: Delimiters,
  charset: Charset | null,
): string {
  return textIn(fields[number], { component }, delimiters, charset)?.trim() ?? '';
}

function headerOf(
  fields: readonly string[],
  delimiters: Delimiters,
  encodingCharacters: string,
  charset: Charset | null,
): Header {
  const part = (number: number, component = 1): string => headerPart(fields, number, component, delimiters, charset);
  const asSent = (number: number): string => {
    const text = fields[number] ?? '';
    return text === '""' || text.trim() === '' ? '' : text;
  };
  // MSH-3 to MSH-6 are whole: who sends is recognised by all that it says of itself.
  const whole = (number: number): string => asSent(number).trim();
  return {
    delimiters,
    encodingCharacters,
    sendingApplication: whole(3),
    sendingFacility: whole(4),
    receivingApplication: whole(5),
    receivingFacility: whole(6),
    time: part(7),
    type: { code: part(9), trigger: part(9, 2) },
    controlId: asSent(10),
    processingId: part(11),
    version: part(12),
    acceptAck: part(15),
    applicationAck: part(16),
  };
}

interface Place {
  /** Each counts from 1 and is 1 if it is not given. */
  repetition?: number;
  component?: number;
  subcomponent?: number;
}

/**
 * Returns the part of a text with this number, from 1; undefined if it has fewer. A line is asked for dozens of parts:
 * to make lists of them would take longer than all else.
 */
function partOf(text: string | undefined, separator: string, number: number): string | undefined {
  let from = 0;
  for (let left = number; left > 1; left -= 1) {
    const next = text?.indexOf(separator, from) ?? -1;
    if (next === -1) {
      return undefined;
    }
    from = next + separator.length;
  }
  const end = text?.indexOf(separator, from) ?? -1;
  return end === -1 ? text?.slice(from) : text?.slice(from, end);
}

function textIn(
  raw: string | undefined,
  { repetition = 1, component = 1, subcomponent = 1 }: Place,
  delimiters: Delimiters,
  charset: Charset | null,
): FieldText {
  // `""` of a whole field clears each of its parts.
  if (raw === '""') {
    return null;
  }
  const { repetition: between, component: within, subcomponent: inside } = delimiters;
  const text = partOf(partOf(partOf(raw, between, repetition), within, component), inside, subcomponent);
  if (text === undefined || text === '""') {
    return text === undefined ? undefined : null;
  }
  return charset === null ? text : unescapeText(text, delimiters, charset);
}

/** Returns the value at a place of a field, without escapes: `textAt(message, pid, 5, { component: 2 })` is PID-5.2. */
export function textAt(message: Message, segment: Segment, field: number, place: Place = {}): FieldText {
  return textIn(segment.fields[field], place, message.header.delimiters, message.charset);
}

/** Returns what `textAt` returns for each of the first components of a field, at most `most`, in one go. */
export function componentsAt(message: Message, segment: Segment, field: number, most: number): FieldText[] {
  const { charset, header } = message;
  const { repetition, component } = header.delimiters;
  const parts = partOf(segment.fields[field], repetition, 1)?.split(component, most) ?? [];
  return parts.map((part) => textIn(part, {}, header.delimiters, charset));
}

/** Returns the components of each repetition of a field, without escapes; null is `""`. An empty field has none. */
export function repetitionsAt(message: Message, segment: Segment, field: number): (string | null)[][] {
  const raw = segment.fields[field] ?? '';
  if (raw === '' || raw === '""') {
    return [];
  }
  const { delimiters } = message.header;
  return raw
    .split(delimiters.repetition)
    .map((repetition) =>
      repetition
        .split(delimiters.component)
        .map((text) => (text === '""' ? null : unescapeText(text, delimiters, message.charset))),
    );
}

import type { EpochMs } from '../time/epochMs';
import { utf8 } from './charset';
import { escapeText, unescapeText } from './escapes';
import { formatDtm } from './formatDtm';
import { readDelimiters, usualDelimiters, type Header } from './header';

/** MSA-1: of the application (AA, AE, AR), or that the message is safely stored (CA, CE, CR). */
export const ackCodes = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'] as const;
export type AckCode = (typeof ackCodes)[number];

/** What was wrong, as ERR says it. */
export interface AckError {
  /** HL7's table 0357: 101 a field is missing, 204 unknown key, 207 the server's own fault ... */
  code: number;
  text: string;
  /** Numbers count from 1. */
  location?: { segment: string; sequence?: number; field?: number };
  /** Of table 0516: an error unless it is said to be a warning. */
  severity?: 'E' | 'W';
}

/** Of ASCII, UTF-8 makes the same bytes. */
const ascii = new TextEncoder();

interface Acknowledgement {
  /** That of the message, or null if it could not be read. */
  header: Header | null;
  code: AckCode;
  text?: string;
  error?: AckError;
  now: EpochMs;
  /** Of the answer itself. */
  controlId: string;
}

/**
 * Returns the answer to a message as one frame of bytes, in the version and the delimiters of its sender. It is ASCII,
 * which each character set holds, so MSH-18 is empty; any other character is "?". Its own time is in UTC with the
 * offset. ERR holds the error in ERR-1 up to version 2.4, which has no severities and so no warnings, and in ERR-2 to
 * ERR-4 after that. Every text is escaped, but for MSH-10 of the message, which MSA-2 repeats. Without a header it is
 * plain: version 2.5.1, usual delimiters.
 */
export function acknowledge({ header, code, text, error, now, controlId }: Acknowledgement): Uint8Array {
  const delimiters = header?.delimiters ?? usualDelimiters;
  const write = (value: string): string => escapeText(value, delimiters);
  const version = header?.version || '2.5.1';
  const segment = (...fields: string[]): string => `${fields.join(delimiters.field)}\r`;
  const content =
    segment(
      'MSH',
      header?.encodingCharacters ?? '^~\\&',
      // These have their escapes and components already.
      withoutControls(header?.receivingApplication ?? ''),
      withoutControls(header?.receivingFacility ?? ''),
      withoutControls(header?.sendingApplication ?? ''),
      withoutControls(header?.sendingFacility ?? ''),
      formatDtm(now),
      '',
      typeOf(version, header?.type.trigger ?? '')
        .map(write)
        .join(delimiters.component),
      write(controlId),
      write(header?.processingId || 'P'),
      write(version),
    ) +
    segment('MSA', code, withoutControls(header?.controlId ?? ''), write(text ?? '')) +
    (error === undefined || (error.severity === 'W' && versionNumber(version) <= 24)
      ? ''
      : segment('ERR', ...errorFields(error, version, delimiters, write)));
  return ascii.encode(`\u000b${content.replaceAll(/[\u0080-\u{10ffff}]/gu, '?')}\u001c\r`);
}

function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}

/** Returns 25 for "2.5.1", so that versions can be compared, and 25 for what is no version. */
function versionNumber(version: string): number {
  const match = /^2\.(\d)/.exec(version);
  return match === null ? 25 : 20 + Number(match[1]);
}

/** MSH-9: ACK, since 2.3.1 with the trigger, since 2.4 with the structure. */
function typeOf(version: string, trigger: string): string[] {
  if (trigger === '' || version === '2.3' || versionNumber(version) < 23) {
    return ['ACK'];
  }
  return versionNumber(version) < 24 ? ['ACK', trigger] : ['ACK', trigger, 'ACK'];
}

function errorFields(
  { code, text, location, severity = 'E' }: AckError,
  version: string,
  { component, subcomponent }: { component: string; subcomponent: string },
  write: (value: string) => string,
): string[] {
  const place = [location?.segment ?? '', String(location?.sequence ?? ''), String(location?.field ?? '')].map(write);
  const coded = [String(code), text, 'HL70357'].map(write);
  return versionNumber(version) <= 24
    ? [[...place, coded.join(subcomponent)].join(component)]
    : ['', location === undefined ? '' : place.join(component), coded.join(component), severity];
}

/**
 * Returns whether the sender wants this answer. With MSH-15 and MSH-16 both empty, and without a header, it wants the
 * application's. Otherwise MSH-15 says it of CA, CE and CR, and MSH-16 of AA, AE and AR: AL always, NE never (as does
 * an empty one beside the other), ER only errors, SU only success. An unknown word is read as AL: an answer too many
 * does less harm than a sender that waits.
 */
export function isWanted(header: Header | null, code: AckCode): boolean {
  const isAccept = code.startsWith('C');
  if (header === null || (header.acceptAck === '' && header.applicationAck === '')) {
    return !isAccept;
  }
  const isSuccess = code.endsWith('A');
  switch (isAccept ? header.acceptAck : header.applicationAck) {
    case '':
    case 'NE':
      return false;
    case 'ER':
      return !isSuccess;
    case 'SU':
      return isSuccess;
    default:
      return true;
  }
}

/**
 * Returns the code of an answer, the MSH-10 that it answers, as it was sent, and its text; null: it is no answer.
 * Its character set does not matter: code and MSH-10 are ASCII.
 */
export function readAcknowledgement(bytes: Uint8Array): { code: AckCode; controlId: string; text: string } | null {
  const message = utf8.decode(bytes).trimStart();
  const delimiters = readDelimiters(message)?.delimiters ?? usualDelimiters;
  const lines = message.split(/\r\n|\r|\n/).map((line) => line.split(delimiters.field));
  const [, code = '', controlId = '', text = ''] = lines.find(([name]) => name === 'MSA') ?? [];
  const known = ackCodes.find((one) => one === code.trim());
  return known === undefined ? null : { code: known, controlId, text: unescapeText(text, delimiters, utf8).trim() };
}

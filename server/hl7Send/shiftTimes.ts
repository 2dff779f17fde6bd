import { asciiBytes } from '../../lib/hl7/charset';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { parseTime, type SiteTime } from '../../lib/hl7/parseTime';
import { zoneOf } from '../../lib/hl7/readOru';
import type { EpochMs } from '../../lib/time/epochMs';
import { createSiteInstant } from '../../lib/time/siteInstant';

/** The fields that say when something was measured, charted or sent. Birth dates are none of them. */
const timeFields = new Map<string, readonly number[]>([
  ['MSH', [7]],
  ['EVN', [2, 6]],
  ['OBR', [7, 8, 14, 22]],
  ['OBX', [14, 19]],
]);

/**
 * Calls `change` with each time of a message and returns the message with the texts that it returns, which are as long.
 * One without a zone has that of MSH-7 meanwhile. All other bytes stay: a part of a character that looks like a
 * separator is none.
 */
function mapTimes(bytes: Uint8Array, change: (text: string, segment: string) => string): Uint8Array {
  const parsed = parseMessage(bytes);
  const { header, charset } = parsed.ok ? parsed.message : parsed;
  if (header === null) {
    return bytes;
  }
  const { field, component } = header.delimiters;
  const zone = zoneOf(header.time) ?? '';
  const text = charset?.asciiIn?.(bytes) ?? asciiBytes(bytes);
  const changed = bytes.slice();
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const name = line.slice(0, 3);
    // MSH-1 is the separator itself, so that MSH-7 is the sixth after the name.
    const places = (timeFields.get(name) ?? []).map((number) => (name === 'MSH' ? number - 1 : number));
    const fields = places.length === 0 ? [] : line.split(field);
    for (const place of places) {
      const [time = ''] = fields[place]?.split(component) ?? [];
      if (time !== '') {
        const known = /[+-]/.test(time) ? time : time + zone;
        const next = change(known, name);
        if (next !== known) {
          const at = index + fields.slice(0, place).join(field).length + field.length;
          changed.set(Buffer.from(next.slice(0, time.length), 'latin1'), at);
        }
      }
    }
  }
  return changed;
}

/**
 * Returns when a message is from: its first OBR time, else that of MSH, else null. Messages of a recording are sent at
 * the distances of these.
 */
export function timeOf(bytes: Uint8Array, site: SiteTime): EpochMs | null {
  const found = new Map<string, EpochMs>();
  mapTimes(bytes, (text, segment) => {
    const at = parseTime(text, site);
    if (at !== null && !found.has(segment)) {
      found.set(segment, at);
    }
    return text;
  });
  return found.get('OBR') ?? found.get('MSH') ?? null;
}

/**
 * Returns the message with all its times moved by `shiftMs`, as precise and with the same offset from UTC as they
 * were. Times without an offset are those of the zone's clocks, before and after. What is no instant stays, and so does
 * what would be after 9999.
 */
export function shiftTimes(bytes: Uint8Array, shiftMs: number, site: SiteTime): Uint8Array {
  const write = createSiteInstant(site.timeZone);
  const writeUtc = createSiteInstant('UTC');
  return mapTimes(bytes, (text) => {
    const at = parseTime(text, site);
    if (at === null) {
      return text;
    }
    const [, digits = '', fraction = '', offset = ''] = /^(\d+)(\.\d+)?([+-]\d{4})?$/.exec(text) ?? [];
    const offsetMs = offset === '' ? 0 : parseOffset(offset);
    const iso = offset === '' ? write(at + shiftMs) : writeUtc(at + shiftMs + offsetMs);
    const wall = iso.slice(0, 19).replaceAll(/[-T:]/g, '').slice(0, digits.length);
    const part = fraction === '' ? '' : `.${iso.slice(20, 23).padEnd(9, '0')}`.slice(0, fraction.length);
    return /^\d+$/.test(wall) ? wall + part + offset : text;
  });
}

function parseOffset(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

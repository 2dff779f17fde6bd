import { hash } from 'node:crypto';
import type { Observation } from '../../lib/hl7/readOru';
import { toPlainLine } from '../../lib/plainText';

/** A source of a sender: what measured a value, as far as the message says. */
export interface Source {
  key: string;
  /** What screens call it. */
  name: string;
}

/** The key of the source that is the sender itself: what is refused as a whole is listed under it. */
export const wholeKey = '';
const longestKey = 200;
const longestName = 60;

/**
 * Returns the source of a value: a device (OBX-18), else a bed, and there a code with its sub-id (OBX-4). The code is
 * part of it also beside a sub-id: Philips writes the sub-id 0 for everything, and SpO2 of two probes would be one
 * source that corrects itself.
 */
export function sourceOf({ deviceId, code, subId }: Observation, bed: string | null): Source {
  const place = deviceId ?? bed ?? '';
  const key = toPlainLine(JSON.stringify([place, code.system, code.id, subId]));
  const [device = ''] = (deviceId ?? '').split('^');
  const shownPlace = deviceId === null ? placeText(bed ?? '') : device;
  const probe = /^\w{1,8}$/.test(subId) && subId !== '0' ? subId : '';
  const words = [shownPlace, code.text === '' ? code.id : code.text, probe];
  return {
    // Texts of any length come in, and the key is in an index.
    key: key.length > longestKey ? hash('sha256', key, 'base64url') : key,
    name: cut(toPlainLine(words.filter((word) => word !== '').join(' ')).trim()),
  };
}

/** Returns "ICU/PCU iDemo1" of PV1-3 "ICU/PCU^^iDemo1&0&0". */
function placeText(bed: string): string {
  return bed
    .split(/[\^&~]/)
    .filter((part) => part !== '' && part !== '0' && part !== '""')
    .join(' ');
}

/** A character that the cut would halve is left out whole. */
function cut(name: string): string {
  const text = name.slice(0, longestName).replace(/[\uD800-\uDBFF]$/, '');
  return text === '' ? 'HL7 source' : text;
}

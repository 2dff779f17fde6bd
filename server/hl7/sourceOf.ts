import { hash } from 'node:crypto';
import type { Code } from '../../lib/hl7/codes';
import type { Observation, OruResult } from '../../lib/hl7/readOru';
import { toPlainLine } from '../../lib/plainText';

/** A source of a sender: what measured a value, as far as the message says. */
export interface Source {
  key: string;
  /** Returns what screens call it. Nearly all sources have it on record. */
  nameOf: () => string;
  /** The bed by which alone its values find their patient. */
  bed?: string | null;
  /** The mapping by which that bed is one of ours. */
  bedMappingId?: number | null;
  /** The mapping by which its code means something here. */
  codeMappingId?: number | null;
  /** Returns the key that it has by other mappings of its bed and code; undefined: it has come by none. */
  keyBy?: (bedMappingId: number | null, codeMappingId: number | null) => string;
}

/** The key of the source that is the sender itself: what is refused as a whole is listed under it. */
export const wholeKey = '';
export const wholeSource: Source = { key: wholeKey, nameOf: () => '' };
const longestKey = 200;
const longestName = 60;

/** The keys of sources whose values are a patient's by the bed alone begin so. */
const byBed = 'bed ';
/** The keys of monitors begin so. */
const ofMonitor = 'monitor ';
/** The keys of what is read again from kept messages begin so. */
const ofEarlier = 'earlier ';

/**
 * Returns the source of a value: a device (OBX-18), else a bed, and there a code with its sub-id (OBX-4). The code is
 * part of it also beside a sub-id: Philips writes the sub-id 0 for everything, and SpO2 of two probes would be one
 * source that corrects itself. What names no patient has a source of its own for each mapping of its bed, and so has
 * what came by each mapping of a code: where the bed or a mapping was wrong, that is what was wrong.
 */
export function sourceOf(
  { deviceId, code, subId }: Pick<Observation, 'deviceId' | 'code' | 'subId'>,
  {
    bed,
    patient,
    bedMappingId,
    codeMappingId,
  }: SourcePlace & { bedMappingId: number | null; codeMappingId: number | null },
): Source {
  const place = deviceId ?? bed ?? '';
  const keyBy = (ofBed: number | null, ofCode: number | null): string => {
    const parts = [place, code.system, code.id, subId, ...(ofCode === null ? [] : [`mapping ${ofCode}`])];
    const text = toPlainLine(JSON.stringify(patient.hasIdentifier ? parts : [...parts, bed, ofBed]));
    return patient.hasIdentifier ? shortKey(text) : `${byBed}${shortKey(text)}`;
  };
  return {
    key: keyBy(bedMappingId, codeMappingId),
    nameOf: () => {
      const [device = ''] = (deviceId ?? '').split('^');
      const shownPlace = deviceId === null ? placeText(bed ?? '') : device;
      const probe = /^\w{1,8}$/.test(subId) && subId !== '0' ? subId : '';
      const words = [shownPlace, code.text === '' ? code.id : code.text, probe, patient.hasIdentifier ? '' : 'by bed'];
      return cut(toPlainLine(words.filter((word) => word !== '').join(' ')).trim());
    },
    bed: patient.hasIdentifier ? null : bed,
    bedMappingId: patient.hasIdentifier ? null : bedMappingId,
    codeMappingId,
    keyBy,
  };
}

/**
 * Returns the test whether a key is that of a source with this code at a place (a device, else a bed), whatever its
 * sub-id. One that was too long to be kept as it is says nothing: false.
 */
export function keyTest(place: string, { system, id }: Pick<Code, 'system' | 'id'>): (key: string) => boolean {
  const beginning = toPlainLine(`${JSON.stringify([place, system, id]).slice(0, -1)},`);
  return (key) => key.startsWith(beginning) || key.startsWith(`${byBed}${beginning}`);
}

/**
 * Returns the source that is the monitor of a bed as a whole, so that what is said of whose values it sends is said
 * once and not of each probe. Where the bed is not known for sure that is the sender: damage would make beds without
 * end.
 */
export function monitorOf({ bed, patient, observations }: MonitorPlace): Source {
  const [first] = observations;
  const place = bed ?? first?.deviceId ?? '';
  if (!patient.isReadable || place === '') {
    return wholeSource;
  }
  return {
    key: `${ofMonitor}${shortKey(toPlainLine(place))}`,
    nameOf: () => {
      const [device = ''] = place.split('^');
      const shown = toPlainLine(bed === null ? device : placeText(bed)).trim();
      return cut(`Monitor ${shown}`.trim());
    },
  };
}

/** Returns whether a key is that of a monitor and not of a probe. */
export function isMonitor(key: string): boolean {
  return key.startsWith(ofMonitor);
}

/**
 * Returns the source of what a source sent before its code was mapped or its bed released, and is read again from the
 * kept messages. It is another source: it has no running clock, and its values are never current.
 */
export function earlierOf(source: Source): Source {
  return {
    ...source,
    key: `${ofEarlier}${source.key}`,
    nameOf: () => `${cut(source.nameOf(), longestName - 9)} (before)`,
  };
}

/** Returns whether a key is that of a source whose values are read again. */
export function isEarlier(key: string | null | undefined): boolean {
  return key?.startsWith(ofEarlier) === true;
}

interface MonitorPlace extends Pick<OruResult, 'bed'> {
  patient: Pick<OruResult['patient'], 'isReadable'>;
  observations: readonly Pick<Observation, 'deviceId'>[];
}

/** Texts of any length come in, and the key is in an index. */
function shortKey(text: string): string {
  return text.length > longestKey ? hash('sha256', text, 'base64url') : text;
}

/** What a source takes of the patient's part of a message. */
type SourcePlace = Pick<OruResult, 'bed'> & { patient: Pick<OruResult['patient'], 'hasIdentifier'> };

/** Returns "ICU/PCU iDemo1" of PV1-3 "ICU/PCU^^iDemo1&0&0". */
function placeText(bed: string): string {
  return bed
    .split(/[\^&~]/)
    .filter((part) => part !== '' && part !== '0' && part !== '""')
    .join(' ');
}

/** A character that the cut would halve is left out whole. */
function cut(name: string, longest = longestName): string {
  const text = name.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return text === '' ? 'HL7 source' : text;
}

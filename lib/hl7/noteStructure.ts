import { toPlainLine } from '../plainText';
import { codeRow, isSomeTemperature, labelOf, sentAs, unitOf, type Code } from './codes';
import type { Message } from './parseMessage';
import { zoneOf, type Observation, type OruResult } from './readOru';
import type { SeenStructure } from './seenStructure';
import { longestAnswer, longestAuthority, longestCode, longestUnit } from './senderSettings';

/** So many messages of a sender are looked at. */
export const mostSeen = 200;
/** So many forms of each kind are counted. */
const mostForms = 30;

/**
 * Adds what a message looks like to `seen`, while it is among the first. `read`: what `readOru` says of it. `asked`: of
 * that what two people have to be asked about, which is added at any time.
 */
export function noteStructure(
  seen: SeenStructure,
  { header, segments }: Message,
  read: readonly OruResult[],
  asked: readonly Observation[] = [],
): void {
  const isFirst = seen.messages < mostSeen;
  for (const observation of isFirst ? read.flatMap((one) => one.observations) : asked) {
    noteCode(seen, observation);
  }
  if (!isFirst) {
    return;
  }
  seen.messages += 1;
  const zone = zoneOf(header.time.trim());
  note(seen.zones, zone === null ? null : { zone });
  const charset = segments[0]?.fields[18]?.trim() ?? '';
  note(seen.charsets, /^[\w .~/-]{0,40}$/.test(charset) ? { charset } : null);
  const isDamaged = segments.some(({ fields }) => fields.some((text) => text.includes('\ufffd')));
  seen.notUtf8 += charset === '' && isDamaged ? 1 : 0;
  const { people } = seen;
  for (const { patient, bed } of read.filter((one) => one.patient.isReadable)) {
    people.all += 1;
    people.familyNames += patient.familyName === null ? 0 : 1;
    people.givenNames += patient.givenName === null ? 0 : 1;
    people.birthDates += patient.birthDate === null ? 0 : 1;
    for (const { type, authorities, field } of patient.identifiers) {
      const [authority = ''] = authorities;
      const isShown = isPlain(type, longestAnswer) && isPlain(authority, longestAuthority);
      const number: { type: string; authority: string; field: number } = {
        ...{ type: type.normalize('NFC'), authority: authority.normalize('NFC'), field },
      };
      note(seen.identifiers, isShown ? number : null);
    }
    note(seen.beds, bed === null ? null : { shape: shapeOf(bed) });
  }
  const lines = segments.filter(({ name }) => name === 'OBX');
  seen.withoutStatus += lines.length > 0 && lines.every(({ fields }) => (fields[11] ?? '').trim() === '') ? 1 : 0;
}

/** Counts the code of a value with its unit. Where the unit has to be asked about, it has room of its own. */
function noteCode(seen: SeenStructure, { code, unit, subId }: Observation): void {
  const [sent, triplet, row, label] = [sentAs(unit), shownTriplet(code), codeRow(code), labelOf(code)];
  const most = row !== null && unitOf(row, unit) === null ? 2 * mostForms : mostForms;
  const isShown = triplet !== null && isPlain(sent, longestUnit);
  note(seen.codes, isShown ? { ...triplet, unit: sent, isKnown: row !== null } : null, most);
  note(seen.texts, label === null ? null : shownTriplet(label));
  note(seen.temperatures, isSomeTemperature(code) && isPlain(subId, longestAnswer) ? { subId } : null);
}

const shownTriplet = ({ id, text, system }: Code) =>
  [id, text, system].every((one) => isPlain(one, longestCode)) ? { id, text, system } : null;

const isPlain = (text: string, longest: number): boolean =>
  text.length <= longest && toPlainLine(text) === text && !text.includes('\ufffd');

/** Counts a form; null: it cannot be shown. */
function note<Form extends Record<string, string | number | boolean>>(
  forms: (Form & { count: number })[],
  form: Form | null,
  most = mostForms,
): void {
  if (form === null) {
    return;
  }
  const known = forms.find((one) => Object.entries(form).every(([key, value]) => one[key] === value));
  if (known !== undefined) {
    known.count += 1;
  } else if (forms.length < most) {
    forms.push({ ...form, count: 1 });
  }
}

/** Returns what a bed looks like, without its name and number. */
const shapeOf = (bed: string): string =>
  bed
    .slice(0, longestCode)
    .replaceAll(/[\p{L}\p{M}]+/gu, 'a')
    .replaceAll(/\p{N}+/gu, '9')
    .replaceAll(/[^ -~]/g, '\ufffd');

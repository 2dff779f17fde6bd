import { toPlainLine } from '../plainText';
import { codeRow, isSilent, isSomeTemperature } from './codes';
import type { Message } from './parseMessage';
import { zoneOf, type OruResult } from './readOru';
import type { SeenStructure } from './seenStructure';
import { longestAnswer, longestAuthority, longestCode } from './senderSettings';

/** So many messages of a sender are looked at. */
export const mostSeen = 200;
/** So many forms of each kind are counted. */
const mostForms = 30;

/** Adds what a message looks like to `seen`, while it is among the first. `read`: what `readOru` says of it. */
export function noteStructure(seen: SeenStructure, { header, segments }: Message, read: readonly OruResult[]): void {
  if (seen.messages >= mostSeen) {
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
  const observations = read.flatMap((one) => one.observations);
  for (const { code, unit, subId } of observations) {
    const { id, text, system } = code;
    const sentUnit = isSilent(unit) ? '' : [unit.id, unit.text, unit.system].join('^').replace(/\^+$/, '');
    const isShown = [id, text, system, sentUnit].every((one) => isPlain(one, longestCode));
    note(seen.codes, isShown ? { id, text, system, unit: sentUnit, isKnown: codeRow(code) !== null } : null);
    note(seen.temperatures, isSomeTemperature(code) && isPlain(subId, longestAnswer) ? { subId } : null);
  }
  const lines = segments.filter(({ name }) => name === 'OBX');
  seen.withoutStatus += lines.length > 0 && lines.every(({ fields }) => (fields[11] ?? '').trim() === '') ? 1 : 0;
}

const isPlain = (text: string, longest: number): boolean =>
  text.length <= longest && toPlainLine(text) === text && !text.includes('\ufffd');

/** Counts a form; null: it cannot be shown. */
function note<Form extends Record<string, string | number | boolean>>(
  forms: (Form & { count: number })[],
  form: Form | null,
): void {
  if (form === null) {
    return;
  }
  const known = forms.find((one) => Object.entries(form).every(([key, value]) => one[key] === value));
  if (known !== undefined) {
    known.count += 1;
  } else if (forms.length < mostForms) {
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

import type { ChartFields } from '../../hooks/keptTexts';
import type { WrittenEntry } from '../../lib/chart/schema';
import type { WrittenSection } from '../../lib/chart/sections';
import { fromWallTime, toWallTime } from '../../lib/time/wallTime';

/** The fields of a new entry of each section, empty. Nothing is chosen that someone could overlook. */
const emptyValues: Readonly<Record<WrittenSection, Readonly<Record<string, string>>>> = {
  codeStatus: { status: '', limits: '' },
  allergies: { is: 'allergy', substance: '', reaction: '', severity: 'unknown' },
  oxygen: { device: '', flow: '', fiO2: '', note: '' },
  conditions: { is: 'condition', name: '', since: '', caution: '', note: '' },
  medications: { is: 'medication', name: '', dose: '', frequency: '', note: '' },
  contacts: { role: '', name: '', relation: '', phone: '', note: '' },
  team: { role: '', name: '', userId: '', userName: '' },
  identifiers: { type: '', value: '', assigner: '' },
};

/** Returns the fields of a form: those of the entry that it corrects, or empty ones. */
export function fieldsOf(section: WrittenSection, replaced: WrittenEntry | null, timeZone: string): ChartFields {
  const typed = replaced === null ? {} : Object.entries(replaced.value).map(([name, held]) => [name, textOf(held)]);
  return {
    value: {
      ...emptyValues[section],
      ...(replaced === null ? {} : Object.fromEntries(Object.values(typed))),
      ...(replaced?.section === 'team' && replaced.value.userId !== null ? { userName: replaced.value.name } : {}),
    },
    source: replaced?.source ?? '',
    effectiveAt: replaced?.effectiveAt == null ? '' : toWallTime(Date.parse(replaced.effectiveAt), timeZone),
    reason: '',
  };
}

const textOf = (held: string | number | null): string => (held === null ? '' : String(held));

/** Returns the part of the body that the fields make; the schema of the section parses it. */
export function bodyOfFields(
  section: WrittenSection,
  { value, source, effectiveAt, reason }: ChartFields,
  timeZone: string,
  isCorrection: boolean,
): Readonly<Record<string, unknown>> {
  const at = effectiveAt === '' ? null : fromWallTime(effectiveAt, timeZone);
  return {
    value: valueOf(section, value),
    // A code status needs both (clinical.md section 7).
    source: section === 'codeStatus' ? source : orNull(source),
    effectiveAt: at === null ? (section === 'codeStatus' ? '' : null) : new Date(at).toISOString(),
    reason: isCorrection ? reason : null,
  };
}

function valueOf(section: WrittenSection, typed: ChartFields['value']): unknown {
  const text = (name: string): string => typed[name] ?? '';
  const optional = (name: string): string | null => orNull(text(name));
  switch (section) {
    case 'codeStatus':
      return { status: text('status'), limits: text('status') === 'full' ? null : optional('limits') };
    case 'allergies':
      return text('is') === 'none'
        ? { is: 'none' }
        : { is: 'allergy', substance: text('substance'), reaction: optional('reaction'), severity: text('severity') };
    case 'oxygen':
      return {
        device: text('device'),
        flow: numberOf(text('flow')),
        fiO2: numberOf(text('fiO2')),
        note: optional('note'),
      };
    case 'conditions':
      return text('is') === 'caution'
        ? { is: 'caution', caution: text('caution'), note: optional('note') }
        : { is: 'condition', name: text('name'), since: optional('since'), note: optional('note') };
    case 'medications':
      return text('is') === 'none'
        ? { is: 'none' }
        : {
            is: 'medication',
            name: text('name'),
            dose: text('dose'),
            frequency: text('frequency'),
            note: optional('note'),
          };
    case 'contacts':
      return {
        role: text('role'),
        name: optional('name'),
        relation: optional('relation'),
        phone: text('phone'),
        note: optional('note'),
      };
    case 'team':
      // The account of the colleague who was chosen. Under another name it is someone who may have none here.
      return {
        role: text('role'),
        userId: text('name').trim() === text('userName') ? numberOf(text('userId')) : null,
        name: text('name'),
      };
    case 'identifiers':
      return { type: text('type'), value: text('value'), assigner: optional('assigner') };
    default:
      return section satisfies never;
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** A number with a point or a comma; a text that is none stays, so that the schema refuses it. */
function numberOf(text: string): number | string | null {
  const typed = text.trim();
  const number = Number(typed.replace(',', '.'));
  return typed === '' ? null : Number.isNaN(number) ? typed : number;
}

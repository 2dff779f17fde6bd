import { news2ExemptWords } from '../patients/news2ExemptFor';
import { ruleName } from '../alerts/ruleNames';
import { formatCalendarDate, formatDayAndTime } from '../time/formatTime';
import type { Chart, WrittenValue } from './schema';

/** An entry of any section, as a chart has it. */
export type ChartEntry = Chart['sections'][keyof Chart['sections']][number];

type CodeStatus = Chart['sections']['codeStatus'][number]['value'];
type Allergy = Chart['sections']['allergies'][number]['value'];

/** What an entry says, for one line: the section and its value. */
type Said = ChartEntry extends infer One ? (One extends ChartEntry ? Pick<One, 'section' | 'value'> : never) : never;

/** The words of each choice, as they are shown and as they are chosen. */
export const choiceWords = {
  codeStatus: { full: 'Full treatment', noCpr: 'No CPR', limited: 'Limited treatment' },
  severity: { mild: 'mild', moderate: 'moderate', severe: 'severe', unknown: 'severity not known' },
  oxygenDevice: {
    roomAir: 'Room air',
    nasalCannula: 'Nasal cannula',
    simpleMask: 'Simple mask',
    venturiMask: 'Venturi mask',
    reservoirMask: 'Reservoir mask',
    highFlow: 'High-flow nasal oxygen',
    nonInvasive: 'Non-invasive ventilation',
    invasive: 'Invasive ventilation',
    other: 'Other device',
  },
  caution: {
    skinTone: 'Dark skin tone: SpO2 may read too high',
    nailPolish: 'Nail polish: SpO2 may be unreliable',
    coldHands: 'Cold hands: SpO2 may be unreliable',
  },
  contactRole: {
    patient: 'Patient',
    nextOfKin: 'Next of kin',
    generalPractitioner: 'General practitioner',
    other: 'Other contact',
  },
  teamRole: { responsibleClinician: 'Responsible clinician', teamMember: 'Team member' },
  identifierType: { nationalId: 'National number', passport: 'Passport', other: 'Other number' },
  stay: { admitted: 'Admitted', moved: 'Moved', discharged: 'Discharged' },
} as const;

/** "No CPR", "Limited treatment: no intubation". */
export function codeStatusWords({ status, limits }: CodeStatus): string {
  return joined([choiceWords.codeStatus[status], limits], ': ');
}

/** "Penicillin: rash (severe)", "No known allergies". */
export function allergyWords(allergy: Allergy): string {
  return allergy.is === 'none'
    ? 'No known allergies'
    : `${joined([allergy.substance, allergy.reaction], ': ')} (${choiceWords.severity[allergy.severity]})`;
}

/** Returns what a written value says, in one line. */
export function writtenWords(entry: WrittenValue): string {
  switch (entry.section) {
    case 'codeStatus':
      return codeStatusWords(entry.value);
    case 'allergies':
      return allergyWords(entry.value);
    case 'oxygen': {
      const { device, flow, fiO2, note } = entry.value;
      const amounts = [flow === null ? null : `${flow} L/min`, fiO2 === null ? null : `FiO2 ${fiO2} %`];
      return joined([choiceWords.oxygenDevice[device], ...amounts, note]);
    }
    case 'conditions':
      return entry.value.is === 'caution'
        ? joined([choiceWords.caution[entry.value.caution], entry.value.note])
        : joined([
            entry.value.name,
            entry.value.since === null ? null : `since ${partialDateWords(entry.value.since)}`,
            entry.value.note,
          ]);
    case 'medications':
      return entry.value.is === 'none'
        ? 'No medication'
        : joined([`${entry.value.name} ${entry.value.dose}`, entry.value.frequency, entry.value.note]);
    case 'contacts': {
      const { role, name, relation, phone, note } = entry.value;
      const who = joined([name, relation]);
      return joined([`${choiceWords.contactRole[role]}${who === '' ? '' : `: ${who}`}`, phone, note]);
    }
    case 'team':
      return `${choiceWords.teamRole[entry.value.role]}: ${entry.value.name}`;
    case 'identifiers': {
      const { type, value, assigner } = entry.value;
      return joined([`${choiceWords.identifierType[type]} ${value}`, assigner]);
    }
    default:
      return entry satisfies never;
  }
}

/** Returns what an entry of any section says, in one line. Times are those of the site. */
export function entryWords(entry: Said, timeZone: string): string {
  switch (entry.section) {
    case 'spo2': {
      const { scale, low, high, isConfirmed } = entry.value;
      return `Target ${low}-${high} %, NEWS2 scale ${scale}${isConfirmed ? '' : ' (default, not confirmed)'}`;
    }
    case 'news2':
      return `NEWS2 does not apply: ${news2ExemptWords[entry.value.because]}`;
    case 'devices':
      return entry.value.name;
    case 'limits': {
      const { rule, scale, values, reviewAt } = entry.value;
      const sides = [sideWords('low', values.low), sideWords('high', values.high)].filter((side) => side !== null);
      const set = sides.length === 0 ? 'limits of the site' : sides.join(', ');
      return joined([
        `${ruleName(rule)}${scale === null ? '' : `, scale ${scale}`}: ${set}`,
        reviewAt === null ? null : `review at ${formatDayAndTime(Date.parse(reviewAt), timeZone)}`,
      ]);
    }
    case 'standbys': {
      const what = entry.value.is === 'standby' ? 'Standby' : 'Comfort care';
      return `${what} until ${formatDayAndTime(Date.parse(entry.value.until), timeZone)}`;
    }
    case 'stays': {
      const { is, from, to } = entry.value;
      const places = [from === null ? null : `from ${placeWords(from)}`, to === null ? null : `to ${placeWords(to)}`];
      return [choiceWords.stay[is], ...places].filter((part) => part !== null).join(' ');
    }
    case 'codeStatus':
    case 'allergies':
    case 'oxygen':
    case 'conditions':
    case 'medications':
    case 'contacts':
    case 'team':
    case 'identifiers':
      return writtenWords(entry);
    default:
      return entry satisfies never;
  }
}

function joined(parts: readonly (string | null)[], by = ', '): string {
  return parts.filter((part) => part !== null && part !== '').join(by);
}

function placeWords({ unit, bed }: { unit: string; bed: string | null }): string {
  return bed === null ? unit : `${unit}, bed ${bed}`;
}

/** Null: off; left out: as without a setting. */
function sideWords(side: 'low' | 'high', value: number | null | undefined): string | null {
  return value === undefined ? null : `${side} ${value === null ? 'off' : value}`;
}

/** "07 Mar 2019", "Mar 2019", "2019". */
function partialDateWords(date: string): string {
  if (/^\d{4}$/.test(date)) {
    return date;
  }
  return /^\d{4}-\d\d$/.test(date) ? formatCalendarDate(`${date}-01`).slice(3) : formatCalendarDate(date);
}

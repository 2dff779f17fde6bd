import { assignmentRoleLabels } from '../assignments/roles';
import { parseShiftStarts, shiftAt } from '../assignments/shiftAt';
import { userTypeLabels, userTypes } from '../session/userTypes';
import { formatTime } from '../time/formatTime';
import { auditWords } from './actions';
import type { AuditEntry } from './schema';

/** The site of an entry, for its times. */
export interface AuditSite {
  timeZone: string;
  /** "07:30,19:30". */
  shiftStarts: string;
}

type Details = AuditEntry['details'];

/** Details that `whatText` says, or that are nothing to people. */
const said = new Set(['role', 'userId', 'unitId', 'shiftStart', 'nobody']);

/** Returns what was done in words: "Assigned Noor Demo as nurse, shift 07:30-19:30". */
export function whatText({ action, outcome, details, names }: AuditEntry, site: AuditSite): string {
  const refused = outcome === 'refused' && !action.startsWith('refused_') ? ' (refused)' : '';
  return `${action === 'assign' ? assignText(details, names, site) : auditWords(action)}${refused}`;
}

/** Returns the rest of an entry in words: "fields: bed, unit". Names take the place of ids. */
export function moreText({ action, details, names }: AuditEntry): string {
  return Object.entries(details)
    .filter(([name]) => action !== 'assign' || !said.has(name))
    .map(([name, value]) => `${wordsOf(name)}: ${names[name] ?? valueText(name, value)}`)
    .join('; ');
}

function valueText(name: string, value: Details[string]): string {
  if (Array.isArray(value)) {
    return value.map((item) => (typed.has(name) ? String(item) : wordsOf(String(item)))).join(', ') || 'none';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  const type = name === 'type' ? userTypes.find((known) => known === value) : undefined;
  return type === undefined ? String(value) : userTypeLabels[type];
}

/** Details that a person typed: others are names from the code. */
const typed = new Set(['mrnAuthorities']);

/** Returns a name from the code as words: "emergency number". */
function wordsOf(name: string): string {
  return labels[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Words for the names of details. */
const labels: Readonly<Record<string, string>> = {
  userId: 'user',
  unitId: 'unit',
  patientIds: 'numbers of patients',
  opening: 'confirmation',
  breakGlass: 'emergency access',
  type: 'role',
  isAdmin: 'administrator',
  isDone: 'done',
  mrnAuthorities: 'authorities of MRNs',
  ms: 'milliseconds',
  slowed: 'slowed after too many tries',
};

function assignText(details: Details, names: AuditEntry['names'], { timeZone, shiftStarts }: AuditSite): string {
  const { role, shiftStart, nobody } = details;
  const label = Object.entries(assignmentRoleLabels)
    .find(([name]) => name === role)?.[1]
    .toLowerCase();
  const shift = typeof shiftStart === 'number' ? shiftText(shiftStart, timeZone, shiftStarts) : '';
  const as = label === undefined ? '' : ` as ${label}`;
  const where = names.unitId === undefined ? '' : `, ${names.unitId}`;
  return nobody === true
    ? `Assigned no one${as}${shift}${where}`
    : `Assigned ${names.userId ?? 'a user'}${as}${shift}${where}`;
}

function shiftText(start: number, timeZone: string, shiftStarts: string): string {
  const { end } = shiftAt(start, timeZone, parseShiftStarts(shiftStarts));
  return `, shift ${formatTime(start, timeZone)}-${formatTime(end, timeZone)}`;
}

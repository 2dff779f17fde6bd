import { assignmentRoleLabels, type AssignmentRole } from '../assignments/roles';
import type { EpochMs } from '../time/epochMs';
import { formatTime } from '../time/formatTime';
import type { Release } from './alert';
import type { Contact, ContactAnswer } from './escalation';
import type { AlertItem, EscalationItem } from './schema';

export const contactWords = {
  rapid_response: 'rapid response',
  emergency_protocol: 'phone and ambulance protocol',
} as const satisfies Record<Contact, string>;

/** What a person does to call it. */
export const callWords = {
  rapid_response: 'call rapid response',
  emergency_protocol: 'call by the phone and ambulance protocol',
} as const satisfies Record<Contact, string>;

/** The same where a row has little room; once it is due, the headline says what to call. */
const shortCallWords = { ...callWords, emergency_protocol: 'call for help' } as const satisfies Record<Contact, string>;

export const contactAnswerLabels = {
  called: 'Called',
  not_needed: 'Not needed',
} as const satisfies Record<ContactAnswer['is'], string>;

/** Returns what somebody said to a call for help outside: "help outside not needed: seen by the physician". */
export function contactAnswerWords(answer: ContactAnswer['is'], reason: string): string {
  const said = `help outside ${contactAnswerLabels[answer].toLowerCase()}`;
  return reason === '' ? said : `${said}: ${reason}`;
}

/** Why an acceptance ended. */
export const releaseWords = {
  rejected: 'given back',
  disabled: 'account disabled',
  signed_out: 'signed out',
  out_of_reach: 'no longer in reach',
  moved: 'patient moved',
  previous_shift: 'previous shift',
  handed_over: 'handed over',
} as const satisfies Record<Release, string>;

/**
 * Returns who was asked about an alert, for its card: "Asked: nurse Ada Example 10:40, charge nurse (none on duty)
 * 10:41". Empty if no one was asked.
 */
export function escalationWords(
  { escalation, released, unitId }: Pick<AlertItem, 'escalation' | 'released' | 'unitId'>,
  timeZone: string,
): string {
  const { asked, answerBy, answered } = escalation;
  const clock = (instant: string): string => formatTime(Date.parse(instant), timeZone);
  const parts = [
    released === null ? null : `Taken by ${released.by.name}, ${releaseWords[released.because]}`,
    answered === null
      ? null
      : `${answered.by.name} ${clock(answered.at)}: ${contactAnswerWords(answered.is, answered.reason)}`,
    answerBy === null ? null : `To be taken again by ${clock(answerBy)}`,
    asked.length === 0
      ? null
      : `Asked: ${asked.map((step) => `${askedWords(step, everyoneOf(unitId))} ${clock(step.at)}`).join(', ')}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/**
 * Returns who is asked next about an alert and when, at the server's time `now`: "Asks charge nurse in 0:42", and "Asks
 * charge nurse now" once it is due; null if no step is left, or while the clock of the escalation waits. While the
 * server does not answer, `lostIn` is the site's zone: "Asks charge nurse at 10:48".
 */
export function nextStepWords(
  { escalation: { next, nextAt }, unitId }: Pick<AlertItem, 'escalation' | 'unitId'>,
  now: EpochMs,
  lostIn: string | null = null,
): string | null {
  if (next === null || nextAt === null) {
    return null;
  }
  // All but a physician are of the unit, and the row has no room to say both.
  const roles = next.wholeUnit ? next.roles.filter((role) => role === 'on_call_physician') : next.roles;
  const who = whoWords([rolesWords(roles)], next.wholeUnit ? everyoneOf(unitId) : '', next.contact, shortCallWords);
  const at = Date.parse(nextAt);
  const when = lostIn === null ? timeLeft(at - now) : `at ${formatTime(at, lostIn)}`;
  const verb = next.roles.length > 0 || next.wholeUnit ? 'Asks' : next.contact === null ? 'Goes to' : 'Asks for';
  return `${verb} ${who} ${when}`;
}

/** "in 0:42", from an hour on "in 2 h"; rounded up, so that no one seems to have more time than there is. */
function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds <= 0) {
    return 'now';
  }
  return seconds < 3_600
    ? `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    : `in ${Math.ceil(seconds / 3_600)} h`;
}

const everyoneOf = (unitId: number | null): string => (unitId === null ? 'everyone on duty' : 'whole unit');

/** Returns whom a step asked: "nurse Ada Example, charge nurse (none on duty)". */
export function askedWords(
  { roles, users, unheld, wholeUnit, contact, nobodyPresent }: Omit<EscalationItem['asked'][number], 'step' | 'at'>,
  everyone: string,
): string {
  const held = roles.filter((role) => !unheld.includes(role));
  const names = users.map(({ name }) => name).join(', ');
  // Everyone on duty is too many to name.
  const named = held.length > 0 ? `${rolesWords(held)} ${names}` : roles.length === 0 ? names : '';
  const missing = unheld.map((role) => `${rolesWords([role])} (none on duty)`);
  const who = whoWords([named, ...missing], wholeUnit ? everyone : '', contact);
  return nobodyPresent === true ? `${who} (no one present)` : who;
}

function whoWords(
  people: readonly string[],
  everyone: string,
  contact: Contact | null,
  calls: Readonly<Record<Contact, string>> = callWords,
): string {
  const who = [...people, everyone].filter((part) => part !== '').join(', ');
  return contact === null ? who || 'worklist' : who === '' ? contactWords[contact] : `${who} to ${calls[contact]}`;
}

const rolesWords = (roles: readonly AssignmentRole[]): string =>
  roles.map((role) => assignmentRoleLabels[role].toLowerCase()).join(' and ');

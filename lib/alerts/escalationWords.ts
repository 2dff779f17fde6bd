import { assignmentRoleLabels, type AssignmentRole } from '../assignments/roles';
import { formatTime } from '../time/formatTime';
import type { Release } from './alert';
import type { Contact } from './escalation';
import type { AlertItem, EscalationItem } from './schema';

const contactWords = {
  rapid_response: 'rapid response',
  emergency_protocol: 'phone and ambulance protocol',
} as const satisfies Record<Contact, string>;

const releaseWords = {
  rejected: 'given back',
  disabled: 'account disabled',
  out_of_reach: 'no longer in reach',
  moved: 'patient moved',
  previous_shift: 'previous shift',
} as const satisfies Record<Release, string>;

/**
 * Returns who was asked about an alert and who is asked next, for its card: "Asked: nurse Ada Example 10:40, no
 * charge nurse 10:41 · next: whole unit 10:42". Empty if no one was asked.
 */
export function escalationWords(
  { escalation, released, unitId }: Pick<AlertItem, 'escalation' | 'released' | 'unitId'>,
  timeZone: string,
): string {
  const { asked, next, nextAt, answerBy } = escalation;
  const clock = (instant: string): string => formatTime(Date.parse(instant), timeZone);
  const everyone = unitId === null ? 'everyone on duty' : 'whole unit';
  const parts = [
    released === null ? null : `Accepted by ${released.by.name}, ${releaseWords[released.because]}`,
    answerBy === null ? null : `To be accepted again by ${clock(answerBy)}`,
    asked.length === 0
      ? null
      : `Asked: ${asked.map((step) => `${askedWords(step, everyone)} ${clock(step.at)}`).join(', ')}`,
    next === null || nextAt === null
      ? null
      : `next: ${whoWords([rolesWords(next.roles)], next.wholeUnit ? everyone : '', next.contact)} ${clock(nextAt)}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function askedWords(
  { roles, users, unheld, wholeUnit, contact }: EscalationItem['asked'][number],
  everyone: string,
): string {
  const held = roles.filter((role) => !unheld.includes(role));
  const names = users.map(({ name }) => name).join(', ');
  // Everyone on duty is too many to name.
  const named = held.length > 0 ? `${rolesWords(held)} ${names}` : roles.length === 0 ? names : '';
  const missing = unheld.map((role) => `no ${rolesWords([role])}`);
  return whoWords([named, ...missing], wholeUnit ? everyone : '', contact);
}

function whoWords(people: readonly string[], everyone: string, contact: Contact | null): string {
  const parts = [...people, everyone, contact === null ? '' : contactWords[contact]].filter((part) => part !== '');
  return parts.length === 0 ? 'worklist' : parts.join(', ');
}

const rolesWords = (roles: readonly AssignmentRole[]): string =>
  roles.map((role) => assignmentRoleLabels[role].toLowerCase()).join(' and ');

import { assignmentRoleLabels } from '../../lib/assignments/roles';
import type { Handoff, HandoffAction, NamedAddressee } from '../../lib/handoffs/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatClock } from '../../lib/time/formatTime';

/** The name of each state on a card. */
export const stateWords = {
  draft: 'Draft',
  given: 'Given, not received',
  received: 'Received',
  returned: 'Returned with a question',
  withdrawn: 'Withdrawn',
  superseded: 'Superseded',
} as const satisfies Record<Handoff['state'], string>;

/** Returns "nurse", or the name of a user. */
export function addresseeWords(to: NamedAddressee): string {
  return 'name' in to ? to.name : assignmentRoleLabels[to.role].toLowerCase();
}

/** Returns "Weigh · nurse · by 14:00". */
export function actionWords(
  { text, owner, dueAt, doneAt, doneBy }: HandoffAction,
  now: EpochMs,
  timeZone: string,
): string {
  const clock = (instant: string): string => formatClock(Date.parse(instant), now, timeZone);
  return [
    text,
    ...(owner === null ? [] : [addresseeWords(owner)]),
    ...(dueAt === null ? [] : [`by ${clock(dueAt)}`]),
    ...(doneAt === null ? [] : [`done ${clock(doneAt)}${doneBy === null ? '' : `, ${doneBy.name}`}`]),
  ].join(' · ');
}

/** Returns who gave a handoff and who received it, with times. */
export function courseWords(handoff: Handoff, now: EpochMs, timeZone: string): string {
  const { giver, givenAt, receiver, receivedBy, receivedAt, changedBy, changedAt, returnedBy } = handoff;
  const clock = (instant: string): string => formatClock(Date.parse(instant), now, timeZone);
  return [
    giver === null || givenAt === null
      ? `Changed by ${changedBy.name} ${clock(changedAt)}`
      : `Given by ${giver.name} ${clock(givenAt)} to ${'name' in receiver ? '' : 'the '}${addresseeWords(receiver)}`,
    ...(receivedBy === null || receivedAt === null ? [] : [`received by ${receivedBy.name} ${clock(receivedAt)}`]),
    ...(returnedBy === null || handoff.state !== 'returned' ? [] : [`returned by ${returnedBy.name}`]),
  ].join(', ');
}

import type { Closing, OwnerAsked } from './alert';
import { askedWords, contactAnswerWords, releaseWords } from './escalationWords';
import { outcomeLabels } from './outcomeLabels';
import { ruleName } from './ruleNames';
import type { LoggedEvent } from './schema';
import { formatTime } from '../time/formatTime';

const ownerQuestionWords = {
  upgraded: 'it became more urgent',
  repeated: 'it came back several times',
  lasting: 'it lasts',
} as const satisfies Record<OwnerAsked, string>;

/** Why an alert asks no one any more. */
export const closingWords = {
  ended: 'ended by itself',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  administrative: 'administrative',
  retrospective: 'over before its values arrived',
} as const satisfies Record<Closing, string>;

/** Returns a line of an alert's log in words, without its time and without the patient's name. */
export function logWords(event: LoggedEvent, timeZone: string): string {
  switch (event.is) {
    case 'raised':
      return `Raised with ${event.priority} priority: ${ruleName(event.rule)}`;
    case 'raised_again':
      return `Raised again with ${event.priority} priority: ${ruleName(event.rule)}, ${event.episodes} times so far`;
    case 'resumed':
      return 'Goes on: late values show that it had not ended';
    case 'upgraded':
    case 'downgraded':
      return `${changeWords(event)}: ${ruleName(event.rule)}`;
    case 'ended':
      return `Condition ended${extremesWords(event)}${event.reason === undefined ? '' : `, ${event.reason}`}`;
    case 'withdrawn':
      return 'Withdrawn: values were corrected';
    case 'retrospective':
      return `Found in values that came too late, ${event.priority} priority: ${ruleName(event.rule)}`;
    case 'asked':
      return `Step ${event.step}, asked: ${askedWords(event.to, 'whole unit')}`;
    case 'owner_asked':
      return `Asked ${event.user.name} to take it again, because ${ownerQuestionWords[event.because]}`;
    case 'owner_missing':
      return `${event.user.name} not seen since ${formatTime(Date.parse(event.since), timeZone)}`;
    case 'owner_back':
      return `${event.user.name} is back`;
    case 'contact_answered':
      return `${event.by.name}: ${contactAnswerWords(event.answer, event.reason)}`;
    case 'moved':
      return 'The patient came to another unit: it begins again there';
    case 'reminded':
      return `Sounds again, reminder ${event.reminder}`;
    case 'acknowledged':
      return `${event.by.name} acknowledged it`;
    case 'accepted':
      return `${event.by.name} took it${event.comment === undefined ? '' : `: ${event.comment}`}`;
    case 'rejected':
      return `${event.by.name} cannot come${event.reason === '' ? '' : `: ${event.reason}`}`;
    case 'acknowledgement_withdrawn':
      return `${event.by.name} took the acknowledgement back`;
    case 'acceptance_withdrawn':
      return `${event.by.name} gave it back`;
    case 'reassigned':
      return `${event.by.name} asked ${event.user.name} to take it`;
    case 'released':
      return event.acknowledgement === true
        ? `The acknowledgement of ${event.user.name} is over: ${releaseWords[event.because]}`
        : `${event.user.name} no longer has it: ${releaseWords[event.because]}`;
    case 'audio_paused':
      return `${event.by.name} paused its sound until ${formatTime(Date.parse(event.until), timeZone)}`;
    case 'settled': {
      const until = ` counts until ${formatTime(Date.parse(event.until), timeZone)}`;
      const what = event.source === null ? 'all sources count again' : `${event.source}${until}`;
      return `${event.by.name}: ${what}. ${event.reason}`;
    }
    case 'unsettled':
      return 'All sources count again';
    case 'resolved':
      return `${event.by.name} recorded: ${outcomeLabels[event.outcome]}${event.note === '' ? '' : `. ${event.note}`}`;
    case 'closed':
      return `Closed: ${closingWords[event.because]}${event.reason === undefined ? '' : `, ${event.reason}`}`;
    default:
      return event satisfies never;
  }
}

function changeWords({ is, from, to }: Extract<LoggedEvent, { is: 'upgraded' | 'downgraded' }>): string {
  const what = is === 'upgraded' ? 'More urgent' : 'Less urgent';
  return from === to ? `Another rule, ${to} priority` : `${what}, from ${from} to ${to} priority`;
}

function extremesWords({ lowest, highest }: Extract<LoggedEvent, { is: 'ended' }>): string {
  const parts = [
    lowest === null ? null : `lowest ${lowest}`,
    highest === null || highest === lowest ? null : `highest ${highest}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

import { toPlainLine, toPlainText } from '../plainText';
import type { Handoff, HandoffChange } from './schema';

export type TypedContingency = HandoffChange['contingencies'][number];
/** Without an owner it is of no one in particular. A user whom another page named stays. */
export type TypedAction = HandoffChange['actions'][number];

/** What is typed in a handoff. Rows may be blank or half typed. */
export interface HandoffFields extends Omit<HandoffChange, 'version' | 'authorId' | 'contingencies' | 'actions'> {
  contingencies: readonly TypedContingency[];
  actions: readonly TypedAction[];
}

const isBlank = (text: string): boolean => text.trim() === '';

/** Returns the fields of a handoff as the server has it. */
export function fieldsOf({ severity, summary, contingencies, actions, receiver, reviewedAt }: Handoff): HandoffFields {
  const idOf = (to: Handoff['receiver']): HandoffChange['receiver'] =>
    'userId' in to ? { userId: to.userId } : { role: to.role };
  return {
    severity,
    summary,
    contingencies,
    actions: actions
      .filter(({ doneAt }) => doneAt === null)
      .map(({ text, owner, dueAt }) => ({ text, owner: owner === null ? null : idOf(owner), dueAt })),
    receiver: idOf(receiver),
    isReviewed: reviewedAt !== null,
  };
}

/** Returns what is typed without the characters that the server refuses; a paste can bring them along. */
export function toPlainFields({ summary, contingencies, actions, ...fields }: HandoffFields): HandoffFields {
  return {
    ...fields,
    summary: toPlainText(summary),
    contingencies: contingencies.map(({ condition, action }) => ({
      condition: toPlainLine(condition),
      action: toPlainLine(action),
    })),
    actions: actions.map((action) => ({ ...action, text: toPlainLine(action.text) })),
  };
}

/** Returns what is stored: blank rows are left out. An if-then without one of its parts waits on the page. */
export function storedPart({
  severity,
  summary,
  contingencies,
  actions,
  receiver,
  isReviewed,
}: HandoffFields): Omit<HandoffChange, 'version' | 'authorId'> {
  // Always in this order: `saysTheSame` compares the text of both.
  return {
    severity,
    summary,
    receiver,
    isReviewed,
    contingencies: contingencies
      .filter(({ condition, action }) => !isBlank(condition) && !isBlank(action))
      .map(({ condition, action }) => ({ condition: condition.trim(), action: action.trim() })),
    actions: actions
      .filter(({ text }) => !isBlank(text))
      .map(({ text, owner, dueAt }) => ({ text: text.trim(), owner, dueAt })),
  };
}

/** Returns whether an if-then has one of its two parts only. */
export function hasHalf({ contingencies }: HandoffFields): boolean {
  return contingencies.some(({ condition, action }) => isBlank(condition) !== isBlank(action));
}

/** Returns whether two say the same to the server. */
export function saysTheSame(one: HandoffFields, other: HandoffFields): boolean {
  return JSON.stringify(storedPart(one)) === JSON.stringify(storedPart(other));
}

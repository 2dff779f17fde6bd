import { parseInstant } from '../time/parseInstant';
import type { NoteType } from './noteTypes';
import type { Note } from './schema';

/** What the author of a draft can change. */
export interface DraftFields {
  type: NoteType;
  text: string;
  /** An instant; null: when the draft was begun. */
  eventTime: string | null;
  alertIds: readonly number[];
}

export const emptyDraft: DraftFields = { type: 'nursing', text: '', eventTime: null, alertIds: [] };

/** Returns the fields of a draft as the server has it. */
export function fieldsOf({ type, text, eventTime, alertIds }: Note): DraftFields {
  return { type, text: text ?? '', eventTime, alertIds };
}

/** Returns whether two drafts say the same. A draft without a time of its own says the same as one with any. */
export function saysTheSame(one: DraftFields, other: DraftFields): boolean {
  const alertsOf = ({ alertIds }: DraftFields): string => [...alertIds].sort((a, b) => a - b).join();
  const isSameTime =
    one.eventTime === null || other.eventTime === null || parseInstant(one.eventTime) === parseInstant(other.eventTime);
  return one.type === other.type && one.text === other.text && isSameTime && alertsOf(one) === alertsOf(other);
}

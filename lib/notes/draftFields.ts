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
  /** The colleagues whom it mentions. The names are for the screen: the ids are stored. */
  mentions: readonly { id: number; name: string }[];
}

export const emptyDraft: DraftFields = { type: 'nursing', text: '', eventTime: null, alertIds: [], mentions: [] };

/** Returns the fields of a draft as the server has it. */
export function fieldsOf({ type, text, eventTime, alertIds, mentions }: Note): DraftFields {
  return { type, text: text ?? '', eventTime, alertIds, mentions };
}

/** Returns whether two drafts say the same. A draft without a time of its own says the same as one with any. */
export function saysTheSame(one: DraftFields, other: DraftFields): boolean {
  const isSameTime =
    one.eventTime === null || other.eventTime === null || parseInstant(one.eventTime) === parseInstant(other.eventTime);
  return (
    one.type === other.type &&
    one.text === other.text &&
    isSameTime &&
    inOrder(one.alertIds) === inOrder(other.alertIds) &&
    inOrder(one.mentions.map(({ id }) => id)) === inOrder(other.mentions.map(({ id }) => id))
  );
}

const inOrder = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join();

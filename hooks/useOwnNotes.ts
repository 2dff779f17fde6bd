import { useMemo } from 'react';
import type { CallResponse } from '../lib/browser/client';
import { can } from '../lib/session/can';
import type { User } from '../lib/session/schema';
import { poll } from './poll';
import { useReadState } from './useReadState';

/** Notes are written now and then. In milliseconds. */
const everyMs = 10_000;

export interface OwnNotes {
  /** The server has answered: nothing unread is known, and not only unknown. */
  isKnown: boolean;
  /** How many notes of each patient the user has not read, by the patient's id. */
  unread: ReadonlyMap<number, number>;
  /** The user's own drafts, oldest first. */
  drafts: CallResponse<'listOwnNotes'>['drafts'];
  /** The notes that mention the user and that they have not read, newest first. */
  mentions: CallResponse<'listOwnNotes'>['mentions'];
}

/** Reads what a user has not read and not signed; nothing for those who read no notes. */
export function useOwnNotes(user: User): OwnNotes {
  // The user is in the key: another one's marks are not shown for a moment either.
  const key = can(user, 'readNotes') ? `listOwnNotes ${user.id}` : null;
  const { data } = useReadState(key, () => poll('listOwnNotes', {}), { everyMs });
  return useMemo(
    () => ({
      isKnown: data !== undefined,
      unread: new Map((data?.unread ?? []).map(({ patientId, count }) => [patientId, count])),
      drafts: data?.drafts ?? [],
      mentions: data?.mentions ?? [],
    }),
    [data],
  );
}

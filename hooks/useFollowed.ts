import { useMemo } from 'react';
import type { FollowedPatient } from '../lib/follows/schema';
import { can } from '../lib/session/can';
import type { User } from '../lib/session/schema';
import { poll } from './poll';
import { useReadState } from './useReadState';

/** As often as the user's own notes are read. In milliseconds. */
const everyMs = 10_000;

export interface Followed {
  /** The server has answered: nothing new is known, and not only unknown. */
  isKnown: boolean;
  /** Those with the newest news first. */
  items: readonly FollowedPatient[];
}

const none: readonly FollowedPatient[] = [];

/** Reads whom a user follows and what is new about them; nothing for those who read no notes. */
export function useFollowed(user: User): Followed {
  // The user is in the key: another one's patients are not shown for a moment either.
  const key = can(user, 'readNotes') ? `listFollowed ${user.id}` : null;
  const { data } = useReadState(key, () => poll('listFollowed', {}), { everyMs });
  return useMemo(() => ({ isKnown: data !== undefined, items: data?.items ?? none }), [data]);
}

import { useState } from 'react';
import type { User } from '../lib/session/schema';
import { useCall } from './useCall';
import { useFollowed } from './useFollowed';

interface Follow {
  /** Null: not known. */
  isFollowed: boolean | null;
  /** Follows the patient, or no longer. Throws `ApiFailure`. */
  change: (isFollowed: boolean) => Promise<void>;
}

/** Returns whether a user follows a patient. */
export function useFollow(patientId: number, user: User): Follow {
  const { isKnown, items } = useFollowed(user);
  const follow = useCall('followPatient');
  const unfollow = useCall('unfollowPatient');
  /** What the last call has done, until the list is read again. */
  const [done, setDone] = useState<{ isFollowed: boolean; before: typeof items } | null>(null);
  return {
    isFollowed: !isKnown
      ? null
      : done !== null && done.before === items
        ? done.isFollowed
        : items.some((each) => each.patientId === patientId),
    change: async (isFollowed) => {
      const input = { params: { id: patientId } };
      await (isFollowed ? follow(input) : unfollow(input));
      setDone({ isFollowed, before: items });
    },
  };
}

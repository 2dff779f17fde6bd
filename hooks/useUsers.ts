import type { InvitationsResponse, UsersResponse } from '../lib/users/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

export const usersKey = 'users';
export const invitationsKey = 'invitations';

/** Everybody who has an account at the site, or asks for one. */
export function useUsers(): Answer<UsersResponse> {
  return useAnswer(usersKey, async () => {
    const { data, serverTime } = await poll('listUsers', {});
    return { value: data, asOf: serverTime };
  });
}

/** The invitations that nobody has taken up yet. */
export function useInvitations(): Answer<InvitationsResponse> {
  return useAnswer(invitationsKey, async () => {
    const { data, serverTime } = await poll('listInvitations', {});
    return { value: data, asOf: serverTime };
  });
}

import { useMemo } from 'react';
import type { CallInput } from '../lib/browser/client';
import type { SecretLink, UsersResponse } from '../lib/users/schema';
import { replaceById } from './replaceById';
import { useCallOn } from './useCallOn';
import { invitationsKey, usersKey } from './useUsers';

/** What an administrator does with users and invitations. Each throws `ApiFailure`. */
export interface UserActs {
  change: (id: number, patch: CallInput<'changeUser'>['body']) => Promise<void>;
  approve: (id: number, approval: CallInput<'approveUser'>['body']) => Promise<void>;
  reject: (id: number) => Promise<void>;
  /** Makes a link to a new password, which the server tells this once. */
  makeResetLink: (id: number) => Promise<SecretLink>;
  endSessions: (id: number) => Promise<void>;
  /** Makes an invitation's link, which the server tells this once. */
  invite: (invitation: CallInput<'invite'>['body']) => Promise<SecretLink>;
  withdraw: (invitationId: number) => Promise<void>;
}

/** The acts of the user list. After each, done or refused, the list that it changes is shown as it is then. */
export function useUserActs(): UserActs {
  const actOnInvitations = useCallOn(invitationsKey);
  const act = useCallOn<UsersResponse>(usersKey);
  return useMemo(
    () => ({
      change: async (id, body) => void (await act('changeUser', { params: { id }, body }, replaceById)),
      approve: async (id, body) => void (await act('approveUser', { params: { id }, body }, replaceById)),
      reject: async (id) => void (await act('rejectUser', { params: { id } })),
      makeResetLink: (id) => act('makeResetLink', { params: { id } }),
      endSessions: async (id) => void (await act('endUserSessions', { params: { id } })),
      invite: (body) => actOnInvitations('invite', { body }),
      withdraw: async (id) => void (await actOnInvitations('withdrawInvitation', { params: { id } })),
    }),
    [act, actOnInvitations],
  );
}

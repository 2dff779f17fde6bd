import { useMemo } from 'react';
import type { CallInput } from '../lib/api/client';
import type { SecretLink } from '../lib/users/schema';
import { useCallOn } from './useCallOn';
import { isUsersKey } from './useUsers';

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

/** The acts of the user list. After each, done or refused, what stands on the screen is asked for again. */
export function useUserActs(): UserActs {
  const act = useCallOn(isUsersKey);
  return useMemo(
    () => ({
      change: async (id, body) => void (await act('changeUser', { params: { id }, body })),
      approve: async (id, body) => void (await act('approveUser', { params: { id }, body })),
      reject: async (id) => void (await act('rejectUser', { params: { id } })),
      makeResetLink: (id) => act('makeResetLink', { params: { id } }),
      endSessions: async (id) => void (await act('endUserSessions', { params: { id } })),
      invite: (body) => act('invite', { body }),
      withdraw: async (id) => void (await act('withdrawInvitation', { params: { id } })),
    }),
    [act],
  );
}

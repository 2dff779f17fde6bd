import { useCallback } from 'react';
import type { CallName } from '../lib/api/calls';
import type { CallResponse, CallInput } from '../lib/browser/client';
import { useCall } from './useCall';
import { useCurrentUser } from './useCurrentUser';

/** `useCall` for calls that change the signed-in user, who is read again afterwards. Throws `ApiFailure`. */
export function useOwnCall<Name extends CallName>(name: Name): (input: CallInput<Name>) => Promise<CallResponse<Name>> {
  const call = useCall(name);
  const { refresh } = useCurrentUser();
  return useCallback(
    async (input) => {
      const response = await call(input);
      await refresh();
      return response;
    },
    [call, refresh],
  );
}

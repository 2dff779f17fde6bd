import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { call, type CallAnswer, type CallInput } from '../lib/api/client';
import type { CallName } from '../lib/api/calls';

export type CallOn = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallAnswer<Name>>;

/**
 * Calls that change what stands under these keys (one, or all that the function says): after each, done or refused, it
 * is asked for again. Each throws `ApiFailure`.
 */
export function useCallOn(keys: string | ((key: unknown) => boolean)): CallOn {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (name, input) => {
      try {
        return await call(name, input);
      } finally {
        // Not awaited: the act is done, and a list that cannot be read says so itself.
        void (typeof keys === 'string' ? mutate(keys) : mutate(keys));
      }
    },
    [mutate, keys],
  );
}

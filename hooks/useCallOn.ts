import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { call, type CallResponse, type CallInput } from '../lib/browser/client';
import type { CallName } from '../lib/api/calls';
import { withValue } from './useAnswer';

export type CallOn<Data> = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  put?: (data: Data, answer: CallResponse<Name>) => Data,
) => Promise<CallResponse<Name>>;

/**
 * Returns what makes a call that changes the data under a key. With `put`, which returns the data as they are after the
 * answer, they are shown at once and nothing is asked for again; without it, and after a refusal, the key is polled.
 * Throws `ApiFailure`.
 */
export function useCallOn<Data>(key: string): CallOn<Data> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (name, input, put) => {
      let answer;
      try {
        answer = await call(name, input);
      } catch (problem) {
        void mutate(key);
        throw problem;
      }
      const state = cache.get(key);
      const changed = put === undefined ? undefined : withValue<Data>(state, (data) => put(data, answer));
      if (changed === undefined) {
        // Not awaited: the action is done, and a list that cannot be read says so itself.
        void mutate(key);
      } else {
        // SWR drops the answer of a poll that is under way, since it may be older; so that one is repeated.
        void mutate(key, changed, { revalidate: state?.isValidating === true });
      }
      return answer;
    },
    [cache, mutate, key],
  );
}

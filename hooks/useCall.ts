import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import type { CallName } from '../lib/api/calls';
import { call, changesOf, type CallResponse, type CallInput } from '../lib/browser/client';
import { withValue } from './useReadState';
import { isReadOf } from './useRead';

/**
 * Returns a function that makes a call and then updates the read that it changes (`changes` in its declaration): with
 * the response if that says what changed, else by a poll. A refused call polls too, because the screen may have shown
 * old data. Throws `ApiFailure`.
 */
export function useCall<Name extends CallName>(name: Name): (input: CallInput<Name>) => Promise<CallResponse<Name>> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (input) => {
      const show = async (answer?: unknown): Promise<void> => {
        const changes = await changesOf(name);
        if (changes === undefined) {
          return;
        }
        for (const key of [...cache.keys()].filter((each) => isReadOf(changes.read, each))) {
          const state = cache.get(key);
          const by = answer === undefined ? undefined : changes.by;
          const changed =
            by === undefined
              ? undefined
              : withValue<unknown>(state, (data) => (by === 'whole' ? answer : withRow(data, answer)));
          // Not awaited: a list that cannot be read says so itself.
          if (changed === undefined) {
            void mutate(key);
          } else {
            // SWR drops the response of a poll that is under way, since it may be older; so that poll is repeated.
            void mutate(key, changed, { revalidate: state?.isValidating === true });
          }
        }
      };
      let answer: CallResponse<Name>;
      try {
        answer = await call(name, input);
      } catch (problem) {
        // A declaration that could not be fetched sent nothing, and `problem` says that already.
        await show().catch(() => undefined);
        throw problem;
      }
      await show(answer);
      return answer;
    },
    [cache, mutate, name],
  );
}

/** Returns a list's response with `row` in the place of the one of the same id. */
function withRow(list: unknown, row: unknown): unknown {
  if (typeof list !== 'object' || list === null || !('items' in list) || !Array.isArray(list.items)) {
    return list;
  }
  const items: readonly unknown[] = list.items;
  return { ...list, items: items.map((one) => (idOf(one) === idOf(row) ? row : one)) };
}

function idOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
}

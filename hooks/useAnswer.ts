import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import useSWR, { type State } from 'swr';
import { ApiFailure, clientFailure } from '../lib/browser/client';
import type { Answer } from './answer';
import { refreshEveryMs } from './swrConfig';

/** One successful answer and the server's time at which it was made. */
export interface Fresh<Data> {
  value: Data;
  asOf: number | null;
}

/**
 * What SWR holds under a key: the last success beside the last failure, so that a failed refresh keeps the old data.
 */
interface Held<Data> {
  key: string;
  value: Data | undefined;
  asOf: number | null;
  failure: ApiFailure | undefined;
  /** When the attempt ended, by `performance.now()`. */
  endedAt: number;
}

/**
 * Returns when the last attempt to read what SWR holds under a key ended, by `performance.now()`; minus infinity before
 * the first one has.
 */
export function lastAttemptAt(state: State<unknown> | undefined): number {
  const held = state?.data;
  return typeof held === 'object' && held !== null && 'endedAt' in held && typeof held.endedAt === 'number'
    ? held.endedAt
    : Number.NEGATIVE_INFINITY;
}

/**
 * Returns what SWR is to hold under a key with its value changed; undefined if it holds none. The answer of a call is
 * as good as that of a poll, so nothing is polled within a second of it. The other data are as old as they were.
 */
export function withValue<Data>(
  state: State<Held<Data>> | undefined,
  change: (value: Data) => Data,
): Held<Data> | undefined {
  const held = state?.data;
  return held?.value === undefined ? undefined : { ...held, value: change(held.value), endedAt: performance.now() };
}

interface Options<Data> {
  /**
   * What came with the page for this very key. It is shown until an answer comes, also in place of something older that
   * is still held from an earlier visit.
   */
  fallback?: Data;
  /** Goes on showing the last key's answer until the new key has one. */
  keepPreviousData?: boolean;
  /**
   * How often it is asked for once there is something to show, where that is seldomer than the rest of the page. A
   * failure is tried again at the page's pace.
   */
  everyMs?: number;
}

/**
 * Reads one thing from the server again and again. `read` is given what is held for this key, so that it may return the
 * same object when nothing has changed.
 */
export function useAnswer<Data>(
  key: string,
  read: (held: Data | undefined) => Promise<Fresh<Data>>,
  { fallback, keepPreviousData = false, everyMs = refreshEveryMs }: Options<Data> = {},
): Answer<Data> {
  const page =
    fallback === undefined
      ? undefined
      : { key, value: fallback, asOf: null, failure: undefined, endedAt: Number.NEGATIVE_INFINITY };
  const latest = useRef<Held<Data> | undefined>(undefined);

  async function attempt(): Promise<Held<Data>> {
    const current = (): Held<Data> | undefined => (latest.current?.key === key ? latest.current : page);
    try {
      const fresh = await read(current()?.value);
      return { key, ...fresh, failure: undefined, endedAt: performance.now() };
    } catch (problem) {
      const failure = problem instanceof ApiFailure ? problem : clientFailure('unreadable_response');
      // What an action has changed meanwhile stays.
      const held = current();
      return { key, value: held?.value, asOf: held?.asOf ?? null, failure, endedAt: performance.now() };
    }
  }

  const refreshInterval = useCallback(
    (held: Held<Data> | undefined) =>
      held?.value === undefined || held.failure !== undefined ? refreshEveryMs : everyMs,
    [everyMs],
  );
  const { data, isValidating, mutate } = useSWR<Held<Data>>(key, attempt, { keepPreviousData, refreshInterval });
  const [first] = useState(data);
  const shown = page !== undefined && (data === first || data?.key !== key) ? page : data;
  useLayoutEffect(() => {
    latest.current = shown;
  });
  const refresh = useCallback(async () => {
    await mutate();
  }, [mutate]);

  return {
    data: shown?.value,
    error: shown?.failure,
    isLoading: shown === undefined,
    isRefreshing: isValidating && shown !== undefined,
    asOf: shown?.asOf ?? null,
    refresh,
  };
}

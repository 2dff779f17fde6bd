import { useCallback, useLayoutEffect, useRef, useState, useEffect } from 'react';
import useSWR, { type State, useSWRConfig } from 'swr';
import { isGone } from '../lib/api/failureCause';
import { asFailure, type ApiFailure } from '../lib/browser/client';
import { everyMs } from '../lib/browser/workerClock';
import { lastAttemptAt } from './lastAttemptAt';
import type { ReadState } from './readState';
import { refreshEveryMs } from './swrConfig';

/** A successful response and the server's time of it, epoch milliseconds. */
export interface Fresh<Data> {
  data: Data;
  serverTime: number | null;
}

/**
 * The entry of SWR's cache under a key: the last success beside the last failure, so that a failed poll keeps the data.
 * It keeps none of what the server says is gone for this user.
 */
interface Held<Data> {
  key: string | null;
  value: Data | undefined;
  asOf: number | null;
  failure: ApiFailure | undefined;
  /** When the attempt ended, by `performance.now()`. */
  endedAt: number;
}

/**
 * Returns the entry of a key with a changed value; undefined if there is no entry. The response of a call counts as one
 * of a poll, so an event does not poll the key right after it. `asOf` stays: the other data are as old as before.
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
   * The data of the page for this key. They are shown until the first response, also instead of older data that are in
   * the cache from an earlier visit.
   */
  fallback?: Data;
  /**
   * Shows the response of the last key until the new key has one; with a function, only one that it is true of, and
   * that also stays if the new key has none.
   */
  keepPreviousData?: boolean | ((previous: Data) => boolean);
  /**
   * The interval of polls in milliseconds once there are data, if longer than that of the page. After a failure the
   * page's interval counts.
   */
  everyMs?: number;
}

/** Polls a key by the worker's clock while the page is hidden, if SWR's own timer has not done so. */
function useHiddenPolls(key: string | null, refreshEveryMs: number): void {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    if (key === null) {
      return undefined;
    }
    return everyMs(1_000, () => {
      if (document.visibilityState !== 'hidden') {
        return;
      }
      const state = cache.get(key);
      if (state?.isValidating !== true && performance.now() - lastAttemptAt(state) >= refreshEveryMs) {
        void mutate(key);
      }
    });
  }, [key, refreshEveryMs, cache, mutate]);
}

/**
 * Polls the server for the data of a key; without a key it polls nothing. `read` gets the data that are held for the
 * key, and may return the same object if nothing has changed.
 */
export function useReadState<Data>(
  key: string | null,
  read: (held: Data | undefined) => Promise<Fresh<Data>>,
  { fallback, keepPreviousData = false, everyMs = refreshEveryMs }: Options<Data> = {},
): ReadState<Data> {
  const page =
    fallback === undefined
      ? undefined
      : { key, value: fallback, asOf: null, failure: undefined, endedAt: Number.NEGATIVE_INFINITY };
  const latest = useRef<Held<Data> | undefined>(undefined);
  const fitting = (held: Held<Data> | undefined): Held<Data> | undefined =>
    typeof keepPreviousData === 'function' && held?.value !== undefined && keepPreviousData(held.value)
      ? held
      : undefined;

  async function attempt(): Promise<Held<Data>> {
    const current = (): Held<Data> | undefined => (latest.current?.key === key ? latest.current : page);
    try {
      const { data: value, serverTime: asOf } = await read(current()?.value);
      return { key, value, asOf, failure: undefined, endedAt: performance.now() };
    } catch (problem) {
      const failure = asFailure(problem);
      // Keeps what an action has changed meanwhile.
      const held = isGone(failure) ? undefined : (current() ?? fitting(latest.current));
      return { key, value: held?.value, asOf: held?.asOf ?? null, failure, endedAt: performance.now() };
    }
  }

  const refreshInterval = useCallback(
    (held: Held<Data> | undefined) =>
      held?.value === undefined || held.failure !== undefined ? refreshEveryMs : everyMs,
    [everyMs],
  );
  const {
    data: held,
    isValidating,
    mutate,
  } = useSWR<Held<Data>>(key, attempt, { keepPreviousData: keepPreviousData !== false, refreshInterval });
  const data = held?.key === key || typeof keepPreviousData === 'boolean' ? held : fitting(held);
  useHiddenPolls(key, refreshInterval(data));
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

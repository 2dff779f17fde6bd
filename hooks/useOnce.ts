import useSWR from 'swr';
import { ApiFailure, asFailure } from '../lib/browser/client';

/** The result of a hook that reads something once, because it does not change while it is shown. */
export interface OnceState<Data> {
  /** Undefined before the response. */
  data: Data | undefined;
  /** Why the read failed; undefined while it is under way. */
  failure: ApiFailure | undefined;
}

/** Reads one thing once. Tries again while the server cannot be reached; a refusal is final. */
export function useOnce<Data>(key: string, read: () => Promise<Data>): OnceState<Data> {
  const { data, error } = useSWR<Data, unknown>(key, read, {
    refreshInterval: 0,
    shouldRetryOnError: (problem: unknown) => problem instanceof ApiFailure && problem.status === null,
  });
  return { data, failure: error === undefined ? undefined : asFailure(error) };
}

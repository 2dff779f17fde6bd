import useSWR from 'swr';
import { ApiFailure, clientFailure } from '../lib/browser/client';

/** What a hook returns that reads something that does not change while it is looked at. */
export interface OnceAnswer<Data> {
  /** Undefined until it has come. */
  data: Data | undefined;
  /** Why it did not come; undefined while it is awaited. */
  failure: ApiFailure | undefined;
}

/** Reads one thing once. A server that cannot be reached is asked again until it answers; a refusal stands. */
export function useOnce<Data>(key: string, read: () => Promise<Data>): OnceAnswer<Data> {
  const { data, error } = useSWR<Data, unknown>(key, read, {
    refreshInterval: 0,
    shouldRetryOnError: (problem: unknown) => problem instanceof ApiFailure && problem.status === null,
  });
  const failure = error instanceof ApiFailure ? error : clientFailure('unreadable_response');
  return { data, failure: error === undefined ? undefined : failure };
}

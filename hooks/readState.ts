import type { ApiFailure } from '../lib/browser/client';

/** The result of every hook that reads from the server. */
export interface ReadState<Data> {
  /**
   * The last response, also while a newer one is awaited or has failed; undefined once the server says that it is gone
   * for this user.
   */
  data: Data | undefined;
  /** Why the last attempt failed; undefined after a success. */
  error: ApiFailure | undefined;
  /** True until the first attempt has ended. */
  isLoading: boolean;
  /** True while a newer response is awaited. */
  isRefreshing: boolean;
  /**
   * The server's time of the last successful response, epoch milliseconds; null while `data` is from the page itself.
   */
  asOf: number | null;
  /** Polls at once. Never rejects: a failure becomes `error`. */
  refresh: () => Promise<void>;
}

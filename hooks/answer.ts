import type { ApiFailure } from '../lib/browser/client';

/** What every hook that reads from the server returns. */
export interface Answer<Data> {
  /** The last answer, also while a newer one is awaited or has failed. */
  data: Data | undefined;
  /** Why the last attempt brought nothing; undefined after one that did. */
  error: ApiFailure | undefined;
  /** True until the first attempt has ended: nothing can be shown yet. */
  isLoading: boolean;
  /** True while something newer than `data` or `error` is being asked for. */
  isRefreshing: boolean;
  /**
   * The server's time of the last successful answer, epoch milliseconds; null while `data` is what came with the page.
   */
  asOf: number | null;
  /** Asks at once. Never rejects: a failure becomes `error`. */
  refresh: () => Promise<void>;
}

import type { Cache, SWRConfiguration } from 'swr';

/** The interval of polls in milliseconds (product spec, section 9), also after a failure. */
export const refreshEveryMs = 5_000;

/** Calls of a key within this time are one, in milliseconds (product spec, section 9). Events have their own gaps. */
const dedupeMs = 1_000;

/**
 * SWR for the whole page. Its interval starts after a response. By default it stops in hidden and offline tabs, but a
 * ward's screen polls there as well. `useReadState` turns failures into data, because SWR stops its interval while it
 * has an error. A fetcher that rejects all the same is called again at the same interval, without end: the default
 * makes the pauses longer and longer.
 */
export const swrConfig: SWRConfiguration & { provider: () => Cache } = {
  provider: (): Cache => new Map(),
  refreshInterval: refreshEveryMs,
  dedupingInterval: dedupeMs,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshWhenHidden: true,
  refreshWhenOffline: true,
  onErrorRetry: (_error, _key, _config, revalidate, options) => {
    setTimeout(() => void revalidate(options), refreshEveryMs);
  },
  // Equal responses are the same object (see usePatients), so hundreds of patients need not be compared in depth.
  compare: Object.is,
};

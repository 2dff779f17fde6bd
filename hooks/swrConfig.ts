import type { Cache, SWRConfiguration } from 'swr';

/** How often what is on the screen is asked for again (product spec, section 9), also after a failure. */
export const refreshEveryMs = 5_000;

/** An answer is not asked for again within this time (product spec, section 9). */
export const dedupeMs = 1_000;

/**
 * SWR for the whole page. It asks again only after an answer, and not at all in a hidden or offline tab unless told to:
 * a ward's screen goes on whatever the browser thinks of the network. `useAnswer` turns failures into data, because SWR
 * stops its interval while it holds an error; a fetcher that rejects all the same is asked again at the same pace,
 * without the default's growing pauses and without an end.
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
  // Answers that are the same are the same object (see usePatients); comparing hundreds of patients in depth is for
  // nothing.
  compare: Object.is,
};

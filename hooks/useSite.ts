import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { call, type CallInput } from '../lib/api/client';
import { intendedUseVersion } from '../lib/site/intendedUse';
import type { SiteSettings } from '../lib/site/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';
import { useCurrentUser } from './useCurrentUser';

const key = 'site';

export interface Site {
  settings: Answer<SiteSettings>;
  /** Each throws `ApiFailure`; after it, done or refused, the settings are asked for again. */
  change: (patch: CallInput<'changeSite'>['body']) => Promise<void>;
  acceptIntendedUse: () => Promise<void>;
}

/** The settings of the user's site, for its administrators. */
export function useSite(): Site {
  const { mutate } = useSWRConfig();
  const { refresh } = useCurrentUser();
  const settings = useAnswer(key, async () => {
    const { data, serverTime } = await poll('getSite', {});
    return { value: data, asOf: serverTime };
  });
  const change = useCallback<Site['change']>(
    async (body) => {
      try {
        await call('changeSite', { body });
        // The shell shows the site's name and time as well.
        void refresh();
      } finally {
        void mutate(key);
      }
    },
    [mutate, refresh],
  );
  const acceptIntendedUse = useCallback(async () => {
    try {
      await call('acceptIntendedUse', { body: { accepted: true, version: intendedUseVersion } });
      // The shell no longer says that the rules are off.
      void refresh();
    } finally {
      void mutate(key);
    }
  }, [mutate, refresh]);
  return { settings, change, acceptIntendedUse };
}

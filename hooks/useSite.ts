import { useCallback } from 'react';
import type { CallInput } from '../lib/browser/client';
import { intendedUseVersion } from '../lib/site/intendedUse';
import type { SiteSettings } from '../lib/site/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';
import { useCallOn } from './useCallOn';
import { useCurrentUser } from './useCurrentUser';

const key = 'site';

export interface Site {
  settings: Answer<SiteSettings>;
  /** Each throws `ApiFailure`; after it, done or refused, the settings are shown as they are then. */
  change: (patch: CallInput<'changeSite'>['body']) => Promise<void>;
  acceptIntendedUse: () => Promise<void>;
}

/** The settings of the user's site, for its administrators. */
export function useSite(): Site {
  const act = useCallOn<SiteSettings>(key);
  const { refresh } = useCurrentUser();
  const settings = useAnswer(key, async () => {
    const { data, serverTime } = await poll('getSite', {});
    return { value: data, asOf: serverTime };
  });
  const change = useCallback<Site['change']>(
    async (body) => {
      await act('changeSite', { body }, (_, changed) => changed);
      // The shell shows the site's name and time as well.
      void refresh();
    },
    [act, refresh],
  );
  const acceptIntendedUse = useCallback(async () => {
    const body = { accepted: true, version: intendedUseVersion } as const;
    await act('acceptIntendedUse', { body }, (_, changed) => changed);
    // The shell no longer says that the rules are off.
    void refresh();
  }, [act, refresh]);
  return { settings, change, acceptIntendedUse };
}

import { useMemo } from 'react';
import { call } from '../lib/browser/client';
import { useCurrentUser } from './useCurrentUser';

/** What a user does with the own emergency access. Each throws `ApiFailure`; afterwards the page knows what holds. */
export interface BreakGlassActs {
  open: (reason: string) => Promise<void>;
  end: () => Promise<void>;
}

export function useBreakGlassActs(): BreakGlassActs {
  const { refresh } = useCurrentUser();
  return useMemo(
    () => ({
      open: async (reason) => {
        try {
          await call('breakGlass', { body: { reason } });
        } finally {
          // Also where it was refused: it may be open from another tab.
          await refresh();
        }
      },
      end: async () => {
        await call('endBreakGlass', {});
        await refresh();
      },
    }),
    [refresh],
  );
}

import { useMemo } from 'react';
import { isAlertsKey } from './useAlerts';
import { useCallOn } from './useCallOn';

/**
 * What somebody does with an open alert. Each throws `ApiFailure`; after it, done or refused, the alerts are asked for
 * again.
 */
export interface AlertActs {
  /** It was heard: the sound stops. Takes nobody's responsibility. */
  acknowledge: (id: number) => Promise<void>;
  /** Takes it on, so that nobody else is asked. */
  accept: (id: number) => Promise<void>;
}

export function useAlertActs(): AlertActs {
  const act = useCallOn(isAlertsKey);
  return useMemo(
    () => ({
      acknowledge: async (id) => void (await act('acknowledgeAlert', { params: { id } })),
      accept: async (id) => void (await act('acceptAlert', { params: { id } })),
    }),
    [act],
  );
}

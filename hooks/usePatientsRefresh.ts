import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { useAtMostEvery } from './useAtMostEvery';
import { isPatientKey } from './usePatient';
import { isPatientsKey } from './usePatients';

/**
 * How often news are asked for at most before their poll: a ward changes every second, and each answer has to be drawn.
 */
const atMostEveryMs = 2_000;

/**
 * Returns what asks at once for every list of patients and every patient on the screen: at most every 2 s however often
 * it is called, not for what is being asked for already, and not while nobody can see it. Polls go on beside it as they
 * are.
 */
export function usePatientsRefresh(): () => void {
  const { cache, mutate } = useSWRConfig();
  const refresh = useCallback(() => {
    void mutate((key) => (isPatientsKey(key) || isPatientKey(key)) && cache.get(key)?.isValidating !== true);
    return 'done' as const;
  }, [cache, mutate]);
  return useAtMostEvery(atMostEveryMs, refresh);
}

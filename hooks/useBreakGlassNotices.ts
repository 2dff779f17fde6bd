import { useCallback } from 'react';
import type { BreakGlassNotices } from '../lib/breakGlass/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';
import { useCallOn } from './useCallOn';

const key = 'break glass';

/**
 * Who opened every unit of the site for an emergency: what no administrator has taken note of, and the newest of the
 * others.
 */
export function useBreakGlassNotices(): Answer<BreakGlassNotices> {
  return useAnswer(key, async () => {
    const { data, serverTime } = await poll('listBreakGlass', {});
    return { value: data, asOf: serverTime };
  });
}

/** Takes note of one. Throws `ApiFailure`; after it, done or refused, the list is asked for again. */
export function useSeeBreakGlass(): (id: number) => Promise<void> {
  const act = useCallOn(key);
  return useCallback(async (id) => void (await act('seeBreakGlass', { params: { id } })), [act]);
}

import type { OwnSessionsAnswer } from '../lib/profile/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

/** The sessions that the user has open, this one among them. */
export function useOwnSessions(): Answer<OwnSessionsAnswer> {
  return useAnswer('own sessions', async () => {
    const { data, serverTime } = await poll('listOwnSessions', {});
    return { value: data, asOf: serverTime };
  });
}

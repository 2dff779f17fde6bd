import type { ErrorReports } from '../lib/monitoring/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

/** What has gone wrong in pages and on the server, as far as it is kept here. */
export function useErrorReports(): Answer<ErrorReports> {
  return useAnswer('error reports', async () => {
    const { data, serverTime } = await poll('listErrors', {});
    return { value: data, asOf: serverTime };
  });
}

import type { CallAnswer, CallInput } from '../lib/browser/client';
import type { AuditAnswer } from '../lib/audit/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

export type AuditQuestion = CallInput<'listAudit'>['query'];

/**
 * One page of the record of who did what, as far as the user reads it. The last page stays while the next is on its
 * way.
 */
export function useAudit(query: AuditQuestion): Answer<AuditAnswer> {
  return useAnswer(
    `audit ${JSON.stringify(query)}`,
    async () => {
      const { data, serverTime } = await poll('listAudit', { query });
      return { value: data, asOf: serverTime };
    },
    { keepPreviousData: true },
  );
}

/** Whom the record can be asked about. */
export function useAuditPeople(): Answer<CallAnswer<'listAuditPeople'>> {
  return useAnswer('audit people', async () => {
    const { data, serverTime } = await poll('listAuditPeople', {});
    return { value: data, asOf: serverTime };
  });
}

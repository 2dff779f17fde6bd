import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { useKept } from './kept';
import { keptReports } from './keptTexts';
import { createReportKeeper, type ReportDraft, type ReportKeeper } from './reportKeeper';
import { isReadOf } from './useRead';

/**
 * Returns the issue report that a user writes, and goes on sending it while it is shown. Lists of reports are read
 * again once it is filed. In the browser only.
 */
export function useReportDraft(userId: number): { draft: ReportDraft; keeper: ReportKeeper } {
  const { draft, keeper } = useKept(() => keptReports.of(userId, 'own', createReportKeeper));
  const { mutate } = useSWRConfig();
  const filedId = draft.filed?.id;
  useEffect(() => {
    if (filedId !== undefined) {
      void mutate((key) => typeof key === 'string' && isReadOf('listReports', key));
    }
  }, [filedId, mutate]);
  return { draft, keeper };
}

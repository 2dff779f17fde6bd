import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSWRConfig } from 'swr';
import { keptReport } from './keptTexts';
import { createReportKeeper, type ReportDraft, type ReportKeeper } from './reportKeeper';
import { isReadOf } from './useRead';

/**
 * Returns the issue report that a user writes, and goes on sending it while it is shown. Lists of reports are read
 * again once it is filed. In the browser only.
 */
export function useReportDraft(userId: number): { draft: ReportDraft; keeper: ReportKeeper } {
  const [keeper] = useState(() => keptReport(userId, createReportKeeper));
  const { mutate } = useSWRConfig();
  useEffect(() => keeper.start(), [keeper]);
  const draft = useSyncExternalStore(keeper.subscribe, keeper.read);
  const filedId = draft.filed?.id;
  useEffect(() => {
    if (filedId !== undefined) {
      void mutate((key) => typeof key === 'string' && isReadOf('listReports', key));
    }
  }, [filedId, mutate]);
  return { draft, keeper };
}

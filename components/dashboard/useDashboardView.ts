import { useRouter } from 'next/router';
import { useEffect, useRef } from 'react';
import { readStoredText, storeText } from '../../hooks/useStoredText';
import { paths } from '../../lib/paths';
import { dashboardPath, readDashboardView, type DashboardView } from './dashboardUrl';

const keyOf = (userId: number): string => `wardlight-dashboard-${userId}`;

/**
 * Returns the view that the address of the dashboard holds, and the function that changes it. Opens the view that the
 * user left if the address names none.
 */
export function useDashboardView(userId: number): [DashboardView, (view: DashboardView) => void] {
  const router = useRouter();
  const view = readDashboardView(router.query);
  const isDone = useRef(false);
  useEffect(() => {
    const left = readDashboardView(Object.fromEntries(new URLSearchParams(readStoredText(keyOf(userId)) ?? '')));
    if (!isDone.current && Object.keys(router.query).length === 0 && dashboardPath(left) !== paths.dashboard) {
      void router.replace(dashboardPath(left), undefined, { shallow: true, scroll: false });
    }
    isDone.current = true;
  }, [router, userId]);
  const show = (wanted: DashboardView): void => {
    const address = dashboardPath(wanted);
    storeText(keyOf(userId), address.split('?')[1] ?? '');
    void router.replace(address, undefined, { shallow: true, scroll: false });
  };
  return [view, show];
}

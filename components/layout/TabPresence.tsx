import Head from 'next/head';
import { useEffect } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { useServerLost } from '../../hooks/useServerLost';
import { awaitedAlerts } from '../../lib/alerts/awaitedAlerts';
import { tabTitle } from '../../lib/alerts/tabTitle';

/**
 * Shows in the tab itself how many alerts no one has accepted, by the title and the icon, for a user who looks at
 * another tab (screens.md section 5).
 */
export function TabPresence() {
  const { items } = useAlertStrip();
  const isNotLive = useServerLost() !== null;
  const areAlertsStopped = useAlertsStopped() !== null;
  const { count: awaited, worst } = awaitedAlerts(items ?? []);
  useEffect(() => {
    const show = (): void => {
      const title = tabTitle(document.title, { awaited, isNotLive, areAlertsStopped });
      if (title !== document.title) {
        document.title = title;
      }
    };
    show();
    // Next sets the page's own title again with each of the page's renderings.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = tabTitle(document.title, { awaited: 0, isNotLive: false, areAlertsStopped: false });
    };
  }, [awaited, isNotLive, areAlertsStopped]);
  // The one that pages/_app.tsx sets has the same key, and the later one counts.
  return worst === null || isNotLive ? null : (
    <Head>
      <link key="icon" rel="icon" href={`/icon-${worst}.svg`} type="image/svg+xml" />
    </Head>
  );
}

import { useState } from 'react';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';

interface PausingAlerts {
  alerts: AlertsPage | undefined;
  /** HIGH and MEDIUM alerts that no one has taken, the most urgent first. */
  unowned: readonly AlertItem[];
  /** A HIGH alert was raised while the walkthrough was shown, and no one has taken it. */
  isPaused: boolean;
  /** Goes on although no one has taken it. */
  goOn: () => void;
}

/** A further raise and an upgrade are news as well. */
const keyOf = ({ id, lastRaisedAt }: AlertItem): string => `${id}/${lastRaisedAt}`;

/** Says when the walkthrough must make room: HIGH alerts that were not there when it was shown. */
export function usePausingAlerts(alerts: AlertsPage | undefined, isShowing: boolean): PausingAlerts {
  const unowned = (alerts?.items ?? []).filter(({ priority, accepted }) => priority !== 'low' && accepted === null);
  const high = unowned.filter(({ priority }) => priority === 'high').map(keyOf);
  /** The ones that were there already; null while the walkthrough is not shown, or before the first response. */
  const [known, setKnown] = useState<readonly string[] | null>(null);
  const wanted = isShowing && alerts !== undefined;
  if (wanted && known === null) {
    setKnown(high);
  } else if (!isShowing && known !== null) {
    setKnown(null);
  }
  return {
    alerts,
    unowned,
    isPaused: known !== null && high.some((key) => !known.includes(key)),
    goOn: () => setKnown(high),
  };
}

import { createContext, useCallback, useMemo, useState } from 'react';
import type { ReadState } from '../../hooks/readState';
import { useShownAlerts, type ShownAlerts } from '../../hooks/useShownAlerts';
import { maxPageSize } from '../../lib/api/pageSize';

/** What the cards of a chat share: one read for all of them. */
export interface ChatAlerts {
  read: Pick<ReadState<ShownAlerts>, 'data' | 'error' | 'asOf'>;
  /** Adds a card's alert to the read. Returns the function that takes it out again. */
  show: (alertId: number) => () => void;
  /** The user's own site's. */
  timeZone: string;
  /** The server's time when the chat was opened, epoch milliseconds. */
  openedAt: number;
  /** Whether the user may see alerts at all. */
  canRead: boolean;
}

export const ChatAlertsContext = createContext<ChatAlerts>({
  read: { data: undefined, error: undefined, asOf: null },
  show: () => () => {},
  timeZone: 'UTC',
  openedAt: 0,
  canRead: false,
});

/** Reads the alerts whose cards are shown: one read for all of them, not one for each message. */
export function useChatAlerts({
  timeZone,
  openedAt,
  canRead,
}: Pick<ChatAlerts, 'timeZone' | 'openedAt' | 'canRead'>): ChatAlerts {
  /** Once for each card: two messages may carry one alert. */
  const [cards, setCards] = useState<readonly number[]>([]);
  // The cards that came last are nearest to what is read.
  const ids = canRead ? [...new Set(cards)].slice(-maxPageSize).sort((a, b) => a - b) : [];
  const { data, error, asOf } = useShownAlerts(ids);
  const show = useCallback((alertId: number) => {
    setCards((before) => [...before, alertId]);
    return () => {
      setCards((before) => {
        const own = before.indexOf(alertId);
        return before.filter((_, place) => place !== own);
      });
    };
  }, []);
  return useMemo(
    () => ({ read: { data, error, asOf }, show, timeZone, openedAt, canRead }),
    [data, error, asOf, show, timeZone, openedAt, canRead],
  );
}

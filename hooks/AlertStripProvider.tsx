import { dequal } from 'dequal/lite';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { AlertStrip, StripItem } from '../lib/alerts/stripSchema';
import type { User } from '../lib/session/schema';
import { poll } from './poll';
import { useAreAlertsOld } from './useAlertsOld';
import { usePresenceRead } from './usePresenceRead';
import type { Fresh } from './useReadState';

/** What the page knows of the open alerts within the user's reach. */
export interface ShownStrip {
  /** The most urgent first; undefined until the first response, and for users who see no alerts. */
  items: readonly StripItem[] | undefined;
  /** The last poll failed, or alerts have not been answered for 10 s: the items are as they were. */
  isOld: boolean;
}

const none: ShownStrip = { items: undefined, isOld: false };
const Context = createContext<ShownStrip>(none);

/** Returns the open alerts as header, sidebar, tab, start page and lock screen show them. */
export function useAlertStrip(): ShownStrip {
  return useContext(Context);
}

/**
 * Polls the strip of open alerts once for the whole page, on every page of a signed-in user and on the lock screen. Its
 * responses also say whether alerts run (lib/browser/alertPath).
 */
export function AlertStripProvider({ user, children }: { user: User; children: ReactNode }) {
  const response = usePresenceRead('readAlertStrip', user, readStrip);
  const isOld = useAreAlertsOld(response?.error);
  const items = response?.data?.items;
  const shown = useMemo(() => ({ items, isOld }), [items, isOld]);
  return <Context value={response === null ? none : shown}>{children}</Context>;
}

/** Keeps the same object while no alert changes, so that nothing is drawn again. */
async function readStrip(held: AlertStrip | undefined): Promise<Fresh<AlertStrip>> {
  const { data, serverTime } = await poll('readAlertStrip', {});
  return { data: held !== undefined && dequal(held.items, data.items) ? held : data, serverTime };
}

import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { can } from '../lib/session/can';
import { isDisplay } from '../lib/session/isDisplay';
import type { User } from '../lib/session/schema';
import { selectStatus } from '../store/session/selectors';
import type { ReadState } from './readState';
import { useNotedAlertRead } from './useAlertsOld';
import { isReadOf } from './useRead';
import { useReadState, type Fresh } from './useReadState';

/** What every page of a signed-in user, and the lock screen, ask about alerts. */
const presenceCalls = ['readAlertStrip', 'readAlertSound'] as const;

/** Returns whether an SWR key is that of one of these calls. */
export function isPresenceKey(key: string): boolean {
  return presenceCalls.some((name) => isReadOf(name, key));
}

/**
 * Polls one of these calls; null if the user sees no alerts and the screen is not locked. A display asks
 * for its sound.
 */
export function usePresenceRead<Data>(
  name: (typeof presenceCalls)[number],
  user: User,
  read: (held: Data | undefined) => Promise<Fresh<Data>>,
): ReadState<Data> | null {
  const status = useSelector(selectStatus);
  const isLocked = status === 'locked';
  const isAsked =
    isLocked || (status === 'signedIn' && (can(user, 'readAlerts') || (isDisplay(user) && name === 'readAlertSound')));
  // The user and the lock are in the key: what another session may see is not shown for a moment either.
  const key = isAsked ? `${name} ${user.id} ${isLocked ? 'locked' : 'open'}` : null;
  const response = useReadState(key, read);
  useNotedAlertRead(key, response.asOf);
  const { refresh } = response;
  // With a lock the page drops all that it holds (useDropPatients), and with it the poll that has just begun.
  const before = useRef(key);
  useEffect(() => {
    if (key !== null && before.current !== null && before.current !== key) {
      void refresh();
    }
    before.current = key;
  }, [key, refresh]);
  return key === null ? null : response;
}

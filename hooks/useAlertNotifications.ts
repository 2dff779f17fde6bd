import { useEffect, useRef } from 'react';
import type { Priority } from '../lib/alerts/priority';
import { stripPlace } from '../lib/alerts/stripPlace';
import type { StripItem } from '../lib/alerts/stripSchema';
import { notificationState, showNotification } from '../lib/browser/notifications';
import type { AskingAlert } from '../lib/sound/soundSchema';

const titles = {
  high: 'High priority alert',
  medium: 'Medium priority alert',
  low: 'Low priority alert',
} as const satisfies Record<Priority, string>;

interface Asked {
  /** What sounds for the user. */
  asking: readonly AskingAlert[];
  /** The strip of alerts; undefined while it is not known. */
  strip: readonly StripItem[] | undefined;
  /** The page sounds, so that the browser need not. */
  isSounding: boolean;
}

/**
 * Shows a notification of the browser for each alert that begins to ask the user while they look elsewhere, and closes
 * it once the alert asks them no more. It says bed and priority: a notification may be read by anyone, and is kept by
 * the computer.
 */
export function useAlertNotifications(isWanted: boolean, { asking, strip, isSounding }: Asked): void {
  const shown = useRef(new Map<string, () => void>());
  useEffect(() => {
    if (!isWanted || strip === undefined) {
      return;
    }
    const keys = new Set(asking.map(keyOf));
    for (const [key, close] of shown.current) {
      if (!keys.has(key)) {
        close();
        shown.current.delete(key);
      }
    }
    for (const alert of asking) {
      const key = keyOf(alert);
      const places = strip.filter((item) => keyOf(item) === key);
      // The strip is another poll: it may not have the alert yet.
      if (!shown.current.has(key) && places.length > 0) {
        shown.current.set(key, isElsewhere() ? notify(alert, key, places, isSounding) : () => undefined);
      }
    }
  }, [isWanted, asking, strip, isSounding]);
  useEffect(() => {
    const all = shown.current;
    return () => {
      for (const close of all.values()) {
        close();
      }
      all.clear();
    };
  }, [isWanted]);
}

const keyOf = ({ priority, raisedAt }: AskingAlert): string => `${priority} ${raisedAt}`;

/** The user does not look at this page, and the browser still allows notifications. */
function isElsewhere(): boolean {
  return notificationState() === 'allowed' && (document.visibilityState === 'hidden' || !document.hasFocus());
}

function notify({ priority }: AskingAlert, key: string, places: readonly StripItem[], isSounding: boolean): () => void {
  const beds = new Set(places.map(stripPlace));
  return showNotification({
    title: titles[priority],
    // Several alerts of one millisecond: which of them asks this user is not known.
    body: beds.size === 1 ? [...beds].join() : '',
    tag: `wardlight ${key}`,
    stays: priority === 'high',
    isSilent: isSounding,
  });
}

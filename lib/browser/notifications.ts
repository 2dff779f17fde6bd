import { createListeners } from './listeners';

/** What this browser lets the page do. `unasked`: it asks the user first. */
export type NotificationState = 'unsupported' | 'unasked' | 'allowed' | 'refused';

const states = { default: 'unasked', granted: 'allowed', denied: 'refused' } as const satisfies Record<
  NotificationPermission,
  NotificationState
>;

/** Returns whether this page may show notifications. */
export function notificationState(): NotificationState {
  return typeof Notification === 'function' ? states[Notification.permission] : 'unsupported';
}

const { subscribe, notify } = createListeners();

/**
 * Calls the listener when that may have changed: the browser has asked, or the user comes back, perhaps from its
 * settings. Returns the function that stops it.
 */
export function onNotificationState(listener: () => void): () => void {
  const end = subscribe(listener);
  window.addEventListener('focus', listener);
  return () => {
    end();
    window.removeEventListener('focus', listener);
  };
}

/** Lets the browser ask the user; call it in an event of theirs. Resolves with whether they are allowed. */
export async function askForNotifications(): Promise<boolean> {
  if (notificationState() === 'unasked') {
    await Notification.requestPermission();
    notify();
  }
  return notificationState() === 'allowed';
}

interface Shown {
  title: string;
  body: string;
  /** One notification of a tag is shown at a time, whichever tabs ask for it. */
  tag: string;
  /** It stays until the user closes it. */
  stays: boolean;
  isSilent: boolean;
}

/**
 * Shows a notification, which brings this page into sight when it is clicked. Returns the function that closes it. Does
 * nothing in a browser that has them only for installed pages.
 */
export function showNotification({ title, body, tag, stays, isSilent }: Shown): () => void {
  try {
    const notification = new Notification(title, { body, tag, requireInteraction: stays, silent: isSilent });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return () => {
      notification.close();
    };
  } catch {
    return () => undefined;
  }
}

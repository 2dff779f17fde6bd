import { useSyncExternalStore } from 'react';
import {
  askForNotifications,
  notificationState,
  onNotificationState,
  type NotificationState,
} from '../lib/browser/notifications';
import { storeText, useStoredText } from './useStoredText';

const keyOf = (userId: number): string => `wardlight-notifications-${userId}`;

interface NotificationChoice {
  state: NotificationState;
  /** The user has switched them on in this browser, and it allows them. */
  isOn: boolean;
  /** Switching them on lets the browser ask the user; call it in an event of theirs. */
  choose: (isOn: boolean) => Promise<void>;
}

/** Whether a user wants notifications of alerts in this browser. They are off until the user switches them on. */
export function useNotificationChoice(userId: number): NotificationChoice {
  const isChosen = useStoredText(keyOf(userId)) === 'on';
  const state = useSyncExternalStore<NotificationState>(onNotificationState, notificationState, () => 'unsupported');
  return {
    state,
    isOn: isChosen && state === 'allowed',
    choose: async (isOn) => {
      const isAllowed = isOn && (await askForNotifications());
      storeText(keyOf(userId), isAllowed ? 'on' : 'off');
    },
  };
}

import { storeText, useStoredText } from './useStoredText';

const keyOf = (userId: number): string => `wardlight-alert-keys-${userId}`;

/**
 * Returns whether single keys act for a user in this browser, and the function that sets it. Keys
 * without Ctrl can be spoken or hit by accident, so they can be switched off (WCAG 2.2, 2.1.4).
 */
export function useSingleKeysChoice(userId: number): [boolean, (isOn: boolean) => void] {
  return [
    useStoredText(keyOf(userId)) !== 'off',
    (isOn) => {
      storeText(keyOf(userId), isOn ? 'on' : 'off');
    },
  ];
}

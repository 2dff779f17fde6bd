import { createSelector } from '@reduxjs/toolkit';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import type { AuthenticationState } from './reducer';

interface State {
  authentication: AuthenticationState;
}

/** Returns whether a sign-in, sign-up, sign-out or request is under way. */
export function selectIsWaiting({ authentication }: State): boolean {
  return authentication.isWaiting;
}

/** Returns the whole record of the signed-in user, the same object until some of it changes; null without one. */
export const selectUser = createSelector(
  [({ authentication }: State) => authentication.user, ({ authentication }: State) => authentication.account],
  ({ username, userImage, type, email, isAdmin }, account): UserInfo | null =>
    account === undefined || username === null || type === null || email === null
      ? null
      : { ...account, username, userImage, type, email, isAdmin },
);

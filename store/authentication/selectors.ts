import type { AuthenticationState } from './reducer';

/** Whether a sign-in, sign-up, sign-out or request is under way. */
export function selectIsWaiting({ authentication }: { authentication: AuthenticationState }): boolean {
  return authentication.isWaiting;
}

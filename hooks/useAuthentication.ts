import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/browser/client';
import type { SetupBody, SignInBody, SignUpBody } from '../lib/session/schema';
import type { AccountRequest } from '../store/authentication/actions';
import { logIn, register, signUp } from '../store/authentication/saga';
import { selectIsWaiting } from '../store/authentication/selectors';
import { useAppStore } from '../store/useAppStore';

/** Each returns why it failed, or null; the page then goes where it wants. */
export interface Authentication {
  isWaiting: boolean;
  signIn: (body: SignInBody) => Promise<ApiFailure | null>;
  /** Makes the first user, who is then signed in: the printed code is the invitation. */
  setUp: (body: SetupBody) => Promise<ApiFailure | null>;
  /** Makes the account that an invitation is for, and signs in. */
  signUp: (body: SignUpBody) => Promise<ApiFailure | null>;
  /** Asks for an account, for a reset's mail or for a new password; it signs no one in or out. */
  send: (request: AccountRequest) => Promise<ApiFailure | null>;
}

/** For the forms of people without a session. */
export function useAuthentication(): Authentication {
  const { run } = useAppStore();
  const isWaiting = useSelector(selectIsWaiting);
  return useMemo(
    () => ({
      isWaiting,
      signIn: (body) => run(logIn, body),
      setUp: (body) => run(signUp, { by: 'setup', body }),
      signUp: (body) => run(signUp, { by: 'invitation', body }),
      send: (request) => run(register, request),
    }),
    [run, isWaiting],
  );
}

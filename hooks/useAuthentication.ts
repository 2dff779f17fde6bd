import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/browser/client';
import type { SetupBody, SignInBody, SignUpBody } from '../lib/session/schema';
import type { AccountRequest } from '../store/authentication/actions';
import { logIn, register, signUp } from '../store/authentication/saga';
import { selectIsWaiting } from '../store/authentication/selectors';
import { useAppStore } from '../store/useAppStore';

/** Each function returns why it failed, or null. The caller then changes the page. */
export interface Authentication {
  isWaiting: boolean;
  signIn: (body: SignInBody) => Promise<ApiFailure | null>;
  /** Creates the site and its first user with the code that the server printed, and signs in. */
  setUp: (body: SetupBody) => Promise<ApiFailure | null>;
  /** Creates the account of an invitation, and signs in. */
  signUp: (body: SignUpBody) => Promise<ApiFailure | null>;
  /** Requests an account, a reset mail or a new password. It signs no one in or out. */
  send: (request: AccountRequest) => Promise<ApiFailure | null>;
}

/** The actions of people without a session. */
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

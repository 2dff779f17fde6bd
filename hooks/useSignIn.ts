import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/api/client';
import type { SignInBody } from '../lib/session/schema';
import { loginStarted } from '../store/authentication/actions';
import { selectIsWaiting } from '../store/authentication/selectors';
import { useCurrentUser } from './useCurrentUser';

export interface SignIn {
  /** Signs in. Returns why that failed, or null; the page then goes where it wants. */
  signIn: (body: SignInBody) => Promise<ApiFailure | null>;
  isWaiting: boolean;
}

/** For the sign-in form. */
export function useSignIn(): SignIn {
  const dispatch = useDispatch();
  const { refresh } = useCurrentUser();
  const signIn = useCallback(
    async (body: SignInBody) => {
      const failure = await new Promise<ApiFailure | null>((settle) => {
        dispatch(loginStarted(body, settle));
      });
      if (failure === null) {
        void refresh();
      }
      return failure;
    },
    [dispatch, refresh],
  );
  return { signIn, isWaiting: useSelector(selectIsWaiting) };
}

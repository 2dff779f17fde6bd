import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/api/client';
import type { SignUpBody } from '../lib/session/schema';
import { signupStarted } from '../store/authentication/actions';
import { selectIsWaiting } from '../store/authentication/selectors';
import { useCurrentUser } from './useCurrentUser';

export interface InvitedSignUp {
  /** Makes the account that the invitation is for and signs in. Returns why that failed, or null. */
  signUp: (body: SignUpBody) => Promise<ApiFailure | null>;
  isWaiting: boolean;
}

/** For the form that takes an invitation up. */
export function useInvitedSignUp(): InvitedSignUp {
  const dispatch = useDispatch();
  const { refresh } = useCurrentUser();
  const signUp = useCallback(
    async (body: SignUpBody) => {
      const failure = await new Promise<ApiFailure | null>((settle) => {
        dispatch(signupStarted({ by: 'invitation', body }, settle));
      });
      if (failure === null) {
        void refresh();
      }
      return failure;
    },
    [dispatch, refresh],
  );
  return { signUp, isWaiting: useSelector(selectIsWaiting) };
}

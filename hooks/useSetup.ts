import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/api/client';
import type { SetupBody } from '../lib/session/schema';
import { signupStarted } from '../store/authentication/actions';
import { selectIsWaiting } from '../store/authentication/selectors';
import { useCurrentUser } from './useCurrentUser';

export interface Setup {
  /** Makes the first user, who is then signed in. Returns why that failed, or null. */
  setUp: (body: SetupBody) => Promise<ApiFailure | null>;
  isWaiting: boolean;
}

/** For the form that sets an installation up: the printed code is the invitation. */
export function useSetup(): Setup {
  const dispatch = useDispatch();
  const { refresh } = useCurrentUser();
  const setUp = useCallback(
    async (body: SetupBody) => {
      const failure = await new Promise<ApiFailure | null>((settle) => {
        dispatch(signupStarted({ by: 'setup', body }, settle));
      });
      if (failure === null) {
        void refresh();
      }
      return failure;
    },
    [dispatch, refresh],
  );
  return { setUp, isWaiting: useSelector(selectIsWaiting) };
}

import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ApiFailure } from '../lib/api/client';
import { registerStarted, type AccountRequest } from '../store/authentication/actions';
import { selectIsWaiting } from '../store/authentication/selectors';

export interface SendAccountRequest {
  /** Sends the request. Returns why it was refused, or null; nobody is signed in or out by it. */
  send: (request: AccountRequest) => Promise<ApiFailure | null>;
  isWaiting: boolean;
}

/** For the forms of people without a session: asking for an account, for a reset's mail, for a new password. */
export function useAccountRequest(): SendAccountRequest {
  const dispatch = useDispatch();
  const send = useCallback(
    (request: AccountRequest) =>
      new Promise<ApiFailure | null>((settle) => {
        dispatch(registerStarted(request, settle));
      }),
    [dispatch],
  );
  return { send, isWaiting: useSelector(selectIsWaiting) };
}

import { createAction } from '@reduxjs/toolkit';
import type { ApiFailure } from '../../lib/browser/client';
import type { RegisterBody, ResetConfirmBody, ResetRequestBody, SetupBody, SignUpBody } from '../../lib/session/schema';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import * as types from '../actionTypes';

/** The result of a sign-out; `here` means without the server, whose session expires by itself. */
export type SignOutEnd = 'server' | 'here' | ApiFailure;

export const loginStarted = createAction(types.LOGIN_STARTED);
export const loginSucceeded = createAction<{ email: string }>(types.LOGIN_SUCCEEDED);
export const loginFailed = createAction(types.LOGIN_FAILED);

/**
 * The ways to an account that is signed in at once: an administrator's invitation, or the code that a new installation
 * prints.
 */
export type SignUp = { by: 'invitation'; body: SignUpBody } | { by: 'setup'; body: SetupBody };

export const signupStarted = createAction(types.SIGNUP_STARTED);
export const signupSucceeded = createAction(types.SIGNUP_SUCCEEDED);
export const signupFailed = createAction(types.SIGNUP_FAILED);

export const logoutStarted = createAction(types.LOGOUT_STARTED);
export const logoutSucceeded = createAction(types.LOGOUT_SUCCEEDED);
export const logoutFailed = createAction(types.LOGOUT_FAILED);

/** Requests without a session: an account that waits for approval, a reset's mail, the new password itself. */
export type AccountRequest =
  | { for: 'account'; body: RegisterBody }
  | { for: 'resetMail'; body: ResetRequestBody }
  | { for: 'newPassword'; body: ResetConfirmBody };

export const registerStarted = createAction(types.REGISTER_STARTED);
export const registerSucceeded = createAction(types.REGISTER_SUCCEEDED);
export const registerFailed = createAction(types.REGISTER_FAILED);

export const setUserInfo = createAction<UserInfo>(types.SET_USER_INFO);
export const removeUserInfo = createAction(types.REMOVE_USER_INFO);

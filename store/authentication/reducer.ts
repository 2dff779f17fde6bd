import { createReducer } from '@reduxjs/toolkit';
import { dequal } from 'dequal/lite';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import type { UserType } from '../../lib/session/userTypes';
import * as actions from './actions';

/** The product spec, section 3. */
export interface AuthenticationState {
  isWaiting: boolean;
  authenticated: boolean;
  email: string;
  user: {
    username: string | null;
    name: string | null;
    userImage: string | null;
    type: UserType | null;
    email: string | null;
    isAdmin: boolean;
  };
  /** The rest of the signed-in user's record; absent while there is no user. */
  account?: Omit<UserInfo, 'username' | 'userImage' | 'type' | 'email' | 'isAdmin'>;
}

const noUser: AuthenticationState['user'] = {
  username: null,
  name: null,
  userImage: null,
  type: null,
  email: null,
  isAdmin: false,
};

const initialState: AuthenticationState = { isWaiting: false, authenticated: false, email: '', user: noUser };

const startWaiting = (state: AuthenticationState): void => {
  state.isWaiting = true;
};
const endWaiting =
  (authenticated: boolean) =>
  (state: AuthenticationState): void => {
    state.isWaiting = false;
    state.authenticated = authenticated;
  };

/** The five groups of transitions of the product spec, section 4. */
export const authenticationReducer = createReducer(initialState, (builder) => {
  builder
    // 1. Sign-in.
    .addCase(actions.loginStarted, startWaiting)
    .addCase(actions.loginSucceeded, (state, { payload }) => {
      state.isWaiting = false;
      state.authenticated = true;
      state.email = payload.email;
    })
    .addCase(actions.loginFailed, endWaiting(false))
    // 2. Sign-up by invitation.
    .addCase(actions.signupStarted, startWaiting)
    .addCase(actions.signupSucceeded, endWaiting(true))
    .addCase(actions.signupFailed, endWaiting(false))
    // 3. Sign-out; if it fails the user is still signed in.
    .addCase(actions.logoutStarted, startWaiting)
    .addCase(actions.logoutSucceeded, (state) => {
      state.isWaiting = false;
      state.authenticated = false;
      state.email = '';
    })
    .addCase(actions.logoutFailed, endWaiting(true))
    // 4. A request for an account or a new password.
    .addCase(actions.registerStarted, startWaiting)
    .addCase(actions.registerSucceeded, (state) => {
      state.isWaiting = false;
    })
    .addCase(actions.registerFailed, (state) => {
      state.isWaiting = false;
    })
    // 5. The signed-in user.
    .addCase(actions.setUserInfo, (state, { payload }) => {
      const { username, userImage, type, email, isAdmin, ...account } = payload;
      const user = { username, name: `${account.fname} ${account.lname}`, userImage, type, email, isAdmin };
      state.authenticated = true;
      // The same user again changes nothing, so the page is not drawn again.
      if (!dequal(state.user, user) || !dequal(state.account, account)) {
        state.user = user;
        state.account = account;
      }
    })
    .addCase(actions.removeUserInfo, (state) => {
      state.authenticated = false;
      state.email = '';
      state.user = noUser;
      delete state.account;
    });
});

/** The actions. The reducers handle exactly these, and HYDRATE (store/index.ts). */

export const LOGIN_STARTED = 'LOGIN_STARTED';
export const LOGIN_SUCCEEDED = 'LOGIN_SUCCEEDED';
export const LOGIN_FAILED = 'LOGIN_FAILED';

/** An account made by invitation: the user is signed in at the end. */
export const SIGNUP_STARTED = 'SIGNUP_STARTED';
export const SIGNUP_SUCCEEDED = 'SIGNUP_SUCCEEDED';
export const SIGNUP_FAILED = 'SIGNUP_FAILED';

export const LOGOUT_STARTED = 'LOGOUT_STARTED';
export const LOGOUT_SUCCEEDED = 'LOGOUT_SUCCEEDED';
export const LOGOUT_FAILED = 'LOGOUT_FAILED';

/** A request that changes no session: an account awaiting approval, a password reset. */
export const REGISTER_STARTED = 'REGISTER_STARTED';
export const REGISTER_SUCCEEDED = 'REGISTER_SUCCEEDED';
export const REGISTER_FAILED = 'REGISTER_FAILED';

export const SET_USER_INFO = 'SET_USER_INFO';
export const REMOVE_USER_INFO = 'REMOVE_USER_INFO';

export const TOGGLE_SIDEBAR = 'TOGGLE_SIDEBAR';
export const OPEN_SIDEBAR = 'OPEN_SIDEBAR';
export const CLOSE_SIDEBAR = 'CLOSE_SIDEBAR';

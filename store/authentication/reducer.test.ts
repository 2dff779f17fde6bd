import type { UnknownAction } from 'redux';
import * as types from '../actionTypes';
import type { UserInfo } from '../../lib/session/userInfoSchema';
import { authenticationReducer, type AuthenticationState } from './reducer';
import { inventedUser } from '../../test/inventedWard';

const user: UserInfo = inventedUser({
  id: 7,
  fname: 'Ada',
  lname: 'Example',
  email: 'ada@example.org',
  username: 'ada',
  siteId: 1,
  userImage: '/ada.png',
  type: 'nurse',
  isAdmin: true,
});

const nobody = { username: null, name: null, userImage: null, type: null, email: null, isAdmin: false };
const somebody = {
  username: 'ada',
  name: 'Ada Example',
  userImage: '/ada.png',
  type: 'nurse',
  email: 'ada@example.org',
  isAdmin: true,
} as const;

/** Every state that matters: what a transition leaves alone must be left alone from either value. */
const states: AuthenticationState[] = [true, false].flatMap((isWaiting) =>
  [true, false].flatMap((authenticated) => [
    { isWaiting, authenticated, email: '', user: nobody },
    { isWaiting, authenticated, email: 'old@example.org', user: somebody },
  ]),
);

const transitions: [action: UnknownAction, change: Partial<AuthenticationState>][] = [
  [{ type: types.LOGIN_STARTED }, { isWaiting: true }],
  [
    { type: types.LOGIN_SUCCEEDED, payload: { email: 'new@example.org' } },
    { isWaiting: false, authenticated: true, email: 'new@example.org' },
  ],
  [{ type: types.LOGIN_FAILED }, { isWaiting: false, authenticated: false }],
  [{ type: types.SIGNUP_STARTED }, { isWaiting: true }],
  [{ type: types.SIGNUP_SUCCEEDED }, { isWaiting: false, authenticated: true }],
  [{ type: types.SIGNUP_FAILED }, { isWaiting: false, authenticated: false }],
  [{ type: types.LOGOUT_STARTED }, { isWaiting: true }],
  [{ type: types.LOGOUT_SUCCEEDED }, { isWaiting: false, authenticated: false, email: '' }],
  [{ type: types.LOGOUT_FAILED }, { isWaiting: false, authenticated: true }],
  [{ type: types.REGISTER_STARTED }, { isWaiting: true }],
  [{ type: types.REGISTER_SUCCEEDED }, { isWaiting: false }],
  [{ type: types.REGISTER_FAILED }, { isWaiting: false }],
  [
    { type: types.SET_USER_INFO, payload: user },
    { authenticated: true, user: somebody },
  ],
  [{ type: types.REMOVE_USER_INFO }, { authenticated: false, email: '', user: nobody }],
  [{ type: types.TOGGLE_SIDEBAR }, {}],
  [{ type: types.OPEN_SIDEBAR }, {}],
  [{ type: types.CLOSE_SIDEBAR }, {}],
  [{ type: 'SOMETHING_ELSE' }, {}],
];

describe('authentication', () => {
  it('starts not waiting, not authenticated, without an e-mail and without a user', () => {
    expect(authenticationReducer(undefined, { type: 'SOMETHING_ELSE' })).toEqual({
      isWaiting: false,
      authenticated: false,
      email: '',
      user: nobody,
    });
  });

  it('has a row here for every action type', () => {
    expect(new Set(transitions.map(([{ type }]) => type))).toEqual(
      new Set([...Object.values(types), 'SOMETHING_ELSE']),
    );
  });

  it.each(transitions)('answers %j from every state with its own change and nothing else', (action, change) => {
    for (const state of states) {
      expect(authenticationReducer(state, action)).toEqual({ ...state, ...change });
    }
  });
});

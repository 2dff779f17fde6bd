import type { UnknownAction } from 'redux';
import * as types from '../actionTypes';
import * as session from '../session/actions';
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

const noUser = { username: null, name: null, userImage: null, type: null, email: null, isAdmin: false };
const somebody = {
  username: 'ada',
  name: 'Ada Example',
  userImage: '/ada.png',
  type: 'nurse',
  email: 'ada@example.org',
  isAdmin: true,
} as const;

/** The part kept beside the six fields: together they are the whole record. */
const { username: _0, userImage: _1, type: _2, email: _3, isAdmin: _4, ...account } = user;

/** Every state that matters: a transition must leave unchanged from either value what it does not change. */
const states: AuthenticationState[] = [true, false].flatMap((isWaiting) =>
  [true, false].flatMap((authenticated) => [
    { isWaiting, authenticated, email: '', user: noUser },
    { isWaiting, authenticated, email: 'old@example.org', user: somebody, account: { ...account, id: 6 } },
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
    { authenticated: true, user: somebody, account },
  ],
  [{ type: types.REMOVE_USER_INFO }, { authenticated: false, email: '', user: noUser, account: undefined }],
  [{ type: types.TOGGLE_SIDEBAR }, {}],
  [{ type: types.OPEN_SIDEBAR }, {}],
  [{ type: types.CLOSE_SIDEBAR }, {}],
  ...Object.values(session).map(({ type }): [UnknownAction, object] => [{ type, payload: { user: null } }, {}]),
  [{ type: 'SOMETHING_ELSE' }, {}],
];

describe('authentication', () => {
  it('starts not waiting, not authenticated, without an e-mail and without a user', () => {
    expect(authenticationReducer(undefined, { type: 'SOMETHING_ELSE' })).toEqual({
      isWaiting: false,
      authenticated: false,
      email: '',
      user: noUser,
    });
  });

  it('has no key of an account without a user', () => {
    const state = authenticationReducer(undefined, { type: types.SET_USER_INFO, payload: user });
    expect(Object.keys(authenticationReducer(state, { type: types.REMOVE_USER_INFO }))).toEqual([
      'isWaiting',
      'authenticated',
      'email',
      'user',
    ]);
  });

  it('has a row here for every action type', () => {
    expect(new Set(transitions.map(([{ type }]) => type))).toEqual(
      new Set([...Object.values(types), ...Object.values(session).map((action) => action.type), 'SOMETHING_ELSE']),
    );
  });

  it.each(transitions)('changes for %j from every state its own fields and nothing else', (action, change) => {
    for (const state of states) {
      expect(authenticationReducer(state, action)).toEqual({ ...state, ...change });
    }
  });
});

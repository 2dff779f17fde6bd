import * as types from '../actionTypes';
import { layoutReducer } from './reducer';

describe('layout', () => {
  it('starts with the sidebar folded', () => {
    expect(layoutReducer(undefined, { type: 'SOMETHING_ELSE' })).toEqual({ collapsed: true });
  });

  it.each([
    [types.TOGGLE_SIDEBAR, true, false],
    [types.TOGGLE_SIDEBAR, false, true],
    [types.OPEN_SIDEBAR, true, false],
    [types.OPEN_SIDEBAR, false, false],
    [types.CLOSE_SIDEBAR, true, true],
    [types.CLOSE_SIDEBAR, false, true],
    [types.LOGIN_STARTED, true, true],
    [types.REMOVE_USER_INFO, false, false],
  ])('%s turns collapsed %s into %s', (type, before, after) => {
    expect(layoutReducer({ collapsed: before }, { type })).toEqual({ collapsed: after });
  });
});

/** @jest-environment jsdom */
import {
  checkUserInfoKeys,
  onForgotten,
  onOtherUser,
  readUserInfo,
  removeUserInfo,
  userInfoKey,
  writeUserInfo,
} from './userInfo';
import type { UserInfo } from '../session/userInfoSchema';
import { inventedUser } from '../../test/inventedWard';

const user: UserInfo = inventedUser({
  id: 7,
  fname: 'Ada',
  lname: 'Example',
  email: 'ada@example.org',
  username: 'ada',
  siteId: 1,
  userImage: null,
  type: 'nurse',
  isAdmin: false,
});

beforeEach(() => localStorage.clear());

describe('the user that the browser keeps', () => {
  it.each([
    ['no JSON', '{"id":7'],
    ['an empty text', ''],
    ['null', 'null'],
    ['a list', JSON.stringify([user])],
    ['a number', '7'],
    ['a user without a type', JSON.stringify({ ...user, type: undefined })],
    ['a user of an unknown type', JSON.stringify({ ...user, type: 'king' })],
    ['a user whose id is a text', JSON.stringify({ ...user, id: '7' })],
    ['a user who is touring "yes"', JSON.stringify({ ...user, isTouring: 'yes' })],
    ['another user', JSON.stringify({ ...user, id: 8 })],
  ])('is discarded when the record is %s', async (_, text) => {
    localStorage.setItem(userInfoKey, text);
    await expect(readUserInfo(7)).resolves.toBeNull();
    expect(localStorage.getItem(userInfoKey)).toBeNull();
  });

  it('is null if there is no record, or if it was removed', async () => {
    await expect(readUserInfo(7)).resolves.toBeNull();
    writeUserInfo(user);
    removeUserInfo();
    await expect(readUserInfo(7)).resolves.toBeNull();
  });

  it('is null, without an error, if storage is closed', async () => {
    jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    writeUserInfo(user);
    removeUserInfo();
    await expect(readUserInfo(7)).resolves.toBeNull();
  });

  it('is the whole user under the key userInfo, without what a user does not have', async () => {
    writeUserInfo(user);
    expect(JSON.parse(localStorage.getItem('userInfo') ?? '')).toEqual(user);
    localStorage.setItem('userInfo', JSON.stringify({ ...user, isTouring: true, secret: 'x' }));
    await expect(readUserInfo(7)).resolves.toEqual({ ...user, isTouring: true });
  });
});

describe('a change of the user', () => {
  it.each([['password'], ['Id'], ['istouring'], [''], ['constructor'], ['toString'], ['__proto__']])(
    'refuses the key %j',
    (key) => {
      const patch: unknown = JSON.parse(`{"fname":"Eve",${JSON.stringify(key)}:1}`);
      expect(() => checkUserInfoKeys(patch as Partial<UserInfo>)).toThrow(new Error(`Invalid user info key: ${key}`));
    },
  );

  it('takes every key that a user has', () => {
    expect(() => checkUserInfoKeys({ ...user, isTouring: true })).not.toThrow();
  });
});

describe('another tab', () => {
  const change = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

  it.each([
    ['has changed something else', 'theme', 'dark'],
    ['has forgotten the user', userInfoKey, null],
    ['has cleared its storage', null, null],
    ['has kept no JSON', userInfoKey, '{'],
    ['has kept nothing', userInfoKey, 'null'],
    ['has kept the same user', userInfoKey, JSON.stringify({ ...user, isTouring: true })],
  ])('that %s calls nothing', (_, key, value) => {
    const handle = jest.fn();
    const stop = onOtherUser(7, handle);
    change(key, value);
    expect(handle).not.toHaveBeenCalled();
    stop();
  });

  it('that stores another user calls the listener until it is removed', () => {
    const handle = jest.fn();
    const stop = onOtherUser(7, handle);
    change(userInfoKey, JSON.stringify({ ...user, id: 8 }));
    expect(handle).toHaveBeenCalledTimes(1);
    stop();
    change(userInfoKey, JSON.stringify({ ...user, id: 9 }));
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('that removes its user calls the listener until it is removed', () => {
    const handle = jest.fn();
    const stop = onForgotten(handle);
    change('theme', null);
    change(userInfoKey, JSON.stringify(user));
    expect(handle).not.toHaveBeenCalled();
    change(userInfoKey, null);
    stop();
    change(userInfoKey, null);
    expect(handle).toHaveBeenCalledTimes(1);
  });
});

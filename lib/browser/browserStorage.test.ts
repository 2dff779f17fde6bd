/** @jest-environment jsdom */
import fc from 'fast-check';
import { expectConsole } from '../../test/expectConsole';
import { inventedUser } from '../../test/inventedWard';
import type { UserInfo } from '../session/userInfoSchema';
import { carryListPlace, forgetListPlace, keepListPlace, type ListPlace, readCarriedPlace } from './listPlace';
import { keepTourPatient, keptTourPatient } from './tourPatient';
import {
  beginTourAgain,
  forgetTourLater,
  isTourLater,
  onTourElsewhere,
  readTour,
  setTourStatus,
  setTourStep,
  showTourLater,
  tourKey,
} from './tourRecord';
import {
  checkUserInfoKeys,
  onForgotten,
  onOtherUser,
  readUserInfo,
  removeUserInfo,
  userInfoKey,
  writeUserInfo,
} from './userInfo';

describe('listPlace', () => {
  const place: ListPlace = {
    userId: 1,
    address: '/patients?sort=-spo2&page=3',
    text: 'Sample',
    selectedIds: [4, 2],
    scrollY: 900,
  };

  beforeEach(() => {
    forgetListPlace();
  });

  describe('the place that is carried over a load of the browser', () => {
    it('is nothing for another user', () => {
      keepListPlace(place);
      carryListPlace();
      expect(readCarriedPlace(2)).toBeNull();
    });

    it('is nothing after it was forgotten', () => {
      keepListPlace(place);
      carryListPlace();
      forgetListPlace();
      expect(readCarriedPlace(1)).toBeNull();
    });

    it('contains nothing that was searched for', () => {
      keepListPlace(place);
      carryListPlace();
      expect(JSON.stringify({ ...sessionStorage })).not.toContain('Sample');
      expect(readCarriedPlace(1)).toEqual({ ...place, text: '' });
    });

    it('is nothing if the stored text is of another form', () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          sessionStorage.setItem('wardlight-list-place', `${text}!`);
          expect(readCarriedPlace(1)).toBeNull();
        }),
      );
    });

    it('is nothing if the storage is closed', () => {
      const closed = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new DOMException('The storage is closed');
      });
      expect(readCarriedPlace(1)).toBeNull();
      closed.mockRestore();
    });

    it('keeps a place without a selection', () => {
      keepListPlace({ ...place, selectedIds: [], scrollY: 0.4 });
      carryListPlace();
      expect(readCarriedPlace(1)).toEqual({ ...place, text: '', selectedIds: [], scrollY: 0 });
    });
  });
});

describe('tourPatient', () => {
  const key = 'wardlight-tour-patient';

  beforeEach(() => sessionStorage.clear());

  describe('the patient of the walkthrough', () => {
    it('is the last one that was selected for this user in this tab', () => {
      expect(keptTourPatient(7)).toBeNull();
      keepTourPatient(7, 12);
      keepTourPatient(7, 13);
      expect(keptTourPatient(7)).toBe(13);
      expect(keptTourPatient(8)).toBeNull();
      keepTourPatient(7, null);
      expect(keptTourPatient(7)).toBeNull();
    });

    it.each(['13', '7 x', '7 13,14', '7 13 Sample', ''])('is no one if the stored text is no id: "%s"', (text) => {
      sessionStorage.setItem(key, text);
      expect(keptTourPatient(7)).toBeNull();
    });

    it('is no one where the tab stores nothing', () => {
      jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new Error('full');
      });
      jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new Error('closed');
      });
      keepTourPatient(7, 12);
      expect(keptTourPatient(7)).toBeNull();
    });
  });
});

describe('tourRecord', () => {
  const stored = (): unknown => JSON.parse(localStorage.getItem(tourKey(7)) ?? 'null');

  beforeEach(() => localStorage.clear());

  describe('the step of the walkthrough', () => {
    it.each([[-1], [-0.5], [Number.NaN], ['3'], [null], [undefined], [true]])('cannot be %p', (step) => {
      setTourStep(7, 2);
      expect(() => setTourStep(7, step)).toThrow(new Error(`Invalid Step! ${String(step)}`));
      expect(stored()).toEqual({ step: 2, status: 'ongoing' });
    });

    it('is a number of at least 0, and 0 is one', () => {
      setTourStep(7, 4);
      expect(stored()).toEqual({ step: 4, status: 'ongoing' });
      setTourStep(7, 0);
      expect(stored()).toEqual({ step: 0, status: 'ongoing' });
    });
  });

  describe('the status of the walkthrough', () => {
    it.each([['done'], ['Completed'], [''], [null], [undefined], [1]])('cannot be %p', (status) => {
      expect(() => setTourStatus(7, status)).toThrow(new Error(`Invalid tour status: ${String(status)}`));
      expect(stored()).toBeNull();
    });

    it("is 'ongoing' or 'completed', and keeps the step", () => {
      setTourStep(7, 4);
      setTourStatus(7, 'completed');
      expect(stored()).toEqual({ step: 4, status: 'completed' });
      setTourStatus(7, 'ongoing');
      expect(readTour(7)).toEqual({ step: 4, status: 'ongoing' });
    });

    it('is ongoing from the first step on when nothing is stored, and nothing is written then', () => {
      expect(readTour(7)).toEqual({ step: 0, status: 'ongoing' });
      expect(localStorage).toHaveLength(0);
    });
  });

  describe('the record of the walkthrough', () => {
    it("is under 'wardlight-onboarding-tour-' and the user's id, so that no user has another one's", () => {
      setTourStep(7, 4);
      expect(localStorage.getItem('wardlight-onboarding-tour-7')).toBe('{"step":4,"status":"ongoing"}');
      expect(readTour(8)).toEqual({ step: 0, status: 'ongoing' });
    });

    it.each([
      'nonsense',
      'null',
      '7',
      '{}',
      '{"step":-1,"status":"ongoing"}',
      '{"step":"3","status":"ongoing"}',
      '{"step":3,"status":"over"}',
      '{"step":3}',
    ])('that is broken is logged, repaired and begins again: %s', (text) => {
      const lines = expectConsole('error');
      localStorage.setItem(tourKey(7), text);
      expect(readTour(7)).toEqual({ step: 0, status: 'ongoing' });
      expect(stored()).toEqual({ step: 0, status: 'ongoing' });
      expect(lines).toEqual([['The stored walkthrough could not be read and begins again']]);
    });

    it('holds for the page where the browser stores nothing', () => {
      jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new Error('full');
      });
      setTourStep(7, 3);
      setTourStatus(7, 'completed');
      expect(readTour(7)).toEqual({ step: 3, status: 'completed' });
      jest.restoreAllMocks();
      beginTourAgain(7);
      expect(readTour(7)).toEqual({ step: 0, status: 'ongoing' });
    });

    it('begins again at its first step', () => {
      setTourStep(7, 10);
      setTourStatus(7, 'completed');
      showTourLater({ userId: 7, endsAt: 1 });
      beginTourAgain(7);
      expect(stored()).toEqual({ step: 0, status: 'ongoing' });
      expect(isTourLater({ userId: 7, endsAt: 1 })).toBe(false);
    });
  });

  describe("'Show me later'", () => {
    it('counts for this user in this session alone, and leaves the record as it is', () => {
      setTourStep(7, 4);
      showTourLater({ userId: 7, endsAt: 100 });
      expect(isTourLater({ userId: 7, endsAt: 100 })).toBe(true);
      expect(isTourLater({ userId: 7, endsAt: 101 })).toBe(false);
      expect(isTourLater({ userId: 8, endsAt: 100 })).toBe(false);
      expect(stored()).toEqual({ step: 4, status: 'ongoing' });
    });

    it('is forgotten with the next sign-in', () => {
      showTourLater({ userId: 7, endsAt: 100 });
      forgetTourLater();
      expect(isTourLater({ userId: 7, endsAt: 100 })).toBe(false);
    });
  });

  describe('another tab', () => {
    const heard = jest.fn();
    const say = (key: string, newValue: string | null): boolean =>
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

    it('is heard about this user’s walkthrough, and about nothing else', () => {
      const stop = onTourElsewhere(7, heard);
      say(tourKey(8), '{"step":1,"status":"ongoing"}');
      say(tourKey(7), null);
      say('userInfo', '{}');
      expect(heard).not.toHaveBeenCalled();
      say(tourKey(7), '{"step":10,"status":"completed"}');
      say('wardlight-tour-later', '7 100');
      expect(heard).toHaveBeenCalledTimes(2);
      stop();
      say(tourKey(7), '{"step":10,"status":"completed"}');
      expect(heard).toHaveBeenCalledTimes(2);
    });
  });
});

describe('userInfo', () => {
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
});

/** @jest-environment jsdom */
import { expectConsole } from '../../test/expectConsole';
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

/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react';
import type { StripItem } from '../lib/alerts/stripSchema';
import type { AskingAlert } from '../lib/sound/soundSchema';
import { setPageVisibility } from '../test/inventedStream';
import { useAlertNotifications } from './useAlertNotifications';

/** The notifications on the screen of the computer. */
let open: { title: string; options: NotificationOptions }[];
let isFocused: boolean;

class InventedNotification {
  static permission: NotificationPermission = 'granted';
  private readonly one;
  constructor(title: string, options: NotificationOptions) {
    this.one = { title, options };
    open.push(this.one);
  }
  close(): void {
    open = open.filter((other) => other !== this.one);
  }
}

const high: AskingAlert = { priority: 'high', raisedAt: '2026-05-01T10:00:00.000Z' };
const medium: AskingAlert = { priority: 'medium', raisedAt: '2026-05-01T10:00:09.000Z' };
const inStrip = (alert: AskingAlert, bed: string | null = '3'): StripItem => ({
  ...alert,
  unit: 'North',
  bed,
  isTrial: false,
  owned: false,
});

beforeEach(() => {
  open = [];
  isFocused = false;
  InventedNotification.permission = 'granted';
  Object.assign(globalThis, { Notification: InventedNotification });
  jest.spyOn(document, 'hasFocus').mockImplementation(() => isFocused);
  setPageVisibility('visible');
});

interface Given {
  isWanted?: boolean;
  asking: readonly AskingAlert[];
  strip?: readonly StripItem[] | undefined;
  isSounding?: boolean;
}
function useGiven({ isWanted = true, isSounding = true, ...given }: Given): void {
  const strip = 'strip' in given ? given.strip : given.asking.map((alert) => inStrip(alert));
  useAlertNotifications(isWanted, { asking: given.asking, strip, isSounding });
}
const render = (given: Given) => renderHook(useGiven, { initialProps: given });
const titles = (): string[] => open.map(({ title }) => title);

describe('a notification of an alert', () => {
  it('is not shown if the user has not switched it on, or the browser no longer allows it', () => {
    render({ isWanted: false, asking: [high] });
    InventedNotification.permission = 'denied';
    render({ asking: [high] });
    expect(open).toEqual([]);
  });

  it('is not shown to a user who looks at the page', () => {
    isFocused = true;
    const { rerender } = render({ asking: [high] });
    isFocused = false;
    rerender({ asking: [high] });
    expect(open).toEqual([]);
  });

  it('says priority and bed, once, and stays if it is HIGH', () => {
    const { rerender } = render({ asking: [high] });
    rerender({ asking: [{ ...high }] });
    rerender({ asking: [high, medium] });
    expect(open.map(({ title, options }) => [title, options.body, options.requireInteraction])).toEqual([
      ['High priority alert', 'North · Bed 3', true],
      ['Medium priority alert', 'North · Bed 3', false],
    ]);
  });

  it('is about alerts that ask this user, and not about others in their reach', () => {
    render({ asking: [medium], strip: [inStrip(high), inStrip(medium)] });
    expect(titles()).toEqual(['Medium priority alert']);
  });

  it('waits for the bed', () => {
    const { rerender } = render({ asking: [high], strip: [] });
    rerender({ asking: [high], strip: undefined });
    expect(open).toEqual([]);
    rerender({ asking: [high] });
    expect(titles()).toEqual(['High priority alert']);
  });

  it('names no bed if two alerts of one moment are in different beds', () => {
    render({ asking: [high], strip: [inStrip(high, '3'), inStrip(high, '4')] });
    expect(open.map(({ options }) => options.body)).toEqual(['']);
  });

  it('goes when the alert asks the user no more, and comes again with a reminder', () => {
    const { rerender } = render({ asking: [high] });
    rerender({ asking: [], strip: [inStrip(high)] });
    expect(open).toEqual([]);
    rerender({ asking: [high] });
    expect(titles()).toEqual(['High priority alert']);
  });

  it('makes no sound of its own while the page sounds', () => {
    render({ asking: [high] });
    render({ asking: [medium], isSounding: false });
    expect(open.map(({ options }) => options.silent)).toEqual([true, false]);
  });

  it('goes with the page, and when the user switches it off', () => {
    const { rerender } = render({ asking: [high] });
    rerender({ asking: [high], isWanted: false });
    expect(open).toEqual([]);
    const { unmount } = render({ asking: [medium] });
    unmount();
    expect(open).toEqual([]);
  });
});

import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import type { AlertsPage } from '../lib/alerts/schema';
import type { StripItem } from '../lib/alerts/stripSchema';
import { ApiFailure, changesOf, clientFailure } from '../lib/browser/client';
import { noteResponse, thisMoment } from '../lib/browser/serverClock';
import type { AskingAlert } from '../lib/sound/soundSchema';
import { inventedAlert, inventedAlerts } from '../test/inventedAlert';
import { setPageVisibility } from '../test/inventedStream';
import { wardNow } from '../test/inventedWard';
import { swrConfig } from './swrConfig';
import { useAlertNotifications } from './useAlertNotifications';
import { isAlertsKey, useAlerts } from './useAlerts';
import { useAlertsOldSince } from './useAlertsOld';
import { useCall } from './useCall';
import { useShownAlerts } from './useShownAlerts';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query?: unknown }]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

describe('useAlerts', () => {
  const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: '2026-03-07T15:00:00.000Z' };
  const respond = (data: object, serverTime = 1) => Promise.resolve({ data, serverTime });
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  // The first call of a group waits for a task, in which its schemas are made. These tests stop the clock of tasks, so
  // the group is loaded before.
  beforeAll(() => changesOf('acknowledgeAlert'));

  beforeEach(() => {
    jest.useFakeTimers();
    mockAsk.mockReset();
    mockCall.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  const render = (fallback?: AlertsPage) =>
    renderHook(
      () => ({ alerts: useAlerts(fallback), acknowledge: useCall('acknowledgeAlert'), accept: useCall('acceptAlert') }),
      {
        wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
      },
    );

  /** The query of the last poll, without the signal. */
  const lastQuery = (): unknown => mockAsk.mock.lastCall?.[1].query;

  describe('the open alerts', () => {
    it.each([
      ['nothing is held', undefined, '1'],
      ['another version is held', inventedAlerts([inventedAlert(1)], { version: '7' }), '8'],
    ])('are not believed to be unchanged when %s', async (_, fallback, version) => {
      mockAsk.mockImplementation(() => respond({ unchanged: true, version }));
      const { result } = render(fallback);
      await pass(0);
      expect(result.current.alerts.error?.code).toBe('unreadable_response');
      expect(result.current.alerts.data).toBe(fallback);
    });

    it('stay as they were, marked old, when the server cannot be reached', async () => {
      mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(1)])));
      const { result } = render();
      await pass(0);
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await pass(5_000);
      expect(result.current.alerts.data?.items).toHaveLength(1);
      expect(result.current.alerts.error?.code).toBe('unreachable');
    });

    it('are polled every 5 s, all of them, and only what is newer than the page has', async () => {
      mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(1)], { version: '4' })));
      const { result } = render();
      await pass(0);
      expect(mockAsk.mock.lastCall?.[0]).toBe('listAlerts');
      expect(lastQuery()).toEqual({ state: 'open', pageSize: 500, after: undefined });
      const held = result.current.alerts.data;
      mockAsk.mockImplementation(() => respond({ unchanged: true, version: '4' }, 2));
      await pass(5_000);
      expect(lastQuery()).toEqual({ state: 'open', pageSize: 500, after: '4' });
      expect(result.current.alerts.data).toBe(held);
      expect(result.current.alerts.asOf).toBe(2);
    });

    it('start from those that came with the page', async () => {
      const fallback = inventedAlerts([inventedAlert(1)], { version: '9' });
      mockAsk.mockImplementation(() => respond({ unchanged: true, version: '9' }, 2));
      const { result } = render(fallback);
      expect(result.current.alerts).toMatchObject({ isLoading: false, data: fallback });
      await pass(0);
      expect(lastQuery()).toMatchObject({ after: '9' });
    });

    describe.each([
      ['acknowledge', 'acknowledgeAlert', { acknowledged: nia }],
      ['accept', 'acceptAlert', { accepted: nia }],
    ] as const)('after an action on one (%s)', (name, route, done) => {
      it('are polled at once when that was refused', async () => {
        mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(3)])));
        mockCall.mockRejectedValueOnce(new ApiFailure('alert_closed', 'It is closed.', { status: 409 }));
        const { result } = render();
        await pass(0);
        await act(() =>
          expect(result.current[name]({ params: { id: 3 }, body: { version: 1 } })).rejects.toMatchObject({
            code: 'alert_closed',
          }),
        );
        await pass(0);
        expect(mockAsk).toHaveBeenCalledTimes(2);
      });

      it('show the response at once and are not polled before their time', async () => {
        mockAsk.mockImplementation(() =>
          respond(inventedAlerts([inventedAlert(1), inventedAlert(3)], { version: '5' })),
        );
        mockCall.mockResolvedValueOnce(inventedAlert(3, done));
        const { result } = render();
        await pass(1_000);
        await act(() => result.current[name]({ params: { id: 3 }, body: { version: 1 } }));
        expect(mockCall.mock.lastCall).toEqual([route, { params: { id: 3 }, body: { version: 1 } }]);
        expect(result.current.alerts.data?.items).toEqual([inventedAlert(1), inventedAlert(3, done)]);
        expect(result.current.alerts.asOf).toBe(1);
        await pass(3_900);
        expect(mockAsk).toHaveBeenCalledTimes(1);
        await pass(200);
        expect(lastQuery()).toMatchObject({ after: '5' });
      });

      it('keep the response when the next poll fails', async () => {
        mockAsk.mockImplementationOnce(() => respond(inventedAlerts([inventedAlert(3)])));
        mockCall.mockResolvedValueOnce(inventedAlert(3, done));
        const { result } = render();
        await pass(4_900);
        let fail: (problem: unknown) => void = () => {};
        mockAsk.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
        await pass(100);
        await act(() => result.current[name]({ params: { id: 3 }, body: { version: 1 } }));
        act(() => fail(clientFailure('unreachable')));
        await pass(0);
        expect(result.current.alerts.data?.items).toEqual([inventedAlert(3, done)]);
      });

      it('drop the response of a poll that began before, which may be older, and poll again', async () => {
        mockAsk.mockImplementationOnce(() => respond(inventedAlerts([inventedAlert(3)])));
        mockCall.mockResolvedValueOnce(inventedAlert(3, done));
        const { result } = render();
        await pass(4_900);
        let land: (reply: object) => void = () => {};
        mockAsk.mockImplementationOnce(() => new Promise((resolve) => (land = resolve)));
        await pass(100);
        mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(4), inventedAlert(3, done)])));
        await act(() => result.current[name]({ params: { id: 3 }, body: { version: 1 } }));
        land({ data: inventedAlerts([inventedAlert(3)]), serverTime: 2 });
        await pass(0);
        expect(result.current.alerts.data?.items).toEqual([inventedAlert(4), inventedAlert(3, done)]);
        expect(mockAsk).toHaveBeenCalledTimes(3);
      });

      it('no longer contain one that the action closed', async () => {
        mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(1), inventedAlert(3)])));
        mockCall.mockResolvedValueOnce(inventedAlert(3, { ...done, closedAt: nia.at }));
        const { result } = render();
        await pass(0);
        await act(() => result.current[name]({ params: { id: 3 }, body: { version: 1 } }));
        expect(result.current.alerts.data).toMatchObject({ items: [inventedAlert(1)], total: 1 });
      });

      it('are polled when no list is held yet', async () => {
        mockAsk.mockReturnValueOnce(new Promise(() => {}));
        mockCall.mockResolvedValueOnce(inventedAlert(3, done));
        const { result } = render();
        await pass(0);
        mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(3, done)])));
        await act(() => result.current[name]({ params: { id: 3 }, body: { version: 1 } }));
        await pass(0);
        expect(result.current.alerts.data?.items).toEqual([inventedAlert(3, done)]);
      });
    });

    it('are old 10 s after their last answer while a poll hangs, although the server answers other calls', async () => {
      const began = Date.now();
      const serverTime = () => wardNow + Date.now() - began;
      const answerOthers = () => noteResponse(serverTime(), thisMoment());
      answerOthers();
      mockAsk.mockImplementation(() => respond(inventedAlerts([inventedAlert(1)]), serverTime()));
      const { result } = renderHook(
        () => {
          useAlerts();
          return useAlertsOldSince();
        },
        { wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig> },
      );
      await pass(1_000);
      const answeredAt = wardNow;
      mockAsk.mockReturnValue(new Promise(() => {}));
      for (let second = 1; second < 9; second += 1) {
        await pass(1_000);
        answerOthers();
      }
      expect(result.current).toBeNull();
      await pass(1_000);
      answerOthers();
      await pass(1_000);
      expect(result.current).toBe(answeredAt);
    });

    it('have a key that tells them from everything else', () => {
      expect(['listAlerts open', 'listPatients []', 'getPatient 1', undefined].map(isAlertsKey)).toEqual([
        true,
        false,
        false,
        false,
      ]);
    });
  });
});

describe('useShownAlerts', () => {
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const render = (first: readonly number[]) =>
    renderHook(({ ids }) => ({ alerts: useShownAlerts(ids), acknowledge: useCall('acknowledgeAlert') }), {
      initialProps: { ids: first },
      wrapper: ({ children }) => <SWRConfig value={{ ...swrConfig, provider: () => new Map() }}>{children}</SWRConfig>,
    });

  // The first call of a group waits for a task, in which its schemas are made. These tests stop the clock of tasks, so
  // the group is loaded before.
  beforeAll(() => changesOf('acknowledgeAlert'));

  beforeEach(() => {
    jest.useFakeTimers();
    mockAsk.mockReset().mockResolvedValue({ data: inventedAlerts([inventedAlert(3)]), serverTime: 1 });
  });
  afterEach(() => jest.useRealTimers());

  describe('the alerts of the cards of a chat', () => {
    it('are not read while there is no card', async () => {
      render([]);
      await pass(20_000);
      expect(mockAsk).not.toHaveBeenCalled();
    });

    it('are read in one call, and polled with the version that is held', async () => {
      const { result } = render([3, 9]);
      await pass(0);
      expect(mockAsk.mock.calls).toHaveLength(1);
      expect(mockAsk.mock.lastCall?.[1].query).toEqual({ ids: '3,9', after: undefined });
      const { data } = result.current.alerts;
      expect([data?.items.map(({ id }) => id), data?.asked]).toEqual([[3], [3, 9]]);
      mockAsk.mockResolvedValue({ data: { unchanged: true, version: '1' }, serverTime: 2 });
      await pass(5_000);
      expect(mockAsk.mock.lastCall?.[1].query).toEqual({ ids: '3,9', after: '1' });
      expect(result.current.alerts.data).toBe(data);
    });

    it('do not say of a card that has just come that it may not be seen', async () => {
      const { result, rerender } = render([3]);
      await pass(0);
      mockAsk.mockReturnValue(new Promise(() => {}));
      rerender({ ids: [3, 9] });
      await pass(0);
      expect(result.current.alerts.data).toMatchObject({ items: [{ id: 3 }], asked: [3] });
    });

    it('stay as they were, marked old, when the server cannot be reached', async () => {
      const { result } = render([3]);
      await pass(0);
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await pass(5_000);
      expect(result.current.alerts).toMatchObject({
        data: { items: [{ id: 3 }] },
        error: { code: 'unreachable' },
        asOf: 1,
      });
    });

    it('change at once with what the user does to one of them', async () => {
      const { result } = render([3]);
      await pass(0);
      mockCall.mockResolvedValue(inventedAlert(3, { version: 2 }));
      await act(async () => {
        await result.current.acknowledge({ params: { id: 3 }, body: { version: 1 } });
      });
      expect(result.current.alerts.data).toMatchObject({ items: [{ id: 3, version: 2 }], asked: [3] });
    });
  });
});

describe('useAlertNotifications', () => {
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
});

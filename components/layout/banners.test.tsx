import { act, render, renderHook, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import client from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { noteAlertPathEvent, noteAlertPathHeaders } from '../../lib/browser/alertPath';
import { startServerClock } from '../../lib/browser/serverClock';
import { axeViolations } from '../../test/axeViolations';
import { AlertsNotRunningBanner } from './AlertsNotRunningBanner';
import { Banners, bannersScript } from './Banners';
import { LiveLamp } from './LiveLamp';
import { hydrateInSlices } from './hydrateInSlices';
import { themeScript, useThemeChoice } from './useThemeChoice';

describe('AlertsNotRunningBanner', () => {
  /** 8 days later in each test, more than what one lets pass: the page keeps the newest news. */
  let start = Date.parse('2026-04-01T14:00:00Z');
  /** When the clock evaluation of the server stops, after `start`. */
  const stopMs = 7_300;

  beforeEach(async () => {
    jest.useFakeTimers();
    start += 8 * 86_400_000;
    startServerClock(start);
    await noteAlertPathHeaders({ path: `${start},${start}`, notStored: null }, start);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const bar = (): string | null => screen.getByRole('alert').textContent;

  /** A second passes on both sides; the evaluation stops after `stopMs` and goes on at `healsMs`. */
  async function pass(
    ms: number,
    { healsMs = Infinity, by }: { healsMs?: number; by: 'poll' | 'event' },
  ): Promise<void> {
    const serverTime = start + ms;
    const lastTickAt = ms < stopMs || ms >= healsMs ? serverTime - (ms % 1_000) : start + stopMs;
    const lastHeartbeatAt = serverTime - (ms % 30_000);
    await act(async () => {
      await jest.advanceTimersByTimeAsync(1_000);
      if (ms % 5_000 === 0) {
        await (by === 'poll'
          ? noteAlertPathHeaders({ path: `${lastTickAt},${lastHeartbeatAt}`, notStored: null }, serverTime)
          : noteAlertPathEvent(JSON.stringify({ topic: 'alertPath', serverTime, lastTickAt, lastHeartbeatAt })));
      }
    });
  }

  describe('AlertsNotRunningBanner', () => {
    it.each(['poll', 'event'] as const)(
      'is shown within 15 s after the clock evaluation stopped, and heals by itself (%s)',
      async (by) => {
        render(<AlertsNotRunningBanner timeZone="Europe/London" />);
        const shown: number[] = [];
        const texts = new Set<string | null>();
        for (let ms = 1_000; ms <= 60_000; ms += 1_000) {
          await pass(ms, { healsMs: 40_000, by });
          if (bar() !== '') {
            shown.push(ms);
            texts.add(bar());
          }
        }
        expect([...texts]).toEqual([
          'ALERTS NOT RUNNING since 15:00:07' +
            'No alert will be raised or escalated: look at the patients and the bedside monitors.',
        ]);
        expect(shown[0]).toBeLessThanOrEqual(stopMs + 15_000);
        expect(shown[0]).toBeGreaterThan(stopMs + 10_000);
        expect(shown.at(-1)).toBeLessThanOrEqual(45_000);
      },
    );

    it('has no accessibility fault', async () => {
      await noteAlertPathHeaders({ path: `${start},${start}`, notStored: null }, start + 600_000_000);
      const { container } = render(<AlertsNotRunningBanner timeZone="Europe/London" />);
      expect(bar()).toContain('ALERTS NOT RUNNING');
      jest.useRealTimers();
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });
});

describe('Banners', () => {
  const height = (): string => document.documentElement.style.getPropertyValue('--wl-banners-height');

  /** Runs the script as the browser does while it reads the head of the next page. */
  function openPage(): void {
    document.documentElement.removeAttribute('style');
    const script = document.createElement('script');
    script.textContent = bannersScript;
    document.head.append(script);
  }

  beforeEach(() => {
    localStorage.clear();
    window.innerWidth = 1280;
  });

  describe('the height of the banners before they are measured', () => {
    it('is that of the style sheet on the first page, in a window of another size, and if it is not a height', () => {
      openPage();
      expect(height()).toBe('');
      for (const kept of ['1024x768 92px', '1280x768', '1280x768 92px;color:red', '1280x768 calc(1px)', '</script>']) {
        localStorage.setItem('bannersHeight', kept);
        openPage();
        expect(height()).toBe('');
      }
    });

    it('is what it was on the page before', () => {
      let measure = (): void => undefined;
      jest.spyOn(window, 'ResizeObserver').mockImplementation((measured) => {
        const observer = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
        measure = () => measured([], observer);
        return observer;
      });
      jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ height: 91.5 }));
      const { unmount } = render(<Banners>Demo data</Banners>);
      act(() => measure());
      expect(height()).toBe('92px');
      unmount();
      expect(height()).toBe('');
      openPage();
      expect(height()).toBe('92px');
    });
  });
});

describe('LiveLamp', () => {
  const now = 1_800_000_000_000;

  /** A lamp of a page with fresh values and a server that answers, unless said otherwise. */
  const show = (change: Partial<ComponentProps<typeof LiveLamp>> = {}) =>
    render(
      <LiveLamp
        areValuesShown
        newestAsOf={now}
        delayMs={800}
        now={now}
        serverLost={null}
        isAnswering
        alertsStopped={null}
        alertsOldSince={null}
        beds={{ stale: 0, of: 19 }}
        isSilent={false}
        {...change}
      />,
    );

  it.each<[string, number | null, number | null, number | null, boolean]>([
    ['', now - 1_000, null, 800, false],
    ['', now - 1_000, now - 12_000, 800, false],
    ['', now - 1_000, now - 12_000, 800, true],
    ['Waiting for values', null, null, 800, true],
    ['No new value for 10 s', now - 10_001, null, 800, true],
    ['No new value for 3 h', now - 3 * 3_600_000, null, 800, true],
    ['Live', now - 10_000, null, null, true],
    ['Live', now + 200, null, null, true],
    ['Waiting for values', now + 2_001, null, 800, true],
    ['Live 0.8 s', now - 1_000, null, 800, true],
    ['Live 0.0 s', now - 1_000, null, 0, true],
  ])('says "%s"', (text, newestAsOf, serverLost, delayMs, areValuesShown) => {
    const { container } = show({ areValuesShown, newestAsOf, delayMs, serverLost });
    expect(container.textContent).toBe(text);
    expect(container.querySelector('circle') !== null).toBe(text.startsWith('Live'));
  });

  it.each([
    [null, 'Newest value 1 s old.'],
    [800, 'Newest value 1 s old. 0.8 s from server to screen: median of the last responses with new values.'],
  ])('says the rest in a tooltip (delay %s)', (delayMs, title) => {
    const { container } = show({ newestAsOf: now - 1_000, delayMs });
    expect(container.firstElementChild?.getAttribute('title')).toBe(title);
    expect(container.firstElementChild?.getAttribute('aria-description')).toBe(title);
  });

  it('is not green while the server can raise no alerts, however fresh the values are', () => {
    const { container } = show({ alertsStopped: now - 12_000 });
    expect(container.textContent).toBe('Alerts not running');
    expect(container.querySelector('circle')).toBeNull();
  });

  it.each([
    ['Alerts 25 s old', 'red', { alertsOldSince: now - 25_000 }],
    ['Alerts 25 s old', 'red', { alertsOldSince: now - 25_000, beds: { stale: 3, of: 19 } }],
    ['1 of 19 beds stale', 'amber', { beds: { stale: 1, of: 19 } }],
    ['9 of 19 beds stale', 'amber', { beds: { stale: 9, of: 19 } }],
    ['10 of 19 beds stale', 'red', { beds: { stale: 10, of: 19 } }],
    ['1 of 2 beds stale', 'red', { beds: { stale: 1, of: 2 } }],
    ['Alerts not running', 'red', { alertsStopped: now - 12_000, beds: { stale: 1, of: 19 } }],
    ['No new value for 20 s', 'dark', { newestAsOf: now - 20_000 }],
    ['Live 0.8 s', 'amber', { isSilent: true }],
    ['Alerts 25 s old', 'red', { isSilent: true, alertsOldSince: now - 25_000 }],
  ])('is the worst of its parts: "%s" is %s', (text, look, change) => {
    const { container } = show(change);
    expect([container.textContent, container.firstElementChild?.className]).toEqual([text, look]);
    expect(container.querySelector('circle')).toBeNull();
  });

  it('is not green from the first call without an answer, however fresh the values are', () => {
    const { container } = show({ isAnswering: false });
    expect(container.textContent).toBe('Server not answering');
    expect(container.querySelector('circle')).toBeNull();
  });

  it('leaves no lamp on a page without values', () => {
    const { container } = show({ areValuesShown: false, newestAsOf: null, delayMs: null });
    expect(container.firstChild).toBeNull();
  });
});

describe('hydrateInSlices', () => {
  /** The task in which each of some slow components was hydrated. */
  async function tasksOfHydration(): Promise<Set<number>> {
    let task = 0;
    let isOver = false;
    const count = (): void => {
      task += 1;
      if (!isOver) {
        setTimeout(count);
      }
    };
    const seen = new Set<number>();
    const Slow = () => {
      const end = performance.now() + 3;
      while (performance.now() < end) {
        // A component that takes 3 ms.
      }
      seen.add(task);
      return <p>1</p>;
    };
    const slow = (hydrated?: () => void) => (
      <div ref={hydrated}>
        {Array.from({ length: 12 }, (_, id) => (
          <Slow key={id} />
        ))}
      </div>
    );
    const root = document.createElement('div');
    root.innerHTML = renderToString(slow());
    seen.clear();
    count();
    await new Promise<void>((resolve) => {
      client.hydrateRoot(root, slow(resolve));
    });
    isOver = true;
    return seen;
  }

  it('a page is hydrated in several tasks, so that the browser can scroll and paint between them', async () => {
    expect((await tasksOfHydration()).size).toBe(1);
    hydrateInSlices();
    expect((await tasksOfHydration()).size).toBeGreaterThan(2);
  });
});

describe('useThemeChoice', () => {
  const theme = () => document.documentElement.dataset.theme;
  function systemIsDark(dark: boolean): MediaQueryList {
    const query = Object.assign(new EventTarget(), {
      media: '',
      matches: dark,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
    });
    jest.spyOn(window, 'matchMedia').mockReturnValue(query);
    return query;
  }
  /** Runs the script as the browser does while it reads the head. */
  function runThemeScript(): void {
    const script = document.createElement('script');
    script.textContent = themeScript;
    document.head.append(script);
  }

  beforeEach(() => {
    localStorage.clear();
    delete document.documentElement.dataset.theme;
  });

  describe('themeScript', () => {
    it.each([
      [null, false, 'light'],
      [null, true, 'dark'],
      ['light', true, 'light'],
      ['dark', false, 'dark'],
      ['</script>', true, 'dark'],
    ])('with the choice %s and a dark system %s paints %s', (stored, dark, wanted) => {
      systemIsDark(dark);
      if (stored !== null) {
        localStorage.setItem('theme', stored);
      }
      runThemeScript();
      expect(theme()).toBe(wanted);
    });

    it('follows the system if storage is forbidden', () => {
      systemIsDark(true);
      jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new DOMException('forbidden', 'SecurityError');
      });
      runThemeScript();
      expect(theme()).toBe('dark');
    });
  });

  describe('useThemeChoice', () => {
    it('still changes this page if nothing can be stored', () => {
      systemIsDark(false);
      jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError');
      });
      const { result } = renderHook(() => useThemeChoice());
      act(() => result.current[1]('dark'));
      expect(theme()).toBe('dark');
    });

    it('follows the system as it changes, until the user chooses', () => {
      const system = systemIsDark(false);
      const { result } = renderHook(() => useThemeChoice());
      expect(result.current[0]).toBe('system');
      Object.assign(system, { matches: true });
      act(() => void system.dispatchEvent(new Event('change')));
      expect(theme()).toBe('dark');
      act(() => result.current[1]('light'));
      act(() => void system.dispatchEvent(new Event('change')));
      expect(theme()).toBe('light');
      expect(result.current[0]).toBe('light');
    });
  });
});

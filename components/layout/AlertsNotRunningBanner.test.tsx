import { act, render, screen } from '@testing-library/react';
import { noteAlertPathEvent, noteAlertPathHeaders } from '../../lib/browser/alertPath';
import { startServerClock } from '../../lib/browser/serverClock';
import { axeViolations } from '../../test/axeViolations';
import { AlertsNotRunningBanner } from './AlertsNotRunningBanner';

/** A day later in each test: the page keeps the newest news. */
let start = Date.parse('2026-07-07T14:00:00Z');
/** When the clock evaluation of the server stops, after `start`. */
const stopMs = 7_300;

beforeEach(() => {
  jest.useFakeTimers();
  start += 86_400_000;
  startServerClock(start);
});
afterEach(() => {
  jest.useRealTimers();
});

const bar = (): string | null => screen.getByRole('alert').textContent;

/** A second passes on both sides; the evaluation stops after `stopMs` and goes on at `healsMs`. */
async function pass(ms: number, { healsMs = Infinity, by }: { healsMs?: number; by: 'poll' | 'event' }): Promise<void> {
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

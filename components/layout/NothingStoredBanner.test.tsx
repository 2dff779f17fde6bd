import { act, render, screen } from '@testing-library/react';
import { noteAlertPathHeaders } from '../../lib/browser/alertPath';
import { startServerClock } from '../../lib/browser/serverClock';
import { axeViolations } from '../../test/axeViolations';
import { NothingStoredBanner } from './NothingStoredBanner';

const start = Date.parse('2026-07-07T14:00:00Z');

beforeEach(() => {
  jest.useFakeTimers();
  startServerClock(start);
});
afterEach(() => {
  jest.useRealTimers();
});

/** A response comes, and the next second begins. */
async function respond(at: number, notStored: number | null): Promise<void> {
  await act(async () => {
    await noteAlertPathHeaders({ path: `${at},${at}`, notStored: notStored === null ? null : String(notStored) }, at);
    await jest.advanceTimersByTimeAsync(1_000);
  });
}

describe('NothingStoredBanner', () => {
  it('says since when in the site’s time, without an accessibility fault, and goes when all is stored', async () => {
    const { container } = render(<NothingStoredBanner timeZone="Europe/London" />);
    expect(screen.getByRole('status').textContent).toBe('');
    await respond(start + 12_000, start - 60_000);
    expect(screen.getByRole('status').textContent).toBe(
      'Nothing is stored since 14:59' +
        'Numbers and alerts go on. What you enter is refused: write it down elsewhere, and call the operator.',
    );
    await respond(start + 17_000, null);
    expect(screen.getByRole('status').textContent).toBe('');
    await respond(start + 22_000, start + 5_000);
    expect(screen.getByRole('status').textContent).toContain('since 15:00');
    jest.useRealTimers();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

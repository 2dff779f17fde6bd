import { act, fireEvent, render, screen } from '@testing-library/react';
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
  it('says since when in the site’s time, and that all is stored again until a user closes it', async () => {
    const { container } = render(<NothingStoredBanner timeZone="Europe/London" />);
    expect(screen.getByRole('status').textContent).toBe('');
    await respond(start + 12_000, start - 60_000);
    expect(screen.getByRole('status').textContent).toBe(
      'Nothing is stored since 14:59' +
        'Numbers and alerts go on. What you enter may be refused: write that down elsewhere, and call the operator.',
    );
    await respond(start + 17_000, null);
    expect(screen.getByRole('status').textContent).toBe(
      'Entries are stored againEnter what was refused since 14:59.Close',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('status').textContent).toBe('');
    await respond(start + 22_000, start + 5_000);
    expect(screen.getByRole('status').textContent).toContain('Nothing is stored since 15:00');
    expect(screen.getByRole('status').textContent).toContain('Numbers and alerts go on.');
    // The server answers no more: nothing goes on.
    await act(async () => {
      await jest.advanceTimersByTimeAsync(30_000);
    });
    expect(screen.getByRole('status').textContent).not.toContain('go on');
    jest.useRealTimers();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

import { act, render } from '@testing-library/react';
import { noteAlertPathHeaders } from '../../lib/browser/alertPath';
import { startServerClock } from '../../lib/browser/serverClock';
import { DiskLowBanner } from './DiskLowBanner';

const start = Date.parse('2026-07-07T14:00:00Z');

it('makes room for the banner that nothing is stored', async () => {
  jest.useFakeTimers();
  startServerClock(start);
  const { container } = render(<DiskLowBanner />);
  expect(container.textContent).toMatch(/^The disk of the server is nearly full\./);
  const at = start + 12_000;
  await act(async () => {
    await noteAlertPathHeaders({ path: `${at},${at}`, notStored: String(start) }, at);
    await jest.advanceTimersByTimeAsync(1_000);
  });
  expect(container.textContent).toBe('');
  jest.useRealTimers();
});

import { act, render } from '@testing-library/react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { useServerLost } from '../../hooks/useServerLost';
import { TabPresence } from './TabPresence';

jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/useAlertsStopped');
jest.mock('../../hooks/useServerLost');
jest.mock('next/head', () => ({ __esModule: true, default: ({ children }: { children: object }) => children }));

function setUp(waiting: number, serverLost: number | null = null): void {
  const place = { unit: 'West', bed: '1', isTrial: false };
  const item = { ...place, priority: 'high', raisedAt: '2026-03-07T15:00:00Z', owned: false } as const;
  const items = Array.from({ length: waiting }, () => item);
  jest.mocked(useAlertStrip).mockReturnValue({ items, isOld: serverLost !== null });
  jest.mocked(useAlertsStopped).mockReturnValue(null);
  jest.mocked(useServerLost).mockReturnValue(serverLost);
}

const icon = () => document.querySelector('link[rel="icon"]');

describe('the tab', () => {
  it('names how many alerts wait before its page, also after the page sets its own title again', async () => {
    document.title = 'Patients - Wardlight';
    setUp(2);
    const { rerender, unmount } = render(<TabPresence />);
    expect(document.title).toBe('(2!) Patients - Wardlight');
    expect(icon()?.getAttribute('href')).toBe('/icon-high.svg');
    await act(async () => {
      document.title = 'Dashboard - Wardlight';
      await Promise.resolve();
    });
    expect(document.title).toBe('(2!) Dashboard - Wardlight');
    setUp(0);
    rerender(<TabPresence />);
    expect(document.title).toBe('Dashboard - Wardlight');
    expect(icon()).toBeNull();
    setUp(1, 1);
    rerender(<TabPresence />);
    expect(document.title).toBe('(NOT LIVE) Dashboard - Wardlight');
    unmount();
    expect(document.title).toBe('Dashboard - Wardlight');
  });
});

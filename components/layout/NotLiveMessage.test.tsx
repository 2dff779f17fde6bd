import { render, screen } from '@testing-library/react';
import { useLostBecause } from '../../hooks/useServerLost';
import type { FailureCause } from '../../lib/api/failureCause';
import { NotLiveMessage } from './NotLiveMessage';

jest.mock('../../hooks/useServerLost');

function show(because: FailureCause, serverLost: number | null = Date.parse('2026-03-07T15:00:05Z')): string | null {
  jest.mocked(useLostBecause).mockReturnValue(because);
  render(<NotLiveMessage serverLost={serverLost} timeZone="Europe/London" />);
  return screen.getByRole('alert').textContent;
}

describe('NotLiveMessage', () => {
  it.each([
    ['unreachable', 'The server cannot be reached.', 0],
    ['refused', 'The server refused access.', 1],
    ['throttled', 'Too many requests.', 0],
    ['failed', 'The server reported an error.', 1],
    ['unreadable', 'The server’s response could not be read.', 1],
  ] as const)('says in one message since when nothing is live, and what to do (%s)', (because, words, links) => {
    const text = show(because);
    expect(text).toContain('NOT LIVE since 15:00:05 - last data shown. Look at the patient and the bedside monitor.');
    expect(screen.getByTitle(words)).toBeTruthy();
    expect(screen.queryAllByRole('link', { name: 'Sign in again' })).toHaveLength(links);
  });

  it('says nothing while the server answers', () => {
    expect(show('failed', null)).toBe('');
  });
});

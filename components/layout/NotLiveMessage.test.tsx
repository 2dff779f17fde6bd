import { render, screen } from '@testing-library/react';
import { useLostBecause } from '../../hooks/useServerLost';
import type { FailureCause } from '../../lib/api/failureCause';
import { NotLiveBanner } from './NotLiveBanner';

jest.mock('../../hooks/useServerLost');

function show(because: FailureCause, serverLost: number | null = Date.parse('2026-03-07T15:00:05Z')): string | null {
  jest.mocked(useLostBecause).mockReturnValue(because);
  render(<NotLiveBanner serverLost={serverLost} timeZone="Europe/London" />);
  return screen.getByRole('alert').textContent;
}

describe('NotLiveBanner', () => {
  it.each([
    ['unreachable', 'The server cannot be reached.', 0],
    ['refused', 'The server refused access.', 1],
    ['throttled', 'Too many requests.', 0],
    ['failed', 'The server reported an error.', 1],
    ['unreadable', 'The server’s response could not be read.', 1],
  ] as const)('says since when and why nothing is live (%s)', (because, words, links) => {
    const text = show(because);
    expect(text).toContain('NOT LIVE since 15:00:05');
    expect(text).toContain(words);
    expect(text).toContain('look at the patient and the bedside monitor');
    expect(screen.queryAllByRole('link', { name: 'Sign in again' })).toHaveLength(links);
  });

  it('says nothing while the server answers', () => {
    expect(show('failed', null)).toBe('');
  });
});

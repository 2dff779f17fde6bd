import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useNow } from '../../hooks/useNow';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import { sessionEndedAt } from '../../lib/browser/sessionEnd';
import { wardNow } from '../../test/inventedWard';
import { SessionEndBanner } from './SessionEndBanner';

jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useNow');

const signOut = jest.fn(() => Promise.resolve(null));
const minute = 60_000;

function show(leftMs: number): void {
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useCurrentUser).mockReturnValue({
    user: null,
    status: 'signedIn',
    lockedUser: null,
    lock: () => Promise.resolve(),
    unlock: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: () => Promise.resolve(),
    signOut,
  });
  render(<SessionEndBanner initialNow={wardNow} endsAt={wardNow + leftMs} timeZone="Europe/London" />);
}

describe('a session that ends by time', () => {
  it('says nothing until 15 min before', () => {
    show(15 * minute + 1);
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('warns then that the screen will show and sound no alerts, and offers to sign in again', async () => {
    show(15 * minute);
    expect(screen.getByRole('status').textContent).toContain(
      'Your session ends at 15:15. After that this screen shows and sounds no alerts.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Sign in again' }));
    expect(signOut).toHaveBeenCalledTimes(1);
  });

  it('is known to have ended by itself only once its time has come', () => {
    show(30 * minute);
    noteResponse(wardNow, thisMoment());
    expect(sessionEndedAt()).toBeNull();
    show(0);
    expect(sessionEndedAt()).toBe('15:00');
  });
});

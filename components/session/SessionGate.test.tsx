import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import type { FailureCause } from '../../lib/api/failureCause';
import { makeStore } from '../../store/index';
import { sessionLost, signOutRefused } from '../../store/session/actions';
import { wardNow } from '../../test/inventedWard';
import type { SessionStatus } from '../../store/session/selectors';
import { SessionGate } from './SessionGate';

jest.mock('../../hooks/useCurrentUser');

function show(status: SessionStatus, because: FailureCause = 'unreachable', refusal?: string, isWall = false) {
  const nothing = {
    lockedUser: null,
    lock: () => Promise.resolve(),
    unlock: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: jest.fn(() => Promise.resolve()),
    signOut: jest.fn(() => Promise.resolve(null)),
  };
  jest.mocked(useCurrentUser).mockReturnValue({ ...nothing, user: null, status });
  const store = makeStore();
  store.dispatch(sessionLost(because));
  if (refusal !== undefined) {
    store.dispatch(signOutRefused(refusal));
  }
  render(
    <Provider store={store}>
      <SessionGate isWall={isWall} banners={<p>ALERTS NOT RUNNING</p>} initialNow={wardNow}>
        patients
      </SessionGate>
    </Provider>,
  );
  return nothing;
}

describe('SessionGate', () => {
  it.each([
    ['unreachable', 'The server cannot be reached'],
    ['signedOutHere', 'Signed out on this computer'],
    ['signedOut', 'Signed out'],
    ['locked', 'Screen locked'],
    ['signingOut', 'Signing out'],
  ] as const)('hides the pages of a user who is %s and says so', (status, title) => {
    show(status);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
    expect(screen.queryByText('patients')).toBeNull();
  });

  it.each(['unreachable', 'signedOut'] as const)('says on a wall that is %s that it shows no patients', (status) => {
    show(status, 'unreachable', undefined, true);
    expect(screen.getByText('NOT SHOWING PATIENTS')).toBeTruthy();
    expect(screen.queryByText('patients')).toBeNull();
  });

  it.each(['unreachable', 'locked', 'signingOut'] as const)(
    'keeps the banners above the screen of a user who is %s',
    (status) => {
      show(status);
      expect(screen.getByText('ALERTS NOT RUNNING')).toBeTruthy();
    },
  );

  it.each([
    ['refused', 'The server refused access'],
    ['failed', 'The server reported an error'],
    ['unreadable', 'The server’s response could not be read'],
  ] as const)('says that the server %s, with a way to sign in again', (because, title) => {
    show('unreachable', because);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/sign_in');
    expect(screen.queryByText('patients')).toBeNull();
  });

  it.each(['unreachable', 'throttled'] as const)('offers no sign-in if the cause is %s', (because) => {
    show('unreachable', because);
    expect(screen.queryByRole('link', { name: 'Sign in again' })).toBeNull();
  });

  it('says that the user is still signed in after a refused sign-out, and offers both ways on', async () => {
    const { signOut, giveUpSignOut } = show('signingOut', 'unreachable', 'Try again.');
    expect(screen.getByRole('heading', { level: 1, name: 'You are still signed in' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('The server did not sign you out. Try again.');
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(signOut).toHaveBeenCalledTimes(1);
    await userEvent.click(screen.getByRole('button', { name: 'Back to the page' }));
    expect(giveUpSignOut).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('patients')).toBeNull();
  });

  it('says after a sign-out without the server that its session ends by itself', () => {
    show('signedOutHere');
    expect(screen.getByRole('alert').textContent).toContain('the session on the server ends by itself');
  });

  it('shows the pages of a user who is signed in', () => {
    show('signedIn');
    expect(screen.getByText('patients')).toBeTruthy();
  });
});

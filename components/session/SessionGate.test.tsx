import { render, screen } from '@testing-library/react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import type { SessionStatus } from '../../store/session/selectors';
import { SessionGate } from './SessionGate';

jest.mock('../../hooks/useCurrentUser');

function show(status: SessionStatus): void {
  const nothing = {
    lockedUser: null,
    lock: () => Promise.resolve(),
    unlock: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    signOut: () => Promise.resolve(null),
  };
  jest.mocked(useCurrentUser).mockReturnValue({ ...nothing, user: null, status });
  render(<SessionGate>patients</SessionGate>);
}

describe('SessionGate', () => {
  it.each([
    ['unreachable', 'The server cannot be reached'],
    ['signedOutHere', 'Signed out on this computer'],
    ['signedOut', 'Signed out'],
    ['locked', 'Screen locked'],
  ] as const)('hides the pages of a user who is %s and says so', (status, title) => {
    show(status);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
    expect(screen.queryByText('patients')).toBeNull();
  });

  it('says that the session of the server ends by itself after a sign-out without it', () => {
    show('signedOutHere');
    expect(screen.getByRole('alert').textContent).toContain('the server’s own session ends by itself');
  });

  it('shows the pages of a user who is signed in', () => {
    show('signedIn');
    expect(screen.getByText('patients')).toBeTruthy();
  });
});

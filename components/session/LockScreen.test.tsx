import { act, fireEvent, render, screen } from '@testing-library/react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { ApiFailure } from '../../lib/browser/client';
import { inventedUser } from '../../test/inventedWard';
import { LockScreen } from './LockScreen';

jest.mock('../../hooks/useAlertPathPoll');
jest.mock('../../hooks/useCurrentUser');

const unlock = jest.fn<Promise<ApiFailure | null>, [string]>();

function show(): HTMLElement {
  jest.mocked(useCurrentUser).mockReturnValue({
    user: null,
    status: 'locked',
    lockedUser: inventedUser(),
    lock: () => Promise.resolve(),
    unlock,
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: () => Promise.resolve(),
    signOut: () => Promise.resolve(null),
  });
  render(<LockScreen />);
  return screen.getByLabelText('Password');
}
const submit = (): void => {
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }));
};

beforeEach(() => unlock.mockReset().mockResolvedValue(null));

describe('LockScreen', () => {
  it('sends nothing without a password, and says so at the field', () => {
    const field = show();
    submit();
    expect(unlock).not.toHaveBeenCalled();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
  });

  it('says that the password is wrong, empties the field and keeps the focus there', async () => {
    unlock.mockResolvedValue(new ApiFailure('wrong_password', 'The password is wrong.', { status: 401 }));
    const field = show();
    fireEvent.change(field, { target: { value: 'not this one' } });
    submit();
    await screen.findByText('The password is wrong.');
    expect(field).toHaveProperty('value', '');
    expect(document.activeElement).toBe(field);
  });

  it('says why the server did not unlock the session', async () => {
    unlock.mockResolvedValue(new ApiFailure('unreachable', 'The server cannot be reached.'));
    fireEvent.change(show(), { target: { value: 'right' } });
    submit();
    await expect(screen.findByText('The server cannot be reached.')).resolves.toBeTruthy();
  });

  it('says whose session it is, unlocks it with the password, and offers to sign out', async () => {
    fireEvent.change(show(), { target: { value: 'correct horse battery' } });
    expect(screen.getByText('Ines Moreau')).toBeTruthy();
    await act(async () => {
      submit();
      await Promise.resolve();
    });
    expect(unlock).toHaveBeenCalledWith('correct horse battery');
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
  });
});

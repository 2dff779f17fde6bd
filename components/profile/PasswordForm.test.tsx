import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useProfile, type Profile } from '../../hooks/useProfile';
import { PasswordForm } from './PasswordForm';

jest.mock('../../hooks/useProfile');

const changePassword = jest.fn<ReturnType<Profile['changePassword']>, Parameters<Profile['changePassword']>>();

describe('PasswordForm', () => {
  it('sends a double click once, and can be sent again afterwards', async () => {
    jest.mocked(useProfile).mockReturnValue({
      isWaiting: false,
      changeNames: jest.fn(),
      changePassword: changePassword.mockResolvedValue(null),
      changePicture: jest.fn(),
      removePicture: jest.fn(),
      endSession: jest.fn(),
      endOtherSessions: jest.fn(),
    });
    render(<PasswordForm />);
    const type = (): void => {
      fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'correct horse battery' } });
      fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'four other unrelated words' } });
    };
    const button = screen.getByRole('button', { name: 'Change the password' });
    type();
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('was changed'));
    expect(changePassword.mock.calls).toEqual([
      [{ current: 'correct horse battery', password: 'four other unrelated words' }],
    ]);
    type();
    fireEvent.click(button);
    await waitFor(() => expect(changePassword).toHaveBeenCalledTimes(2));
  });
});

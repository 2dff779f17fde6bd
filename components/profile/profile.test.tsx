import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { axeViolations } from '../../test/axeViolations';
import { setCalls } from '../../test/calls';
import { KeysPart } from './KeysPart';
import { PasswordForm } from './PasswordForm';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useCurrentUser', () => ({ useCurrentUser: () => ({ refresh: () => Promise.resolve() }) }));

describe('PasswordForm', () => {
  const changePassword = jest.fn<Promise<null>, [input: object]>();
  const type = (password = 'four other unrelated words'): void => {
    fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'correct horse battery' } });
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: password } });
  };
  const submit = (): void => void fireEvent.click(screen.getByRole('button', { name: /Change the password/ }));

  beforeEach(() => {
    setCalls({ changePassword: changePassword.mockReset().mockResolvedValue(null) });
  });

  it('sends no password that is too short, and says so at its field', async () => {
    render(<PasswordForm />);
    type('too short');
    submit();
    await expect(screen.findByText(/New password needs at least 15 characters/)).resolves.toBeTruthy();
    expect(changePassword).not.toHaveBeenCalled();
  });

  it('says that the current password is wrong, and keeps what was typed', async () => {
    changePassword.mockRejectedValue(new ApiFailure('wrong_password', 'No.', { status: 401 }));
    render(<PasswordForm />);
    type();
    submit();
    await expect(screen.findByText('The current password is wrong.')).resolves.toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('four other unrelated words');
  });

  it('sends a double click once, and can be sent again afterwards', async () => {
    render(<PasswordForm />);
    type();
    submit();
    submit();
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('was changed'));
    expect(changePassword.mock.calls).toEqual([
      [{ body: { current: 'correct horse battery', password: 'four other unrelated words' } }],
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
    type();
    submit();
    await waitFor(() => expect(changePassword).toHaveBeenCalledTimes(2));
  });

  it('has no accessibility violation', async () => {
    const { container } = render(<PasswordForm />);
    await expect(axeViolations(container, 'region')).resolves.toEqual([]);
  });
});

describe('KeysPart', () => {
  describe('the keys of the alert list', () => {
    it('are on at first and can be switched off, for one user of a browser', async () => {
      localStorage.clear();
      const { unmount } = render(<KeysPart userId={7} />);
      const choice = screen.getByRole('checkbox');
      expect(choice).toHaveProperty('checked', true);
      await userEvent.click(choice);
      expect(choice).toHaveProperty('checked', false);
      unmount();
      render(<KeysPart userId={8} />);
      expect(screen.getByRole('checkbox')).toHaveProperty('checked', true);
    });
  });
});

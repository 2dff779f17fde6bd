import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAuthentication } from '../../hooks/useAuthentication';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { AccountRequest } from '../../store/authentication/actions';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';
import { inventedUser } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ResetPasswordScreen } from './ResetPasswordScreen';

const mockReplace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({
  __esModule: true,
  default: { replace: () => Promise.resolve(true) },
  useRouter: () => ({ replace: mockReplace }),
}));
jest.mock('../../hooks/useAuthentication');
jest.mock('../../hooks/useCurrentUser', () => ({ useCurrentUser: () => ({ signOut: () => Promise.resolve(null) }) }));

const token = 't'.repeat(43);
const send = jest.fn<Promise<ApiFailure | null>, [AccountRequest]>();

beforeEach(() => {
  window.history.replaceState(null, '', '/reset_password');
  mockReplace.mockClear();
  send.mockReset().mockResolvedValue(null);
  jest.mocked(useAuthentication).mockReturnValue(inventedAuthentication({ send }));
});

function openLink(secret = token) {
  window.history.replaceState(null, '', `/reset_password#token=${secret}`);
  return render(<ResetPasswordScreen user={null} />);
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('asking for a link', () => {
  it('refuses text that is not an e-mail, at its field', async () => {
    render(<ResetPasswordScreen user={null} />);
    await writeInto(screen.getByLabelText('E-mail'), 'ines{Enter}');
    await screen.findByText('E-mail is not an e-mail address');
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
    expect(send).not.toHaveBeenCalled();
  });

  it('says that the server cannot be reached, and can be sent again', async () => {
    send.mockResolvedValueOnce(clientFailure('unreachable'));
    render(<ResetPasswordScreen user={null} />);
    await writeInto(screen.getByLabelText('E-mail'), 'ines@ward.test{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Your request was not accepted. The server cannot be reached.');
    await press('Send the link');
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('does not say whether the account exists', async () => {
    render(<ResetPasswordScreen user={null} />);
    await writeInto(screen.getByLabelText('E-mail'), 'Ines@Ward.test{Enter}');
    expect(send).toHaveBeenCalledWith({ for: 'resetMail', body: { email: 'ines@ward.test' } });
    expect(screen.getByRole('status').textContent).toBe(
      'If this address has an account, we have sent a reset link. It works once, for 30 minutes. ' +
        'Nothing arrived? Ask your administrator for a link.',
    );
  });

  it('has no accessibility violation', async () => {
    const { container } = render(<ResetPasswordScreen user={null} />);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

describe('a reset link', () => {
  it('is removed from the address with its secret', () => {
    openLink();
    expect(window.location.href).toBe('http://localhost/reset_password');
    expect(screen.getByRole('heading', { level: 1, name: 'Choose a new password' })).toBeTruthy();
  });

  it('refuses a short password at its field', async () => {
    openLink();
    await writeInto(screen.getByLabelText('New password'), 'fourteen chars{Enter}');
    await screen.findByText('New password needs at least 15 characters');
    expect(send).not.toHaveBeenCalled();
  });

  it('that is incomplete says so and offers a new one', async () => {
    openLink('short');
    await writeInto(screen.getByLabelText('New password'), 'four words that rhyme{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('This link is not valid.');
    expect(send).not.toHaveBeenCalled();
    await press('Ask for a new link');
    expect(screen.getByRole('button', { name: 'Send the link' })).toBeTruthy();
  });

  it('that was used shows what the server says and offers a new one', async () => {
    send.mockResolvedValue(new ApiFailure('link_void', 'This link was used or is too old.', { status: 409 }));
    openLink();
    await writeInto(screen.getByLabelText('New password'), 'four words that rhyme{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('This link was used or is too old.');
    await press('Ask for a new link');
    expect(screen.getByRole('button', { name: 'Send the link' })).toBeTruthy();
  });

  it('sends a double click once', async () => {
    send.mockReturnValue(new Promise(() => {}));
    openLink();
    await writeInto(screen.getByLabelText('New password'), 'four words that rhyme');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Change the password' }));
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('asks for the new password once and leads to sign-in', async () => {
    openLink();
    expect(screen.getByLabelText('New password').getAttribute('autocomplete')).toBe('new-password');
    await writeInto(screen.getByLabelText('New password'), 'four words that rhyme{Enter}');
    expect(send).toHaveBeenCalledWith({ for: 'newPassword', body: { token, password: 'four words that rhyme' } });
    expect(mockReplace).toHaveBeenCalledWith('/sign_in?reset=done');
  });

  it('has no accessibility violation', async () => {
    const { container } = openLink();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

describe('a user who is signed in', () => {
  it('has to sign out first, and the next person cannot use the link', () => {
    window.history.replaceState(null, '', `/reset_password#token=${token}`);
    render(<ResetPasswordScreen user={inventedUser()} />);
    expect(screen.getByText(/You are signed in as Ines Moreau. Sign out first/)).toBeTruthy();
    expect(window.location.hash).toBe('');
  });
});

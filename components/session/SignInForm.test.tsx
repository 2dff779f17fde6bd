import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAuthentication } from '../../hooks/useAuthentication';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { SignInBody } from '../../lib/session/schema';
import { SignInForm } from './SignInForm';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';
import { writeInto } from '../../test/writeInto';

const replace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({ useRouter: () => ({ replace }) }));
jest.mock('../../hooks/useAuthentication');

const signIn = jest.fn<Promise<ApiFailure | null>, [SignInBody]>();

beforeEach(() => {
  replace.mockClear();
  signIn.mockReset().mockResolvedValue(null);
});

function show({ next = null, isWaiting = false }: { next?: string | null; isWaiting?: boolean } = {}) {
  jest.mocked(useAuthentication).mockReturnValue(inventedAuthentication({ signIn, isWaiting }));
  return render(<SignInForm next={next} />);
}
const email = () => screen.getByLabelText('E-mail');
const password = () => screen.getByLabelText('Password');

describe('SignInForm', () => {
  it('shows what is missing at its field and sends nothing', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('E-mail is empty')).toBeTruthy();
    expect(screen.getByText('Password is empty')).toBeTruthy();
    expect(document.activeElement).toBe(email());
    expect(signIn).not.toHaveBeenCalled();
  });

  it('never says whether e-mail or password was wrong, and keeps what was typed', async () => {
    signIn.mockResolvedValue(new ApiFailure('sign_in_failed', 'E-mail or password is wrong.', { status: 401 }));
    show();
    await writeInto(email(), 'ines@ward.test');
    await writeInto(password(), 'wrong{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Sign-in failed. E-mail or password is wrong.');
    expect(email()).toHaveProperty('value', 'ines@ward.test');
    expect(password()).toHaveProperty('value', 'wrong');
    expect(replace).not.toHaveBeenCalled();
  });

  it('says that the server cannot be reached', async () => {
    signIn.mockResolvedValue(clientFailure('unreachable'));
    show();
    await writeInto(email(), 'ines@ward.test');
    await writeInto(password(), 'a long password{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Sign-in failed. The server cannot be reached.');
  });

  it('does not send a second time while it waits', async () => {
    show({ isWaiting: true });
    await writeInto(email(), 'ines@ward.test');
    await writeInto(password(), 'a long password');
    await userEvent.click(screen.getByRole('button', { name: 'One moment …' }));
    expect(signIn).not.toHaveBeenCalled();
  });

  it.each([
    [null, '/dashboard'],
    ['/patient_details?ids=1', '/patient_details?ids=1'],
  ])('goes on to the address that was asked for (%s)', async (next, wanted) => {
    show({ next });
    await writeInto(email(), 'ines@ward.test');
    await writeInto(password(), 'a long password{Enter}');
    expect(signIn).toHaveBeenCalledWith({ email: 'ines@ward.test', password: 'a long password' });
    expect(replace).toHaveBeenCalledWith(wanted);
  });

  it('has no accessibility violation', async () => {
    const { container } = show();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

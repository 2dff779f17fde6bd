import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAuthentication } from '../../hooks/useAuthentication';
import { useInvitation } from '../../hooks/useInvitation';
import { useRegistrationSites } from '../../hooks/useRegistrationSites';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { SetupBody, SignInBody, SignUpBody } from '../../lib/session/schema';
import type { AccountRequest } from '../../store/authentication/actions';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';
import { inventedUser } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ResetPasswordScreen } from './ResetPasswordScreen';
import { SetupForm } from './SetupForm';
import { SignInForm } from './SignInForm';
import { SignUpScreen } from './SignUpScreen';

const mockReplace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({
  __esModule: true,
  default: { replace: () => Promise.resolve(true) },
  useRouter: () => ({ replace: mockReplace }),
}));
jest.mock('../../hooks/useAuthentication');
jest.mock('../../hooks/useCurrentUser', () => ({ useCurrentUser: () => ({ signOut: () => Promise.resolve(null) }) }));
jest.mock('../../hooks/useInvitation');
jest.mock('../../hooks/useRegistrationSites');

describe('ResetPasswordScreen', () => {
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
      expect(screen.getByRole('alert').textContent).toBe(
        'Your request was not accepted. The server cannot be reached.',
      );
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
});

describe('SetupForm', () => {
  const setUp = jest.fn<Promise<ApiFailure | null>, [SetupBody]>();
  const typed = {
    'Setup code': 'AAAAA-BBBBB',
    'Site name': 'Harbour Ward',
    'First name': 'Ines',
    'Last name': 'Moreau',
    'E-mail': 'ines@ward.test',
    Password: 'four words that rhyme',
  };

  beforeEach(() => {
    // Each query went through more than 400.
    jest.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['America/New_York', 'Europe/London', 'Pacific/Auckland']);
    mockReplace.mockClear();
    setUp.mockReset().mockResolvedValue(null);
    jest.mocked(useAuthentication).mockReturnValue(inventedAuthentication({ setUp }));
  });

  async function fill(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await writeInto(screen.getByLabelText(name), value);
    }
  }
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Set up Wardlight' }));

  describe('SetupForm', () => {
    it('refuses a short password and a missing code, each at its field', async () => {
      render(<SetupForm />);
      await fill({ ...typed, 'Setup code': ' ', Password: 'fourteen chars' });
      await send();
      await screen.findByText('Setup code is empty');
      expect(screen.getByText('Password needs at least 15 characters')).toBeTruthy();
      expect(setUp).not.toHaveBeenCalled();
    });

    it('shows the refusal of the server, also at the field, and keeps what was typed', async () => {
      setUp.mockResolvedValue(
        new ApiFailure('wrong_code', 'This is not the code.', {
          status: 403,
          fields: { code: 'is not the code that the server printed' },
        }),
      );
      render(<SetupForm />);
      await fill(typed);
      await send();
      await screen.findByText('Setup code is not the code that the server printed');
      expect(screen.getByRole('alert').textContent).toBe('Setup failed. This is not the code.');
      expect(screen.getByLabelText('Site name')).toHaveProperty('value', 'Harbour Ward');
    });

    it('says beside the choice that an administrator sees no patient data', () => {
      render(<SetupForm />);
      expect(screen.getByText(/type Administrator sees no patient data/)).toBeTruthy();
    });

    it('offers the browser’s time zone first and sends the chosen one', async () => {
      render(<SetupForm />);
      expect(screen.getByLabelText('Time zone')).toHaveProperty(
        'value',
        new Intl.DateTimeFormat().resolvedOptions().timeZone,
      );
      await fill(typed);
      await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/London');
      await userEvent.selectOptions(screen.getByLabelText('You are'), 'Ward lead');
      await send();
      expect(setUp).toHaveBeenCalledWith({
        code: 'AAAAA-BBBBB',
        siteName: 'Harbour Ward',
        timeZone: 'Europe/London',
        fname: 'Ines',
        lname: 'Moreau',
        email: 'ines@ward.test',
        password: 'four words that rhyme',
        type: 'ward_lead',
      });
      expect(mockReplace).toHaveBeenCalledWith('/dashboard');
    });

    it('has no accessibility violation', async () => {
      const { container } = render(<SetupForm />);
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });
});

describe('SignInForm', () => {
  const signIn = jest.fn<Promise<ApiFailure | null>, [SignInBody]>();

  beforeEach(() => {
    mockReplace.mockClear();
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
      expect(mockReplace).not.toHaveBeenCalled();
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
      expect(mockReplace).toHaveBeenCalledWith(wanted);
    });

    it('has no accessibility violation', async () => {
      const { container } = show();
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });
});

describe('SignUpScreen', () => {
  const secret = 'i'.repeat(43);
  const signUp = jest.fn<Promise<ApiFailure | null>, [SignUpBody]>();
  const send = jest.fn<Promise<ApiFailure | null>, [AccountRequest]>();
  const harbour = { id: 1, name: 'Harbour Ward' };

  beforeEach(() => {
    window.history.replaceState(null, '', '/sign_up');
    mockReplace.mockClear();
    signUp.mockReset().mockResolvedValue(null);
    send.mockReset().mockResolvedValue(null);
    jest.mocked(useAuthentication).mockReturnValue(inventedAuthentication({ signUp, send }));
    jest
      .mocked(useInvitation)
      .mockReset()
      .mockReturnValue({
        data: { email: 'ines@ward.test', siteName: 'Harbour Ward', type: 'physician' },
        failure: undefined,
      });
    jest.mocked(useRegistrationSites).mockReturnValue({ data: [harbour], failure: undefined });
  });

  function openLink() {
    window.history.replaceState(
      { as: `/sign_up#invitation=${secret}`, __N: true },
      '',
      `/sign_up#invitation=${secret}`,
    );
    return render(<SignUpScreen user={null} />);
  }
  async function fill(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await writeInto(screen.getByLabelText(name), value);
    }
  }
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  const alertText = () =>
    screen
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join('');

  describe('an invitation’s link', () => {
    it.each([404, 409, 410, 422])('that no longer works (%i) says so and refers to an administrator', (status) => {
      jest
        .mocked(useInvitation)
        .mockReturnValue({ data: undefined, failure: new ApiFailure('not_found', 'No.', { status }) });
      openLink();
      expect(alertText()).toContain('This invitation is not valid.');
      expect(screen.queryByRole('button', { name: 'Sign up' })).toBeNull();
    });

    it.each([
      [clientFailure('unreachable'), 'The server cannot be reached.'],
      [new ApiFailure('too_many_requests', 'Try again in a minute.', { status: 429 }), 'Try again in a minute.'],
    ])('is not called invalid if the server did not say so', (failure, text) => {
      jest.mocked(useInvitation).mockReturnValue({ data: undefined, failure });
      openLink();
      expect(alertText()).toBe(text);
    });

    it('is removed from the address and the browser’s history with its secret', () => {
      openLink();
      expect(window.location.href).toBe('http://localhost/sign_up');
      expect(window.history.state).toEqual({ as: '/sign_up', __N: true });
      expect(useInvitation).toHaveBeenLastCalledWith(secret);
    });

    it('also works when it is pasted over the address of the open page', () => {
      render(<SignUpScreen user={null} />);
      act(() => {
        window.history.replaceState(null, '', `/sign_up#invitation=${secret}`);
        window.dispatchEvent(new HashChangeEvent('hashchange'));
      });
      expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'ines@ward.test');
      expect(window.location.hash).toBe('');
    });

    it('says for which site, role and e-mail it is, and does not let the e-mail be changed', () => {
      openLink();
      expect(screen.getByText(/You are invited to/).textContent).toBe('You are invited to Harbour Ward as Physician.');
      expect(screen.getByLabelText('E-mail')).toHaveProperty('readOnly', true);
    });

    it('shows what is missing at its field, moves the focus there and sends nothing', async () => {
      openLink();
      await fill({ 'First name': 'Ines', Password: 'fourteen chars' });
      await press('Sign up');
      await screen.findByText('Last name is empty');
      expect(screen.getByText('Password needs at least 15 characters')).toBeTruthy();
      expect(document.activeElement).toBe(screen.getByLabelText('Last name'));
      expect(signUp).not.toHaveBeenCalled();
    });

    it('keeps what was typed if the server refuses the password', async () => {
      signUp.mockResolvedValue(
        new ApiFailure('invalid', 'Choose another password.', {
          status: 422,
          fields: { password: 'is among the most common ones' },
        }),
      );
      openLink();
      await fill({ 'First name': 'Ines', 'Last name': 'Moreau', Password: 'password password{Enter}' });
      await screen.findByText('Password is among the most common ones');
      expect(alertText()).toBe('Sign-up failed. Choose another password.');
      expect(document.activeElement).toBe(screen.getByLabelText('Password'));
      expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Ines');
      expect(mockReplace).not.toHaveBeenCalled();
    });

    it('creates the account and leads to the dashboard', async () => {
      openLink();
      await fill({ 'First name': 'Ines', 'Last name': 'Moreau', Password: 'four words that rhyme{Enter}' });
      expect(signUp).toHaveBeenCalledWith({
        invitation: secret,
        fname: 'Ines',
        lname: 'Moreau',
        password: 'four words that rhyme',
      });
      expect(mockReplace).toHaveBeenCalledWith('/dashboard');
    });

    it('shows the typed password on request', async () => {
      openLink();
      expect(screen.getByLabelText('Password')).toHaveProperty('type', 'password');
      await press('Show password');
      expect(screen.getByLabelText('Password')).toHaveProperty('type', 'text');
      await press('Hide password');
      expect(screen.getByLabelText('Password')).toHaveProperty('type', 'password');
    });

    it('has no accessibility violation', async () => {
      const { container } = openLink();
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });

  describe('without an invitation', () => {
    it('refers to an administrator if no site takes requests', () => {
      jest.mocked(useRegistrationSites).mockReturnValue({ data: [], failure: undefined });
      render(<SignUpScreen user={null} />);
      expect(screen.getByText(/Ask an administrator of your site for an invitation link/)).toBeTruthy();
      expect(screen.queryByRole('button')).toBeNull();
    });

    it('says that the server cannot be reached', () => {
      jest.mocked(useRegistrationSites).mockReturnValue({ data: undefined, failure: clientFailure('unreachable') });
      render(<SignUpScreen user={null} />);
      expect(alertText()).toBe('The server cannot be reached.');
    });

    it('refuses an account without an e-mail at its field', async () => {
      render(<SignUpScreen user={null} />);
      await fill({
        'First name': 'Ines',
        'Last name': 'Moreau',
        'E-mail': 'ines',
        Password: 'four words that rhyme{Enter}',
      });
      await screen.findByText('E-mail is not an e-mail address');
      expect(send).not.toHaveBeenCalled();
    });

    it('shows why the server refused the request, and keeps what was typed', async () => {
      send.mockResolvedValue(new ApiFailure('too_many_requests', 'Try again in a minute.', { status: 429 }));
      render(<SignUpScreen user={null} />);
      await fill({
        'First name': 'Ines',
        'Last name': 'Moreau',
        'E-mail': 'ines@ward.test',
        Password: 'four words that rhyme{Enter}',
      });
      expect(alertText()).toBe('Your request was not accepted. Try again in a minute.');
      expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'ines@ward.test');
    });

    it('asks for an account at the only site and says that it waits for approval', async () => {
      render(<SignUpScreen user={null} />);
      expect(screen.queryByLabelText('Site')).toBeNull();
      await fill({ 'First name': 'Ines', 'Last name': 'Moreau', 'E-mail': 'Ines@Ward.test' });
      await userEvent.selectOptions(screen.getByLabelText('You are'), 'Ward lead');
      await fill({ Password: 'four words that rhyme{Enter}' });
      expect(send).toHaveBeenCalledWith({
        for: 'account',
        body: {
          siteId: 1,
          fname: 'Ines',
          lname: 'Moreau',
          email: 'ines@ward.test',
          password: 'four words that rhyme',
          type: 'ward_lead',
        },
      });
      expect(screen.getByRole('status').textContent).toContain('An administrator of Harbour Ward decides on it.');
      expect(screen.queryByRole('button')).toBeNull();
    });

    it('offers the choice among several sites', async () => {
      jest
        .mocked(useRegistrationSites)
        .mockReturnValue({ data: [harbour, { id: 4, name: 'Hill Ward' }], failure: undefined });
      render(<SignUpScreen user={null} />);
      await userEvent.selectOptions(screen.getByLabelText('Site'), 'Hill Ward');
      await fill({
        'First name': 'Ines',
        'Last name': 'Moreau',
        'E-mail': 'ines@ward.test',
        Password: 'four words that rhyme{Enter}',
      });
      expect(send.mock.lastCall?.[0]).toMatchObject({ body: { siteId: 4 } });
      expect(screen.getByRole('status').textContent).toContain('An administrator of Hill Ward');
    });

    it('has no accessibility violation', async () => {
      const { container } = render(<SignUpScreen user={null} />);
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });

  describe('a user who is signed in', () => {
    it('has to sign out first, and the next person cannot use the link', () => {
      window.history.replaceState(null, '', `/sign_up#invitation=${secret}`);
      render(<SignUpScreen user={inventedUser()} />);
      expect(screen.getByText(/You are signed in as Ines Moreau. Sign out first/)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
      expect(window.location.hash).toBe('');
      expect(useInvitation).not.toHaveBeenCalled();
    });
  });
});

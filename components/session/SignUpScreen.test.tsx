import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useInvitation } from '../../hooks/useInvitation';
import { useAuthentication } from '../../hooks/useAuthentication';
import { useRegistrationSites } from '../../hooks/useRegistrationSites';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { SignUpBody } from '../../lib/session/schema';
import type { AccountRequest } from '../../store/authentication/actions';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';
import { inventedUser } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { SignUpScreen } from './SignUpScreen';

const mockReplace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({
  __esModule: true,
  default: { replace: () => Promise.resolve(true) },
  useRouter: () => ({ replace: mockReplace }),
}));
jest.mock('../../hooks/useInvitation');
jest.mock('../../hooks/useAuthentication');
jest.mock('../../hooks/useRegistrationSites');
jest.mock('../../hooks/useCurrentUser', () => ({ useCurrentUser: () => ({ signOut: () => Promise.resolve(null) }) }));

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
  window.history.replaceState({ as: `/sign_up#invitation=${secret}`, __N: true }, '', `/sign_up#invitation=${secret}`);
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

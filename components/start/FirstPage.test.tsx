import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRouter } from 'next/router';
import { useAuthentication } from '../../hooks/useAuthentication';
import { ApiFailure, call } from '../../lib/browser/client';
import { FirstPage } from './FirstPage';
import type { Person } from './DemoPeople';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';

jest.mock('next/router', () => ({ useRouter: jest.fn() }));
jest.mock('../../hooks/useAuthentication');
jest.mock('../../lib/browser/client', () => ({
  ...jest.requireActual<object>('../../lib/browser/client'),
  call: jest.fn(),
}));

const replace = jest.fn(() => Promise.resolve(true));
const signIn = jest.fn<Promise<ApiFailure | null>, [unknown]>();
const people: Person[] = [
  { email: 'nurse@demo.test', password: 'four words that rhyme', type: 'nurse' },
  { email: 'admin@demo.test', password: 'four words that do not', type: 'administrator' },
];

function show() {
  jest.mocked(useRouter).mockReturnValue({ replace } as unknown as ReturnType<typeof useRouter>);
  jest.mocked(useAuthentication).mockReturnValue(inventedAuthentication({ signIn }));
  return render(<FirstPage />);
}
const start = () => userEvent.click(screen.getByRole('button', { name: 'Start the demo ward' }));

beforeEach(() => {
  replace.mockClear();
  signIn.mockReset().mockResolvedValue(null);
  jest.mocked(call).mockReset().mockResolvedValue({ people });
});

describe('the first page of an empty installation', () => {
  it('asks for the setup code only if the server wants one', async () => {
    jest.mocked(call).mockRejectedValueOnce(
      new ApiFailure('invalid', 'A field is wrong.', {
        status: 422,
        fields: { code: 'is not the code that the server printed' },
      }),
    );
    show();
    expect(screen.queryByLabelText('Setup code')).toBeNull();
    await start();
    await userEvent.type(await screen.findByLabelText('Setup code'), 'ABCD');
    await start();
    expect(call).toHaveBeenLastCalledWith('startDemo', { body: expect.objectContaining({ code: 'ABCD' }) as unknown });
  });

  it('says why the demo ward was not started', async () => {
    jest.mocked(call).mockRejectedValue(new ApiFailure('conflict', 'Somebody was first.', { status: 409 }));
    show();
    await start();
    expect(screen.getByText('The demo ward was not started. Somebody was first.')).toBeTruthy();
  });

  it('leads to the setup', () => {
    show();
    expect(screen.getByRole('link', { name: 'Set up this installation' }).getAttribute('href')).toBe('/setup');
  });

  it('starts the demo ward with one press and shows every password', async () => {
    show();
    await start();
    expect(call).toHaveBeenCalledTimes(1);
    expect(screen.getByText('four words that rhyme')).toBeTruthy();
    expect(screen.getByText('four words that do not')).toBeTruthy();
  });

  it('signs in as one of the users and goes to the dashboard', async () => {
    show();
    await start();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in as Nurse' }));
    expect(signIn).toHaveBeenCalledWith({ email: 'nurse@demo.test', password: 'four words that rhyme' });
    expect(replace).toHaveBeenCalledWith('/dashboard');
  });

  it('keeps the passwords if signing in fails', async () => {
    signIn.mockResolvedValue(new ApiFailure('unreachable', 'The server cannot be reached.'));
    show();
    await start();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in as Nurse' }));
    expect(screen.getByText('Sign-in failed. The server cannot be reached.')).toBeTruthy();
    expect(screen.getByText('four words that rhyme')).toBeTruthy();
    expect(replace).not.toHaveBeenCalled();
  });

  it('has no accessibility violation', async () => {
    const { container } = show();
    await start();
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

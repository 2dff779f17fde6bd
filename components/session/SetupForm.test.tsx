import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAuthentication } from '../../hooks/useAuthentication';
import { ApiFailure } from '../../lib/browser/client';
import type { SetupBody } from '../../lib/session/schema';
import { SetupForm } from './SetupForm';
import { axeViolations } from '../../test/axeViolations';
import { inventedAuthentication } from '../../test/inventedAuthentication';
import { writeInto } from '../../test/writeInto';

const replace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({ useRouter: () => ({ replace }) }));
jest.mock('../../hooks/useAuthentication');

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
  replace.mockClear();
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
    expect(replace).toHaveBeenCalledWith('/dashboard');
  });

  it('has no accessibility violation', async () => {
    const { container } = render(<SetupForm />);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

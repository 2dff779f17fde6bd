import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useOwnCall } from '../../hooks/useOwnCall';
import { clientFailure } from '../../lib/browser/client';
import { PasswordLinkBanner } from './PasswordLinkBanner';

jest.mock('../../hooks/useOwnCall');

describe('the notice of who made the link of a password', () => {
  const see = jest.fn<Promise<null>, [object]>();
  beforeEach(() => {
    see.mockReset().mockResolvedValue(null);
    jest.mocked(useOwnCall).mockReturnValue(see);
    render(<PasswordLinkBanner by="Kim Admin" />);
  });
  const ok = () => userEvent.click(screen.getByRole('button', { name: 'OK' }));

  it('says that it comes again if it could not be stored', async () => {
    see.mockRejectedValue(clientFailure('unreachable'));
    await ok();
    await expect(screen.findByText(/This is shown again\./)).resolves.toBeTruthy();
  });

  it('names the administrator and is taken note of by one press', async () => {
    expect(screen.getByRole('status').textContent).toContain('Your password was set through a link made by Kim Admin.');
    await ok();
    expect(see).toHaveBeenCalledWith({});
  });
});

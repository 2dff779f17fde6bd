import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { KeysPart } from './KeysPart';

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

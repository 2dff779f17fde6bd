import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useNow } from '../../hooks/useNow';
import { ApiFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { setCalls } from '../../test/calls';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { BreakGlassBanner } from './BreakGlassBanner';
import { BreakGlassDialog } from './BreakGlassDialog';
import { BreakGlassOffer } from './BreakGlassOffer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useCurrentUser', () => ({ useCurrentUser: () => ({ refresh: mockRefresh }) }));
jest.mock('../../hooks/useNow');

const mockRefresh = jest.fn<Promise<void>, []>();
const open = jest.fn<Promise<User>, [input: object]>();
const end = jest.fn<Promise<User>, [input: object]>();
const user = inventedUser({ units: [{ id: 3, name: 'East' }] });

beforeEach(() => {
  mockRefresh.mockReset().mockResolvedValue(undefined);
  open.mockReset().mockResolvedValue(user);
  end.mockReset().mockResolvedValue(user);
  setCalls({ breakGlass: open, endBreakGlass: end });
  jest.mocked(useNow).mockReturnValue(wardNow);
});

describe('the offer of emergency access', () => {
  it('is not shown to users who see the whole site already, by unit, by role or by an open emergency', () => {
    const others = [
      inventedUser(),
      inventedUser({ type: 'ward_lead', units: user.units }),
      inventedUser({ type: 'viewer', units: user.units }),
      { ...user, breakGlassUntil: '2026-03-07T16:00:00.000Z' },
    ];
    for (const other of others) {
      const { unmount } = render(<BreakGlassOffer user={other} />);
      expect(screen.queryByRole('button')).toBeNull();
      unmount();
    }
  });

  it('names the units of the user and no others', () => {
    render(<BreakGlassOffer user={user} />);
    expect(
      screen.getByText(/You see the patients of East\. In an emergency you can open the other units of your site\./),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Emergency access' })).toBeTruthy();
  });
});

describe('the dialog', () => {
  const onClose = jest.fn();
  const show = () => render(<BreakGlassDialog user={user} onClose={onClose} />);
  const submit = () => userEvent.click(screen.getByRole('button', { name: 'Open all units for 60 minutes' }));
  beforeEach(() => {
    onClose.mockReset();
  });

  it('says what emergency access allows beside reading: acknowledging alerts', () => {
    show();
    expect(screen.getByText(/There you can acknowledge alerts; you cannot change anything else\.$/)).toBeTruthy();
  });

  it('opens nothing without a reason of some length', async () => {
    show();
    await writeInto(screen.getByLabelText('Reason'), 'too short');
    await submit();
    await expect(screen.findByText('Reason needs at least 10 characters')).resolves.toBeTruthy();
    await waitFor(() => expect(screen.getByLabelText('Reason')).toBe(document.activeElement));
    expect([open.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);
  });

  it('keeps the reason if it was refused, and reads the user again', async () => {
    open.mockRejectedValueOnce(new ApiFailure('already_open', 'Emergency access is open already.', { status: 409 }));
    show();
    await writeInto(screen.getByLabelText('Reason'), 'A cardiac arrest next door');
    await submit();
    await expect(screen.findByText('Not opened. Emergency access is open already.')).resolves.toBeTruthy();
    expect(mockRefresh).toHaveBeenCalledTimes(1);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('A cardiac arrest next door');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('sends a reason of several lines as one', async () => {
    show();
    await writeInto(screen.getByLabelText('Reason'), 'A cardiac arrest{Enter}next door');
    await submit();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(open).toHaveBeenCalledWith({ body: { reason: 'A cardiac arrest next door' } });
  });

  it('says what it means and has no accessibility violation', async () => {
    show();
    expect(screen.getByText(/Administrators are notified at once/)).toBeTruthy();
    await expect(axeViolations(screen.getByRole('dialog', { name: 'Emergency access' }), 'region')).resolves.toEqual(
      [],
    );
  });
});

describe('the banner', () => {
  const onOver = jest.fn();
  const show = () =>
    render(<BreakGlassBanner site={user.site} until="2026-03-07T15:42:30.000Z" initialNow={wardNow} onOver={onOver} />);
  beforeEach(() => {
    onOver.mockReset();
  });

  it('says until when and how long it is open', () => {
    show();
    const text = screen.getByRole('status').textContent;
    expect(text).toContain('Every patient of Harbour Ward is open to you until 15:42 (42 min left).');
    expect(onOver).not.toHaveBeenCalled();
  });

  it('says once that the access is over when its time has passed', () => {
    jest.mocked(useNow).mockReturnValue(Date.parse('2026-03-07T15:42:30.000Z'));
    show();
    expect(onOver).toHaveBeenCalledTimes(1);
  });

  it('ends the access, and says if that was refused', async () => {
    end.mockRejectedValueOnce(new ApiFailure('unreachable', 'The server does not answer.', {}));
    const { container } = show();
    await userEvent.click(screen.getByRole('button', { name: 'End now' }));
    expect(screen.getByText('It is still open. The server does not answer.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'End now' }));
    expect(end).toHaveBeenCalledTimes(2);
    await expect(axeViolations(container, 'region')).resolves.toEqual([]);
  });
});

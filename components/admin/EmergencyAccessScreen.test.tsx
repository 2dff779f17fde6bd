import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useNow } from '../../hooks/useNow';
import { ApiFailure } from '../../lib/browser/client';
import type { BreakGlassNotice } from '../../lib/breakGlass/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls, setReads } from '../../test/calls';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { EmergencyAccessScreen } from './EmergencyAccessScreen';
import { EmergencyNotice } from './EmergencyNotice';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/emergency_access' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useRead');

const notice: BreakGlassNotice = {
  id: 1,
  name: 'Nia Newcomer',
  type: 'nurse',
  reason: 'A cardiac arrest next door',
  startedAt: '2026-03-07T14:30:00.000Z',
  endsAt: '2026-03-07T15:30:00.000Z',
  seenAt: null,
  seenBy: null,
};
const old: BreakGlassNotice = {
  ...notice,
  id: 2,
  startedAt: '2026-03-04T14:30:00.000Z',
  endsAt: '2026-03-04T14:40:00.000Z',
};
const seen: BreakGlassNotice = {
  ...old,
  id: 3,
  name: 'Ola Ekberg',
  seenAt: '2026-03-05T09:00:00.000Z',
  seenBy: 'Robin Reed',
};
const see = jest.fn<Promise<null>, [{ params: { id: string | number } }]>();

function show(items: BreakGlassNotice[]) {
  jest.mocked(useNow).mockReturnValue(wardNow);
  const unseen = items.filter(({ seenAt }) => seenAt === null).length;
  setCalls({ seeBreakGlass: see });
  setReads({ listBreakGlass: answered({ items, total: items.length, unseen }) });
  return render(<EmergencyAccessScreen user={inventedUser({ type: 'administrator', isAdmin: true })} now={wardNow} />);
}
const row = (index: number) => within(screen.getAllByRole('row')[index] ?? document.body);

beforeEach(() => {
  see.mockReset().mockResolvedValue(null);
});

describe('EmergencyAccessScreen', () => {
  it('says who, when and why, and which uses are still open or have waited too long', () => {
    show([notice, old, seen]);
    expect(row(1).getByText('Nia Newcomer')).toBeTruthy();
    expect(row(1).getByText('A cardiac arrest next door')).toBeTruthy();
    expect(row(1).getByText('15:30, still open')).toBeTruthy();
    expect(row(1).queryByText(/72 hours/)).toBeNull();
    expect(row(2).getByText('Waiting for more than 72 hours')).toBeTruthy();
    expect(row(3).getByText('Robin Reed, 05 Mar, 09:00')).toBeTruthy();
    expect(row(3).queryByRole('button')).toBeNull();
  });

  it('marks one as reviewed, and says if another administrator has to do it', async () => {
    see.mockRejectedValueOnce(
      new ApiFailure('own_emergency', 'This was you. Another administrator has to look at it.', { status: 409 }),
    );
    show([notice]);
    const button = screen.getByRole('button', { name: 'Mark as reviewed: access of Nia Newcomer, 07 Mar, 14:30' });
    await userEvent.click(button);
    expect(screen.getByText('Not saved. This was you. Another administrator has to look at it.')).toBeTruthy();
    await userEvent.click(button);
    const input = { params: { id: 1 } };
    expect(see.mock.calls).toEqual([[input], [input]]);
  });

  it('says on the first page of administration how many uses wait for review, and nothing if none does', () => {
    const { unmount } = show([notice, old, seen]);
    unmount();
    const { container, rerender } = render(<EmergencyNotice />);
    expect(screen.getByText('2 uses of emergency access wait for review.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Review' }).getAttribute('href')).toBe('/admin/emergency_access');
    show([seen]);
    rerender(<EmergencyNotice />);
    expect(container.textContent).toBe('');
  });

  it('says that it has not been used', () => {
    show([]);
    expect(screen.getByText('Emergency access has not been used.')).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    const { container } = show([notice, seen]);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

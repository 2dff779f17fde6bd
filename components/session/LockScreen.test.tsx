import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { useAlertStrip, type ShownStrip } from '../../hooks/AlertStripProvider';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { StripItem } from '../../lib/alerts/stripSchema';
import { ApiFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { LockScreen } from './LockScreen';

jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');

const unlock = jest.fn<Promise<ApiFailure | null>, [string]>();

const item = (change: Partial<StripItem> = {}): StripItem => ({
  unit: 'West',
  bed: '4',
  isTrial: false,
  priority: 'high',
  raisedAt: '2026-03-07T14:57:30Z',
  owned: false,
  ...change,
});

function show(
  strip: Partial<ShownStrip> = {},
  { serverLost = null, user = {} }: { serverLost?: number | null; user?: Partial<User> } = {},
): HTMLElement {
  jest.mocked(useAlertStrip).mockReturnValue({ items: [], isOld: false, ...strip });
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(serverLost);
  jest.mocked(useCurrentUser).mockReturnValue({
    user: null,
    status: 'locked',
    lockedUser: inventedUser(user),
    lock: () => Promise.resolve(),
    unlock,
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: () => Promise.resolve(),
    signOut: () => Promise.resolve(null),
  });
  render(<LockScreen initialNow={wardNow} />);
  return screen.getByLabelText('Password');
}
const strip = (): HTMLElement => screen.getByRole('region', { name: 'Open alerts' });
const submit = (): void => {
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }));
};

beforeEach(() => unlock.mockReset().mockResolvedValue(null));

describe('LockScreen', () => {
  it('sends nothing without a password, and says so at the field', () => {
    const field = show();
    submit();
    expect(unlock).not.toHaveBeenCalled();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
  });

  it('says that the password is wrong, empties the field and keeps the focus there', async () => {
    unlock.mockResolvedValue(new ApiFailure('wrong_password', 'The password is wrong.', { status: 401 }));
    const field = show();
    fireEvent.change(field, { target: { value: 'not this one' } });
    submit();
    await screen.findByText('The password is wrong.');
    expect(field).toHaveProperty('value', '');
    expect(document.activeElement).toBe(field);
  });

  it('says why the server did not unlock the session', async () => {
    unlock.mockResolvedValue(new ApiFailure('unreachable', 'The server cannot be reached.'));
    fireEvent.change(show(), { target: { value: 'right' } });
    submit();
    await expect(screen.findByText('The server cannot be reached.')).resolves.toBeTruthy();
  });

  it('says whose session it is, unlocks it with the password, and offers to sign out', async () => {
    fireEvent.change(show(), { target: { value: 'correct horse battery' } });
    expect(screen.getByText('Ines Moreau')).toBeTruthy();
    await act(async () => {
      submit();
      await Promise.resolve();
    });
    expect(unlock).toHaveBeenCalledWith('correct horse battery');
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
  });
});

describe('the open alerts on a locked screen', () => {
  it('are shown with bed, priority, time and whether someone has them; LOW ones are counted', async () => {
    show({
      items: [
        item(),
        item({ bed: '7', priority: 'medium', owned: true }),
        item({ priority: 'low' }),
        item({ priority: 'low' }),
      ],
    });
    const rows = within(strip()).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      '!!!West · Bed 4High14:57 · 2 minnot taken',
      '!!West · Bed 7Medium14:57 · 2 mintaken',
    ]);
    expect(within(strip()).getByRole('status').textContent).toBe('1 alert needs someone');
    expect(within(strip()).getByText('2 low')).toBeTruthy();
    await expect(axeViolations(document.body)).resolves.toEqual([]);
  });

  it('are eight at most, and the others are counted', () => {
    show({ items: Array.from({ length: 11 }, (_, place) => item({ bed: String(place) })) });
    expect(within(strip()).getAllByRole('listitem')).toHaveLength(8);
    expect(within(strip()).getByText('+3 more')).toBeTruthy();
  });

  it.each<[string, Partial<ShownStrip>, Partial<User>]>([
    ['No open alerts', { items: [] }, {}],
    ['Alerts are loading …', { items: undefined }, {}],
    [
      'None. The alert rules are off on this site.',
      { items: [] },
      { site: { ...inventedUser().site, rulesAreOn: false } },
    ],
  ])('say “%s” if there is nothing to list', (words, shown, user) => {
    show(shown, { user });
    expect(within(strip()).getByRole('status').textContent).toBe(words);
  });

  it('say since when they are not live, and no age that is not known any more', () => {
    show({ items: [item()], isOld: true }, { serverLost: wardNow - 12_000 });
    expect(within(strip()).getByRole('alert').textContent).toBe(
      'NOT LIVE since 14:59:48 - last data shown. Look at the patient and the bedside monitor.',
    );
    expect(within(strip()).getByRole('listitem').textContent).toContain('14:57not taken');
  });

  it('are left out for a user who sees none', () => {
    show({}, { user: { type: 'administrator', isAdmin: true } });
    expect(screen.queryByRole('region', { name: 'Open alerts' })).toBeNull();
  });
});

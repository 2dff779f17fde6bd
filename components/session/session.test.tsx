import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { type ShownStrip, useAlertStrip } from '../../hooks/AlertStripProvider';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useNow } from '../../hooks/useNow';
import { useOwnCall } from '../../hooks/useOwnCall';
import { useServerLost } from '../../hooks/useServerLost';
import type { StripItem } from '../../lib/alerts/stripSchema';
import type { FailureCause } from '../../lib/api/failureCause';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import { sessionEndedAt } from '../../lib/browser/sessionEnd';
import type { User } from '../../lib/session/schema';
import { makeStore } from '../../store/index';
import { sessionLost, signOutRefused } from '../../store/session/actions';
import type { SessionStatus } from '../../store/session/selectors';
import { axeViolations } from '../../test/axeViolations';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { LockScreen } from './LockScreen';
import { PasswordLinkBanner } from './PasswordLinkBanner';
import { SessionEndBanner } from './SessionEndBanner';
import { SessionGate } from './SessionGate';

jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useOwnCall');

describe('LockScreen', () => {
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
});

describe('PasswordLinkBanner', () => {
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
      expect(screen.getByRole('status').textContent).toContain(
        'Your password was set through a link made by Kim Admin.',
      );
      await ok();
      expect(see).toHaveBeenCalledWith({});
    });
  });
});

describe('SessionEndBanner', () => {
  const signOut = jest.fn(() => Promise.resolve(null));
  const minute = 60_000;

  function show(leftMs: number): void {
    jest.mocked(useNow).mockReturnValue(wardNow);
    jest.mocked(useCurrentUser).mockReturnValue({
      user: null,
      status: 'signedIn',
      lockedUser: null,
      lock: () => Promise.resolve(),
      unlock: () => Promise.resolve(null),
      refresh: () => Promise.resolve(),
      updateUserInfo: () => {},
      giveUpSignOut: () => Promise.resolve(),
      signOut,
    });
    render(<SessionEndBanner initialNow={wardNow} endsAt={wardNow + leftMs} timeZone="Europe/London" />);
  }

  describe('a session that ends by time', () => {
    it('says nothing until 15 min before', () => {
      show(15 * minute + 1);
      expect(screen.getByRole('status').textContent).toBe('');
    });

    it('warns then that the screen will show and sound no alerts, and offers to sign in again', async () => {
      show(15 * minute);
      expect(screen.getByRole('status').textContent).toContain(
        'Your session ends at 15:15. After that this screen shows and sounds no alerts.',
      );
      await userEvent.click(screen.getByRole('button', { name: 'Sign in again' }));
      expect(signOut).toHaveBeenCalledTimes(1);
    });

    it('is known to have ended by itself only once its time has come', () => {
      show(30 * minute);
      noteResponse(wardNow, thisMoment());
      expect(sessionEndedAt()).toBeNull();
      show(0);
      expect(sessionEndedAt()).toBe('15:00');
    });
  });
});

describe('SessionGate', () => {
  function show(status: SessionStatus, because: FailureCause = 'unreachable', refusal?: string, isWall = false) {
    const nothing = {
      lockedUser: null,
      lock: () => Promise.resolve(),
      unlock: () => Promise.resolve(null),
      refresh: () => Promise.resolve(),
      updateUserInfo: () => {},
      giveUpSignOut: jest.fn(() => Promise.resolve()),
      signOut: jest.fn(() => Promise.resolve(null)),
    };
    jest.mocked(useCurrentUser).mockReturnValue({ ...nothing, user: null, status });
    const store = makeStore();
    store.dispatch(sessionLost(because));
    if (refusal !== undefined) {
      store.dispatch(signOutRefused(refusal));
    }
    render(
      <Provider store={store}>
        <SessionGate isWall={isWall} banners={<p>ALERTS NOT RUNNING</p>} initialNow={wardNow}>
          patients
        </SessionGate>
      </Provider>,
    );
    return nothing;
  }

  describe('SessionGate', () => {
    it.each([
      ['unreachable', 'The server cannot be reached'],
      ['signedOutHere', 'Signed out on this computer'],
      ['signedOut', 'Signed out'],
      ['locked', 'Screen locked'],
      ['signingOut', 'Signing out'],
    ] as const)('hides the pages of a user who is %s and says so', (status, title) => {
      show(status);
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
      expect(screen.queryByText('patients')).toBeNull();
    });

    it.each(['unreachable', 'signedOut'] as const)('says on a wall that is %s that it shows no patients', (status) => {
      show(status, 'unreachable', undefined, true);
      expect(screen.getByText('NOT SHOWING PATIENTS')).toBeTruthy();
      expect(screen.queryByText('patients')).toBeNull();
    });

    it.each(['unreachable', 'locked', 'signingOut'] as const)(
      'keeps the banners above the screen of a user who is %s',
      (status) => {
        show(status);
        expect(screen.getByText('ALERTS NOT RUNNING')).toBeTruthy();
      },
    );

    it.each([
      ['refused', 'The server refused access'],
      ['failed', 'The server reported an error'],
      ['unreadable', 'The server’s response could not be read'],
    ] as const)('says that the server %s, with a way to sign in again', (because, title) => {
      show('unreachable', because);
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/sign_in');
      expect(screen.queryByText('patients')).toBeNull();
    });

    it.each(['unreachable', 'throttled'] as const)('offers no sign-in if the cause is %s', (because) => {
      show('unreachable', because);
      expect(screen.queryByRole('link', { name: 'Sign in again' })).toBeNull();
    });

    it('says that the user is still signed in after a refused sign-out, and offers both ways on', async () => {
      const { signOut, giveUpSignOut } = show('signingOut', 'unreachable', 'Try again.');
      expect(screen.getByRole('heading', { level: 1, name: 'You are still signed in' })).toBeTruthy();
      expect(screen.getByRole('alert').textContent).toBe('The server did not sign you out. Try again.');
      await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
      expect(signOut).toHaveBeenCalledTimes(1);
      await userEvent.click(screen.getByRole('button', { name: 'Back to the page' }));
      expect(giveUpSignOut).toHaveBeenCalledTimes(1);
      expect(screen.queryByText('patients')).toBeNull();
    });

    it('says after a sign-out without the server that its session ends by itself', () => {
      show('signedOutHere');
      expect(screen.getByRole('alert').textContent).toContain('the session on the server ends by itself');
    });

    it('shows the pages of a user who is signed in', () => {
      show('signedIn');
      expect(screen.getByText('patients')).toBeTruthy();
    });
  });
});

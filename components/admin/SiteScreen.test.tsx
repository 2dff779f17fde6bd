import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useNow } from '../../hooks/useNow';
import { ApiFailure } from '../../lib/browser/client';
import { intendedUse, intendedUseVersion } from '../../lib/site/intendedUse';
import type { SiteSettings } from '../../lib/site/schema';
import { chooseOption, chosenOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { SiteScreen } from './SiteScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/site' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useRead');

const settings: SiteSettings = {
  id: 1,
  name: 'Harbour ward',
  timeZone: 'Europe/London',
  isDemo: false,
  emergencyNumber: null,
  signUpMode: 'invitation',
  idleMinutes: 15,
  shiftStarts: ['07:30', '19:30'],
  checkInTimes: ['08:00', '14:00', '20:00'],
  outOfHoursText: null,
  chatPatientLabel: 'number',
  dateOrder: 'day_first',
  mrnAuthorities: [],
  seenAuthorities: [],
  intendedUse: null,
  backup: { takenAt: null, isOverdue: true },
  clockDoubt: null,
  version: 4,
};
const change = callMock<'changeSite'>();
const accept = callMock<'acceptIntendedUse'>();
const confirmClock = callMock<'confirmClock'>();
const refresh = jest.fn<Promise<void>, []>();

function page(more: Partial<SiteSettings> = {}) {
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useCurrentUser).mockReturnValue({
    user: null,
    status: 'signedIn',
    lockedUser: null,
    lock: () => Promise.resolve(),
    unlock: () => Promise.resolve(null),
    refresh,
    updateUserInfo: () => undefined,
    signOut: () => Promise.resolve(null),
    giveUpSignOut: () => Promise.resolve(),
  });
  setCalls({ changeSite: change, acceptIntendedUse: accept, confirmClock });
  setReads({ getSite: answered({ ...settings, ...more }) });
  return <SiteScreen user={inventedUser({ isAdmin: true })} now={wardNow} />;
}

describe('SiteScreen', () => {
  beforeEach(() => {
    change.mockReset().mockResolvedValue({ ...settings, version: 5 });
    accept.mockReset().mockResolvedValue(settings);
    confirmClock.mockReset().mockResolvedValue(settings);
    refresh.mockReset().mockResolvedValue();
  });

  it('shows each error at its field, keeps the typed values and sends nothing', async () => {
    const pointer = userEvent.setup();
    render(page());
    await pointer.clear(screen.getByLabelText('Minutes until the screen locks'));
    await pointer.type(screen.getByLabelText('Minutes until the screen locks'), '45');
    await pointer.clear(screen.getByLabelText('Start of each shift'));
    await pointer.type(screen.getByLabelText('Start of each shift'), '7 am');
    await pointer.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText(/is more than 30 minutes/)).resolves.toBeTruthy();
    expect(screen.getByText(/is not a time such as 07:30/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Minutes until the screen locks'));
    expect(screen.getByLabelText('Start of each shift')).toHaveProperty('value', '7 am');
    expect(change).not.toHaveBeenCalled();
  });

  it.each(['ten', '10.5'])('says in a human sentence that %s is not a whole number', async (minutes) => {
    render(page());
    await userEvent.clear(screen.getByLabelText('Minutes until the screen locks'));
    await userEvent.type(screen.getByLabelText('Minutes until the screen locks'), minutes);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText('Minutes until the screen locks is not a whole number')).resolves.toBeTruthy();
  });

  it('saves the typed values with the version that the user has seen', async () => {
    const pointer = userEvent.setup();
    const { rerender } = render(page());
    await pointer.type(screen.getByLabelText(/Emergency number/), '112');
    await pointer.type(screen.getByLabelText('Check-ins from home'), ' 23:00');
    await pointer.type(screen.getByLabelText(/Out of hours/), 'Ward hours 8 to 20');
    await pointer.type(screen.getByLabelText(/Authorities of MRNs/), 'HARBOUR{Enter}{Enter}1.2.3 ');
    await pointer.click(screen.getByRole('button', { name: 'Save' }));
    const saved = await screen.findByText(/Saved/);
    // The button is at the end of a long form: a word above the form would be out of sight.
    expect(screen.getByRole('button', { name: 'Save' }).parentElement?.contains(saved)).toBe(true);
    expect(change).toHaveBeenCalledWith({
      body: {
        version: 4,
        name: 'Harbour ward',
        timeZone: 'Europe/London',
        chatPatientLabel: 'number',
        dateOrder: 'day_first',
        emergencyNumber: '112',
        signUpMode: 'invitation',
        idleMinutes: 15,
        shiftStarts: ['07:30', '19:30'],
        checkInTimes: ['08:00', '14:00', '20:00', '23:00'],
        outOfHoursText: 'Ward hours 8 to 20',
        mrnAuthorities: ['HARBOUR', '1.2.3'],
      },
    });
    // The shell shows the site's name and time as well.
    expect(refresh).toHaveBeenCalledTimes(1);
    rerender(page({ emergencyNumber: '112', version: 5 }));
    expect(screen.queryByText(/Someone else/)).toBeNull();
  });

  it('warns before saving of authorities that messages have and that no line names', async () => {
    const seenAuthorities = [
      { names: ['HARBOUR', '1.2.3'], messages: 41 },
      { names: ['LAKE'], messages: 1 },
    ];
    render(page({ seenAuthorities }));
    const refused = () => screen.queryAllByText(/since the start of the server$/).map(({ textContent }) => textContent);
    expect(refused()).toEqual([]);
    const list = screen.getByLabelText(/Authorities of MRNs/);
    await userEvent.type(list, 'HARBUOR');
    expect(screen.getByText(/^No line names these authorities/)).toBeTruthy();
    expect(refused()).toEqual([
      'HARBOUR or 1.2.3, in 41 messages since the start of the server',
      'LAKE, in 1 message since the start of the server',
    ]);
    await userEvent.type(list, '{Enter} 1.2.3{Enter}LAKE');
    expect(refused()).toEqual([]);
    await userEvent.clear(list);
    expect(refused()).toEqual([]);
  });

  it('finds a time zone by the typed letters, and offers the ways to get an account', async () => {
    render(page());
    const zone = screen.getByLabelText('Time zone');
    expect(chosenOption(zone)).toBe('Europe/London');
    await userEvent.type(zone, 'auckland');
    await chooseOption(zone, 'Pacific/Auckland');
    await chooseOption(screen.getByLabelText('Accounts'), 'No sign-up');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText(/Saved/)).resolves.toBeTruthy();
    expect(change.mock.lastCall?.[0].body).toMatchObject({ timeZone: 'Pacific/Auckland', signUpMode: 'off' });
  });

  it('keeps the typed values when another administrator saves meanwhile, and shows theirs on request', async () => {
    const pointer = userEvent.setup();
    change.mockRejectedValue(
      new ApiFailure('changed_meanwhile', 'Somebody changed these settings in the meantime.', { status: 409 }),
    );
    const { rerender } = render(page());
    await pointer.clear(screen.getByLabelText('Name'));
    await pointer.type(screen.getByLabelText('Name'), 'Mine');
    await pointer.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText(/Not saved/)).resolves.toBeTruthy();
    rerender(page({ name: 'Theirs', version: 5 }));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Mine');
    await pointer.click(screen.getByRole('button', { name: /Load their version/ }));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Theirs');
  });

  it('marks a backup that is missing or late, but not a recent one', async () => {
    const { container, rerender } = render(page());
    const backup = (): HTMLElement => screen.getByRole('region', { name: 'Backup' });
    expect(backup().textContent).toContain('There is no backup yet.');
    rerender(page({ backup: { takenAt: secondsAgo(27 * 3_600), isOverdue: true } }));
    expect(backup().textContent).toMatch(/1 d ago.*more than 26 hours ago/);
    rerender(page({ backup: { takenAt: secondsAgo(7_200), isOverdue: false } }));
    expect(backup().textContent).toContain('2 h ago');
    expect(backup().textContent).not.toContain('26 hours');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('asks whether a clock that is days off is right, and for nothing while it is not in doubt', async () => {
    const { container, rerender } = render(page());
    expect(screen.queryByRole('region', { name: 'Server clock' })).toBeNull();
    rerender(page({ clockDoubt: { statedAt: '2026-05-31T09:00:00.000Z', expectedAt: '2026-05-01T09:00:00.000Z' } }));
    const clock = within(screen.getByRole('region', { name: 'Server clock' }));
    expect(clock.getByText(/It says 31 May 2026 at 10:00.*it is 01 May 2026 at 10:00/)).toBeTruthy();
    await expect(axeViolations(container)).resolves.toEqual([]);
    confirmClock.mockRejectedValueOnce(new ApiFailure('unavailable', 'Try again in a minute.', { status: 503 }));
    await userEvent.click(clock.getByRole('button', { name: 'The clock is right' }));
    await expect(clock.findByText('Not confirmed. Try again in a minute.')).resolves.toBeTruthy();
    await userEvent.click(clock.getByRole('button', { name: 'The clock is right' }));
    expect(confirmClock.mock.lastCall).toEqual([{ body: { isRight: true } }]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('shows every point of the intended use before it is accepted, and then who accepted it', async () => {
    const pointer = userEvent.setup();
    const { rerender } = render(page());
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(part.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(intendedUse);
    await pointer.click(part.getByRole('button', { name: 'Accept the intended use' }));
    expect(accept.mock.calls).toEqual([[{ body: { accepted: true, version: intendedUseVersion } }]]);
    // The shell no longer says that the rules are off.
    expect(refresh).toHaveBeenCalledTimes(1);
    rerender(page({ intendedUse: { acceptedAt: secondsAgo(60), acceptedBy: 'Ines Moreau', isCurrent: true } }));
    expect(part.getByText(/Accepted for this site by Ines Moreau/)).toBeTruthy();
    expect(part.queryByRole('button')).toBeNull();
  });

  it('asks again if the intended use has changed, and says who accepted the one before', async () => {
    render(page({ intendedUse: { acceptedAt: secondsAgo(60), acceptedBy: 'Ines Moreau', isCurrent: false } }));
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(
      part.getByText(/It has changed since Ines Moreau accepted it on .*\. The alert rules keep running/),
    ).toBeTruthy();
    await userEvent.click(part.getByRole('button', { name: 'Accept the intended use' }));
    expect(accept).toHaveBeenCalledTimes(1);
  });

  it('says why the intended use was not accepted', async () => {
    accept.mockRejectedValue(new ApiFailure('unavailable', 'Try again in a minute.', { status: 503 }));
    render(page());
    await userEvent.click(screen.getByRole('button', { name: 'Accept the intended use' }));
    await expect(screen.findByText('Not accepted. Try again in a minute.')).resolves.toBeTruthy();
  });

  it('asks for no acceptance on a demo ward, whose rules are always on', () => {
    render(page({ isDemo: true }));
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(part.getByText(/the alert rules of a demo ward are always on/)).toBeTruthy();
    expect(part.queryByRole('button')).toBeNull();
  });
});

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { intendedUse, intendedUseVersion } from '../../lib/site/intendedUse';
import type { SiteSettings } from '../../lib/site/schema';
import { chooseOption, chosenOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { answer, sentCalls } from '../../test/network';
import { showScreen } from '../../test/showScreen';
import { signInPage } from '../../test/signInPage';
import { writeInto } from '../../test/writeInto';
import { AddUnitDrawer } from './AddUnitDrawer';
import { SiteScreen } from './SiteScreen';
import { UnitDrawer } from './UnitDrawer';
import { UnitsScreen } from './UnitsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/site' }) }));

describe('SiteScreen', () => {
  /** Shows the settings of a site of its own; `more` is what a site has that needs a backup, a clock or messages. */
  async function open(more: Partial<SiteSettings> = {}) {
    const page = await signInPage('administrator', { isAdmin: true });
    const path = '/api/v2/admin/site';
    const read = async (): Promise<SiteSettings> => (await page.caller.call('GET', path)).json<SiteSettings>();
    const site = await read();
    if (Object.keys(more).length > 0) {
      setSite({ ...site, ...more });
    }
    return { ...page, ...(await showScreen(<SiteScreen user={page.user} now={wardNow} />, page)), site, read };
  }
  const setSite = (site: SiteSettings): void => answer({ getSite: () => site });
  const unavailable = (): never => {
    throw new ApiFailure('unavailable', 'Try again in a minute.', { status: 503 });
  };
  /** How often the user was read again: the shell shows the site's name and time, and whether the rules are on. */
  const readUser = () => sentCalls('getCurrentUser').length - 1;
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

  beforeEach(() => {
    // More than 400 are made again for each letter of the form.
    jest.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['America/New_York', 'Europe/London', 'Pacific/Auckland']);
  });

  it('shows each error at its field, keeps the typed values and sends nothing', async () => {
    await open();
    const pointer = userEvent.setup();
    await pointer.clear(screen.getByLabelText('Minutes until the screen locks'));
    await pointer.type(screen.getByLabelText('Minutes until the screen locks'), '45');
    await pointer.clear(screen.getByLabelText('Start of each shift'));
    await writeInto(screen.getByLabelText('Start of each shift'), '7 am');
    await pointer.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText(/is more than 30 minutes/)).resolves.toBeTruthy();
    expect(screen.getByText(/is not a time such as 07:30/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Minutes until the screen locks'));
    expect(screen.getByLabelText('Start of each shift')).toHaveProperty('value', '7 am');
    expect(sentCalls('changeSite')).toEqual([]);
  });

  it('says in a human sentence what is not a whole number', async () => {
    await open();
    const minutes = screen.getByLabelText('Minutes until the screen locks');
    for (const typed of ['ten', '10.5']) {
      await userEvent.clear(minutes);
      await writeInto(minutes, typed);
      await save();
      await screen.findByText('Minutes until the screen locks is not a whole number');
      expect(minutes).toHaveProperty('value', typed);
      await userEvent.clear(minutes);
      await writeInto(minutes, '10');
      await waitFor(() => expect(screen.queryByText(/is not a whole number/)).toBeNull());
    }
    expect(sentCalls('changeSite')).toEqual([]);
  });

  it('saves the typed values with the version that the user has seen', async () => {
    const { site, read, poll } = await open();
    await writeInto(screen.getByLabelText(/Emergency number/), '112');
    await writeInto(screen.getByLabelText('Check-ins from home'), ' 23:00');
    await writeInto(screen.getByLabelText(/Out of hours/), 'Ward hours 8 to 20');
    // Key by key: an empty line between two stays while they are typed.
    await userEvent.type(screen.getByLabelText(/Authorities of MRNs/), 'HARBOUR{Enter}{Enter}1.2.3 ');
    await save();
    const saved = await screen.findByText(/Saved/);
    // The button is at the end of a long form: a word above the form would be out of sight.
    expect(screen.getByRole('button', { name: 'Save' }).parentElement?.contains(saved)).toBe(true);
    await expect(read()).resolves.toEqual({
      ...site,
      version: site.version + 1,
      emergencyNumber: '112',
      checkInTimes: [...site.checkInTimes, '23:00'],
      outOfHoursText: 'Ward hours 8 to 20',
      mrnAuthorities: ['HARBOUR', '1.2.3'],
    });
    // The shell shows the site's name and time as well.
    expect(readUser()).toBe(1);
    await poll();
    expect(screen.queryByText(/Someone else/)).toBeNull();
  });

  it('warns before saving of authorities that messages have and that no line names', async () => {
    const seenAuthorities = [
      { names: ['HARBOUR', '1.2.3'], messages: 41 },
      { names: ['LAKE'], messages: 1 },
    ];
    await open({ seenAuthorities });
    const refused = () => screen.queryAllByText(/since the start of the server$/).map(({ textContent }) => textContent);
    expect(refused()).toEqual([]);
    const list = screen.getByLabelText(/Authorities of MRNs/);
    await writeInto(list, 'HARBUOR');
    expect(screen.getByText(/^No line names these authorities/)).toBeTruthy();
    expect(refused()).toEqual([
      'HARBOUR or 1.2.3, in 41 messages since the start of the server',
      'LAKE, in 1 message since the start of the server',
    ]);
    await writeInto(list, '\n 1.2.3\nLAKE');
    expect(refused()).toEqual([]);
    await userEvent.clear(list);
    expect(refused()).toEqual([]);
  });

  it('finds a time zone by the typed letters, and offers the ways to get an account', async () => {
    const { read } = await open();
    const zone = screen.getByLabelText('Time zone');
    expect(chosenOption(zone)).toBe('Europe/London');
    await writeInto(zone, 'auckland');
    await chooseOption(zone, 'Pacific/Auckland');
    await chooseOption(screen.getByLabelText('Accounts'), 'No sign-up');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect(screen.findByText(/Saved/)).resolves.toBeTruthy();
    await expect(read()).resolves.toMatchObject({ timeZone: 'Pacific/Auckland', signUpMode: 'off' });
  });

  it('keeps the typed values when another administrator saves meanwhile, and shows theirs on request', async () => {
    const { server, siteId, site, poll } = await open();
    const pointer = userEvent.setup();
    await pointer.clear(screen.getByLabelText('Name'));
    await writeInto(screen.getByLabelText('Name'), 'Mine');
    const other = await server.signIn(siteId, 'administrator', true);
    await other.call('PATCH', '/api/v2/admin/site', { version: site.version, name: 'Theirs' });
    await save();
    await expect(screen.findByText(/Not saved/)).resolves.toBeTruthy();
    await poll();
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Mine');
    await pointer.click(screen.getByRole('button', { name: /Load their version/ }));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Theirs');
  });

  it('marks a backup that is missing or late, but not a recent one', async () => {
    const { container, poll, site } = await open();
    const backup = (): HTMLElement => screen.getByRole('region', { name: 'Backup' });
    expect(backup().textContent).toContain('There is no backup yet.');
    setSite({ ...site, backup: { takenAt: secondsAgo(27 * 3_600), isOverdue: true } });
    await poll();
    expect(backup().textContent).toMatch(/1 d ago.*more than 26 hours ago/);
    setSite({ ...site, backup: { takenAt: secondsAgo(7_200), isOverdue: false } });
    await poll();
    expect(backup().textContent).toContain('2 h ago');
    expect(backup().textContent).not.toContain('26 hours');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('asks whether a clock that is days off is right, and for nothing while it is not in doubt', async () => {
    const { poll, site } = await open();
    expect(screen.queryByRole('region', { name: 'Server clock' })).toBeNull();
    setSite({
      ...site,
      clockDoubt: { statedAt: '2026-05-31T09:00:00.000Z', expectedAt: '2026-05-01T09:00:00.000Z' },
    });
    await poll();
    const clock = within(screen.getByRole('region', { name: 'Server clock' }));
    expect(clock.getByText(/It says 31 May 2026 at 10:00.*it is 01 May 2026 at 10:00/)).toBeTruthy();
    await expect(axeViolations(screen.getByRole('region', { name: 'Server clock' }))).resolves.toEqual([]);
    answer({ confirmClock: unavailable });
    await userEvent.click(clock.getByRole('button', { name: 'The clock is right' }));
    await expect(clock.findByText('Not confirmed. Try again in a minute.')).resolves.toBeTruthy();
    answer({ confirmClock: () => site });
    await userEvent.click(clock.getByRole('button', { name: 'The clock is right' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Server clock' })).toBeNull());
    expect(sentCalls('confirmClock').at(-1)).toEqual({ body: { isRight: true } });
    expect(readUser()).toBe(1);
  });

  it('shows every point of the intended use before it is accepted, and then who accepted it', async () => {
    const { user } = await open();
    const pointer = userEvent.setup();
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(part.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(intendedUse);
    await pointer.click(part.getByRole('button', { name: 'Accept the intended use' }));
    const accepted = `Accepted for this site by ${user.fname} ${user.lname}`;
    await expect(part.findByText(new RegExp(accepted))).resolves.toBeTruthy();
    expect(sentCalls('acceptIntendedUse')).toEqual([{ body: { accepted: true, version: intendedUseVersion } }]);
    // The shell no longer says that the rules are off.
    expect(readUser()).toBe(1);
    expect(part.queryByRole('button')).toBeNull();
  });

  it('asks again if the intended use has changed, and says who accepted the one before', async () => {
    const { settle } = await open({
      intendedUse: { acceptedAt: secondsAgo(60), acceptedBy: 'Ines Moreau', isCurrent: false },
    });
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(
      part.getByText(/It has changed since Ines Moreau accepted it on .*\. The alert rules keep running/),
    ).toBeTruthy();
    await userEvent.click(part.getByRole('button', { name: 'Accept the intended use' }));
    await settle();
    expect(sentCalls('acceptIntendedUse')).toHaveLength(1);
  });

  it('says why the intended use was not accepted', async () => {
    await open();
    answer({ acceptIntendedUse: unavailable });
    await userEvent.click(screen.getByRole('button', { name: 'Accept the intended use' }));
    await expect(screen.findByText('Not accepted. Try again in a minute.')).resolves.toBeTruthy();
  });

  it('asks for no acceptance on a demo ward, whose rules are always on', async () => {
    await open({ isDemo: true });
    const part = within(screen.getByRole('region', { name: 'Intended use' }));
    expect(part.getByText(/the alert rules of a demo ward are always on/)).toBeTruthy();
    expect(part.queryByRole('button')).toBeNull();
  });
});

describe('UnitsScreen', () => {
  /** A site with the unit East: a nurse is in it, another belongs to none. */
  async function openSite({ patients = 0 } = {}) {
    const page = await signInPage('administrator', { isAdmin: true });
    const { server, siteId } = page;
    const [member, other] = [await server.addUser(siteId, 'nurse'), await server.addUser(siteId, 'nurse')];
    const unitId = await server.addUnit(siteId, 'East', [member.id]);
    for (let count = 0; count < patients; count += 1) {
      await server.addPatient(siteId, { location: { unit: 'East', bed: String(count) } });
    }
    const nameOf = async (id: number) => {
      const { fname, lname } = await server.store.db
        .selectFrom('users')
        .select(['fname', 'lname'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { first: `${fname} ${lname}`, last: `${lname}, ${fname}` };
    };
    return {
      ...page,
      unitId,
      member: { ...member, ...(await nameOf(member.id)) },
      other: { ...other, ...(await nameOf(other.id)) },
    };
  }
  async function showOne(patients = 0) {
    const site = await openSite({ patients });
    const onRetired = jest.fn();
    const unit = { id: site.unitId, name: 'East', patients, people: 1, isOpen: patients > 0 };
    const page = await showScreen(
      <UnitDrawer unit={unit} timeZone="Europe/London" onClose={() => undefined} onRetired={onRetired} />,
      site,
    );
    return { ...site, ...page, onRetired };
  }

  describe('UnitsScreen', () => {
    it('lists each unit with its patients and people, and says where shifts are set', async () => {
      const { user } = await openSite({ patients: 2 });
      const { container } = await showScreen(<UnitsScreen user={user} />, { user });
      const row = within(screen.getByRole('row', { name: /^East/ }));
      expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['2', '1', 'Open']);
      expect(screen.getByText(/Shifts begin at 07:30, 19:30 in every unit/)).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Change that under Site' })).toBeTruthy();
      await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    });

    it('says what a unit is for if there are none', async () => {
      const { user } = await signInPage('administrator', { isAdmin: true });
      await showScreen(<UnitsScreen user={user} />, { user });
      expect(screen.getByText('This site has no units yet.')).toBeTruthy();
      expect(screen.getAllByRole('button', { name: 'Add unit' })).toHaveLength(1);
    });
  });

  describe('AddUnitDrawer', () => {
    it('keeps a name that another unit has, with the error at the field', async () => {
      const site = await openSite();
      const onAdded = jest.fn();
      await showScreen(<AddUnitDrawer onClose={() => undefined} onAdded={onAdded} />, site);
      await userEvent.click(screen.getByRole('button', { name: 'Add unit' }));
      await expect(screen.findByText('Name is empty')).resolves.toBeTruthy();
      expect(sentCalls('createUnit')).toEqual([]);
      await userEvent.type(screen.getByLabelText('Name'), ' EAST ');
      await userEvent.click(screen.getByRole('button', { name: 'Add unit' }));
      await expect(screen.findByText('Name is the name of another unit')).resolves.toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe(' EAST ');
      expect(onAdded).not.toHaveBeenCalled();
      await userEvent.clear(screen.getByLabelText('Name'));
      await userEvent.type(screen.getByLabelText('Name'), 'West');
      await userEvent.click(screen.getByRole('button', { name: 'Add unit' }));
      await waitFor(() => expect(onAdded).toHaveBeenCalledWith('West'));
    });
  });

  describe('UnitDrawer', () => {
    it('warns before it removes a person’s last unit, because they see more afterwards', async () => {
      const { member } = await showOne();
      await userEvent.click(screen.getByRole('button', { name: `Remove ${member.first} from East` }));
      await expect(screen.findByText(/after that they see the whole site/)).resolves.toBeTruthy();
      expect(sentCalls('changeUser')).toEqual([]);
      await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
      await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove .* from East/ })).toBeNull());
      await expect(offeredOptions(screen.getByLabelText('Add a person'))).resolves.toContain(`${member.last}: Nurse`);
    });

    it('adds a person with an account, and says what they no longer see afterwards', async () => {
      const { other } = await showOne();
      const select = screen.getByLabelText('Add a person');
      const option = `${other.last}: Nurse`;
      await expect(offeredOptions(select)).resolves.toContain(option);
      await chooseOption(select, option);
      expect(screen.getByText(/sees the whole site. After this they see this unit only/)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Add to East' }));
      await expect(screen.findByRole('button', { name: `Remove ${other.first} from East` })).resolves.toBeTruthy();
    });

    it('says why a unit cannot be retired, and asks before it is', async () => {
      const { onRetired, server, siteId, unitId } = await showOne(1);
      const retire = async (): Promise<void> => {
        await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
        expect(onRetired).not.toHaveBeenCalled();
        const question = within(await screen.findByRole('tooltip', { name: /Retire East\?/ }));
        await userEvent.click(question.getByRole('button', { name: 'Retire' }));
      };
      await retire();
      await expect(screen.findByText(/^Not retired\. Patients are in this unit/)).resolves.toBeTruthy();
      expect(onRetired).not.toHaveBeenCalled();
      await server.store.db.updateTable('patients').set({ unit_id: null }).where('site_id', '=', siteId).execute();
      await server.store.db.deleteFrom('user_units').where('unit_id', '=', unitId).execute();
      await retire();
      await waitFor(() => expect(onRetired).toHaveBeenCalledTimes(1));
    });

    it('has no accessibility violation', async () => {
      const { baseElement } = await showOne();
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    });
  });
});

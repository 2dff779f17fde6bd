import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { sentCalls } from '../../test/network';
import { showScreen } from '../../test/showScreen';
import { signInPage } from '../../test/signInPage';
import { UnitDrawer } from './UnitDrawer';
import { AddUnitDrawer } from './AddUnitDrawer';
import { UnitsScreen } from './UnitsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/units' }) }));

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

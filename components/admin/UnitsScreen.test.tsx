import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { Unit } from '../../lib/units/schema';
import type { ListedUser } from '../../lib/users/schema';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo } from '../../test/inventedWard';
import { UnitDrawer } from './UnitDrawer';
import { AddUnitDrawer } from './AddUnitDrawer';
import { UnitsScreen } from './UnitsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/units' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const east: Unit = { id: 3, name: 'East', patients: 2, people: 1, isOpen: false };
const person = (id: number, fname: string, units: ListedUser['units']): ListedUser => ({
  id,
  fname,
  lname: 'Reed',
  email: `${fname}@ward.test`,
  type: 'nurse',
  isAdmin: false,
  units,
  state: 'active',
  lastActiveAt: null,
  createdAt: secondsAgo(60),
  version: 4,
});
const users = [
  person(1, 'Robin', [east]),
  person(2, 'Nia', []),
  { ...person(5, 'Walt', []), state: 'waiting' as const },
];

const calls = {
  createUnit: callMock<'createUnit'>(),
  renameUnit: callMock<'renameUnit'>(),
  deleteUnit: callMock<'deleteUnit'>(),
  changeUser: callMock<'changeUser'>(),
};

function prepare(units: Unit[]): void {
  calls.createUnit.mockReset().mockResolvedValue(east);
  calls.renameUnit.mockReset().mockResolvedValue(east);
  calls.deleteUnit.mockReset().mockResolvedValue(null);
  calls.changeUser.mockReset().mockResolvedValue(person(1, 'Robin', [east]));
  setCalls(calls);
  setReads({
    listUnits: answered({ items: units, total: units.length }),
    listUsers: answered({ items: users, total: users.length }),
  });
}
function showList(units: Unit[]) {
  prepare(units);
  return render(<UnitsScreen user={inventedUser({ type: 'administrator', isAdmin: true })} />);
}
const onRetired = jest.fn();
function showOne() {
  prepare([east]);
  onRetired.mockReset();
  return render(<UnitDrawer unit={east} timeZone="Europe/London" onClose={() => undefined} onRetired={onRetired} />);
}

describe('UnitsScreen', () => {
  it('lists each unit with its patients and people, and says where shifts are set', () => {
    showList([east]);
    const row = within(screen.getByRole('row', { name: /^East/ }));
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['2', '1', 'Open']);
    expect(screen.getByText(/Shifts begin at 07:30, 19:30 in every unit/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Change that under Site' })).toBeTruthy();
  });

  it('says what a unit is for if there are none', () => {
    showList([]);
    expect(screen.getByText('This site has no units yet.')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Add unit' })).toHaveLength(1);
  });

  it('has no accessibility violation', async () => {
    const { container } = showList([east]);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('AddUnitDrawer', () => {
  it('keeps a name that another unit has, with the error at the field', async () => {
    prepare([east]);
    const onAdded = jest.fn();
    calls.createUnit.mockRejectedValueOnce(
      new ApiFailure('unit_exists', 'This site has a unit of that name.', {
        status: 409,
        fields: { name: 'is the name of another unit' },
      }),
    );
    render(<AddUnitDrawer onClose={() => undefined} onAdded={onAdded} />);
    await userEvent.click(screen.getByRole('button', { name: 'Add unit' }));
    await expect(screen.findByText('Name is empty')).resolves.toBeTruthy();
    expect(calls.createUnit).not.toHaveBeenCalled();
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
    showOne();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Robin Reed from East' }));
    await expect(screen.findByText(/after that they see the whole site/)).resolves.toBeTruthy();
    expect(calls.changeUser).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(calls.changeUser).toHaveBeenCalledWith({ params: { id: 1 }, body: { version: 4, unitIds: [] } });
  });

  it('adds a person with an account, and says what they no longer see afterwards', async () => {
    showOne();
    const select = screen.getByLabelText('Add a person');
    await expect(offeredOptions(select)).resolves.toEqual(['Reed, Nia: Nurse']);
    await chooseOption(select, 'Reed, Nia: Nurse');
    expect(screen.getByText(/sees the whole site. After this they see this unit only/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add to East' }));
    expect(calls.changeUser).toHaveBeenCalledWith({ params: { id: 2 }, body: { version: 4, unitIds: [3] } });
  });

  it('says why a unit cannot be retired, and asks before it is', async () => {
    showOne();
    calls.deleteUnit.mockRejectedValueOnce(
      new ApiFailure('unit_not_empty', 'Patients are in this unit. Move them first.', { status: 409 }),
    );
    const retire = async (): Promise<void> => {
      await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
      expect(onRetired).not.toHaveBeenCalled();
      const question = within(await screen.findByRole('tooltip', { name: /Retire East\?/ }));
      await userEvent.click(question.getByRole('button', { name: 'Retire' }));
    };
    await retire();
    expect(calls.deleteUnit).toHaveBeenCalledTimes(1);
    await expect(screen.findByText('Not retired. Patients are in this unit. Move them first.')).resolves.toBeTruthy();
    expect(onRetired).not.toHaveBeenCalled();
    await retire();
    expect(onRetired).toHaveBeenCalledTimes(1);
  });

  it('has no accessibility violation', async () => {
    const { baseElement } = showOne();
    await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
  });
});

import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useUnitActs, useUnits, type UnitActs } from '../../hooks/useUnits';
import { useUserActs, type UserActs } from '../../hooks/useUserActs';
import { useUsers } from '../../hooks/useUsers';
import { ApiFailure } from '../../lib/browser/client';
import type { Unit } from '../../lib/units/schema';
import type { ListedUser } from '../../lib/users/schema';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { UnitDrawer } from './UnitDrawer';
import { AddUnitDrawer } from './AddUnitDrawer';
import { UnitsScreen } from './UnitsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/units' }) }));
jest.mock('../../hooks/useUnits');
jest.mock('../../hooks/useUserActs');
jest.mock('../../hooks/useUsers');

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

const answered = <Data,>(data: Data) => ({
  data,
  error: undefined,
  isLoading: false,
  isRefreshing: false,
  asOf: wardNow,
  refresh: () => Promise.resolve(),
});
const acts = {
  create: jest.fn<ReturnType<UnitActs['create']>, Parameters<UnitActs['create']>>(),
  rename: jest.fn<ReturnType<UnitActs['rename']>, Parameters<UnitActs['rename']>>(),
  remove: jest.fn<ReturnType<UnitActs['remove']>, Parameters<UnitActs['remove']>>(),
};
const change = jest.fn<ReturnType<UserActs['change']>, Parameters<UserActs['change']>>();
const notHere = (): Promise<never> => Promise.reject(new Error('not done on this page'));
const userActs: UserActs = {
  change,
  approve: notHere,
  reject: notHere,
  makeResetLink: notHere,
  endSessions: notHere,
  invite: notHere,
  withdraw: notHere,
};

function prepare(units: Unit[]): void {
  for (const act of [...Object.values(acts), change]) {
    act.mockReset().mockResolvedValue(undefined);
  }
  jest.mocked(useUnits).mockReturnValue(answered({ items: units, total: units.length }));
  jest.mocked(useUnitActs).mockReturnValue(acts);
  jest.mocked(useUsers).mockReturnValue(answered({ items: users, total: users.length }));
  jest.mocked(useUserActs).mockReturnValue(userActs);
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
const axeOptions = {
  rules: { 'color-contrast': { enabled: false }, 'label-content-name-mismatch': { enabled: false } },
};

describe('UnitsScreen', () => {
  it('lists each unit with its patients and people, and says where shifts are set', () => {
    showList([east]);
    const row = within(screen.getByRole('row', { name: /^East/ }));
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['2', '1', 'Open']);
    expect(screen.getByText(/Shifts begin at 07:30, 19:30 in every unit/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Change that under Site' })).toBeTruthy();
  });

  it('says what a unit is for where there is none', () => {
    showList([]);
    expect(screen.getByText('This site has no units yet.')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Add unit' })).toHaveLength(1);
  });

  it('has no accessibility violation', async () => {
    const { container } = showList([east]);
    expect((await axe.run(container, axeOptions)).violations).toEqual([]);
  });
});

describe('AddUnitDrawer', () => {
  it('keeps a name that another unit has, with what is wrong at the field', async () => {
    prepare([east]);
    const onAdded = jest.fn();
    acts.create.mockRejectedValueOnce(
      new ApiFailure('unit_exists', 'This site has a unit of that name.', {
        status: 409,
        fields: { name: 'is the name of another unit' },
      }),
    );
    render(<AddUnitDrawer onClose={() => undefined} onAdded={onAdded} />);
    await userEvent.click(screen.getByRole('button', { name: 'Add unit' }));
    await expect(screen.findByText('Name is empty')).resolves.toBeTruthy();
    expect(acts.create).not.toHaveBeenCalled();
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
  it('warns before the last unit of somebody is taken away, because they see more afterwards', async () => {
    showOne();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Robin Reed from East' }));
    await expect(screen.findByText(/after that they see the whole site/)).resolves.toBeTruthy();
    expect(change).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(change).toHaveBeenCalledWith(1, { version: 4, unitIds: [] });
  });

  it('adds who has an account, and says what that takes from their sight', async () => {
    showOne();
    const select = screen.getByLabelText('Add a person');
    await expect(offeredOptions(select)).resolves.toEqual(['Reed, Nia (Nurse)']);
    await chooseOption(select, 'Reed, Nia (Nurse)');
    expect(screen.getByText(/sees the whole site. After this they see this unit only/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add to East' }));
    expect(change).toHaveBeenCalledWith(2, { version: 4, unitIds: [3] });
  });

  it('says why a unit cannot be retired, and asks before it is', async () => {
    showOne();
    acts.remove.mockRejectedValueOnce(
      new ApiFailure('unit_not_empty', 'Patients are in this unit. Move them first.', { status: 409 }),
    );
    const retire = async (): Promise<void> => {
      await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
      expect(onRetired).not.toHaveBeenCalled();
      const question = within(await screen.findByRole('tooltip', { name: /Remove East from every list/ }));
      await userEvent.click(question.getByRole('button', { name: 'Retire' }));
    };
    await retire();
    expect(acts.remove).toHaveBeenCalledTimes(1);
    await expect(screen.findByText('Not retired. Patients are in this unit. Move them first.')).resolves.toBeTruthy();
    expect(onRetired).not.toHaveBeenCalled();
    await retire();
    expect(onRetired).toHaveBeenCalledTimes(1);
  });

  it('has no accessibility violation', async () => {
    const { baseElement } = showOne();
    expect(
      (await axe.run(baseElement, { rules: { ...axeOptions.rules, region: { enabled: false } } })).violations,
    ).toEqual([]);
  });
});

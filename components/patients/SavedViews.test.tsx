import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ListLook } from './listPreferences';
import { standardView } from './patientsUrl';
import { PatientsViews } from './PatientsViews';
import { axeViolations } from '../../test/axeViolations';

const onView = jest.fn();
const onHide = jest.fn();
const units = [
  { id: 3, name: 'East' },
  { id: 4, name: 'West' },
];
const east: ListLook = { hidden: ['profile'], view: { ...standardView, unit: 3, sort: '-spo2' } };

beforeEach(() => {
  localStorage.clear();
  onView.mockClear();
  onHide.mockClear();
});

/** The views above a list that looks like this; the menu is opened as the browser's popover would be. */
async function show(look: ListLook = east, userId = 7) {
  const shown = render(<PatientsViews userId={userId} look={look} units={units} onView={onView} onHide={onHide} />);
  const menu = screen.getByRole('group', { name: 'Saved views of the list', hidden: true });
  fireEvent(menu, Object.assign(new Event('toggle'), { newState: 'open' }));
  await screen.findByRole('status');
  return { ...shown, menu: within(menu) };
}
const saved = () => screen.queryByRole('group', { name: 'Saved views' });
const savedNames = () => [...(saved()?.querySelectorAll('button') ?? [])].map((button) => button.textContent);
const nameField = () => screen.getByRole('textbox', { name: 'Name for the current list' });

async function save(name: string): Promise<void> {
  await userEvent.type(nameField(), `${name}{Enter}`);
}

describe('the list’s saved views', () => {
  it.each([
    ['without a name', ' ', 'is missing'],
    ['under the name of a unit', 'west', 'is already the name of another view'],
    ['under a name that is taken', 'NIGHT', 'is already the name of another view'],
  ])('are not saved %s', async (_, name, why) => {
    await show();
    await save('Night');
    await save(name);
    expect(screen.getByText(new RegExp(why))).toBeTruthy();
    expect(nameField().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(nameField());
    expect(savedNames()).toEqual(['Night']);
  });

  it('say so if the browser can store nothing', async () => {
    await show();
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    await save('Night');
    expect(screen.getByText(/storage is full or blocked/)).toBeTruthy();
    expect(saved()).toBeNull();
  });

  it('are twelve at most', async () => {
    localStorage.setItem(
      'wardlight-patients-views-7',
      Array.from({ length: 12 }, (_, index) => `View ${index}=`).join('&'),
    );
    await show();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByText(/12 views is the maximum/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Delete View 3' }));
    expect(nameField()).toBeTruthy();
  });

  it('hold the filter, the order and the columns, and are one press away', async () => {
    const { unmount } = await show();
    await save(' Night round ');
    expect(screen.getByText('“Night round” is saved.')).toBe(document.activeElement);
    unmount();
    await show({ hidden: [], view: standardView });
    const button = within(saved() ?? document.body).getByRole('button', { name: 'Night round', pressed: false });
    await userEvent.click(button);
    expect(onHide).toHaveBeenCalledWith(['profile']);
    expect(onView).toHaveBeenCalledWith(east.view);
  });

  it('are pressed if the list shows the same, and another user has none of them', async () => {
    const { unmount } = await show();
    await save('Night');
    expect(within(saved() ?? document.body).getByRole('button', { pressed: true }).textContent).toBe('Night');
    unmount();
    await show(east, 8);
    expect(saved()).toBeNull();
  });

  it('get another name by the keyboard alone', async () => {
    const { menu } = await show();
    await save('Night');
    screen.getByRole('button', { name: 'Rename Night' }).focus();
    await userEvent.keyboard('{Enter}');
    const field = menu.getByRole('textbox', { name: 'New name for “Night”' });
    expect(document.activeElement).toBe(field);
    await userEvent.clear(field);
    await userEvent.keyboard('All patients{Enter}');
    expect(screen.getByText(/is already the name of another view/)).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.keyboard('night{Enter}');
    expect(screen.getByText('“Night” is now “night”.')).toBe(document.activeElement);
    expect(savedNames()).toEqual(['night']);
  });

  it('keep their name if renaming is cancelled', async () => {
    await show();
    await save('Night');
    await userEvent.click(screen.getByRole('button', { name: 'Rename Night' }));
    await userEvent.keyboard(' shift');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(savedNames()).toEqual(['Night']);
    await userEvent.click(screen.getByRole('button', { name: 'Rename Night' }));
    expect(screen.getByDisplayValue('Night')).toBe(document.activeElement);
  });

  it('go when they are deleted, and the keyboard goes on beside them', async () => {
    await show();
    await save('Night');
    await save('Day');
    await userEvent.click(screen.getByRole('button', { name: 'Delete Night' }));
    expect(screen.getByText('“Night” is deleted.')).toBe(document.activeElement);
    expect(savedNames()).toEqual(['Day']);
  });

  it('have no accessibility violation', async () => {
    const { container } = await show();
    await save('Night');
    await save('Day');
    await userEvent.click(screen.getByRole('button', { name: 'Rename Night' }));
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

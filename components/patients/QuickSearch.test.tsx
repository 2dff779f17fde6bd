import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRouter } from 'next/router';
import type { ReadState } from '../../hooks/readState';
import { usePatients } from '../../hooks/usePatients';
import { clientFailure } from '../../lib/browser/client';
import type { PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { inventedPage, inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { QuickSearch } from './QuickSearch';

jest.mock('next/router', () => ({ useRouter: jest.fn() }));
jest.mock('../../hooks/usePatients');

const push = jest.fn(() => Promise.resolve(true));
function show(change: Partial<ReadState<PatientsPage>> = {}, user: User = inventedUser()) {
  jest.mocked(useRouter).mockReturnValue({ push } as unknown as ReturnType<typeof useRouter>);
  jest.mocked(usePatients).mockReturnValue({
    data: inventedPage([inventedPatient(1), inventedPatient(2, { location: null })]),
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
    ...change,
  });
  return render(
    <>
      <QuickSearch user={user} />
      <input aria-label="Elsewhere" />
    </>,
  );
}
const dialog = () => screen.queryByRole('dialog', { name: 'Find a patient' });
const box = () => screen.findByRole('combobox', { name: 'Name or MRN' });
async function search(text: string): Promise<void> {
  await userEvent.keyboard('/');
  await userEvent.type(await box(), text);
  await waitFor(() => {
    expect(jest.mocked(usePatients).mock.lastCall?.[0].text).toBe(text);
  });
}

beforeEach(() => {
  localStorage.clear();
  push.mockClear();
  jest.mocked(usePatients).mockReset();
});

describe('the quick search', () => {
  it('does not take a "/" that is typed into a field', async () => {
    show();
    await userEvent.type(screen.getByRole('textbox', { name: 'Elsewhere' }), '/');
    expect(dialog()).toBeNull();
  });

  it('ignores "/" if it is switched off, but not Ctrl+K', async () => {
    localStorage.setItem('wardlight-slash-key', 'off');
    show();
    await userEvent.keyboard('/');
    expect(dialog()).toBeNull();
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await box();
    expect(dialog()).not.toBeNull();
  });

  it.each([{ key: 'k' }, { key: 'k', ctrlKey: true, shiftKey: true }, { key: '/', altKey: true }])(
    'does not open on %j',
    (init) => {
      show();
      fireEvent.keyDown(document.body, init);
      expect(dialog()).toBeNull();
    },
  );

  it('asks nothing without a text', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Find patient' }));
    await box();
    expect(usePatients).not.toHaveBeenCalled();
  });

  it('opens with Enter who was chosen with the arrows, and never puts the text into an address', async () => {
    show();
    await search('sam');
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Sample1, Sam');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Sample2, Sam');
    await userEvent.keyboard('{ArrowUp}{ArrowDown}{Enter}');
    expect(push).toHaveBeenCalledWith('/patient_details?ids=2');
    expect(dialog()).toBeNull();
  });

  it('opens no patient with Enter before the response to what is typed', async () => {
    show({ data: undefined, isLoading: true });
    await search('sam');
    await userEvent.keyboard('{Enter}');
    expect(push).not.toHaveBeenCalled();
  });

  it('closes with one press of Escape, also with a text in it', async () => {
    show();
    await search('sam');
    await userEvent.keyboard('{Escape}');
    expect(dialog()).toBeNull();
  });

  it('never opens with Enter a patient whom only an older text found', async () => {
    show();
    await search('sam');
    fireEvent.change(await box(), { target: { value: 'samu' } });
    fireEvent.keyDown(await box(), { key: 'Enter' });
    expect(push).not.toHaveBeenCalled();
  });

  it('shows two identifiers and the place of each', async () => {
    show();
    await search('sam');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'Sample1, Sam07 Mar 1950 · MRN A-1East · Bed 1',
      'Sample2, Sam07 Mar 1950 · MRN A-2No bed',
    ]);
  });

  it.each([
    [{ data: inventedPage([]) }, 'No matching patients.'],
    [{ data: undefined, error: clientFailure('unreachable') }, 'The search failed. The server cannot be reached.'],
    [
      { data: inventedPage([inventedPatient(1)], { total: 30 }) },
      'The first 8 of 30 patients. Type more to narrow it down.',
    ],
  ])('says how it ended', async (change, words) => {
    show(change);
    await search('sam');
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    const { baseElement } = show();
    await search('sam');
    await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
  });
});

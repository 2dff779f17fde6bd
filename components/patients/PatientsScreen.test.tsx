import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRouter } from 'next/router';
import type { ReactNode } from 'react';
import { PageValuesProvider, usePageValues } from '../../hooks/PageValuesProvider';
import type { ReadState } from '../../hooks/readState';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import { useOwnNotes } from '../../hooks/useOwnNotes';
import { usePatients } from '../../hooks/usePatients';
import { useServerLost } from '../../hooks/useServerLost';
import { useSparks } from '../../hooks/useSparks';
import { clientFailure } from '../../lib/browser/client';
import {
  carryListPlace,
  forgetListPlace,
  keepListPlace,
  type ListPlace,
  readCarriedPlace,
  readListPlace,
} from '../../lib/browser/listPlace';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered } from '../../test/calls';
import { inventedAlerts } from '../../test/inventedAlert';
import { inventedPage, inventedPatient, inventedSparks, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ColumnsMenu } from './ColumnsMenu';
import { PatientsScreen } from './PatientsScreen';
import { PatientsTable } from './PatientsTable';
import { QuickSearch } from './QuickSearch';
import { hideableColumns } from './listPreferences';
import { useListView } from './useListView';

jest.mock('next/router', () => ({ useRouter: jest.fn() }));
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useOwnNotes');
jest.mock('../../hooks/usePatients');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useSparks');

describe('PatientsScreen', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const nurse = inventedUser({ id: 1 });

  function patient(id: number): Patient {
    const asOf = new Date(now - 3_000).toISOString();
    const value = {
      takenAt: asOf,
      receivedAt: asOf,
      asOf,
      quality: 'good',
      source: 'monitor',
      expectedEveryMs: 1_000,
      lastValid: null,
    } as const;
    return inventedPatient(id, {
      mrn: `MRN-${id}`,
      givenName: 'Ada',
      familyName: `Okafor${id}`,
      dateOfBirth: '1950-12-31',
      location: id === 2 ? null : { unit: 'East', bed: String(id) },
      latest:
        id === 1 ? { spo2: { ...value, value: 97, unit: '%' }, pulseRate: { ...value, value: 102, unit: '/min' } } : {},
    });
  }
  const listed = (count: number): PatientsPage => ({
    items: Array.from({ length: count }, (_, index) => patient(index + 1)),
    total: count,
    version: '1',
    units: [
      { id: 3, name: 'East' },
      { id: 4, name: 'West' },
    ],
    beds: [
      { id: 'b00000000001', name: '1' },
      { id: 'b00000000003', name: '3' },
    ],
  });

  const push = jest.fn(() => Promise.resolve(true));
  const replace = jest.fn(() => Promise.resolve(true));
  function show(
    change: Partial<ReadState<PatientsPage>> = {},
    {
      query = {},
      user = nurse,
      wrapper,
    }: { query?: Record<string, string>; user?: User; wrapper?: (props: { children: ReactNode }) => ReactNode } = {},
  ) {
    jest.mocked(useRouter).mockReturnValue({ query, push, replace } as unknown as ReturnType<typeof useRouter>);
    jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts([])));
    jest.mocked(useNow).mockReturnValue(now);
    jest.mocked(useOwnNotes).mockReturnValue({ isKnown: true, unread: new Map(), drafts: [], mentions: [] });
    jest.mocked(useServerLost).mockReturnValue(null);
    jest.mocked(useSparks).mockReturnValue(inventedSparks({}));
    const response: ReadState<PatientsPage> = {
      data: listed(3),
      error: undefined,
      isLoading: false,
      isRefreshing: false,
      asOf: now,
      refresh: () => Promise.resolve(),
      ...change,
    };
    jest.mocked(usePatients).mockReturnValue(response);
    return render(<PatientsScreen user={user} now={now} firstPage={listed(3)} />, { wrapper });
  }
  const rows = () => screen.getAllByRole('row').slice(1);
  const lastAsked = () => jest.mocked(usePatients).mock.lastCall?.[0];

  beforeEach(() => {
    localStorage.clear();
    forgetListPlace();
    push.mockClear();
    replace.mockClear();
  });

  describe('the list of patients', () => {
    it('shows two identifiers, the place and what is known of SpO2 and the rate', () => {
      show();
      const [first, second] = rows();
      expect(
        within(first ?? document.body)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ).toEqual([
        '',
        '1 · East',
        'Okafor1, Ada',
        '31 Dec 1950 MRN-1',
        '',
        '97%3 s old',
        'PR 102/min3 s old',
        '1 to 15, 2 of 7 known',
        'Continuous',
      ]);
      expect(second?.textContent).toContain('No bedOkafor2, Ada31 Dec 1950 MRN-2--no value yetHR --no value yet');
      expect(screen.getByRole('link', { name: 'Okafor1, Ada' }).getAttribute('href')).toBe('/patient_details?ids=1');
    });

    it('has no accessibility violation', async () => {
      const { container } = show();
      await expect(axeViolations(container)).resolves.toEqual([]);
    });

    it('keeps the rows and says how old they are when a refresh fails', () => {
      show({ error: clientFailure('unreachable') });
      expect(screen.getByText('Old data: as it was at 15:00:00.')).toBeTruthy();
      expect(rows()).toHaveLength(3);
    });

    it('shows the shape of what will come at first', () => {
      show({ data: undefined, isLoading: true });
      expect(screen.getByRole('status', { name: 'Patients are loading' })).toBeTruthy();
    });

    it('keeps the rows in their place while another page of the list is on its way', () => {
      const { rerender } = show();
      jest.mocked(usePatients).mockReturnValue({
        data: undefined,
        error: undefined,
        isLoading: true,
        isRefreshing: false,
        asOf: null,
        refresh: () => Promise.resolve(),
      });
      rerender(<PatientsScreen user={nurse} now={now} firstPage={listed(3)} />);
      expect(rows()).toHaveLength(3);
      expect(screen.getByRole('table').closest('[aria-busy="true"]')).not.toBeNull();
    });

    it('tells a new installation what to do next', () => {
      show({ data: listed(0) });
      expect(screen.getByText('No patients yet.')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Add the first patient' })).toBeTruthy();
      expect(screen.getByText(/an administrator adds it under Admin, Devices/)).toBeTruthy();
    });

    it('offers all patients if a filter leaves none', async () => {
      show({ data: listed(0) }, { query: { unit: '4' } });
      await userEvent.click(screen.getByRole('button', { name: 'Show all active patients' }));
      expect(push).toHaveBeenCalledWith('/patients', undefined, { shallow: true, scroll: false });
    });

    it('offers the first page if this one is past the end', async () => {
      show({ data: { ...listed(0), total: 3 } }, { query: { page: '9' } });
      await userEvent.click(screen.getByRole('button', { name: 'Go to the first page' }));
      expect(push).toHaveBeenCalledWith('/patients', undefined, { shallow: true, scroll: false });
    });

    it('has no way to add a patient for users who may only read', () => {
      show({}, { user: inventedUser({ type: 'viewer' }) });
      expect(screen.queryByRole('button', { name: 'Add patient' })).toBeNull();
    });
  });

  describe('the words above the list', () => {
    it.each([
      [{ mine: 'true' }, 3, 'Showing your 3 patients'],
      [{}, 3, 'Showing 3 patients'],
      [{ mine: 'true' }, 1, 'Showing your 1 patient'],
    ])('say how many patients %j shows, and whether they are the user’s own', (query, count, words) => {
      show({ data: listed(count) }, { query });
      expect(screen.getByText(words).getAttribute('role')).toBe('status');
    });
  });

  describe('searching, filtering and sorting', () => {
    it('searches when the typing pauses and never puts the text into the address', async () => {
      show();
      await writeInto(screen.getByRole('searchbox'), 'Okafor{Enter}');
      await screen.findByDisplayValue('Okafor');
      await waitFor(() => expect(lastAsked()).toMatchObject({ text: 'Okafor' }));
      expect(push).not.toHaveBeenCalled();
    });

    it('goes back to the first page with another filter', async () => {
      show({}, { query: { page: '2' } });
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit' }), 'West');
      expect(push).toHaveBeenCalledWith('/patients?unit=4', undefined, { shallow: true, scroll: false });
    });

    it('queries what the address says', () => {
      show({}, { query: { state: 'discharged', unit: '3', sort: '-spo2', page: '2', pageSize: '50' } });
      expect(lastAsked()).toEqual({
        state: 'discharged',
        unit: 3,
        bed: undefined,
        mine: false,
        attention: false,
        sort: '-spo2',
        page: 2,
        pageSize: 50,
        text: '',
      });
    });

    it.each([
      ['MRN', {}, '/patients?sort=mrn'],
      ['MRN', { sort: 'mrn' }, '/patients?sort=-mrn'],
      ['Name', { sort: '-familyName' }, '/patients?sort=familyName'],
      ['Alert', { sort: 'familyName' }, '/patients'],
      ['Alert', {}, '/patients'],
    ])('sorts by %s from %j with the keyboard', async (name, query, wanted) => {
      show({}, { query });
      act(() => screen.getByRole('button', { name }).focus());
      await userEvent.keyboard('{Enter}');
      expect(push).toHaveBeenCalledWith(wanted, undefined, { shallow: true, scroll: false });
    });
  });

  describe('checking patients', () => {
    const check = (name: string | RegExp = 'Check patient') => screen.getByRole('button', { name });

    it('opens the details of the rows that were clicked, in that order', async () => {
      show();
      expect(check()).toHaveProperty('disabled', true);
      await userEvent.click(screen.getByText('MRN-3'));
      await userEvent.click(screen.getByText('MRN-1'));
      expect(screen.getByText('2 selected')).toBeTruthy();
      await userEvent.click(check('Check 2 patients'));
      expect(push).toHaveBeenCalledWith('/patient_details?ids=3,1');
    });

    it('keeps the selection when the browser itself has to load the list again', () => {
      keepListPlace({ userId: nurse.id, address: '/patients', text: '', selectedIds: [3, 1], scrollY: 0 });
      carryListPlace();
      keepListPlace({ userId: 99, address: '/patients', text: '', selectedIds: [], scrollY: 0 });
      show();
      expect(check('Check 2 patients')).toBeTruthy();
    });

    it('selects and unselects with the keyboard', async () => {
      show();
      act(() => screen.getByRole('checkbox', { name: 'Select Okafor2, Ada, MRN MRN-2' }).focus());
      await userEvent.keyboard(' ');
      expect(screen.getByText('1 selected')).toBeTruthy();
      await userEvent.keyboard(' ');
      expect(screen.getByText('Select rows to check patients')).toBeTruthy();
    });

    it('does not select a row whose name is followed', async () => {
      show();
      const link = screen.getByRole('link', { name: 'Okafor1, Ada' });
      link.addEventListener('click', (event) => event.preventDefault());
      await userEvent.click(link);
      expect(screen.getByText('Select rows to check patients')).toBeTruthy();
    });

    it('refuses more patients than fit side by side, and says so', async () => {
      show({ data: listed(9) });
      await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
      expect(screen.getByText('9 selected, at most 8 can be checked at once')).toBeTruthy();
      expect(check(/^Check \d+ patients$/)).toHaveProperty('disabled', true);
      await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
      expect(screen.getByText('Select rows to check patients')).toBeTruthy();
    });
  });

  describe('the views of the list', () => {
    const silent = (id: number): Patient => ({ ...patient(id), latest: {} });

    it('offer all, mine, those not reporting and each unit, and go back to the first page', async () => {
      show({}, { query: { page: '2' } });
      const views = within(screen.getByRole('group', { name: 'Views' }));
      expect(views.getAllByRole('button').map((button) => button.textContent)).toEqual([
        'All patients',
        'Needs attention',
        'Mine',
        'Not reporting',
        'East',
        'West',
      ]);
      expect(views.getByRole('button', { pressed: true }).textContent).toBe('All patients');
      await userEvent.click(views.getByRole('button', { name: 'West' }));
      expect(push).toHaveBeenCalledWith('/patients?unit=4', undefined, { shallow: true, scroll: false });
    });

    it('ask for mine alone, whatever unit and bed were chosen before', async () => {
      show({}, { query: { unit: '3', bed: 'b00000000003' } });
      await userEvent.click(screen.getByRole('button', { name: 'Mine' }));
      expect(push).toHaveBeenCalledWith('/patients?mine=true', undefined, { shallow: true, scroll: false });
    });

    it('offer the beds of a unit once one is chosen, and let go of the bed with the unit', async () => {
      const { unmount } = show();
      // It keeps its place, so that nothing moves.
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Bed' }).disabled).toBe(true);
      unmount();
      show({}, { query: { unit: '3', bed: 'b00000000003' } });
      expect(lastAsked()).toMatchObject({ unit: 3, bed: 'b00000000003' });
      const beds = within(screen.getByRole('combobox', { name: 'Bed' })).getAllByRole('option');
      expect(beds.map((bed) => bed.textContent)).toEqual(['All beds', '1', '3']);
      await userEvent.selectOptions(screen.getByLabelText('Unit'), 'West');
      expect(push).toHaveBeenCalledWith('/patients?unit=4', undefined, { shallow: true, scroll: false });
    });

    it('leave only patients who do not report, of all active ones and not of one page', () => {
      show(
        { data: { ...listed(0), items: [patient(1), silent(2), silent(3)], total: 3 } },
        { query: { view: 'not_reporting', page: '4' } },
      );
      expect(lastAsked()).toMatchObject({ state: 'active', page: 1, pageSize: 500 });
      expect(rows()).toHaveLength(2);
      expect(screen.getByText('2 of 3 patients do not report SpO2.')).toBeTruthy();
    });

    it('say that every patient reports, and nothing more', () => {
      show({ data: { ...listed(0), items: [patient(1)], total: 1 } }, { query: { view: 'not_reporting' } });
      expect(screen.getByText('Every patient in this view reports SpO2.')).toBeTruthy();
    });

    it('say how many patients did not fit into the response', () => {
      show({ data: { ...listed(0), items: [silent(1)], total: 501 } }, { query: { view: 'not_reporting' } });
      expect(screen.getByText(/500 more were not checked/)).toBeTruthy();
    });

    it('come back for the same user only', async () => {
      const { unmount } = show();
      await userEvent.click(screen.getByRole('button', { name: 'East' }));
      unmount();
      show();
      expect(replace).toHaveBeenCalledWith('/patients?unit=3', undefined, { shallow: true, scroll: false });
      replace.mockClear();
      show({}, { user: { ...nurse, id: 2 } });
      expect(replace).not.toHaveBeenCalled();
    });

    it('give way to an address that says more', async () => {
      const { unmount } = show();
      await userEvent.click(screen.getByRole('button', { name: 'East' }));
      unmount();
      show({}, { query: { unit: '4' } });
      expect(replace).not.toHaveBeenCalled();
    });

    it('never come back to the discharged', async () => {
      const { unmount } = show();
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'discharged');
      unmount();
      show();
      expect(replace).not.toHaveBeenCalled();
    });
  });

  it('notes the age of values before their rows, which may be off the screen, are drawn', () => {
    let newestAsOf: number | null = null;
    function Lamp() {
      newestAsOf = usePageValues().newestAsOf;
      return null;
    }
    const wrapper = ({ children }: { children: ReactNode }) => (
      <PageValuesProvider>
        {children}
        <Lamp />
      </PageValuesProvider>
    );
    const { rerender } = show({}, { wrapper });
    expect(newestAsOf).toBe(now - 3_000);
    const { items, ...page } = listed(3);
    const newer = items.map(({ latest, ...one }) => ({
      ...one,
      latest:
        latest.spo2 === undefined ? latest : { spo2: { ...latest.spo2, asOf: new Date(now - 1_000).toISOString() } },
    }));
    const response = usePatients({
      state: 'active',
      sort: 'familyName',
      page: 1,
      pageSize: 25,
      text: '',
      mine: false,
      attention: false,
    });
    jest.mocked(usePatients).mockReturnValue({ ...response, data: { ...page, items: newer } });
    rerender(<PatientsScreen user={nurse} now={now} firstPage={listed(3)} />);
    expect(rows()[0]?.textContent).toContain('3 s old');
    expect(newestAsOf).toBe(now - 1_000);
  });

  describe('the printed list', () => {
    it('says its ward and its time, and that it is not live', () => {
      const { container } = show({ asOf: now - 4_000 });
      expect(container.textContent).toContain('Harbour Ward: Active patients');
      expect(container.textContent).toContain('NOT LIVE. Printed 07 Mar 2026, 15:00:00 GMT');
      expect(container.textContent).toContain('Values as of 07 Mar 2026, 14:59:56 GMT');
      expect(container.textContent).toContain('All 3 patients of the list.');
    });

    it('says what is missing on it', () => {
      const { container } = show({ data: { ...listed(3), total: 60 } }, { query: { unit: '3' } });
      expect(container.textContent).toContain('Harbour Ward: Active patients, unit East');
      expect(container.textContent).toContain('Part of the list: 3 of 60 patients.');
    });

    it('is one press away', async () => {
      const print = jest.fn();
      window.print = print;
      show();
      await userEvent.click(screen.getByRole('button', { name: 'Print' }));
      expect(print).toHaveBeenCalledTimes(1);
    });
  });
});

describe('QuickSearch', () => {
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
});

describe('useListView', () => {
  const replace = jest.fn(() => Promise.resolve(true));
  function open(query: Record<string, string> = {}, userId = 1) {
    jest.mocked(useRouter).mockReturnValue({ query, replace } as unknown as ReturnType<typeof useRouter>);
    return renderHook(() => useListView(userId));
  }
  const place: ListPlace = {
    userId: 1,
    address: '/patients?sort=-spo2&page=3',
    text: '',
    selectedIds: [4, 2],
    scrollY: 900,
  };

  beforeEach(() => {
    localStorage.clear();
    forgetListPlace();
    replace.mockClear();
  });

  describe('the list of patients', () => {
    it('opens as usual for a user who comes from elsewhere', () => {
      const { result } = open();
      expect(result.current).toMatchObject({ view: { sort: '-alert', page: 1 }, returned: null });
      expect(replace).not.toHaveBeenCalled();
    });

    it('does not come back for another user', () => {
      keepListPlace(place);
      expect(open({}, 2).result.current.returned).toBeNull();
    });

    it('does not come back if the address names another view', () => {
      keepListPlace(place);
      const { result } = open({ unit: '3' });
      expect(result.current).toMatchObject({ view: { unit: 3, page: 1 }, returned: null });
      expect(replace).not.toHaveBeenCalled();
    });

    it('comes back with its page at once, before the address says so', () => {
      keepListPlace(place);
      const { result } = open();
      expect(result.current).toMatchObject({ view: { sort: '-spo2', page: 3 }, returned: place });
      expect(replace).toHaveBeenCalledWith(place.address, undefined, { shallow: true, scroll: false });
    });

    it('comes back by the browser’s own button, whose address names the view', () => {
      keepListPlace(place);
      expect(open({ sort: '-spo2', page: '3' }).result.current.returned).toBe(place);
      expect(replace).not.toHaveBeenCalled();
    });

    describe('after the browser itself has loaded it', () => {
      /** Carries the place over, and forgets what a page keeps in its memory. */
      const load = (): void => {
        keepListPlace(place);
        carryListPlace();
        keepListPlace({ ...place, userId: 99 });
      };

      it('does not come back if the address names another view', () => {
        load();
        expect(open({ unit: '3' }).result.current.returned).toBeNull();
        expect(replace).not.toHaveBeenCalled();
      });

      it('comes back, once', () => {
        load();
        expect(open().result.current.returned).toEqual(place);
        expect(replace).toHaveBeenCalledWith(place.address, undefined, { shallow: true, scroll: false });
        expect(readCarriedPlace(1)).toBeNull();
      });

      it('comes back where the address names the view', () => {
        load();
        expect(open({ sort: '-spo2', page: '3' }).result.current.returned).toEqual(place);
        expect(replace).not.toHaveBeenCalled();
      });
    });

    it('comes back once', () => {
      keepListPlace(place);
      open();
      expect(readListPlace(1)).toBeNull();
    });

    it('follows the address after that', () => {
      keepListPlace(place);
      const { result, rerender } = open();
      jest.mocked(useRouter).mockReturnValue({
        query: { sort: '-spo2', page: '3' },
        replace,
      } as unknown as ReturnType<typeof useRouter>);
      rerender();
      jest.mocked(useRouter).mockReturnValue({ query: {}, replace } as unknown as ReturnType<typeof useRouter>);
      rerender();
      expect(result.current.view).toMatchObject({ sort: '-alert', page: 1 });
    });
  });
});

describe('hiddenColumns', () => {
  /** The place, from 1, that the style sheet hides for each column. */
  const hidden = new Map(
    [
      ...readFileSync(join(__dirname, 'PatientsScreen.module.css'), 'utf8').matchAll(
        /\[data-hidden~='(\w+)'\] (?::is\(th, td\):nth-child\((\d+)\)|\[data-birth\])/g,
      ),
    ].map(([, column = '', place]) => [column, place === undefined ? null : Number(place)]),
  );
  /** The date of birth shares a column with the MRN, which stays. */
  const whole = hideableColumns.filter((column) => column !== 'dateOfBirth');

  describe('the columns that may be hidden', () => {
    it('have a rule each', () => {
      expect([...hidden.keys()]).toEqual([...hideableColumns]);
    });

    it('are hidden at their places in the table, in its head and in its rows', () => {
      jest.mocked(useNow).mockReturnValue(wardNow);
      jest.mocked(useServerLost).mockReturnValue(null);
      jest.mocked(useSparks).mockReturnValue(inventedSparks({}));
      const menu = render(<ColumnsMenu hidden={[]} onHide={() => {}} />).container;
      const names = [...menu.querySelectorAll('label')].map((label) => label.textContent);
      expect(names[0]).toBe('Date of birth');
      const { container } = render(
        <PatientsTable
          unread={new Map()}
          patients={[inventedPatient(1)]}
          sort="familyName"
          onSort={() => {}}
          selectedIds={[]}
          onSelect={() => {}}
          initialNow={wardNow}
          timeZone="Europe/London"
        />,
      );
      const heads = within(container).getAllByRole('columnheader');
      expect(whole.map((column) => heads[(hidden.get(column) ?? 0) - 1]?.textContent)).toEqual(names.slice(1));
      const births = [...container.querySelectorAll('[data-birth]')];
      expect(births.map(({ textContent }) => textContent)).toEqual(['Born', '07 Mar 1950']);
      expect(within(container).getAllByRole('cell')).toHaveLength(heads.length);
    });
  });
});

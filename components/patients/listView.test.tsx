import { act, fireEvent, render, renderHook, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { memo, useEffect } from 'react';
import { createHeldRows, type HeldRows } from '../../hooks/heldRows';
import { frozenForMs, touchedForMs, useFreeze } from '../../hooks/useFreeze';
import type { LatestValues } from '../../lib/vitals/schema';
import { axeViolations } from '../../test/axeViolations';
import { inventedUser, inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { useMoveGuard } from '../alerts/useMoveGuard';
import { News2Cell } from './News2Cell';
import { NoPatientAccess } from './NoPatientAccess';
import { PatientsViews } from './PatientsViews';
import { type ListLook, readListPreferences, useListPreferences } from './listPreferences';
import { listingOf, patientsViewPath, readPatientsView, standardView } from './patientsUrl';
import { useFrozenRows } from './useFrozenRows';
import { isSameLook, longestViewName, mostSavedViews, nameProblem, useSavedViews } from './useSavedViews';
import { type TimeSliced, useShownAt, useShownNear, useTimeSliced } from './useTimeSliced';

describe('NEWS2 of a row', () => {
  const spot = { expectedEveryMs: 3_600_000 };
  const whole: LatestValues = {
    spo2: inventedValue({ value: 95 }),
    pulseRate: inventedValue({ value: 75 }),
    respiratoryRate: inventedValue({ value: 16 }),
    oxygenFlow: inventedValue({ value: 0, ...spot }),
    systolic: inventedValue({ value: 120, ...spot }),
    consciousness: inventedValue({ value: 0, ...spot }),
    temperature: inventedValue({ value: 37, ...spot }),
  };
  const cell = (latest: LatestValues, now = wardNow, dateOfBirth = '1950-03-07', serverLost: number | null = null) => (
    <News2Cell
      patient={{ latest, spo2Scale: 1, dateOfBirth, news2ExemptFor: null }}
      mark={null}
      now={now}
      serverLost={serverLost}
      timeZone="UTC"
    />
  );
  const said = (...given: Parameters<typeof cell>): string | null => render(cell(...given)).container.textContent;

  it('is a number with its band if all seven parts are known', () => {
    expect(said(whole)).toBe('1, low');
    expect(said({ ...whole, spo2: inventedValue({ value: 91 }) })).toBe('3, low-medium');
  });

  it('is a range with the band that it proves if parts are missing, and never says low', () => {
    expect(said({ spo2: inventedValue({ value: 97 }), pulseRate: inventedValue({ value: 72 }) })).toBe(
      '0 to 14, 2 of 7 known',
    );
    const latest = { spo2: inventedValue({ value: 91 }), pulseRate: inventedValue({ value: 112 }) };
    expect(said(latest)).toBe('5 to 19, at least medium');
    expect(said({})).toBe('not known, 0 of 7 known');
  });

  it('says in its tooltip what is missing', () => {
    const { container } = render(
      cell({ ...whole, oxygenFlow: undefined, spo2: inventedValue({ quality: 'invalid' }) }),
    );
    expect(container.firstElementChild?.getAttribute('title')).toBe(
      '5 of 7 known. Not counted: SpO2 without a signal, air or oxygen missing',
    );
    expect(render(cell(whole)).container.firstElementChild?.hasAttribute('title')).toBe(false);
  });

  it('opens by itself when a part becomes too old', () => {
    const latest = { ...whole, temperature: inventedValue({ value: 37, asOf: secondsAgo(3_600), ...spot }) };
    expect(said(latest)).toBe('1, low');
    expect(said(latest, wardNow + 1_000)).toBe('1 to 4, 6 of 7 known');
  });

  it('says that an old part is too old and an uncertain one uncertain, and calls neither missing', () => {
    const aged = { ...whole, temperature: inventedValue({ value: 37, asOf: secondsAgo(14 * 3_600), ...spot }) };
    const title = (latest: LatestValues) => render(cell(latest)).container.firstElementChild?.getAttribute('title');
    expect(title(aged)).toBe('6 of 7 known. Not counted: temperature too old (14 h)');
    expect(title({ ...whole, pulseRate: undefined, heartRate: inventedValue({ quality: 'questionable' }) })).toBe(
      '6 of 7 known. Not counted: pulse uncertain',
    );
  });

  it('says that it is not live while the server does not respond', () => {
    expect(said(whole, wardNow + 20_000, '1950-03-07', wardNow)).toBe('1 not live, low');
  });

  it('loses no points by an outage: it stays as it was at the last response', () => {
    const severe = { ...whole, spo2: inventedValue({ value: 80 }) };
    expect(said(severe, wardNow + 600_000, '1950-03-07', wardNow)).toBe('3 not live, low-medium');
  });

  it('shows no score of a child', () => {
    expect(said(whole, wardNow, '2015-03-07')).toBe('--, not under 16 years');
  });
});

describe('NoPatientAccess', () => {
  it('says who is signed in and that this role sees no patients', () => {
    render(<NoPatientAccess title="Patients" user={inventedUser({ type: 'technician' })} />);
    expect(
      screen.getByText('You are signed in as Ines Moreau, Technician. This role does not see patients.'),
    ).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('says to a user whose account waits for confirmation who can give it', () => {
    render(<NoPatientAccess title="Start" user={inventedUser({ isAdmin: true, awaitsConfirmation: true })} />);
    expect(screen.getByText('Your account waits for confirmation.')).toBeTruthy();
    expect(screen.getByText(/Ask a ward lead, a physician or another administrator/)).toBeTruthy();
    expect(screen.queryByText(/This role does not see patients/)).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('links to the administration for those who manage the users', () => {
    render(<NoPatientAccess title="Start" user={inventedUser({ type: 'administrator', isAdmin: true })} />);
    expect(screen.getByRole('link', { name: 'Administration' }).getAttribute('href')).toBe('/admin/users');
  });
});

describe('SavedViews', () => {
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
    await writeInto(nameField(), `${name}{Enter}`);
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
});

describe('listPreferences', () => {
  beforeEach(() => {
    localStorage.clear();
  });

  describe('what a browser remembers of a user’s list', () => {
    it.each(['', '{}', 'mrn,familyName state=discharged&page=7', 'nothing pageSize=9999&sort=password'])(
      'is the usual list if the storage holds %j',
      (text) => {
        localStorage.setItem('wardlight-patients-list-7', text);
        expect(readListPreferences(7)).toEqual({ hidden: [], view: standardView });
      },
    );

    it('is the usual list if nothing can be stored, and choosing does no harm', () => {
      jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new Error('closed');
      });
      jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new Error('closed');
      });
      const { result } = renderHook(() => useListPreferences(7));
      act(() => {
        result.current[1]({ hidden: ['profile'] });
      });
      expect(result.current[0]).toEqual({ hidden: [], view: standardView });
    });

    it('keeps columns and view apart from each other and from other users', () => {
      const { result } = renderHook(() => useListPreferences(7));
      act(() => {
        result.current[1]({ hidden: ['profile', 'dateOfBirth'] });
      });
      act(() => {
        result.current[1]({ view: { ...standardView, unit: 7, sort: '-spo2', pageSize: 50 } });
      });
      expect(result.current[0]).toEqual({
        hidden: ['dateOfBirth', 'profile'],
        view: { ...standardView, unit: 7, sort: '-spo2', pageSize: 50 },
      });
      expect(readListPreferences(8)).toEqual({ hidden: [], view: standardView });
    });
  });
});

describe('patientsUrl', () => {
  const standard = {
    view: 'all',
    state: 'active',
    unit: undefined,
    bed: undefined,
    mine: false,
    sort: '-alert',
    page: 1,
    pageSize: 25,
  };

  describe('readPatientsView', () => {
    it.each([
      [{ page: '0' }],
      [{ page: '-1' }],
      [{ page: '1e3' }],
      [{ page: '1000001' }],
      [{ page: ['2', '3'] }],
      [{ pageSize: '501' }],
      [{ pageSize: '' }],
      [{ sort: 'password' }],
      [{ sort: '--mrn' }],
      [{ sort: 'alert' }],
      [{ state: 'deleted' }],
      [{ unit: '' }],
      // As addresses were before: what somebody typed as a unit or a bed is in none.
      [{ unit: 'East' }],
      [{ unit: ['3', '4'] }],
      [{ bed: '' }],
      [{ bed: 'M1' }],
      [{ mine: 'yes' }],
      [{ view: 'mine' }],
      [{ view: ['not_reporting', 'all'] }],
      [{ text: 'Okafor' }],
    ])('falls back to the usual view for %j', (query) => {
      expect(readPatientsView(query)).toEqual(standard);
    });

    it('reads every part', () => {
      expect(
        readPatientsView({
          view: 'not_reporting',
          state: 'discharged',
          unit: '3',
          bed: 'b00000000007',
          mine: 'true',
          sort: '-spo2',
          page: '3',
          pageSize: '500',
        }),
      ).toEqual({
        view: 'not_reporting',
        state: 'discharged',
        unit: 3,
        bed: 'b00000000007',
        mine: true,
        sort: '-spo2',
        page: 3,
        pageSize: 500,
      });
    });
  });

  describe('patientsViewPath', () => {
    it('is bare for the usual view', () => {
      expect(patientsViewPath(readPatientsView({}))).toBe('/patients');
    });

    it('is read back as the same view', () => {
      const view = {
        view: 'not_reporting',
        state: 'discharged',
        unit: 3,
        bed: 'b00000000007',
        mine: true,
        sort: '-location',
        page: 2,
        pageSize: 50,
      } as const;
      expect(
        readPatientsView(Object.fromEntries(new URL(patientsViewPath(view), 'http://own.invalid').searchParams)),
      ).toEqual(view);
    });
  });

  describe('listingOf', () => {
    it('queries all active patients of the unit if the page itself filters those who do not report', () => {
      const view = readPatientsView({
        view: 'not_reporting',
        state: 'discharged',
        unit: '3',
        mine: 'true',
        page: '3',
        pageSize: '25',
      });
      expect(listingOf(view)).toEqual({
        state: 'active',
        unit: 3,
        bed: undefined,
        mine: true,
        attention: false,
        sort: '-alert',
        page: 1,
        pageSize: 500,
      });
    });

    it('asks the server for the active patients who need attention, a page at a time', () => {
      const view = readPatientsView({ view: 'needs_attention', state: 'discharged', unit: '3', page: '2' });
      expect(listingOf(view)).toEqual({
        state: 'active',
        unit: 3,
        bed: undefined,
        mine: false,
        attention: true,
        sort: '-alert',
        page: 2,
        pageSize: 25,
      });
    });

    it('queries the page of the view otherwise', () => {
      expect(listingOf(readPatientsView({ page: '3', sort: '-mrn' }))).toEqual({
        state: 'active',
        unit: undefined,
        bed: undefined,
        mine: false,
        attention: false,
        sort: '-mrn',
        page: 3,
        pageSize: 25,
      });
    });
  });
});

describe('useFrozenRows', () => {
  interface ListProps {
    query?: string;
    ids: readonly number[] | null;
    /** Whether a row has a button that goes by itself. */
    hasUndo?: boolean;
  }

  let held: HeldRows;
  let endRefresh: () => void;
  const refresh = jest.fn(() => new Promise<void>((resolve) => (endRefresh = resolve)));
  const onClick = jest.fn();

  function List({ query = 'all', ids, hasUndo = false }: ListProps) {
    const { frozen, renew, handlers } = useFreeze();
    useFrozenRows({ query, ids, refresh }, held, frozen);
    const { onClickCapture } = useMoveGuard(ids?.join() ?? '', query);
    return (
      <>
        <div data-testid="list" onClickCapture={onClickCapture} {...handlers}>
          <button type="button" onClick={onClick}>
            {ids?.join()}
          </button>
          {hasUndo ? <button type="button">Undo</button> : null}
        </div>
        <button type="button" onClick={renew}>
          beside
        </button>
      </>
    );
  }

  const list = () => screen.getByTestId('list');
  const inside = () => screen.getAllByRole('button')[0] ?? document.body;
  const show = (props: ListProps) => {
    const { rerender, unmount } = render(<List {...props} />);
    return { change: (next: ListProps) => rerender(<List {...next} />), unmount };
  };
  const enter = (pointerType = 'mouse') => fireEvent.pointerEnter(list(), { pointerType });
  const leave = (pointerType = 'mouse') => fireEvent.pointerLeave(list(), { pointerType });

  beforeEach(() => {
    jest.useFakeTimers();
    held = createHeldRows();
    refresh.mockClear();
    onClick.mockClear();
  });
  afterEach(() => jest.useRealTimers());

  describe('the rows of a list', () => {
    it('are not held without a pointer or the keyboard', () => {
      show({ ids: [1, 2] });
      expect(held.idsOf('all')).toBeNull();
    });

    it('are not held before they are known', () => {
      const { change } = show({ ids: null });
      enter();
      expect(held.idsOf('all')).toBeNull();
      change({ ids: [2, 1] });
      expect(held.idsOf('all')).toEqual([2, 1]);
    });

    it('are held as they were when the pointer came, until it leaves', () => {
      const { change } = show({ ids: [1, 2] });
      enter();
      expect(held.idsOf('all')).toEqual([1, 2]);
      change({ ids: [1, 2] });
      expect(held.idsOf('all')).toEqual([1, 2]);
      expect(refresh).not.toHaveBeenCalled();
      leave();
      expect(held.idsOf('all')).toBeNull();
      expect(refresh).toHaveBeenCalledTimes(1);
    });

    it('are held until both the pointer and the focus have left', () => {
      show({ ids: [1, 2] });
      enter();
      act(() => inside().focus());
      leave();
      expect(held.isHeld()).toBe(true);
      act(() => screen.getByRole('button', { name: 'beside' }).focus());
      expect(held.isHeld()).toBe(false);
      expect(refresh).toHaveBeenCalledTimes(1);
    });

    it('are let go within a second if what had the focus goes, which no event says', () => {
      const { change } = show({ ids: [1, 2], hasUndo: true });
      act(() => screen.getByRole('button', { name: 'Undo' }).focus());
      expect(held.isHeld()).toBe(true);
      change({ ids: [1, 2] });
      act(() => jest.advanceTimersByTime(1_000));
      expect(held.isHeld()).toBe(false);
    });

    it('are held after a finger has left, also if what it pressed goes: the click comes later', async () => {
      const { change } = show({ ids: [1, 2], hasUndo: true });
      const finger = userEvent.setup({ advanceTimers: jest.advanceTimersByTime, delay: null });
      await finger.pointer([{ keys: '[TouchA]', target: screen.getByRole('button', { name: 'Undo' }) }]);
      change({ ids: [1, 2] });
      // A touch is no resting pointer: the list of a tablet goes on soon.
      act(() => jest.advanceTimersByTime(touchedForMs - 1));
      expect(held.isHeld()).toBe(true);
      act(() => jest.advanceTimersByTime(1));
      expect(held.isHeld()).toBe(false);
    });

    it('are let go two minutes after the last movement or key, and held again with the next', () => {
      show({ ids: [1, 2] });
      enter();
      act(() => jest.advanceTimersByTime(frozenForMs - 1));
      fireEvent.pointerMove(list());
      act(() => jest.advanceTimersByTime(frozenForMs - 1));
      fireEvent.keyDown(inside(), { key: 'j' });
      act(() => jest.advanceTimersByTime(frozenForMs - 1));
      expect(held.isHeld()).toBe(true);
      act(() => jest.advanceTimersByTime(1));
      expect(held.isHeld()).toBe(false);
      expect(refresh).toHaveBeenCalledTimes(1);
      fireEvent.pointerMove(list());
      expect(held.isHeld()).toBe(true);
    });

    it('of another view are held instead, once they are known', () => {
      const { change } = show({ ids: [1, 2] });
      enter();
      change({ query: 'other', ids: null });
      expect(held.idsOf('other')).toBeNull();
      change({ query: 'other', ids: [7, 8] });
      expect(held.idsOf('other')).toEqual([7, 8]);
      expect(held.idsOf('all')).toBeNull();
    });

    it('are read again if the user asks for what is new, and held as they are then', async () => {
      const { change } = show({ ids: [1, 2] });
      enter();
      act(() => screen.getByRole('button', { name: 'beside' }).click());
      expect(held.isHeld()).toBe(false);
      expect(refresh).toHaveBeenCalledTimes(1);
      change({ ids: [3, 1, 2] });
      expect(held.isHeld()).toBe(false);
      await act(async () => {
        endRefresh();
        await Promise.resolve();
      });
      expect(held.idsOf('all')).toEqual([3, 1, 2]);
    });

    it('are let go with the page', () => {
      const { unmount } = show({ ids: [1, 2] });
      enter();
      unmount();
      expect(held.isHeld()).toBe(false);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('take no clicks for half a second after they have moved under a resting pointer', () => {
      const { change } = show({ ids: [1, 2] });
      enter();
      act(() => jest.advanceTimersByTime(frozenForMs));
      change({ ids: [2, 1] });
      fireEvent.click(inside());
      act(() => jest.advanceTimersByTime(499));
      fireEvent.click(inside());
      expect(onClick).not.toHaveBeenCalled();
      act(() => jest.advanceTimersByTime(1));
      fireEvent.click(inside());
      expect(onClick).toHaveBeenCalledTimes(1);
    });

    it('take a click at once in the view that the user has just opened', () => {
      const { change } = show({ ids: [1, 2] });
      enter();
      change({ query: 'other', ids: [7, 8] });
      fireEvent.click(inside());
      expect(onClick).toHaveBeenCalledTimes(1);
    });
  });
});

describe('useSavedViews', () => {
  const key = 'wardlight-patients-views-7';
  const usual: ListLook = { hidden: [], view: standardView };
  const night: ListLook = {
    hidden: ['profile'],
    view: { ...standardView, view: 'not_reporting', unit: 7, sort: '-spo2' },
  };

  beforeEach(() => {
    localStorage.clear();
  });

  const open = (userId = 7) => renderHook(() => useSavedViews(userId)).result;

  describe('nameProblem', () => {
    it.each([
      ['', 'is missing'],
      ['   ', 'is missing'],
      ['night round', 'is already the name of another view'],
      [' Night Round ', 'is already the name of another view'],
      ['Night rounds', null],
    ])('of %j is %j', (name, problem) => {
      expect(nameProblem(name, ['All patients', 'Night round'])).toBe(problem);
    });
  });

  describe('isSameLook', () => {
    it('does not look at the page and at the order in which columns were hidden', () => {
      const one: ListLook = { hidden: ['profile', 'spo2'], view: { ...standardView, page: 3 } };
      expect(isSameLook(one, { hidden: ['spo2', 'profile'], view: standardView })).toBe(true);
    });

    it.each<[string, ListLook]>([
      ['columns', { ...usual, hidden: ['spo2'] }],
      ['filter', { ...usual, view: { ...standardView, unit: 3 } }],
      ['order', { ...usual, view: { ...standardView, sort: '-familyName' } }],
      ['state', { ...usual, view: { ...standardView, state: 'discharged' } }],
    ])('sees another %s', (_, other) => {
      expect(isSameLook(usual, other)).toBe(false);
    });
  });

  describe('the views that a browser keeps for a user', () => {
    it.each(['', '=', '{}', '[]', '%', 'a', '=hidden', ' =profile', `${'x'.repeat(longestViewName + 1)}=profile`])(
      'are none, or usual ones, if the storage holds %j',
      (text) => {
        localStorage.setItem(key, text);
        expect(
          open().current[0].filter(
            ({ name, ...look }) => name.length > longestViewName || name === '' || !isSameLook(look, usual),
          ),
        ).toEqual([]);
      },
    );

    it('are twelve at most and no two of one name, whatever it holds', () => {
      const names = ['East', 'east', ...Array.from({ length: 20 }, (_, index) => `View ${index}`)];
      localStorage.setItem(key, names.map((name) => `${name}=`).join('&'));
      const held = open().current[0].map(({ name }) => name);
      expect(held).toHaveLength(mostSavedViews);
      expect(held.slice(0, 2)).toEqual(['East', 'View 0']);
    });

    it('stay as they are if the storage is full, and a change says so', () => {
      const { current } = open();
      jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new Error('full');
      });
      expect(current[1](() => [{ name: 'Night', ...night }])).toBe(false);
    });

    it('are read back as they were saved, by the same user only', () => {
      const mine = open();
      act(() => void mine.current[1](() => [{ name: 'Night & day = 24 h?', ...night }]));
      act(
        () =>
          void mine.current[1]((held) => [
            ...held,
            { name: 'Left', hidden: [], view: { ...standardView, state: 'discharged', page: 9 } },
          ]),
      );
      expect(mine.current[0]).toEqual([
        { name: 'Night & day = 24 h?', ...night },
        { name: 'Left', hidden: [], view: { ...standardView, state: 'discharged' } },
      ]);
      expect(open(8).current[0]).toEqual([]);
    });

    it('keep what another tab has saved meanwhile', () => {
      const mine = open();
      localStorage.setItem(key, 'Other=');
      act(() => void mine.current[1]((held) => [...held, { name: 'Night', ...night }]));
      expect(mine.current[0].map(({ name }) => name)).toEqual(['Other', 'Night']);
    });
  });
});

describe('useTimeSliced', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  interface PlacesProps {
    value: string;
    count?: number;
    whole?: string;
    near?: ReadonlySet<number> | null;
  }

  /** How often each place was drawn since the test began. */
  const drawn = new Map<number, number>();
  beforeEach(() => drawn.clear());

  const Place = memo(function Place({ sliced, place }: { sliced: TimeSliced<string>; place: number }) {
    drawn.set(place, (drawn.get(place) ?? 0) + 1);
    return <li>{useShownAt(sliced, place)}</li>;
  });

  /** What all places near the screen had reached, each time that it changed. */
  let reached: string[];
  beforeEach(() => {
    reached = [];
  });
  function Near({ sliced }: { sliced: TimeSliced<string> }) {
    const value = useShownNear(sliced);
    useEffect(() => {
      reached.push(value);
    }, [value]);
    return null;
  }

  function Places({ value, count = 3, whole = 'ward', near = null }: PlacesProps) {
    const sliced = useTimeSliced(value, count, whole, near);
    return (
      <>
        {Array.from({ length: count }, (_, place) => (
          <Place key={place} sliced={sliced} place={place} />
        ))}
        <Near sliced={sliced} />
      </>
    );
  }

  function show(first: PlacesProps) {
    const { container, rerender, unmount } = render(<Places {...first} />);
    return {
      shown: () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent),
      bring: (change: PlacesProps) => rerender(<Places {...first} {...change} />),
      unmount,
    };
  }

  /** A frame and the task after it: one slice. */
  const nextSlice = () => act(() => jest.advanceTimersByTime(17));
  function everySlice(): void {
    while (jest.getTimerCount() > 0) {
      nextSlice();
    }
  }

  describe('a value that reaches several places by time slicing', () => {
    it('is everywhere at first', () => {
      expect(show({ value: 'one' }).shown()).toEqual(['one', 'one', 'one']);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('reaches one place a frame, and the next one only when that is drawn', () => {
      const { shown, bring } = show({ value: 'one' });
      bring({ value: 'two' });
      expect(shown()).toEqual(['one', 'one', 'one']);
      nextSlice();
      expect(shown()).toEqual(['two', 'one', 'one']);
      expect(jest.getTimerCount()).toBe(1);
      nextSlice();
      expect(shown()).toEqual(['two', 'two', 'one']);
      nextSlice();
      expect(shown()).toEqual(['two', 'two', 'two']);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('draws nothing of the other places', () => {
      const { bring } = show({ value: 'one' });
      bring({ value: 'two' });
      nextSlice();
      expect([...drawn.values()]).toEqual([2, 1, 1]);
    });

    it('never leaves the last places behind, however often a newer one comes', () => {
      const { shown, bring } = show({ count: 4, value: '0' });
      for (let count = 1; count <= 8; count += 1) {
        bring({ value: String(count) });
        nextSlice();
      }
      expect(shown()).toEqual(['5', '6', '7', '8']);
    });

    it('reaches all places at once if they show something else', () => {
      const { shown, bring } = show({ value: 'one' });
      bring({ value: 'two', whole: 'another ward' });
      expect(shown()).toEqual(['two', 'two', 'two']);
    });

    it('reaches all places at once before they are printed', () => {
      const { shown, bring } = show({ count: 9, value: 'one', near: new Set([0]) });
      bring({ value: 'two' });
      act(() => {
        window.dispatchEvent(new Event('beforeprint'));
      });
      expect(shown()).toEqual(Array(9).fill('two'));
    });

    it('waits for no frame on a hidden page, which stays new', () => {
      jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
      jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
      const { shown, bring } = show({ value: 'one' });
      bring({ value: 'two' });
      everySlice();
      expect(shown()).toEqual(['two', 'two', 'two']);
    });

    it('gives up a frame that it waits for when the page is hidden before it comes', () => {
      jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
      const { shown, bring } = show({ value: 'one' });
      bring({ value: 'two' });
      jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
      bring({ value: 'three' });
      everySlice();
      expect(shown()).toEqual(['three', 'three', 'three']);
    });

    it('ends with the screen', () => {
      const { bring, unmount } = show({ value: 'one' });
      bring({ value: 'two' });
      unmount();
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  describe('places off the screen', () => {
    const near = new Set([0, 1]);

    it('get every tenth value, those near get each', () => {
      const { shown, bring } = show({ count: 22, value: '0', near });
      const behind: number[][] = [];
      for (let count = 1; count <= 30; count += 1) {
        bring({ value: String(count) });
        everySlice();
        behind.push(shown().map((value) => count - Number(value)));
      }
      expect(behind.every(([first, second]) => first === 0 && second === 0)).toBe(true);
      expect(Math.max(...behind.flat())).toBe(9);
    });

    it('share the time with those near, so that neither waits for ever on a slow machine', () => {
      const { shown, bring } = show({ count: 6, value: '0', near });
      for (let count = 1; count <= 16; count += 1) {
        bring({ value: String(count) });
        nextSlice();
      }
      expect(
        shown()
          .map(Number)
          .every((value) => value >= 9),
      ).toBe(true);
    });

    it('get the newest at once when they come near', () => {
      const { shown, bring } = show({ count: 8, value: 'one', near });
      bring({ value: 'two' });
      bring({ value: 'two', near: new Set([6, 7]) });
      expect(shown()).toEqual(['one', 'one', 'one', 'one', 'one', 'one', 'two', 'two']);
    });
  });

  describe('the value that all places near the screen have reached', () => {
    const near = new Set([0, 1]);

    it('is a new one as soon as the last of them shows it, without those off the screen', () => {
      const { shown, bring } = show({ count: 40, value: 'one', near });
      bring({ value: 'two' });
      nextSlice();
      expect(reached).toEqual(['one']);
      while (shown()[1] !== 'two') {
        nextSlice();
      }
      expect(reached).toEqual(['one', 'two']);
      expect(shown()).toContain('one');
    });

    it('moves on, although a newer one always comes before the last of them is reached', () => {
      const { bring } = show({ count: 3, value: '0' });
      for (let count = 1; count <= 6; count += 1) {
        bring({ value: String(count) });
        nextSlice();
      }
      expect(reached).toEqual(['0', '1', '2', '3', '4']);
    });

    it('is the newest at once before the page is printed', () => {
      const { bring } = show({ count: 9, value: 'one', near });
      bring({ value: 'two' });
      act(() => {
        window.dispatchEvent(new Event('beforeprint'));
      });
      expect(reached).toEqual(['one', 'two']);
    });
  });
});

import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRouter } from 'next/router';
import { useEffect, useState, type ReactNode } from 'react';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { saveDrafts } from '../../hooks/keptTexts';
import { useAlerts } from '../../hooks/useAlerts';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useServerLost } from '../../hooks/useServerLost';
import { useRowsHeldForTour } from '../../hooks/tourSignals';
import { takeTourTurn } from '../../lib/browser/tabTurn';
import { keepTourPatient } from '../../lib/browser/tourPatient';
import { isTourLater, readTour, setTourStatus, setTourStep, tourKey } from '../../lib/browser/tourRecord';
import type { AlertItem } from '../../lib/alerts/schema';
import type { StripItem } from '../../lib/alerts/stripSchema';
import type { UserType } from '../../lib/session/userTypes';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls } from '../../test/calls';
import { expectConsole } from '../../test/expectConsole';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedUser } from '../../test/inventedWard';
import { alertActs } from '../../test/showOpenAlerts';
import { guardedForMs } from '../alerts/useMoveGuard';
import { Tour } from './Tour';
import { TourPlace } from './TourPlace';

jest.mock('next/router', () => ({ useRouter: jest.fn() }));
jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/keptTexts');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useCurrentUser');
jest.mock('../../hooks/useServerLost');
jest.mock('../../lib/browser/tabTurn');

const session = { userId: 1, endsAt: 100 };
type Listener = (...given: unknown[]) => void;

/** The router, the session and the alerts of one page, as far as the walkthrough sees them. */
const world = {
  address: '/dashboard',
  pushed: [] as string[],
  /** Whether the server answers, so that an address opens. */
  answers: true,
  listeners: new Map<string, Set<Listener>>(),
  touring: [] as boolean[],
  refreshed: [] as unknown[],
  alerts: [] as AlertItem[],
  strip: [] as StripItem[] | undefined,
  ended: 0,
};
/** Draws the page again. */
let drawPage = (): void => undefined;

function emit(event: string, ...given: unknown[]): void {
  for (const listener of world.listeners.get(event) ?? []) {
    listener(...given);
  }
}

/** Opens an address as the router does. */
function arriveAt(address: string): void {
  act(() => {
    world.address = address;
    drawPage();
  });
  act(() => emit('routeChangeComplete', address));
}

const anchors: Record<string, readonly string[]> = {
  '/dashboard': ['sidebar', 'alerts'],
  '/patients': ['sidebar', 'patients-table', 'check-patient'],
  '/patient_details': ['sidebar', 'charts', 'notes', 'patient-chart', 'done'],
};

interface Look {
  type?: UserType;
  rows?: number;
  /** The anchors that the page lacks, or that it does not draw. */
  without?: string;
  hidden?: string;
  isRestart?: boolean;
  rulesAreOn?: boolean;
  content?: ReactNode;
}

function Page({ type = 'nurse', rows = 4, without, hidden, isRestart = false, rulesAreOn = true, content }: Look) {
  const [, draw] = useState(0);
  const [isOver, setIsOver] = useState(false);
  const [end] = useState(() => () => {
    world.ended += 1;
    setIsOver(true);
  });
  const [user] = useState(() => {
    const invented = inventedUser({ id: 1, type });
    return { ...invented, site: { ...invented.site, rulesAreOn } };
  });
  useEffect(() => {
    drawPage = () => draw((times) => times + 1);
  }, []);
  const [pathname = ''] = world.address.split('?');
  const isHeld = useRowsHeldForTour();
  return (
    <>
      <div id="tour-bar" />
      <main id="content" tabIndex={-1} data-held={isHeld}>
        {(anchors[pathname] ?? [])
          .filter((name) => name !== without)
          .map((name) => (
            <div key={name} data-tour={name} style={name === hidden ? { display: 'none' } : undefined}>
              {name}
            </div>
          ))}
        {pathname === '/patients' ? <Rows count={rows} /> : null}
        {content}
      </main>
      {isOver ? null : <Tour user={user} session={session} isRestart={isRestart} onEnd={end} />}
    </>
  );
}

function Rows({ count }: { count: number }) {
  const [selected, setSelected] = useState<readonly number[]>([]);
  if (count === 0) {
    return <p data-tour="patient-row">No patients yet.</p>;
  }
  return (
    <table>
      <tbody>
        {Array.from({ length: count }, (_, at) => (
          <tr
            key={at}
            data-tour={at === Math.min(2, count - 1) ? 'patient-row' : undefined}
            data-patient={at === Math.min(2, count - 1) ? at + 1 : undefined}
            onClick={() => setSelected((last) => (last.includes(at) ? last.filter((id) => id !== at) : [...last, at]))}
          >
            <td>
              <input type="checkbox" aria-label={`Patient ${at + 1}`} readOnly checked={selected.includes(at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function show(step: number, address: string, look: Look = {}) {
  world.address = address;
  if (step > 0) {
    setTourStep(1, step);
  }
  return render(<Page {...look} />);
}

const card = (name: string) => screen.findByRole('dialog', { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const picked = () => screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);
const completed = (step: number) => ({ step, status: 'completed' });
const raisedAt = '2026-05-01T10:00:00Z';
const openAlert: StripItem = { unit: 'A', bed: '1', isTrial: false, priority: 'low', raisedAt, owned: true };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  Object.assign(world, {
    pushed: [],
    answers: true,
    listeners: new Map(),
    touring: [],
    refreshed: [],
    alerts: [],
    strip: [],
    ended: 0,
  });
  setCalls(alertActs);
  jest.mocked(saveDrafts).mockReset().mockResolvedValue();
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(takeTourTurn).mockImplementation((_, onTurn) => {
    onTurn();
    return () => undefined;
  });
  const events = {
    on: (event: string, listener: Listener) => {
      world.listeners.set(event, (world.listeners.get(event) ?? new Set()).add(listener));
    },
    off: (event: string, listener: Listener) => {
      world.listeners.get(event)?.delete(listener);
    },
  };
  const push = (address: string): Promise<boolean> => {
    world.pushed.push(address);
    return Promise.resolve(world.answers);
  };
  jest
    .mocked(useRouter)
    .mockImplementation(
      () => ({ pathname: world.address.split('?')[0], asPath: world.address, events, push }) as never,
    );
  const user = inventedUser({ id: 1 });
  const actions = {
    refresh: (options?: unknown) => {
      world.refreshed.push(options);
      return Promise.resolve();
    },
    updateUserInfo: ({ isTouring }: { isTouring?: boolean }) => {
      world.touring.push(isTouring === true);
      drawPage();
    },
  };
  jest
    .mocked(useCurrentUser)
    .mockImplementation(() => ({ ...actions, user: { ...user, isTouring: world.touring.at(-1) ?? false } }) as never);
  jest.mocked(useAlerts).mockImplementation(() => answered(inventedAlerts(world.alerts)));
  jest.mocked(useAlertStrip).mockImplementation(() => ({ items: world.strip, isOld: false }));
});

describe('the cards of the walkthrough', () => {
  it('begin with a welcome of three buttons, and no counter', async () => {
    show(0, '/dashboard');
    const welcome = await card('Welcome to Wardlight');
    expect(
      within(welcome)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Get Started', 'Show me later', 'Dismiss all Wardlight walkthrough steps']);
    expect(welcome.textContent).not.toContain('of 10');
    expect(welcome.getAttribute('aria-modal')).toBe('false');
    expect(document.activeElement).toBe(within(welcome).getByRole('button', { name: 'Get Started' }));
  });

  it('go on with title, text, "2 of 10" and Next, and no way back', async () => {
    show(1, '/dashboard');
    const second = await card('The sections');
    expect(
      within(second)
        .getAllByRole('button')
        .map((button) => button.ariaLabel ?? button.textContent),
    ).toEqual(['Close the walkthrough', 'Next']);
    expect(second.textContent).toContain('2 of 10');
    const described = document.getElementById(second.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toMatch(/^Switch between the sections here/);
  });

  it("end with 'Finish'", async () => {
    show(9, '/patient_details?ids=3');
    expect(within(await card('Done')).queryByRole('button', { name: 'Finish' })).not.toBeNull();
  });

  it('have no faults that axe finds', async () => {
    const { container } = show(3, '/patients');
    await card('Your patients');
    await expect(axeViolations(container.ownerDocument.body)).resolves.toEqual([]);
  });

  it('say that a user is touring while they are on the screen', async () => {
    const { unmount } = show(1, '/dashboard');
    await card('The sections');
    await waitFor(() => expect(world.touring).toEqual([true]));
    expect(document.documentElement.dataset.touring).toBe('');
    unmount();
    expect(document.documentElement.dataset.touring).toBeUndefined();
  });

  it('are not said to be on the screen, as a reload has stored, where none is shown', async () => {
    setTourStatus(1, 'completed');
    world.touring = [true];
    render(<TourPlace user={inventedUser({ id: 1 })} sessionEndsAt={100} />);
    await waitFor(() => expect(world.touring).toEqual([true, false]));
  });
});

describe('a step', () => {
  it('stores index+1 when it is left, and stays on a page that has the next target', async () => {
    show(0, '/dashboard');
    await press('Get Started');
    await card('The sections');
    expect(readTour(1)).toEqual({ step: 1, status: 'ongoing' });
    expect(world.pushed).toEqual([]);
  });

  it('leads to its next page, after what was typed is stored', async () => {
    show(2, '/dashboard');
    await card('Alerts and newest values');
    await press('Next');
    expect(world.pushed).toEqual(['/patients']);
    expect(saveDrafts).toHaveBeenCalledTimes(1);
    expect(readTour(1).step).toBe(3);
    expect(screen.queryByRole('dialog')).toBeNull();
    arriveAt('/patients');
    await card('Your patients');
  });

  it('selects the third row by itself and leads to that patient', async () => {
    show(4, '/patients');
    await card('Select patients');
    await waitFor(() => expect(picked()).toEqual([false, false, true, false]));
    await press('Next');
    await card('Check a patient');
    expect(picked()).toEqual([false, false, true, false]);
    await press('Next');
    expect(world.pushed).toEqual(['/patient_details?ids=3']);
    arriveAt('/patient_details?ids=3');
    await card('Charts');
  });

  it.each([1, 2])('selects the last row of %i', async (rows) => {
    show(4, '/patients', { rows });
    await card('Select patients');
    await waitFor(() => expect(picked().at(-1)).toBe(true));
    expect(picked().filter((isPicked) => isPicked)).toHaveLength(1);
  });

  it('without patients selects nothing and leads to the details of none', async () => {
    show(4, '/patients', { rows: 0 });
    await card('Select patients');
    await press('Next');
    await card('Check a patient');
    await press('Next');
    expect(world.pushed).toEqual(['/patient_details']);
  });

  it('selects again when it is resumed with nothing selected', async () => {
    show(5, '/patients');
    await card('Check a patient');
    await waitFor(() => expect(picked()).toEqual([false, false, true, false]));
  });

  it('holds the order of the rows from the table to the button, and no longer', async () => {
    show(3, '/patients');
    await card('Your patients');
    expect(screen.getByRole('main').dataset.held).toBe('true');
    await press('Next');
    await card('Select patients');
    await press('Next');
    await card('Check a patient');
    expect(screen.getByRole('main').dataset.held).toBe('true');
    await press('Next');
    expect(screen.getByRole('main').dataset.held).toBe('false');
  });
});

describe('the end of the walkthrough', () => {
  it("is 'Finish': completed, user info refreshed without blanking the page, and to /", async () => {
    show(9, '/patient_details?ids=3');
    await card('Done');
    await press('Finish');
    await waitFor(() => expect(readTour(1)).toEqual(completed(10)));
    expect(world.refreshed).toEqual([{ keepsUser: true }]);
    expect(world.pushed).toEqual(['/']);
    expect(world.ended).toBe(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is a click on the highlighted Done, which leads to the patients itself', async () => {
    show(9, '/patient_details?ids=3');
    await card('Done');
    await waitFor(() => expect(world.touring).toEqual([true]));
    await userEvent.click(screen.getByText('done'));
    expect(readTour(1)).toEqual(completed(9));
    expect(world.pushed).toEqual([]);
    expect(world.refreshed).toHaveLength(1);
  });

  it.each([
    ['the x', 3, () => press('Close the walkthrough')],
    ['Esc', 3, () => userEvent.keyboard('{Escape}')],
    ['dismiss all', 0, () => press('Dismiss all Wardlight walkthrough steps')],
  ] as const)('is %s', async (_, step, end) => {
    show(step, step === 0 ? '/dashboard' : '/patients');
    await screen.findByRole('dialog');
    await waitFor(() => expect(world.touring).toEqual([true]));
    await end();
    expect(readTour(1)).toEqual(completed(step));
    expect(world.pushed).toEqual(['/']);
  });

  it('is not Esc in a field of the page', async () => {
    show(3, '/patients', { content: <input aria-label="Search" /> });
    await card('Your patients');
    await waitFor(() => expect(world.touring).toEqual([true]));
    await userEvent.click(screen.getByLabelText('Search'));
    await userEvent.keyboard('{Escape}');
    expect(readTour(1).status).toBe('ongoing');
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });

  it('is no click beside the card', async () => {
    const { baseElement } = show(3, '/patients');
    await card('Your patients');
    const overlay = await waitFor(() => {
      const found = baseElement.querySelector('.react-joyride__overlay path');
      expect(found).not.toBeNull();
      return found;
    });
    fireEvent.click(overlay ?? baseElement);
    expect(readTour(1)).toEqual({ step: 3, status: 'ongoing' });
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });

  it('is a stored step past the last one', async () => {
    show(10, '/dashboard');
    await waitFor(() => expect(readTour(1)).toEqual(completed(10)));
    expect(world.pushed).toEqual(['/']);
  });
});

describe("'Show me later'", () => {
  it('leaves status and step as they are and hides the walkthrough in this session', async () => {
    show(0, '/dashboard');
    await press('Show me later');
    expect(readTour(1)).toEqual({ step: 0, status: 'ongoing' });
    expect(isTourLater(session)).toBe(true);
    expect(world.pushed).toEqual([]);
    expect(world.ended).toBe(1);
  });
});

describe('a target that is missing', () => {
  const waitLong = async (): Promise<void> => {
    await act(() => jest.advanceTimersByTimeAsync(500));
    await act(() => jest.advanceTimersByTimeAsync(9_000));
    expect(readTour(1).status).toBe('ongoing');
    await act(() => jest.advanceTimersByTimeAsync(3_000));
  };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("on the right page is warned about after 10 s, 'Target not mounted', and ends the walkthrough", async () => {
    const lines = expectConsole('warn');
    show(6, '/patient_details?ids=3', { without: 'charts' });
    await waitLong();
    expect(lines).toEqual([['Target not mounted']]);
    expect(readTour(1)).toEqual(completed(6));
    expect(world.pushed).toEqual(['/']);
  });

  it("that the page does not draw is warned about, 'Target not visible', and ends the walkthrough", async () => {
    const lines = expectConsole('warn');
    show(6, '/patient_details?ids=3', { hidden: 'charts' });
    await waitLong();
    expect(lines).toEqual([['Target not visible']]);
    expect(readTour(1)).toEqual(completed(6));
  });

  it('that a narrow screen does not draw is passed over, which is no missing one', async () => {
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((media) => ({ media, matches: media === '(max-width: 699px)' }) as MediaQueryList);
    show(6, '/patient_details?ids=3', { hidden: 'charts' });
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(readTour(1)).toEqual({ step: 7, status: 'ongoing' });
    expect(screen.queryByRole('dialog', { name: 'Notes, handoffs, issues' })).not.toBeNull();
  });

  it('on another page leads to the right one, with a warning', async () => {
    const lines = expectConsole('warn');
    show(6, '/patients');
    await act(() => jest.advanceTimersByTimeAsync(500));
    expect(lines).toEqual([['Target not mounted']]);
    expect(world.pushed).toEqual(['/patient_details']);
    expect(readTour(1)).toEqual({ step: 6, status: 'ongoing' });
  });
});

describe('a walkthrough that is resumed on another page', () => {
  it.each([
    ['an open alert', { strip: [openAlert] }, undefined],
    ['a dialog', {}, <div key="dialog" role="dialog" aria-label="Add patient" />],
    ['unsaved text', {}, <textarea key="text" aria-label="Note" defaultValue="Slept well" />],
  ])('waits as a chip while the page has %s', async (_, change, content) => {
    expectConsole('warn');
    Object.assign(world, change);
    show(3, '/dashboard', { content });
    const chip = await screen.findByRole('button', { name: 'Continue walkthrough (4 of 10)' });
    expect(world.pushed).toEqual([]);
    expect(world.touring).toEqual([]);
    await userEvent.click(chip);
    expect(world.pushed).toEqual(['/patients']);
  });

  it('waits until it is known whether there is an alert', async () => {
    expectConsole('warn');
    world.strip = undefined;
    show(3, '/dashboard');
    await act(() => Promise.resolve());
    expect(world.pushed).toEqual([]);
    world.strip = [];
    act(() => drawPage());
    await waitFor(() => expect(world.pushed).toEqual(['/patients']));
  });

  it('that was asked for from the menu goes there at once', async () => {
    world.strip = [openAlert];
    show(0, '/patients', { isRestart: true });
    await waitFor(() => expect(world.pushed).toEqual(['/dashboard']));
  });

  it('opens the details of the patient that it has selected in this tab', async () => {
    expectConsole('warn');
    const { unmount } = show(4, '/patients');
    await card('Select patients');
    await press('Next');
    await card('Check a patient');
    unmount();
    world.pushed = [];
    show(7, '/dashboard');
    await waitFor(() => expect(world.pushed).toEqual(['/patient_details?ids=3']));
  });

  it('opens the details of no one where another user of this tab has selected the patient', async () => {
    expectConsole('warn');
    keepTourPatient(2, 3);
    show(7, '/dashboard');
    await waitFor(() => expect(world.pushed).toEqual(['/patient_details']));
  });

  it('can be put off from the chip', async () => {
    expectConsole('warn');
    world.strip = [openAlert];
    show(3, '/dashboard');
    await press('Show me later');
    expect(isTourLater(session)).toBe(true);
  });
});

describe('a user who leaves the page', () => {
  it('is not fetched back', async () => {
    show(1, '/dashboard');
    await card('The sections');
    arriveAt('/profile');
    await screen.findByRole('button', { name: 'Continue walkthrough (2 of 10)' });
    expect(world.pushed).toEqual([]);
  });

  it('to the page of the next step has done this one', async () => {
    show(2, '/dashboard');
    await card('Alerts and newest values');
    arriveAt('/patients');
    await card('Your patients');
    expect(readTour(1).step).toBe(3);
  });

  it('cannot while the server does not answer, and finds the walkthrough waiting', async () => {
    show(2, '/dashboard');
    await card('Alerts and newest values');
    world.answers = false;
    await press('Next');
    await screen.findByRole('button', { name: 'Continue walkthrough (4 of 10)' });
    // The page opens as soon as the server answers again.
    arriveAt('/patients');
    await expect(card('Your patients')).resolves.toBeDefined();
    expect(world.pushed).toEqual(['/patients']);
  });
});

describe('other tabs', () => {
  it('have the walkthrough alone while they show it', () => {
    jest.mocked(takeTourTurn).mockImplementation(() => () => undefined);
    show(1, '/dashboard');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('have ended it before this one gets the turn: it is not begun again', () => {
    let giveTurn = (): void => undefined;
    jest.mocked(takeTourTurn).mockImplementation((_, onTurn) => {
      giveTurn = onTurn;
      return () => undefined;
    });
    show(1, '/dashboard');
    localStorage.setItem(tourKey(1), JSON.stringify(completed(1)));
    act(() => giveTurn());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(world.ended).toBe(1);
  });

  it('end it here when it moves on there', async () => {
    show(1, '/dashboard');
    await card('The sections');
    const newValue = JSON.stringify(completed(1));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: tourKey(1), newValue })));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(world.ended).toBe(1);
    expect(world.pushed).toEqual([]);
  });
});

describe('real alerts', () => {
  const bar = () => screen.getByRole('region', { name: 'Alerts during the walkthrough' });

  it('have a bar above the walkthrough with the worst one that no one has taken, and what can be done', async () => {
    const taken = { at: '2026-05-01T10:00:00Z', by: { id: 9, name: 'Nia Newcomer' } };
    world.alerts = [
      inventedAlert(1, { accepted: taken }),
      inventedAlert(2, { patientId: 2, priority: 'medium', sentence: 'HR 140 > 130 for 1 min' }),
      inventedAlert(3, { patientId: 3, priority: 'low' }),
    ];
    show(1, '/dashboard');
    await card('The sections');
    expect(bar().textContent).toMatch(/Bed 2.*HR 140 > 130/);
    expect(bar().textContent).not.toMatch(/more/);
    expect(
      within(bar())
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/^I’m on it the alert of/), expect.stringMatching(/^Acknowledge the alert of/)]);
    expect(document.querySelector('#tour-bar')?.contains(bar())).toBe(true);
  });

  it('are not said to be none without saying so where the alert rules are off', async () => {
    show(1, '/dashboard', { rulesAreOn: false });
    await card('The sections');
    expect(bar().textContent).toBe('None. The alert rules are off on this site.');
  });

  it('are acknowledged from the bar without ending anything', async () => {
    world.alerts = [inventedAlert(2, { priority: 'medium' })];
    show(1, '/dashboard');
    await card('The sections');
    await userEvent.click(within(bar()).getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(bar().textContent).toContain('Acknowledged: SpO2 alert'));
    expect(readTour(1)).toEqual({ step: 1, status: 'ongoing' });
  });

  it('that come under a press say that it was ignored, and take the next one', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'requestAnimationFrame'], advanceTimers: true });
    try {
      show(1, '/dashboard');
      await card('The sections');
      world.alerts = [inventedAlert(5)];
      act(() => drawPage());
      fireEvent.click(within(bar()).getByRole('button', { name: /^Acknowledge/ }), { detail: 1 });
      expect(screen.queryByText('Another alert just came here. Click again.')).not.toBeNull();
      expect(bar().textContent).not.toContain('Acknowledged: SpO2 alert');
      act(() => jest.advanceTimersByTime(guardedForMs));
      fireEvent.click(within(bar()).getByRole('button', { name: /^Acknowledge/ }), { detail: 1 });
      await waitFor(() => expect(bar().textContent).toContain('Acknowledged: SpO2 alert'));
    } finally {
      jest.useRealTimers();
    }
  });

  it('give their place to the next one three seconds after they were taken, also under the pointer', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'requestAnimationFrame'], advanceTimers: true });
    try {
      world.alerts = [inventedAlert(2), inventedAlert(3, { patientId: 3 })];
      show(1, '/dashboard');
      await card('The sections');
      fireEvent.pointerMove(bar());
      const accepted = { at: '2026-05-01T10:00:00Z', by: { id: 1, name: 'Nia Newcomer' } } as AlertItem['accepted'];
      world.alerts = [inventedAlert(2, { accepted }), inventedAlert(3, { patientId: 3 })];
      act(() => drawPage());
      expect(bar().textContent).toMatch(/Bed 1.*Taken by/);
      act(() => jest.advanceTimersByTime(3_000));
      expect(bar().textContent).toMatch(/Bed 3/);
      expect(bar().textContent).not.toContain('Taken by');
    } finally {
      jest.useRealTimers();
    }
  });

  it('that are HIGH and come meanwhile fold the card until someone owns them', async () => {
    show(3, '/patients');
    await card('Your patients');
    world.alerts = [inventedAlert(5)];
    act(() => drawPage());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByText('Walkthrough paused, 4 of 10')).not.toBeNull();
    await waitFor(() => expect(world.touring.at(-1)).toBe(false));
    expect(readTour(1)).toEqual({ step: 3, status: 'ongoing' });
    const accepted = { at: '2026-05-01T10:00:00Z', by: { id: 9, name: 'Nia Newcomer' } } as AlertItem['accepted'];
    world.alerts = [inventedAlert(5, { accepted })];
    act(() => drawPage());
    await card('Your patients');
  });

  it('fold the card no longer once the user goes on', async () => {
    show(3, '/patients');
    await card('Your patients');
    world.alerts = [inventedAlert(5)];
    act(() => drawPage());
    await press('Continue the walkthrough');
    await card('Your patients');
    expect(bar().textContent).toContain('Bed 1');
  });

  it('that are HIGH and were there before, or are MEDIUM, fold nothing', async () => {
    world.alerts = [inventedAlert(5)];
    show(3, '/patients');
    await card('Your patients');
    world.alerts = [inventedAlert(5), inventedAlert(6, { priority: 'medium' })];
    act(() => drawPage());
    expect(screen.queryByRole('dialog')).not.toBeNull();
    expect(bar().textContent).toContain('+1 more');
  });

  it('are a key away: F6 goes from the card to the bar and back', async () => {
    world.alerts = [inventedAlert(2, { priority: 'medium' })];
    show(1, '/dashboard');
    const shown = await card('The sections');
    await waitFor(() => expect(world.touring).toEqual([true]));
    await userEvent.keyboard('{F6}');
    expect(document.activeElement).toBe(within(bar()).getByRole('button', { name: /^I’m on it/ }));
    await userEvent.keyboard('{F6}');
    expect(document.activeElement).toBe(within(shown).getByRole('button', { name: 'Next' }));
  });
});

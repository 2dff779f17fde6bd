import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReadState } from '../../hooks/readState';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { ApiFailure, clientFailure, type CallInput } from '../../lib/browser/client';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls } from '../../test/calls';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { heldForMs } from '../ui/useHold';
import { OpenAlerts } from './OpenAlerts';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/dashboard' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');

const acknowledge = jest.fn<Promise<AlertItem>, [CallInput<'acknowledgeAlert'>]>();
const accept = jest.fn<Promise<AlertItem>, [CallInput<'acceptAlert'>]>();
const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };
const ward = [inventedPatient(1), inventedPatient(2), inventedPatient(3)];

function show(
  alerts: AlertItem[],
  { user = inventedUser(), ...change }: Partial<ReadState<AlertsPage>> & { user?: User } = {},
) {
  jest.mocked(useNow).mockReturnValue(wardNow);
  setCalls({ acknowledgeAlert: acknowledge, acceptAlert: accept });
  const screenOf = (patients: readonly Patient[]) => (
    <OpenAlerts
      user={user}
      patients={patients}
      firstAlerts={inventedAlerts([])}
      initialNow={wardNow}
      wayToAll={<button>All</button>}
    />
  );
  jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts(alerts), change));
  const { rerender, ...rendered } = render(screenOf(ward));
  return {
    ...rendered,
    /** What the next poll brings, at a time of the page. */
    poll: (newer: AlertItem[], { now = wardNow, patients = ward, error = change.error } = {}) => {
      jest.mocked(useNow).mockReturnValue(now);
      jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts(newer), { ...change, error }));
      rerender(screenOf(patients));
    },
  };
}
const rows = () => screen.getAllByRole('listitem');
const row = (index: number): HTMLElement => rows()[index] ?? document.body;
/** Which of the sentences the rows show, in their order. */
const order = () => rows().map(({ textContent }) => /first|second|third|newest/.exec(textContent ?? '')?.[0]);
const button = (name: string) => screen.getByRole('button', { name });

const first = inventedAlert(7, { sentence: 'first' });
const second = inventedAlert(8, { patientId: 2, sentence: 'second' });
const third = inventedAlert(6, { patientId: 3, sentence: 'third', priority: 'medium' });
const newest = inventedAlert(9, { patientId: 3, sentence: 'newest' });

beforeEach(() => {
  jest.mocked(useServerLost).mockReturnValue(null);
  acknowledge.mockReset().mockImplementation(({ params: { id } }) => Promise.resolve(inventedAlert(Number(id))));
  accept.mockReset().mockImplementation(({ params: { id } }) => Promise.resolve(inventedAlert(Number(id))));
});

describe('the open alerts on the dashboard', () => {
  it('show priority, patient, place, sentence and age, in the order of the response', () => {
    show([
      inventedAlert(1),
      inventedAlert(2, { priority: 'medium', patientId: 2, sentence: 'Heart rate 135 for 2 min, limit 131' }),
      inventedAlert(3, {
        priority: 'low',
        patientId: null,
        deviceId: 5,
        deviceName: 'monitor 7',
        sentence: 'Battery 15 %',
      }),
    ]);
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^!!!HighSample1, SamEast · Bed 1 · MRN A-1SpO2 86 % for 1 min, limit 88 %Raised 45 s ago/),
      expect.stringMatching(/^!!MediumSample2, SamEast · Bed 2 · MRN A-2Heart rate 135/),
      expect.stringMatching(/^!Lowmonitor 7EquipmentBattery 15 %/),
    ]);
    expect(screen.getByRole('link', { name: 'Sample1, Sam' }).getAttribute('href')).toBe('/patient_details?ids=1');
    expect(screen.getByText('3 open alerts, 1 high')).toBeTruthy();
  });

  it('are called not live at their head while the server does not respond, and their sentences are grey', () => {
    const live = show([inventedAlert(1)]);
    expect([screen.queryByText('Not live'), live.container.querySelector('[data-old]')]).toEqual([null, null]);
    live.unmount();
    jest.mocked(useServerLost).mockReturnValue(wardNow);
    const { container } = show([inventedAlert(1)]);
    expect(screen.getByText('Not live')).toBeTruthy();
    expect(container.querySelectorAll('[data-old] [data-current]')).toHaveLength(1);
  });

  it('say which conditions have ended, and which of them no one has acknowledged', () => {
    show([
      inventedAlert(1, { condition: 'ended', endedAt: secondsAgo(20), latched: true }),
      inventedAlert(2, { condition: 'ended', endedAt: secondsAgo(20), acknowledged: nia }),
    ]);
    expect(rows()[0]?.textContent).toContain('Ended 20 s ago, not acknowledged · Raised 45 s ago');
    expect(rows()[1]?.textContent).toContain('Ended 20 s ago · Raised');
  });

  it('name the users who acknowledged and who accepted, which is not the same', () => {
    show([inventedAlert(1, { acknowledged: nia }), inventedAlert(2, { acknowledged: nia, accepted: nia })]);
    const [acknowledged, accepted] = rows();
    expect(acknowledged?.textContent).toContain('Acknowledged by Nia Newcomer, 2 min ago');
    expect(
      within(acknowledged ?? document.body)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Accept the alert of Sample1, Sam']);
    expect(accepted?.textContent).toContain('Accepted by Nia Newcomer, 2 min ago');
    expect(within(accepted ?? document.body).queryByRole('button')).toBeNull();
  });

  it('say who was asked and who is next, and when it was raised last', () => {
    const { escalation } = inventedAlert(1);
    const asked = {
      step: 0,
      at: secondsAgo(45),
      roles: ['nurse' as const],
      users: [nia.by],
      unheld: [],
      wholeUnit: false,
      contact: null,
    };
    const next = { roles: ['on_call_physician' as const], wholeUnit: true, contact: null };
    show([
      inventedAlert(1, {
        raisedAt: secondsAgo(300),
        escalation: { ...escalation, asked: [asked], next, nextAt: secondsAgo(-15) },
      }),
    ]);
    expect(row(0).textContent).toContain('Raised 5 min ago, last 45 s ago');
    expect(row(0).textContent).toMatch(/Asked: nurse Nia Newcomer \d\d:\d\d · next: on-call physician, whole unit/);
  });

  it('ask the user who accepted to accept again, beside the name', async () => {
    const { escalation } = inventedAlert(1);
    show([inventedAlert(1, { accepted: nia, escalation: { ...escalation, answerBy: secondsAgo(-60) } })]);
    expect(row(0).textContent).toContain('Accepted by Nia Newcomer, 2 min ago');
    await userEvent.click(button('Accept again the alert of Sample1, Sam'));
    expect(accept.mock.calls).toEqual([[{ params: { id: 1 }, body: { version: 1 } }]]);
  });

  it('run one action of a row at a time, and say a refusal in the row in which it happened', async () => {
    let end: () => void = () => {};
    acknowledge.mockReturnValue(new Promise((resolve) => (end = () => resolve(first))));
    accept.mockRejectedValue(
      new ApiFailure('accepted_by_somebody_else', 'Somebody else has taken this alert on.', { status: 409 }),
    );
    show([first, second]);
    await userEvent.click(button('Acknowledge the alert of Sample1, Sam'));
    expect(button('Accept the alert of Sample1, Sam')).toHaveProperty('disabled', true);
    await userEvent.click(button('Acknowledge the alert of Sample1, Sam'));
    await userEvent.click(button('Accept the alert of Sample2, Sam'));
    expect([acknowledge.mock.calls, accept.mock.calls]).toEqual([
      [[{ params: { id: 7 }, body: { version: 1 } }]],
      [[{ params: { id: 8 }, body: { version: 1 } }]],
    ]);
    await expect(within(row(1)).findByText('Not done. Somebody else has taken this alert on.')).resolves.toBeTruthy();
    expect(row(0).textContent).not.toContain('Not done');
    end();
    await waitFor(() => {
      expect(button('Accept the alert of Sample1, Sam')).toHaveProperty('disabled', false);
    });
  });

  it('have no buttons for users who may not handle alerts', () => {
    show([inventedAlert(1)], { user: inventedUser({ type: 'viewer' }) });
    expect(screen.queryByRole('button')).toBeNull();
    expect(rows()[0]?.textContent).toMatch(/Not acknowledgedNot accepted$/);
  });

  it('are counted if their patient is not on the page, with the most urgent of them', () => {
    show([inventedAlert(1, { patientId: 40 }), inventedAlert(2), inventedAlert(3, { patientId: 41, priority: 'low' })]);
    expect(rows()).toHaveLength(1);
    expect(screen.getByText('2 more open alerts of patients not on this page, the most urgent high')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'All' })).toBeTruthy();
  });

  it('name the most urgent one of the others, also behind a milder one that no one has accepted', () => {
    show([inventedAlert(1, { patientId: 40, priority: 'medium' }), inventedAlert(2, { patientId: 41, accepted: nia })]);
    expect(screen.getByText('2 more open alerts of patients not on this page, the most urgent high')).toBeTruthy();
  });

  it('say that there are none, and that the rules are off if they are', () => {
    const { unmount } = show([]);
    expect(screen.getByText('None')).toBeTruthy();
    unmount();
    const { site } = inventedUser();
    show([], { user: inventedUser({ site: { ...site, rulesAreOn: false } }) });
    expect(screen.getByText('None. The alert rules are off on this site.')).toBeTruthy();
  });

  it('stay, marked old, when a refresh fails, and are not none before the first response', () => {
    const { unmount } = show([inventedAlert(1)], { error: clientFailure('unreachable') });
    expect(screen.getByText(/^Old data: as it was at/)).toBeTruthy();
    expect(rows()).toHaveLength(1);
    unmount();
    show([], { data: undefined, isLoading: true });
    expect(screen.queryByText('None')).toBeNull();
    expect(screen.getByText('Loading alerts …')).toBeTruthy();
  });

  it('have no accessibility violation', async () => {
    const { container } = show([
      inventedAlert(1),
      inventedAlert(2, { priority: 'medium', acknowledged: nia }),
      inventedAlert(3, { priority: 'low' }),
    ]);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

describe('the open alerts under the pointer', () => {
  it('keep their places while one closes and a worse one comes, until the pointer leaves', async () => {
    const { poll } = show([first, second]);
    await userEvent.click(button('Acknowledge the alert of Sample1, Sam'));
    poll([newest, second]);
    expect(order()).toEqual(['first', 'second', 'newest']);
    expect(row(0).textContent).toContain('Closed');
    expect(within(row(0)).queryByRole('button')).toBeNull();
    // A second click at the same place reaches no other patient.
    expect(acknowledge).toHaveBeenCalledTimes(1);

    await userEvent.click(button('Show the new order'));
    expect(order()).toEqual(['newest', 'second']);
    poll([second, newest]);
    expect(order()).toEqual(['newest', 'second']);
    await userEvent.unhover(row(0));
    expect(order()).toEqual(['second', 'newest']);
  });

  it('keep their places under a pointer that rests there for an hour', () => {
    const { poll } = show([first, second]);
    fireEvent.pointerMove(row(1));
    poll([newest, second, first], { now: wardNow + 3_600_000 });
    expect(order()).toEqual(['first', 'second', 'newest']);
    fireEvent.pointerOut(row(1), { relatedTarget: document.body });
    expect(order()).toEqual(['newest', 'second', 'first']);
  });

  it('say above the rows at once how many came meanwhile, and which the most urgent is', () => {
    const { poll } = show([third]);
    fireEvent.pointerMove(row(0));
    poll([newest, third, inventedAlert(10, { priority: 'low', sentence: 'first' })], { now: wardNow + 3_600_000 });
    const news = screen.getByText('2 new alerts');
    expect(news.parentElement?.textContent).toBe('2 new alerts Sample3, Sam · East · Bed 3 · newest');
    expect(news.closest('[data-news]')?.textContent).toContain('!!!High');
    expect(news.compareDocumentPosition(row(0))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    fireEvent.pointerOut(row(0), { relatedTarget: document.body });
    expect(screen.queryByText('2 new alerts')).toBeNull();
  });

  it('say above the rows at once which became more urgent', () => {
    const { poll } = show([first, third]);
    fireEvent.pointerMove(row(0));
    poll([{ ...third, priority: 'high' }, first]);
    expect(screen.getByText('1 upgraded').parentElement?.textContent).toBe(
      '1 upgraded Sample3, Sam · East · Bed 3 · third',
    );
    expect(order()).toEqual(['first', 'third']);
    expect(row(1).dataset.priority).toBe('high');
  });

  it('no longer name a new one that is acknowledged', () => {
    const { poll } = show([first]);
    fireEvent.pointerMove(row(0));
    poll([newest, first]);
    expect(screen.getByText('1 new alert')).toBeTruthy();
    poll([{ ...newest, acknowledged: nia }, first]);
    expect(screen.queryByText('1 new alert')).toBeNull();
  });

  it('have their places in the order in which they came, so that a later one moves none of them', () => {
    const { poll } = show([first]);
    fireEvent.pointerMove(row(0));
    poll([first, second]);
    poll([newest, first, second]);
    expect(order()).toEqual(['first', 'second', 'newest']);
  });

  it('stay open, with their buttons, when only their patient has left the page', () => {
    const { poll } = show([first, second]);
    fireEvent.pointerMove(row(0), { pointerType: 'mouse' });
    poll([first, second], { patients: ward.slice(1) });
    expect(row(0).textContent).not.toContain('Closed');
    expect(row(0).querySelector('button')).not.toBeNull();
  });

  it('keep the name of a patient who has left the page, and their last facts', () => {
    const { poll } = show([first, second]);
    fireEvent.pointerMove(row(0));
    poll([{ ...first, acknowledged: nia }, second]);
    poll([second], { patients: [inventedPatient(2)] });
    expect(row(0).textContent).toMatch(/Sample1, Sam.*Closed · .*Acknowledged by Nia Newcomer/);
  });

  it('keep their places when the last of them closes', () => {
    const { poll } = show([first]);
    fireEvent.pointerMove(row(0));
    poll([]);
    expect(order()).toEqual(['first']);
    expect(screen.queryByText('None')).toBeNull();
  });

  it('say below the rows that a refresh failed', () => {
    const { poll } = show([first]);
    poll([first], { error: clientFailure('unreachable') });
    const notice = screen.getByText('The server cannot be reached.', { exact: false });
    expect(row(0).compareDocumentPosition(notice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('keep their places between the touches of a finger, which leaves before it clicks', async () => {
    const { poll } = show([first, second]);
    await userEvent.pointer({ keys: '[TouchA]', target: row(0) });
    poll([newest, second]);
    await userEvent.pointer({ keys: '[TouchA]', target: row(1) });
    expect(order()).toEqual(['first', 'second', 'newest']);
    poll([newest, second], { now: wardNow + heldForMs + 1 });
    expect(order()).toEqual(['newest', 'second']);
  });

  it('keep their places when the keyboard leaves them while the pointer stays', () => {
    const { poll } = show([first, second]);
    act(() => button('Accept the alert of Sample1, Sam').focus());
    fireEvent.pointerMove(row(0));
    poll([newest, first, second]);
    act(() => button('Accept the alert of Sample1, Sam').blur());
    expect(order()).toEqual(['first', 'second', 'newest']);
  });
});

describe('the keyboard among the open alerts', () => {
  it('stays on the row once its alert is acknowledged, and a second Enter accepts nothing', async () => {
    const { poll } = show([first, second]);
    act(() => button('Acknowledge the alert of Sample1, Sam').focus());
    await userEvent.keyboard('{Enter}');
    poll([{ ...first, acknowledged: nia }, second]);
    expect(document.activeElement).toBe(row(0));
    await userEvent.keyboard('{Enter}');
    expect([acknowledge.mock.calls.length, accept.mock.calls.length]).toEqual([1, 0]);
    // Over the patient's name.
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(button('Accept the alert of Sample1, Sam'));
  });

  it('stays on the row, and on no button, once nothing is left to do about the alert', async () => {
    const { poll } = show([{ ...first, acknowledged: nia }, second]);
    act(() => button('Accept the alert of Sample1, Sam').focus());
    await userEvent.keyboard('{Enter}');
    poll([{ ...first, acknowledged: nia, accepted: nia }, second]);
    expect(document.activeElement).toBe(row(0));
    await userEvent.keyboard('{Enter}');
    expect([acknowledge.mock.calls.length, accept.mock.calls.length]).toEqual([0, 1]);
  });

  it('stays on the row of an alert that was closed by the action, and then goes to the row in its place', async () => {
    const { poll } = show([first, second]);
    act(() => button('Acknowledge the alert of Sample1, Sam').focus());
    await userEvent.keyboard('{Enter}');
    poll([second]);
    expect(document.activeElement).toBe(row(0));
    expect(row(0).textContent).toContain('Closed');
    poll([second], { now: wardNow + heldForMs + 1 });
    expect(order()).toEqual(['second']);
    expect(document.activeElement).toBe(row(0));
    await userEvent.keyboard('{Enter}');
    expect(acknowledge).toHaveBeenCalledTimes(1);
  });

  it('stays on the row, and on no button, when another user acknowledges the alert', () => {
    const { poll } = show([first, second]);
    act(() => button('Acknowledge the alert of Sample1, Sam').focus());
    poll([{ ...first, acknowledged: nia }, second]);
    expect(document.activeElement).toBe(row(0));
  });

  it('goes to the heading when it has shown the new order', async () => {
    const { poll } = show([first, second]);
    act(() => button('Acknowledge the alert of Sample1, Sam').focus());
    await userEvent.keyboard('a');
    poll([newest, first, second]);
    act(() => button('Show the new order').focus());
    await userEvent.keyboard('{Enter}');
    expect(order()).toEqual(['newest', 'first', 'second']);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Open alerts' }));
  });

  it('goes to the heading when the last row is gone', () => {
    const { poll } = show([first]);
    act(() => button('Accept the alert of Sample1, Sam').focus());
    poll([]);
    poll([], { now: wardNow + heldForMs + 1 });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Open alerts' }));
  });

  it('is not taken from where the user went meanwhile', async () => {
    const { poll } = show([first, second]);
    act(() => button('Acknowledge the alert of Sample1, Sam').focus());
    await userEvent.keyboard('{Enter}');
    act(() => button('Acknowledge the alert of Sample2, Sam').focus());
    poll([{ ...first, acknowledged: nia }, second]);
    expect(document.activeElement).toBe(button('Acknowledge the alert of Sample2, Sam'));
  });
});

import { act, fireEvent, screen, within } from '@testing-library/react';
import { useAlertLog } from '../../hooks/useAlertLog';
import { frozenForMs } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { inventedAlert } from '../../test/inventedAlert';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { alertActs, line, order, showOpenAlerts } from '../../test/showOpenAlerts';
import { scannerMs } from '../ui/useSingleKeys';
import { guardedForMs } from './useMoveGuard';

const push = jest.fn();
jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/dashboard', push }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useAlertLog');
jest.mock('../../hooks/useAlertPatients');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');

const { acknowledgeAlert, takeAlerts } = alertActs;
const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };
const me = { by: { id: 7, name: 'Ines Moreau' }, at: secondsAgo(1) };
const first = inventedAlert(7);
const second = inventedAlert(8, { patientId: 2 });
const pass = (ms: number): void => act(() => jest.advanceTimersByTime(ms));
const focused = (): Element => document.activeElement ?? document.body;
/** Presses a key as a person does, where the keyboard is. */
const press = (key: string): void => {
  pass(scannerMs);
  fireEvent.keyDown(focused(), { key });
  pass(scannerMs);
};
const buttonIn = (element: HTMLElement, name: RegExp): HTMLElement => within(element).getByRole('button', { name });
/** Waits for the responses of the calls. */
const settle = async (): Promise<void> => {
  await act(() => jest.advanceTimersByTimeAsync(0));
};
/** Presses the button that has the keyboard, and waits for the response. */
const enter = async (): Promise<void> => {
  fireEvent.click(focused(), { detail: 0 });
  await settle();
};
const acted = () => [acknowledgeAlert.mock.calls.length, takeAlerts.mock.calls.length];

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  push.mockReset();
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useAlertLog).mockReturnValue(undefined);
  acknowledgeAlert.mockReset().mockResolvedValue(first);
  takeAlerts.mockReset().mockResolvedValue({ items: [first] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the keys of the alert list', () => {
  it('move from row to row, open the patient, acknowledge and take', async () => {
    showOpenAlerts([first, second]);
    press('j');
    expect(focused()).toBe(line(7));
    press('j');
    press('j');
    expect(focused()).toBe(line(8));
    press('k');
    expect(focused()).toBe(line(7));
    press('Enter');
    expect(push.mock.calls).toEqual([['/patient_details?ids=1']]);
    press('a');
    expect(acknowledgeAlert.mock.calls).toEqual([[{ params: { id: 7 }, body: { version: 1 } }]]);
    press('j');
    press('T');
    expect(takeAlerts.mock.calls).toEqual([[{ body: { alerts: [{ id: 8, version: 1 }], takeOver: false } }]]);
    await settle();
  });

  it('act on no alert that does not have the keyboard, and take none from its owner', () => {
    showOpenAlerts([inventedAlert(7, { accepted: nia }), second]);
    press('a');
    press('t');
    act(() => line(7).focus());
    press('t');
    expect(acted()).toEqual([0, 0]);
  });

  it.each(['input', 'textarea', 'select', 'dialog'])('do nothing in a %s', (tag) => {
    showOpenAlerts([first]);
    act(() => line(7).focus());
    const field = document.createElement(tag);
    field.tabIndex = 0;
    line(7).append(field);
    act(() => field.focus());
    press('a');
    press('t');
    expect(acted()).toEqual([0, 0]);
    field.remove();
  });

  it('do nothing while a dialog is open, in a menu, or with another key held', () => {
    showOpenAlerts([first]);
    act(() => line(7).focus());
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    document.body.append(dialog);
    press('a');
    dialog.remove();
    fireEvent.keyDown(focused(), { key: 'a', ctrlKey: true });
    pass(scannerMs);
    fireEvent.click(buttonIn(line(7), /^More/), { detail: 1 });
    press('a');
    expect(acted()).toEqual([0, 0]);
  });

  it('ignore a scanner, which types and ends with Enter', () => {
    showOpenAlerts([first]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    for (const key of ['t', 'a', '1', '7']) {
      fireEvent.keyDown(focused(), { key });
      pass(scannerMs - 1);
    }
    const isAllowed = fireEvent.keyDown(focused(), { key: 'Enter' });
    pass(1_000);
    expect([isAllowed, ...acted()]).toEqual([false, 0, 0]);
  });

  it('can be switched off', () => {
    localStorage.setItem('wardlight-alert-keys-7', 'off');
    showOpenAlerts([first]);
    act(() => line(7).focus());
    press('a');
    press('j');
    expect(acted()).toEqual([0, 0]);
    expect(screen.queryByText('acknowledges', { exact: false })).toBeNull();
  });
});

describe('the keyboard among the open alerts', () => {
  it('goes to the next action of the row once it is acknowledged, and a second Enter takes nothing', async () => {
    const { poll } = showOpenAlerts([first, second]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    await enter();
    poll([{ ...first, acknowledged: me }, second]);
    expect(focused()).toBe(buttonIn(line(7), /^I’m on it/));
    await enter();
    expect(acted()).toEqual([1, 0]);
    pass(guardedForMs);
    await enter();
    expect(acted()).toEqual([1, 1]);
    poll([{ ...first, acknowledged: me, accepted: me }, second]);
    expect(focused()).toBe(buttonIn(line(7), /^More/));
  });

  it('stays on the row when another user acknowledges the alert, and never goes to the body', () => {
    const { poll } = showOpenAlerts([first, second]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    poll([{ ...first, acknowledged: nia }, second]);
    expect(focused()).toBe(line(7));
  });

  it('stays on the row of an alert that was closed by the act, and then goes to the row in its place', async () => {
    const over = inventedAlert(7, { condition: 'ended', endedAt: secondsAgo(9) });
    const { poll } = showOpenAlerts([second, over]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    await enter();
    poll([second]);
    expect(focused()).toBe(line(7));
    expect(line(7).textContent).toContain('Closed');
    pass(frozenForMs);
    expect(order()).toEqual(['8']);
    expect(focused()).toBe(line(8));
  });

  it('goes to the heading when the last row is gone', () => {
    const { poll } = showOpenAlerts([first]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    poll([]);
    pass(frozenForMs);
    expect(focused()).toBe(screen.getByRole('heading', { name: 'Open alerts' }));
  });

  it('is not taken from where the user went meanwhile', async () => {
    const { poll } = showOpenAlerts([first, second]);
    act(() => buttonIn(line(7), /^Acknowledge/).focus());
    const pressed = enter();
    act(() => buttonIn(line(8), /^Acknowledge/).focus());
    await pressed;
    poll([{ ...first, acknowledged: me }, second]);
    expect(focused()).toBe(buttonIn(line(8), /^Acknowledge/));
  });
});

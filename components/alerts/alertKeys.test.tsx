import { act, createEvent, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAlertLog } from '../../hooks/useAlertLog';
import { frozenForMs, touchedForMs } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { formatTime } from '../../lib/time/formatTime';
import { inventedAlert } from '../../test/inventedAlert';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { alertActs, inSlot, line, listed, order, showOpenAlerts } from '../../test/showOpenAlerts';
import { scannerMs } from '../ui/useSingleKeys';
import { guardedForMs, ignoredShownMs } from './useMoveGuard';

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
const first = inventedAlert(7);
const second = inventedAlert(8, { patientId: 2 });
const pass = (ms: number): void => act(() => jest.advanceTimersByTime(ms));
/** Waits for the responses of the calls. */
const settle = async (): Promise<void> => {
  await act(() => jest.advanceTimersByTimeAsync(0));
};

beforeEach(() => {
  jest.useFakeTimers();
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useAlertLog).mockReturnValue(undefined);
  acknowledgeAlert.mockReset().mockResolvedValue(first);
  takeAlerts.mockReset().mockResolvedValue({ items: [first] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('alertKeys', () => {
  const me = { by: { id: 7, name: 'Ines Moreau' }, at: secondsAgo(1) };
  const focused = (): Element => document.activeElement ?? document.body;
  /** Presses a key as a person does, where the keyboard is. */
  const press = (key: string): void => {
    pass(scannerMs);
    fireEvent.keyDown(focused(), { key });
    pass(scannerMs);
  };
  const buttonIn = (element: HTMLElement, name: RegExp): HTMLElement => within(element).getByRole('button', { name });
  /** Presses the button that has the keyboard, and waits for the response. */
  const enter = async (): Promise<void> => {
    fireEvent.click(focused(), { detail: 0 });
    await settle();
  };
  const acted = () => [acknowledgeAlert.mock.calls.length, takeAlerts.mock.calls.length];

  beforeEach(() => {
    localStorage.clear();
    push.mockReset();
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
});

describe('stillAlerts', () => {
  const third = inventedAlert(6, { patientId: 3, priority: 'medium' });
  const newest = inventedAlert(9, { patientId: 3, sentence: 'SpO2 70 % < 78' });
  const lists = (): HTMLElement => screen.getByRole('main');
  const leave = (): void => {
    fireEvent.pointerOut(lists(), { relatedTarget: document.body });
  };
  const buttonIn = (element: HTMLElement | undefined, name: RegExp): HTMLElement =>
    within(element ?? document.body).getByRole('button', { name });

  describe('the open alerts under the pointer', () => {
    it('keep their places while one closes and a worse one comes, until the pointer leaves', () => {
      jest.mocked(useAlertLog).mockReturnValue([
        { is: 'acknowledged', ...nia },
        { is: 'closed', at: nia.at, by: null, because: 'acknowledged' },
      ]);
      const { poll } = showOpenAlerts([first, second]);
      fireEvent.pointerMove(line(7));
      poll([newest, second]);
      expect(order()).toEqual(['7', '8']);
      expect(line(7).textContent).toContain('Closed: acknowledged by Nia Newcomer');
      expect(within(line(7)).queryByRole('button')).toBeNull();
      expect(inSlot()?.dataset.alert).toBe('9');
      leave();
      expect(order()).toEqual(['9', '8']);
      expect(inSlot()).toBeUndefined();
    });

    it('say no number of now once they are over: no response renews it', () => {
      const low = inventedAlert(7, { sentence: 'SpO2 97 % now, lowest 86, limit < 88' });
      const { poll } = showOpenAlerts([low, second]);
      fireEvent.pointerMove(line(7));
      expect(line(7).textContent).toContain('SpO2 97 % now');
      poll([second]);
      jest.mocked(useNow).mockReturnValue(wardNow + 300_000);
      poll([second]);
      expect(line(7).textContent).toContain(`SpO2 97 % at ${formatTime(wardNow, 'Europe/London')}`);
      expect(line(7).textContent).not.toContain('now');
    });

    it('keep their group and their height, whatever happens to them', () => {
      const { poll } = showOpenAlerts([first, second]);
      fireEvent.pointerMove(line(7));
      poll([second, { ...first, condition: 'ended', endedAt: secondsAgo(1), accepted: nia }]);
      expect(listed().map(({ dataset }) => [dataset.alert, dataset.look])).toEqual([
        ['7', 'row'],
        ['8', 'row'],
      ]);
      expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
        'Not taken yet 1 patient · Ended 1',
      ]);
      expect(screen.getByText('1 alert needs someone · 1 taken')).toBeTruthy();
      expect(line(7).textContent).toContain('Taken by Nia Newcomer');
    });

    it('never stand as over under their heading when they have come back, and say so in their place', () => {
      const over = { condition: 'ended', endedAt: secondsAgo(9) } as const;
      const { poll } = showOpenAlerts([
        { ...first, ...over },
        { ...second, ...over },
      ]);
      const headings = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
      expect(headings()).toEqual(['Ended, not acknowledged 2 patients']);
      fireEvent.pointerMove(line(7));
      poll([first, { ...second, ...over }]);
      expect(order()).toEqual(['7', '8']);
      expect(headings()).toEqual(['Ended, not acknowledged 1 patient · Alert again 1']);
      expect(within(line(7)).getByText('Alert again')).toBeTruthy();
      expect(within(line(8)).queryByText('Alert again')).toBeNull();
      expect([inSlot()?.dataset.alert, line(7).dataset.look]).toEqual(['7', 'short']);
      poll([first, second]);
      expect(headings()).toEqual(['Alert again 2 patients']);
      leave();
      expect(headings()).toEqual(['Not taken yet 2 patients']);
      expect(screen.queryByText('Alert again')).toBeNull();
    });

    it('are held until the pointer and the keyboard have both left', () => {
      const { poll } = showOpenAlerts([first, second]);
      act(() => line(7).focus());
      fireEvent.pointerMove(line(7));
      poll([second, first]);
      leave();
      expect(order()).toEqual(['7', '8']);
      act(() => line(7).blur());
      expect(order()).toEqual(['8', '7']);
    });

    it('are held for two minutes after the last movement or key, and no longer', () => {
      const { poll } = showOpenAlerts([first, second]);
      fireEvent.pointerMove(line(7));
      poll([second, first]);
      pass(frozenForMs - 1);
      fireEvent.pointerMove(line(7));
      pass(frozenForMs - 1);
      expect(order()).toEqual(['7', '8']);
      pass(1);
      expect(order()).toEqual(['8', '7']);
    });

    it('are held between the touches of a finger, which leaves before it clicks', async () => {
      const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
      const { poll } = showOpenAlerts([first, second]);
      await user.pointer({ keys: '[TouchA]', target: screen.getByRole('heading', { level: 3 }) });
      poll([second, first]);
      expect(order()).toEqual(['7', '8']);
      pass(touchedForMs);
      expect(order()).toEqual(['8', '7']);
    });

    it('ignore a click for half a second after they have moved', async () => {
      const { poll } = showOpenAlerts([first, second]);
      poll([second, first]);
      pass(guardedForMs - 1);
      fireEvent.click(buttonIn(line(7), /^Acknowledge/), { detail: 1 });
      expect(acknowledgeAlert).not.toHaveBeenCalled();
      pass(1);
      fireEvent.click(buttonIn(line(7), /^Acknowledge/), { detail: 1 });
      expect(acknowledgeAlert).toHaveBeenCalledTimes(1);
      await settle();
    });

    it('say beside a click that they have ignored it, until it is clicked again or read', async () => {
      const { poll } = showOpenAlerts([first, second]);
      const note = () => screen.queryByText(/^The list just moved\./);
      poll([second, first]);
      fireEvent.click(screen.getByRole('link', { name: /Sample1/ }), { detail: 1, clientX: 40, clientY: 60 });
      expect(note()?.textContent).toBe('The list just moved. Click again.');
      expect(note()?.getAttribute('role')).toBe('status');
      pass(ignoredShownMs);
      expect(note()).toBeNull();
      poll([first, second]);
      fireEvent.click(buttonIn(line(7), /^Acknowledge/), { detail: 0 });
      expect(note()?.textContent).toBe('The list just moved. Press again.');
      pass(guardedForMs);
      fireEvent.click(buttonIn(line(7), /^Acknowledge/), { detail: 1 });
      expect(acknowledgeAlert).toHaveBeenCalledTimes(1);
      await settle();
      expect(note()).toBeNull();
    });

    it('stay open, with their buttons, if the server has sent the most urgent ones only', () => {
      const { poll } = showOpenAlerts([first, second]);
      fireEvent.pointerMove(line(7));
      poll([second], { data: { items: [second], total: 600, version: '2' } });
      expect(line(7).textContent).not.toContain('Closed');
      expect(buttonIn(line(7), /^Acknowledge/)).toBeTruthy();
      // What they say is no longer new, and they say so.
      expect(line(7).textContent).toContain('Not updated: too many alerts are open.');
      expect(document.body.textContent.match(/Not updated/g)).toHaveLength(1);
      poll([first, second]);
      expect(line(7).textContent).not.toContain('Not updated');
    });
  });

  describe('the slot above a list that holds still', () => {
    it('is empty without news, and shows the worst new alert with its actions', async () => {
      const { poll, container } = showOpenAlerts([third]);
      const slot = () => container.querySelector('[data-news]');
      fireEvent.pointerMove(line(6));
      expect(slot()).toBeNull();
      poll([third, inventedAlert(10, { patientId: 4, priority: 'low' }), inventedAlert(11, { patientId: 5 })]);
      expect(inSlot()?.textContent).toContain('Sample5, Sam');
      expect(screen.getByRole('button', { name: '+1 more' })).toBeTruthy();
      expect(order()).toEqual(['6']);
      fireEvent.click(buttonIn(inSlot(), /^I’m on it/), { detail: 1 });
      pass(guardedForMs);
      fireEvent.click(buttonIn(inSlot(), /^I’m on it/), { detail: 1 });
      // The first click came with the alert.
      expect(takeAlerts.mock.calls).toEqual([[{ body: { alerts: [{ id: 11, version: 1 }], takeOver: false } }]]);
      await settle();
    });

    it('shows what became more urgent in its place', () => {
      const { poll } = showOpenAlerts([first, third]);
      fireEvent.pointerMove(line(7));
      poll([{ ...third, priority: 'high' }, first]);
      expect(inSlot()?.dataset.alert).toBe('6');
      expect(screen.getByText('More urgent')).toBeTruthy();
      expect(order()).toEqual(['7', '6']);
      expect(line(6).dataset.priority).toBe('high');
    });

    it('keeps the alert that is under the pointer, though a worse one comes or it is acknowledged', () => {
      const { poll } = showOpenAlerts([first]);
      fireEvent.pointerMove(line(7));
      poll([first, third]);
      fireEvent.pointerMove(inSlot() ?? document.body);
      poll([newest, first, { ...third, acknowledged: nia }]);
      expect(inSlot()?.dataset.alert).toBe('6');
      expect(screen.getByRole('button', { name: '+1 more' })).toBeTruthy();
      poll([newest, first]);
      expect(inSlot()?.textContent).toContain('Closed');
      const slot = inSlot() ?? document.body;
      const out = createEvent.pointerOut(slot);
      Object.defineProperty(out, 'relatedTarget', { value: line(7) });
      fireEvent(slot, out);
      expect(inSlot()?.dataset.alert).toBe('9');
    });

    it('lets an alert go that was once under the pointer, also if the slot was empty since', () => {
      const { poll } = showOpenAlerts([first]);
      fireEvent.pointerMove(line(7));
      poll([newest, first]);
      // The pointer is in the slot when that empties, and the browser does not say that it has left.
      fireEvent.pointerMove(inSlot() ?? document.body);
      fireEvent.pointerMove(line(7));
      leave();
      fireEvent.pointerMove(line(7));
      poll([third, newest, first]);
      act(() => inSlot()?.focus());
      act(() => line(7).focus());
      poll([inventedAlert(13, { patientId: 5 }), third, newest, first]);
      expect(inSlot()?.dataset.alert).toBe('13');
    });

    it('is empty once the list shows what it showed, though the pointer is still in it', () => {
      const { poll } = showOpenAlerts([first]);
      fireEvent.pointerMove(line(7));
      poll([newest, first]);
      fireEvent.pointerMove(inSlot() ?? document.body);
      pass(guardedForMs);
      fireEvent.click(screen.getByRole('button', { name: 'Show in list' }), { detail: 1 });
      expect(order()).toEqual(['9', '7']);
      expect(inSlot()).toBeUndefined();
      expect(screen.queryByText('More urgent')).toBeNull();
    });

    it('no longer shows an alert that is acknowledged', () => {
      const { poll } = showOpenAlerts([first]);
      fireEvent.pointerMove(line(7));
      poll([newest, first]);
      expect(inSlot()?.dataset.alert).toBe('9');
      poll([{ ...newest, acknowledged: nia }, first]);
      expect(inSlot()).toBeUndefined();
    });

    it('leads to the list with all that is new, and to its heading', () => {
      const { poll } = showOpenAlerts([first]);
      fireEvent.pointerMove(line(7));
      poll([newest, first]);
      pass(guardedForMs);
      fireEvent.click(screen.getByRole('button', { name: 'Show in list' }), { detail: 1 });
      expect(order()).toEqual(['9', '7']);
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Open alerts' }));
      poll([first, newest]);
      expect(order()).toEqual(['9', '7']);
    });
  });

  describe('an alert that comes', () => {
    it('is read out once, HIGH at once, and not what was there before or only changes its value', () => {
      const { poll, container } = showOpenAlerts([first]);
      const spoken = () => container.querySelector('[aria-live]');
      expect(spoken()?.textContent).toBe('');
      poll([newest, first]);
      const words = 'High priority: Sample3, Sam, East · Bed 3 · MRN A-3. SpO2 70 % < 78';
      expect([spoken()?.textContent, spoken()?.getAttribute('aria-live')]).toEqual([words, 'assertive']);
      poll([{ ...newest, headline: 'SpO2 69 % < 78' }, first]);
      expect(spoken()?.textContent).toBe(words);
      poll([inventedAlert(12, { patientId: 5, priority: 'medium' }), newest, first]);
      expect(spoken()?.textContent).toMatch(/^Medium priority: Sample5/);
      expect(spoken()?.getAttribute('aria-live')).toBe('polite');
    });
  });
});

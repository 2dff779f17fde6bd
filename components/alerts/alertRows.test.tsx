import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { useRef } from 'react';
import { HasChatContext } from '../../hooks/useChat';
import { useFreeze } from '../../hooks/useFreeze';
import { type Parameter, parameters } from '../../lib/alerts/parameters';
import { priorities } from '../../lib/alerts/priority';
import type { AlertItem } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import {
  inventedPage,
  inventedPatient,
  inventedUser,
  inventedValue,
  secondsAgo,
  wardNow,
} from '../../test/inventedWard';
import { answer } from '../../test/network';
import { inSlot } from '../../test/showOpenAlerts';
import { showScreen } from '../../test/showScreen';
import { AlertActions } from './AlertActions';
import { ListSlot } from './ListSlot';
import { alertReading } from './alertReading';
import { alertGroupNames, groupOf, rowsOf } from './groupedRows';
import { guardedForMs } from './useMoveGuard';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/patients', push: jest.fn() }) }));

describe('alertRows', () => {
  describe('AlertActions', () => {
    const onDialog = jest.fn();
    const alert = inventedAlert(1);

    async function openMenu(hasChat: boolean, of: { alert?: AlertItem; user?: User; isClosed?: boolean } = {}) {
      render(
        <HasChatContext value={hasChat}>
          <AlertActions
            alert={alert}
            isClosed={false}
            user={inventedUser()}
            isLost={false}
            state={undefined}
            onAct={jest.fn()}
            onDialog={onDialog}
            initialNow={wardNow}
            timeZone="UTC"
            {...of}
          />
        </HasChatContext>,
      );
      const more = screen.queryByRole('button', { name: /^More about/ });
      if (more === null) {
        return null;
      }
      await userEvent.click(more);
      return screen.queryByRole('menuitem', { name: 'Send to chat …' });
    }

    beforeEach(() => onDialog.mockClear());

    describe('calling the patient', () => {
      const { patient } = alert;
      const atHome = inventedAlert(1, { patient: patient === null ? null : { ...patient, profile: 'home' } });
      const item = () => screen.queryByRole('menuitem', { name: 'Call the patient …' });

      it('is not offered of a patient on the ward who did not ask for it', async () => {
        await openMenu(false);
        expect(item()).toBeNull();
      });

      it('is not offered to users who may not read the chart', async () => {
        await openMenu(false, { alert: atHome, user: inventedUser({ type: 'technician' }) });
        expect(item()).toBeNull();
      });

      it.each([
        ['at home', atHome],
        ['who asked for a call', inventedAlert(1, { parameter: 'callRequest' })],
      ])('is offered of a patient %s, and opens the numbers', async (_, of) => {
        await openMenu(false, { alert: of });
        await userEvent.click(item() ?? document.body);
        expect(onDialog).toHaveBeenLastCalledWith('phone', of);
      });
    });

    describe('sending an alert to the chat', () => {
      it.each([
        ['without a chat', false, {}],
        ['of an alert that is closed', true, { isClosed: true }],
        ['for users who only read', true, { user: inventedUser({ type: 'viewer' }) }],
      ])('is not offered %s', async (_, hasChat, of) => {
        await expect(openMenu(hasChat, of)).resolves.toBeNull();
      });

      it('is offered in the menu of an alert, and opens its drawer', async () => {
        const item = await openMenu(true);
        expect(item).not.toBeNull();
        await userEvent.click(item ?? document.body);
        expect(onDialog.mock.calls).toEqual([['chat', alert]]);
      });
    });

    describe('an alert of issue reports', () => {
      const ofUnit = inventedAlert(2, { patientId: null, parameter: 'report', rule: 'report.s1', unitId: 3 });

      it.each([
        [ofUnit, '/reports?severity=S1&unit=3'],
        [{ ...ofUnit, unitId: null }, '/reports?severity=S1'],
      ])('leads to the reports that raised it', async (of, address) => {
        await openMenu(false, { alert: of });
        expect(screen.getByRole('menuitem', { name: 'Open issue reports' }).getAttribute('href')).toBe(address);
      });

      it('is the only one that does', async () => {
        await openMenu(false);
        expect(screen.queryByRole('menuitem', { name: 'Open issue reports' })).toBeNull();
      });
    });
  });

  describe('the number on the chip of an alert', () => {
    const context = { now: wardNow, serverLost: null, timeZone: 'UTC' };
    const patient = inventedPatient(1, {
      latest: {
        spo2: inventedValue({ value: 78 }),
        heartRate: inventedValue({ value: 80 }),
        pulseRate: inventedValue({ value: 30 }),
      },
    });
    const sample = (kind: 'pulseRate' | 'heartRate' | 'spo2') => ({
      kind,
      value: 30,
      takenAt: secondsAgo(9),
      quality: 'good' as const,
      source: 'monitor',
    });
    const evidence = (kind: 'pulseRate' | 'heartRate' | 'spo2') => ({
      ruleVersion: 1,
      limits: null,
      samples: [sample(kind)],
    });

    it('is the newest value of its parameter, with its age', () => {
      expect(alertReading(inventedAlert(1), patient.latest, patient, context)).toMatchObject({
        number: '78',
        note: '2 s',
        state: 'live',
      });
    });

    it('is the one of the moment of its sentence, although the list of patients knows a newer one', () => {
      const newer = inventedPatient(1, { latest: { spo2: inventedValue({ value: 81 }) } });
      expect(alertReading(inventedAlert(1), patient.latest, newer, context).number).toBe('78');
    });

    it('is never that of another patient', () => {
      expect(alertReading(inventedAlert(1, { patientId: 2 }), patient.latest, patient, context).number).toBeNull();
      expect(alertReading(inventedAlert(1), patient.latest, undefined, context).number).toBeNull();
    });

    it('is never that of another parameter', () => {
      expect(
        alertReading(inventedAlert(1, { parameter: 'temperature' }), patient.latest, patient, context),
      ).toMatchObject({
        number: '--',
        note: 'no value yet',
      });
      expect(alertReading(inventedAlert(1, { parameter: 'symptoms' }), patient.latest, patient, context)).toMatchObject(
        {
          number: null,
          label: 'Symptoms',
        },
      );
    });

    it('is a word for every alert that is about no number', () => {
      const numbers: readonly Parameter[] = ['spo2', 'rate', 'spo2Quality', 'rateQuality', 'perfusion'];
      const others = parameters.filter((parameter) => !numbers.includes(parameter));
      for (const parameter of others) {
        expect(alertReading(inventedAlert(1, { parameter }), {}, undefined, context).label).not.toBe('');
      }
    });

    it('is the rate that raised the alert, not the one of the other device', () => {
      const alert = inventedAlert(1, { parameter: 'rate', evidence: evidence('pulseRate') });
      expect(alertReading(alert, patient.latest, patient, context)).toMatchObject({
        number: '30',
        label: { kind: 'pulseRate' },
      });
    });

    it('is withdrawn when the value is, with the last one and its time', () => {
      const old = inventedPatient(1, { latest: { spo2: inventedValue({ value: 77, asOf: secondsAgo(1_200) }) } });
      expect(alertReading(inventedAlert(1), old.latest, old, context)).toMatchObject({
        number: '--',
        note: 'last 77, 14:40',
      });
      expect(alertReading(inventedAlert(1, { parameter: 'sensor' }), old.latest, old, context)).toMatchObject({
        number: '--',
      });
    });

    it('is no value of a second device on an alert about a sensor', () => {
      expect(
        alertReading(inventedAlert(1, { parameter: 'sensor' }), patient.latest, patient, context).number,
      ).toBeNull();
    });

    it('is the least that the score can be', () => {
      const low = inventedPatient(1, { latest: { spo2: inventedValue({ value: 78 }) } });
      expect(alertReading(inventedAlert(1, { parameter: 'news2' }), low.latest, low, context)).toMatchObject({
        number: '3',
        note: 'at least',
      });
    });

    it('is the score of the last response while the server does not answer, with that time', () => {
      const low = inventedPatient(1, { latest: { spo2: inventedValue({ value: 78 }) } });
      const lost = { ...context, now: wardNow + 600_000, serverLost: wardNow };
      expect(alertReading(inventedAlert(1, { parameter: 'news2' }), low.latest, low, lost)).toMatchObject({
        number: '3',
        note: 'at least, 15:00',
      });
    });
  });

  describe('the groups of the open alerts', () => {
    const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };
    const ended = { condition: 'ended', endedAt: secondsAgo(20) } as const;
    const shape = (items: AlertItem[]) => rowsOf(items).map(({ group, alerts }) => [group, alerts.map(({ id }) => id)]);

    it('put what asks for someone first, then what is taken, what is over, and equipment', () => {
      expect(
        shape([
          inventedAlert(1, { patientId: null, deviceId: 5 }),
          inventedAlert(2, { patientId: 2, ...ended }),
          inventedAlert(3, { patientId: 3, accepted: nia }),
          inventedAlert(4, { patientId: 4, acknowledged: nia }),
          inventedAlert(5, { patientId: 5, priority: 'low' }),
          // It says which of two oximeters counts.
          inventedAlert(6, { patientId: 6, ...ended, acknowledged: nia, sources: [] }),
        ]),
      ).toEqual([
        ['untaken', [4]],
        ['untaken', [5]],
        ['taken', [3]],
        ['ended', [2]],
        ['equipment', [1]],
        ['equipment', [6]],
      ]);
    });

    it('put a silent gateway among the patients whose values it carries, not with the equipment', () => {
      const gateway = { patientId: null, deviceId: 5, parameter: 'gateway' } as const;
      expect(
        shape([
          inventedAlert(1, { patientId: null, deviceId: 6, parameter: 'clock' }),
          inventedAlert(2, { patientId: 3, accepted: nia }),
          inventedAlert(3, gateway),
          inventedAlert(4, { ...gateway, deviceId: 7, accepted: nia }),
        ]),
      ).toEqual([
        ['untaken', [3]],
        ['taken', [2]],
        ['taken', [4]],
        ['equipment', [1]],
      ]);
    });

    it('put an issue report among the patients of its unit, not with the equipment', () => {
      const report = { patientId: null, deviceId: -5, parameter: 'report' } as const;
      expect(
        shape([
          inventedAlert(1, report),
          inventedAlert(2, { patientId: null, deviceId: 5 }),
          inventedAlert(3, { patientId: 3 }),
          inventedAlert(4, { ...report, deviceId: -6, accepted: nia }),
          inventedAlert(5, { ...report, deviceId: -7, ...ended }),
        ]),
      ).toEqual([
        ['untaken', [1]],
        ['untaken', [3]],
        ['taken', [4]],
        ['ended', [5]],
        ['equipment', [2]],
      ]);
    });

    it('make one row of a patient with several alerts, in the group of the one that asks for someone', () => {
      expect(
        shape([
          inventedAlert(1, { patientId: 9 }),
          inventedAlert(2, { patientId: 3, ...ended }),
          inventedAlert(3, { patientId: 3, accepted: nia }),
          inventedAlert(4, { patientId: 3, priority: 'low' }),
        ]),
      ).toEqual([
        ['untaken', [1]],
        ['untaken', [4, 3, 2]],
      ]);
    });

    it('keep a technical alert of a patient in the groups of patients', () => {
      expect(shape([inventedAlert(1, { parameter: 'sensor' })])).toEqual([['untaken', [1]]]);
    });

    it('lose no alert, repeat none, and show no active alert under one that is over', () => {
      const anyAlert = fc.record({
        patientId: fc.constantFrom(null, 1, 2, 3),
        isEnded: fc.boolean(),
        isTaken: fc.boolean(),
        priority: fc.constantFrom(...priorities),
      });
      fc.assert(
        fc.property(fc.array(anyAlert, { maxLength: 12 }), (drawn) => {
          const items = drawn.map(({ isEnded, isTaken, ...each }, index) =>
            inventedAlert(index + 1, { ...each, ...(isEnded ? ended : {}), accepted: isTaken ? nia : null }),
          );
          const rows = rowsOf(items);
          expect(rows.flatMap(({ alerts }) => alerts.map(({ id }) => id)).sort((a, b) => a - b)).toEqual(
            items.map(({ id }) => id),
          );
          for (const { group, alerts } of rows) {
            const orders = alerts.map((alert) => alertGroupNames.indexOf(groupOf(alert)));
            expect(orders).toEqual([...orders].sort((a, b) => a - b));
            expect(new Set(alerts.map(({ patientId, id }) => patientId ?? `alert ${id}`)).size).toBe(1);
            expect(alertGroupNames.indexOf(group)).toBe(orders[0]);
          }
        }),
      );
    });
  });
});

describe('ListSlot', () => {
  const onShow = jest.fn();
  const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(1) };
  /** Patients 1 and 2 are on the page of the list, 3 and 4 are not. */
  const patients = [inventedPatient(1), inventedPatient(2)];
  const soon = { raisedAt: secondsAgo(-5), lastRaisedAt: secondsAgo(-5) };
  const there = inventedAlert(1, { patientId: 3 });
  const ofListed = inventedAlert(2, { patientId: 2, ...soon });
  const ofOther = inventedAlert(3, { patientId: 4, ...soon });

  function List() {
    const { handlers, ...freeze } = useFreeze();
    const heading = useRef<HTMLHeadingElement>(null);
    return (
      <main {...handlers}>
        <h1 ref={heading} tabIndex={-1}>
          Patients
        </h1>
        <ListSlot
          user={inventedUser()}
          patients={patients}
          freeze={freeze}
          heading={heading}
          onShow={onShow}
          initialNow={wardNow}
        />
      </main>
    );
  }

  /** Shows the list with these alerts; each poll brings others. */
  async function show(alerts: AlertItem[]): Promise<{ poll: (newer: AlertItem[]) => Promise<void> }> {
    const respond = (items: AlertItem[]): void => answer({ listAlerts: () => inventedAlerts(items) });
    answer({ listPatients: () => inventedPage([]) });
    respond(alerts);
    const { poll } = await showScreen(<List />);
    return {
      poll: (newer) => {
        respond(newer);
        return poll();
      },
    };
  }
  const point = (): void => {
    fireEvent.pointerMove(screen.getByRole('main'));
  };
  const leave = (): void => {
    fireEvent.pointerOut(screen.getByRole('main'), { relatedTarget: document.body });
  };

  beforeEach(() => {
    jest.useFakeTimers();
    onShow.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  describe('the slot above the list of patients', () => {
    it('is empty at first, whatever alerts there are, and while the list shows by itself what comes', async () => {
      const { poll } = await show([there]);
      expect(inSlot()).toBeUndefined();
      await poll([ofListed, there]);
      expect(inSlot()).toBeUndefined();
    });

    it('shows what comes while the list holds still, until the list may show it', async () => {
      const { poll } = await show([there]);
      point();
      await poll([ofListed, there]);
      expect(inSlot()?.dataset.alert).toBe('2');
      expect(screen.getByText('New')).toBeTruthy();
      leave();
      expect(inSlot()).toBeUndefined();
    });

    it('shows what becomes more urgent while the list holds still', async () => {
      const { poll } = await show([{ ...ofListed, priority: 'medium', ...{ lastRaisedAt: secondsAgo(60) } }]);
      point();
      await poll([ofListed]);
      expect(inSlot()?.dataset.alert).toBe('2');
      expect(screen.getByText('More urgent')).toBeTruthy();
    });

    it('shows a new alert of a patient off the page, also if nothing holds still, until someone has it', async () => {
      const { poll } = await show([there]);
      await poll([ofOther, there]);
      expect(inSlot()?.textContent).toContain('Sample4, Sam');
      await poll([{ ...ofOther, accepted: nia }, there]);
      expect(inSlot()).toBeUndefined();
    });

    it('keeps LOW alerts of other patients for the list of alerts', async () => {
      const { poll } = await show([there]);
      await poll([{ ...ofOther, priority: 'low' }, there]);
      expect(inSlot()).toBeUndefined();
    });

    it('leads to the list with these patients, and is empty then', async () => {
      const { poll } = await show([there]);
      point();
      await poll([ofOther, ofListed, there]);
      act(() => jest.advanceTimersByTime(guardedForMs));
      fireEvent.pointerMove(inSlot() ?? document.body);
      fireEvent.click(screen.getByRole('button', { name: '+1 more' }), { detail: 1 });
      expect(onShow.mock.calls).toEqual([[[4, 2]]]);
      expect(inSlot()).toBeUndefined();
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Patients' }));
    });
  });
});

import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAlertLog } from '../../hooks/useAlertLog';
import { useAlertPatients } from '../../hooks/useAlertPatients';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import { usePatient } from '../../hooks/usePatient';
import { useServerLost } from '../../hooks/useServerLost';
import type { AlertItem } from '../../lib/alerts/schema';
import { holdAlertRead, noteAlertRead } from '../../lib/browser/alertReads';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls } from '../../test/calls';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedDeviceAlarm } from '../../test/inventedDeviceAlarm';
import { inventedPatient, inventedUser, inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { alertActs, button, line, lines, listed, order, showOpenAlerts } from '../../test/showOpenAlerts';
import { PatientAlerts } from './PatientAlerts';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/dashboard', push: jest.fn() }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useAlertLog');
jest.mock('../../hooks/useAlertPatients');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/usePatient');

describe('OpenAlerts', () => {
  const { takeAlerts, acknowledgeAlert, pauseAlertAudio, undoAlertAction } = alertActs;
  const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };
  const me = { by: { id: 7, name: 'Ines Moreau' }, at: secondsAgo(4) };
  const ended = { condition: 'ended', endedAt: secondsAgo(420) } as const;
  const text = (id: number): string => line(id).textContent;
  const captions = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  const chip = (id: number) => line(id).querySelector<HTMLElement>('[data-chip]')?.dataset;

  beforeEach(() => {
    jest.mocked(useNow).mockReturnValue(wardNow);
    jest.mocked(useServerLost).mockReturnValue(null);
    takeAlerts.mockReset().mockImplementation(({ body: { alerts } }) => {
      const items = alerts.map(({ id, version }) => inventedAlert(id, { version: version + 1, accepted: me }));
      return Promise.resolve({ items });
    });
    acknowledgeAlert.mockReset().mockImplementation(({ params: { id } }) => Promise.resolve(inventedAlert(Number(id))));
    pauseAlertAudio.mockReset().mockImplementation(({ params: { id } }) => Promise.resolve(inventedAlert(Number(id))));
    undoAlertAction.mockReset().mockImplementation(({ params: { id } }) => Promise.resolve(inventedAlert(Number(id))));
  });

  describe('the open alerts on the dashboard', () => {
    it('are in groups with caption and count: what asks for someone first', () => {
      showOpenAlerts([
        inventedAlert(1),
        inventedAlert(2, { patientId: 2, accepted: nia }),
        inventedAlert(3, { patientId: 3, ...ended, latched: true }),
        inventedAlert(4, {
          patientId: null,
          deviceId: 5,
          deviceName: 'monitor 7',
          parameter: 'battery',
          priority: 'low',
        }),
      ]);
      expect(captions()).toEqual([
        'Not taken yet 1 patient',
        'Taken, still out of limits 1 patient',
        'Ended, not acknowledged 1 patient',
        'Equipment 1',
      ]);
      expect(order()).toEqual(['1', '2', '3', '4']);
      expect(screen.getByText('2 alerts need someone · 1 taken · 1 more of low priority')).toBeTruthy();
      expect(text(4)).toContain('monitor 7Equipment');
    });

    it('say once when an alert ended', () => {
      const sentence = 'SpO2 low, ended at 14:53, lowest 78';
      showOpenAlerts([inventedAlert(1, { ...ended, sentence })]);
      expect(text(1)).toMatch(/lowest 78 · Ended 7 min ago\. Not acknowledged\. raised/);
    });

    it('name the unit of an issue report, and no equipment', () => {
      const report = { patientId: null, deviceId: -5, deviceName: 'Ward 4', parameter: 'report' } as const;
      showOpenAlerts([inventedAlert(1, report), inventedAlert(2, { patientId: 2 })]);
      expect(captions()).toEqual(['Not taken yet 2']);
      expect(order()).toEqual(['1', '2']);
      expect(text(1)).toContain('Ward 4Whole unit');
    });

    it('do not count a silent gateway as a patient', () => {
      const gateway = { patientId: null, deviceId: 5, deviceName: 'North gateway', parameter: 'gateway' } as const;
      showOpenAlerts([inventedAlert(1, gateway)]);
      expect(captions()).toEqual(['Not taken yet 1']);
    });

    it('show the present value with its age, two identifiers, the place, the headline and the rest', () => {
      showOpenAlerts([inventedAlert(1, { values: { spo2: inventedValue({ value: 78 }) } })]);
      expect(text(1)).toMatch(
        /^(!!!)+78SpO2 %2 sSample1, SamEast · Bed 1 · MRN A-1SpO2 86 % < 88 for 1 minwas 94 at 14:30 · raised 45 s ago/,
      );
      expect(screen.getByRole('link', { name: 'Sample1, Sam' }).getAttribute('href')).toBe('/patient_details?ids=1');
      expect(screen.getByText('1 open alert, 1 high')).toBeTruthy();
    });

    it('name what a device reports of the same patient, and of no other', () => {
      const patients = [inventedPatient(1, { deviceAlarms: [inventedDeviceAlarm()] }), inventedPatient(2)];
      const { poll } = showOpenAlerts([inventedAlert(1), inventedAlert(2, { patientId: 2 })], { patients });
      expect(text(1)).toContain('raised 45 s ago · Device: **RR 40 >30');
      expect(text(2)).not.toContain('Device');
      jest.mocked(useServerLost).mockReturnValue(wardNow - 12_000);
      poll([inventedAlert(1, { version: 2 }), inventedAlert(2, { patientId: 2 })]);
      expect(text(1)).toContain('Device: **RR 40 >30 (unknown since 14:59)');
    });

    it('show one number for one moment: the value that came with the sentence, however new the patient’s are', () => {
      const of = (value: number) => ({ spo2: inventedValue({ value }) });
      const patients = [inventedPatient(1, { latest: of(81) })];
      const { poll } = showOpenAlerts([inventedAlert(1, { values: of(86) })], { patients });
      expect(text(1)).toMatch(/^(!!!)+86SpO2 %2 s.*SpO2 86 % < 88 for 1 min/);
      poll([inventedAlert(1, { values: of(84), sentence: 'SpO2 84 % < 88 for 1 min' })]);
      expect(text(1)).toMatch(/^(!!!)+84SpO2 %2 s.*SpO2 84 % < 88 for 1 min/);
    });

    it('are all listed with their names, whichever patients the page has loaded, without a value of another', () => {
      showOpenAlerts([inventedAlert(1, { patientId: 40 })], { patients: [inventedPatient(1)] });
      expect(text(1)).toContain('Sample40, Sam');
      expect(line(1).querySelector('[data-chip] b')?.textContent).toBe('SpO2');
    });

    it('show the values of patients who are not on the screen, read by their ids', () => {
      const values = { spo2: inventedValue({ value: 76 }) };
      showOpenAlerts([inventedAlert(1, { patientId: 40, values }), inventedAlert(2)], {
        patients: [inventedPatient(1)],
        others: [inventedPatient(40)],
      });
      expect(line(1).querySelector('[data-chip] b')?.textContent).toBe('76');
      expect(jest.mocked(useAlertPatients).mock.lastCall).toEqual([[40]]);
    });

    it('withdraw the value with the patient’s, and keep the fill', () => {
      const spo2 = inventedValue({ value: 77, asOf: secondsAgo(1_200) });
      showOpenAlerts([inventedAlert(1, { values: { spo2 } })]);
      expect(text(1)).toMatch(/^(!!!)+--SpO2 %last 77, 14:40/);
      expect(chip(1)).toMatchObject({ chip: 'filled', state: 'off' });
    });

    it('fill only what no one has acknowledged or taken, and flash only what no one has acknowledged', () => {
      showOpenAlerts([
        inventedAlert(1),
        inventedAlert(2, { patientId: 2, acknowledged: nia }),
        inventedAlert(3, { patientId: 3, accepted: nia }),
        inventedAlert(4, { patientId: 4, ...ended }),
        inventedAlert(5, { patientId: 5, priority: 'low' }),
      ]);
      expect([1, 2, 3, 4, 5].map((id) => [chip(id)?.chip, chip(id)?.flash])).toEqual([
        ['filled', ''],
        ['outlined', undefined],
        ['outlined', ''],
        ['over', undefined],
        ['filled', undefined],
      ]);
    });

    it('show a second alert of a patient as a line of its own with its own actions', async () => {
      showOpenAlerts([
        inventedAlert(1, { accepted: nia }),
        inventedAlert(2, { parameter: 'rate', priority: 'medium', version: 6 }),
      ]);
      expect(screen.getAllByRole('listitem')).toHaveLength(1);
      expect(listed().map(({ dataset }) => [dataset.alert, dataset.look])).toEqual([
        ['2', 'row'],
        ['1', 'further'],
      ]);
      await userEvent.click(button('I’m on it with the Heart rate alert of Sample1, Sam'));
      expect(takeAlerts.mock.calls).toEqual([[{ body: { alerts: [{ id: 2, version: 6 }], takeOver: false } }]]);
    });

    it('say that their patient is on trial', () => {
      const { patient } = inventedAlert(1);
      showOpenAlerts([inventedAlert(1, { patient: patient === null ? null : { ...patient, isTrial: true } })]);
      expect(text(1)).toContain('Trial · Sample1, Sam');
    });

    it('say where a patient without a bed is, by the same words as the lists', () => {
      const who = { familyName: 'Sample', givenName: 'Sam', isTrial: false, mrn: 'A-1', unit: null, bed: null };
      const { poll } = showOpenAlerts([inventedAlert(1, { patient: { ...who, profile: 'home' } })]);
      expect(text(1)).toContain('At home · MRN A-1');
      poll([inventedAlert(1, { patient: { ...who, profile: 'continuous' } })]);
      expect(text(1)).toContain('No bed · MRN A-1');
    });

    it('say once when it was raised, if the last time is as long ago in words', () => {
      const [first, last] = [secondsAgo(299), secondsAgo(241)];
      const { poll } = showOpenAlerts([inventedAlert(1, { raisedAt: first, lastRaisedAt: last })]);
      expect(text(1)).toContain('raised 4 min ago');
      expect(text(1)).not.toContain('last 4 min');
      poll([inventedAlert(1, { raisedAt: first, lastRaisedAt: secondsAgo(239) })]);
      expect(text(1)).toContain('raised 4 min ago, last 3 min ago');
    });

    it('say who was asked, who is next and when, and which role no one holds', () => {
      const { escalation } = inventedAlert(1);
      const asked = {
        step: 0,
        at: secondsAgo(45),
        roles: ['nurse' as const, 'buddy' as const],
        users: [nia.by],
        unheld: ['buddy' as const],
        wholeUnit: false,
        contact: null,
      };
      const next = { roles: ['charge_nurse' as const], wholeUnit: false, contact: null };
      showOpenAlerts([
        inventedAlert(1, {
          raisedAt: secondsAgo(300),
          escalation: { ...escalation, asked: [asked], next, nextAt: secondsAgo(-42) },
        }),
      ]);
      expect(text(1)).toContain('was 94 at 14:30 · Asks charge nurse in 0:42 · raised 5 min ago, last 45 s ago');
      expect(text(1)).toContain('Asked: nurse Nia Newcomer, buddy (none on duty) 14:59');
    });

    it('say what is over, in short rows: the first three, every HIGH and what came late and asks people', async () => {
      const medium = { ...ended, priority: 'medium' } as const;
      const over = [1, 2, 3, 4, 5].map((id) => inventedAlert(id, { patientId: id, ...medium }));
      const late = inventedAlert(7, { patientId: 7, ...medium, latched: true, parameter: 'outOfReach' });
      showOpenAlerts([...over, inventedAlert(6, { patientId: 6, ...ended, latched: true }), late]);
      expect(order()).toEqual(['1', '2', '3', '6', '7']);
      expect(text(7)).toContain('Earlier');
      expect(text(6)).toContain('Ended 7 min ago. Not acknowledged.');
      expect(line(6).dataset.look).toBe('short');
      expect(within(line(6)).getAllByRole('button')[0]?.textContent).toMatch(/^Acknowledge/);
      await userEvent.click(button('Show 2 more'));
      expect(order()).toHaveLength(7);
    });

    it('name the users who acknowledged and who took, which is not the same', () => {
      showOpenAlerts([
        inventedAlert(1, { acknowledged: nia }),
        inventedAlert(2, { patientId: 2, accepted: nia }),
        inventedAlert(3, { patientId: 3, accepted: me, acknowledged: me }),
      ]);
      expect(text(1)).toContain('Acknowledged by Nia Newcomer, 2 min ago');
      expect(within(line(1)).getByRole('button', { name: /^I’m on it/ })).toBeTruthy();
      expect(text(2)).toContain('Taken by Nia Newcomer, 2 min ago, not acknowledged');
      expect(text(3)).toContain('Taken by you, 4 s ago');
    });

    it('are outlined once the value is back within its limit, and flash on until someone has seen them', () => {
      showOpenAlerts([inventedAlert(1, { isRecovering: true }), inventedAlert(2, { patientId: 2 })]);
      expect(chip(1)).toMatchObject({ chip: 'outlined', flash: '' });
      expect(chip(2)).toMatchObject({ chip: 'filled', flash: '' });
    });

    it('have no buttons for users who may not handle alerts', () => {
      showOpenAlerts([inventedAlert(1)], { user: inventedUser({ type: 'viewer' }) });
      expect(screen.queryByRole('button')).toBeNull();
      expect(text(1)).toMatch(/Not taken, not acknowledged$/);
    });

    it('are called not live at their head while the server does not respond, and nothing can be sent', async () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      const values = { spo2: inventedValue({ value: 86 }) };
      const { container } = showOpenAlerts([inventedAlert(1, { values })]);
      expect(screen.getByText('Not live')).toBeTruthy();
      expect(container.querySelector('[data-chip] s')?.textContent).toBe('86');
      expect(container.querySelector('[data-old] [data-current]')).not.toBeNull();
      const take = button(/^I’m on it/);
      expect([take.getAttribute('aria-disabled'), take.title]).toEqual(['true', 'Not live: nothing can be sent now']);
      await userEvent.click(take);
      expect(takeAlerts).not.toHaveBeenCalled();
    });

    it('are not live while calls about alerts alone have no answer: only a pause of sound can be sent', async () => {
      noteResponse(wardNow, thisMoment());
      const read = {};
      noteAlertRead(read, wardNow - 10_000);
      showOpenAlerts([inventedAlert(1)]);
      expect(screen.getByText('Not live')).toBeTruthy();
      expect(button(/^Acknowledge/).getAttribute('aria-disabled')).toBe('true');
      await userEvent.click(button('More about the alert of Sample1, Sam'));
      const off = screen.getAllByRole('menuitem').map(({ textContent, ariaDisabled }) => [textContent, ariaDisabled]);
      expect(off).toEqual([
        ['Pause sound for 2 min', 'false'],
        ['I can’t come …', 'true'],
        ['Resolve …', 'true'],
        ['Hand over to …', 'true'],
        ['Patient details', null],
        ['History', null],
      ]);
      await userEvent.click(screen.getByRole('menuitem', { name: 'Resolve …' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      holdAlertRead(read)();
    });

    it('say that there are none, and that the rules are off if they are', () => {
      const { unmount } = showOpenAlerts([]);
      expect(screen.getByText('None')).toBeTruthy();
      unmount();
      const { site } = inventedUser();
      showOpenAlerts([], { user: inventedUser({ site: { ...site, rulesAreOn: false } }) });
      expect(screen.getByText('None. The alert rules are off on this site.')).toBeTruthy();
    });

    it('stay, marked old, when a refresh fails, and are not none before the first response', () => {
      const { unmount } = showOpenAlerts([inventedAlert(1)], { change: { error: clientFailure('unreachable') } });
      const notice = screen.getByText(/^Old data: as it was at/);
      expect(line(1).compareDocumentPosition(notice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      unmount();
      showOpenAlerts([], { change: { data: undefined, isLoading: true } });
      expect(screen.queryByText('None')).toBeNull();
      expect(screen.getByText('Loading alerts …')).toBeTruthy();
    });

    it('say that the escalation goes on after an acknowledgement, and not once someone has taken them', () => {
      const { escalation } = inventedAlert(1);
      const next = { roles: ['charge_nurse' as const], wholeUnit: false, contact: null };
      const asking = { escalation: { ...escalation, next, nextAt: secondsAgo(-42) } };
      showOpenAlerts([
        inventedAlert(1, asking),
        inventedAlert(2, { patientId: 2, acknowledged: nia, ...asking }),
        inventedAlert(3, { patientId: 3, acknowledged: nia, accepted: nia }),
      ]);
      expect(text(2)).toContain('Escalation goes on: asks charge nurse in 0:42');
      expect(text(1)).toContain('Asks charge nurse in 0:42');
      expect([text(1), text(3)].join()).not.toContain('goes on');
    });

    it('say clock times in place of ages and countdowns while the server does not answer', () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow - 12_000);
      const { escalation } = inventedAlert(1);
      const step = { roles: ['charge_nurse' as const], wholeUnit: false, contact: null };
      showOpenAlerts([
        inventedAlert(1, {
          raisedAt: secondsAgo(53),
          lastRaisedAt: secondsAgo(53),
          escalation: { ...escalation, next: step, nextAt: secondsAgo(-42) },
          audioPausedUntil: secondsAgo(-90),
          sentence: 'SpO2 91 % now, 91 % now, for 4 min',
        }),
        inventedAlert(2, { patientId: 2, ...ended, accepted: nia }),
      ]);
      const [open, over] = [text(1), text(2)];
      expect(open).toMatch(/Asks charge nurse at \d\d:\d\d · .*raised at \d\d:\d\d/);
      expect(open).toMatch(/Sound paused until \d\d:\d\d/);
      expect(open).toMatch(/SpO2 91 % at \d\d:\d\d.*91 % at \d\d:\d\d, for 4 min/);
      expect(over).toMatch(/Ended at \d\d:\d\d\. Not acknowledged\./);
      expect(over).toMatch(/Taken by Nia Newcomer, at \d\d:\d\d/);
      expect(open + over).not.toMatch(/ ago| left|in \d+:\d\d/);
    });

    it('have no accessibility violation', async () => {
      const { container } = showOpenAlerts([
        inventedAlert(1),
        inventedAlert(2, { parameter: 'rate', priority: 'medium', acknowledged: nia }),
        inventedAlert(3, { patientId: 2, priority: 'low' }),
        inventedAlert(4, { patientId: 3, ...ended }),
      ]);
      await userEvent.click(button('More about the alert of Sample2, Sam'));
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });

  describe('an act on an alert', () => {
    it('carries the version that was seen, and says at once that it was heard', async () => {
      let end: () => void = () => {};
      acknowledgeAlert.mockReturnValue(new Promise((resolve) => (end = () => resolve(inventedAlert(1)))));
      showOpenAlerts([inventedAlert(1, { version: 3 })]);
      await userEvent.click(button(/^Acknowledge the SpO2/));
      expect(button(/^Sending … the SpO2 alert/)).toBeTruthy();
      expect(button(/^I’m on it/).getAttribute('aria-disabled')).toBe('true');
      await userEvent.click(button(/^I’m on it/));
      expect(acknowledgeAlert.mock.calls).toEqual([[{ params: { id: 1 }, body: { version: 3 } }]]);
      expect(takeAlerts).not.toHaveBeenCalled();
      end();
      await waitFor(() => expect(screen.getByText('Acknowledged: SpO2 alert of Sample1, Sam')).toBeTruthy());
    });

    it('of a patient whom emergency access alone shows is only acknowledging', () => {
      const user = inventedUser({ units: [{ id: 3, name: 'West' }] });
      showOpenAlerts([inventedAlert(1)], { user });
      expect(
        within(line(1))
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      ).toEqual(['Acknowledge the SpO2 alert of Sample1, Sam']);
    });

    it('takes an alert from its owner only by the button that names them', async () => {
      showOpenAlerts([inventedAlert(1, { accepted: nia })]);
      await userEvent.click(button('Take over from Nia Newcomer the SpO2 alert of Sample1, Sam'));
      expect(takeAlerts.mock.calls).toEqual([[{ body: { alerts: [{ id: 1, version: 1 }], takeOver: true } }]]);
    });

    it('asks the user who took it again, in time', async () => {
      const { escalation } = inventedAlert(1);
      showOpenAlerts([inventedAlert(1, { accepted: me, escalation: { ...escalation, answerBy: secondsAgo(-60) } })]);
      await userEvent.click(button(/^I’m still on it/));
      expect(takeAlerts).toHaveBeenCalledTimes(1);
    });

    it('that is refused says so beside its alert, with who was first', async () => {
      const message = 'This alert has changed. Nia Newcomer took it.';
      takeAlerts.mockRejectedValue(new ApiFailure('alert_changed', message, { status: 409 }));
      showOpenAlerts([inventedAlert(1), inventedAlert(2, { patientId: 2 })]);
      await userEvent.click(button('I’m on it with the SpO2 alert of Sample1, Sam'));
      expect((await within(line(1)).findByRole('alert')).textContent).toBe(
        'Not done. This alert has changed. Nia Newcomer took it.',
      );
      expect(text(2)).not.toContain('Not done');
    });

    it('that does not reach the server stays visible as not sent, and is never sent by itself', async () => {
      acknowledgeAlert.mockRejectedValue(clientFailure('unreachable'));
      const { poll } = showOpenAlerts([inventedAlert(1)]);
      await userEvent.click(button(/^Acknowledge the SpO2/));
      const words = await within(line(1)).findByText('Not sent: “Acknowledge”. The server cannot be reached.');
      expect(words.getAttribute('role')).toBe('alert');
      poll([inventedAlert(1, { version: 2, accepted: nia })]);
      expect(text(1)).toContain('Not sent: “Acknowledge”. The alert has changed since.');
      poll([inventedAlert(1, { version: 2, acknowledged: me })]);
      expect(text(1)).not.toContain('Not sent');
      expect(acknowledgeAlert).toHaveBeenCalledTimes(1);
    });

    it.each(['no_response', 'unreadable_response'] as const)(
      'whose response is lost (%s) is not called done or not done, and goes once it is seen to be done',
      async (code) => {
        acknowledgeAlert.mockRejectedValue(clientFailure(code, code === 'no_response' ? undefined : 200));
        const { poll } = showOpenAlerts([inventedAlert(1)]);
        await userEvent.click(button(/^Acknowledge the SpO2/));
        await within(line(1)).findByText(/^Not known whether done: “Acknowledge”\./);
        expect(text(1)).not.toMatch(/Not done|Not sent/);
        poll([inventedAlert(1, { version: 2, accepted: nia })]);
        expect(text(1)).toContain('Not known whether done: “Acknowledge”. The alert has changed since.');
        poll([inventedAlert(1, { version: 2, acknowledged: me })]);
        expect(text(1)).not.toContain('Not known');
      },
    );

    it('can be taken back as long as the server allows it', async () => {
      const undo = { eventId: 90, until: secondsAgo(-11) };
      showOpenAlerts([
        inventedAlert(1, { accepted: me, undo }),
        inventedAlert(2, { patientId: 2, accepted: me, undo: { ...undo, until: secondsAgo(0) } }),
      ]);
      expect(within(line(2)).queryByRole('button', { name: /^Undo/ })).toBeNull();
      await userEvent.click(button(/^Undo/));
      expect(undoAlertAction.mock.calls).toEqual([[{ params: { id: 1 }, body: { eventId: 90 } }]]);
    });

    it('from the menu is reached by the arrow keys, and Escape closes the menu', async () => {
      showOpenAlerts([inventedAlert(1)]);
      const more = button('More about the alert of Sample1, Sam');
      await userEvent.click(more);
      expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
        'Pause sound for 2 min',
        'I can’t come …',
        'Resolve …',
        'Hand over to …',
        'Patient details',
        'History',
      ]);
      await userEvent.keyboard('{ArrowDown}{ArrowUp}{Escape}');
      expect(screen.queryByRole('menu')).toBeNull();
      expect(document.activeElement).toBe(more);
      await userEvent.keyboard('{Enter}{Enter}');
      expect(pauseAlertAudio.mock.calls).toEqual([[{ params: { id: 1 }, body: { seconds: 120, version: 1 } }]]);
    });

    it('can silence what was acknowledged before a colleague asked this user to take it over', async () => {
      const asked = { by: nia.by, to: me.by, at: secondsAgo(10) };
      showOpenAlerts([inventedAlert(1, { acknowledged: nia, accepted: nia, reassigned: asked })]);
      await userEvent.click(button('More about the alert of Sample1, Sam'));
      await userEvent.click(screen.getByRole('menuitem', { name: 'Acknowledge' }));
      expect(acknowledgeAlert).toHaveBeenCalledTimes(1);
    });

    it('can silence what was acknowledged before a step asked this user by name', async () => {
      const alert = inventedAlert(1, { acknowledged: nia });
      const named = { roles: [], users: [me.by], unheld: [], wholeUnit: false, contact: null, step: 1 };
      showOpenAlerts([{ ...alert, escalation: { ...alert.escalation, asked: [{ ...named, at: secondsAgo(10) }] } }]);
      await userEvent.click(button(/^Acknowledge/));
      expect(acknowledgeAlert).toHaveBeenCalledTimes(1);
    });

    it('is one alone if the user has emergency access only', () => {
      const user = inventedUser();
      const permissions = user.permissions.filter((permission) => permission !== 'handleAlerts');
      showOpenAlerts([inventedAlert(1), inventedAlert(2, { patientId: 2, accepted: nia })], {
        user: { ...user, permissions },
      });
      expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
        'Acknowledge the SpO2 alert of Sample1, Sam',
        'Acknowledge the SpO2 alert of Sample2, Sam',
      ]);
    });
  });
});

describe('PatientAlerts', () => {
  const user = inventedUser();
  const strip = () => <PatientAlerts patientId={1} user={user} initialNow={wardNow} />;

  function show(alerts: AlertItem[]) {
    setCalls(alertActs);
    jest.mocked(useAlertLog).mockReturnValue(undefined);
    jest.mocked(useNow).mockReturnValue(wardNow);
    jest.mocked(useServerLost).mockReturnValue(null);
    jest.mocked(usePatient).mockReturnValue(answered(inventedPatient(1)));
    const respond = (items: AlertItem[]): void => {
      jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts(items)));
    };
    respond(alerts);
    const { rerender, container } = render(strip());
    return {
      container,
      poll: (newer: AlertItem[]): void => {
        respond(newer);
        rerender(strip());
      },
    };
  }

  describe('the alerts on the page of a patient', () => {
    it('are those of the patient alone, and nothing if there are none', () => {
      const { container, poll } = show([inventedAlert(2, { patientId: 2 })]);
      expect(container.textContent).toBe('');
      poll([inventedAlert(2, { patientId: 2 }), inventedAlert(1, { values: { spo2: inventedValue({ value: 78 }) } })]);
      expect(lines().map(({ dataset }) => [dataset.alert, dataset.look])).toEqual([['1', 'strip']]);
      expect(lines()[0]?.textContent).toMatch(/^(!!!)+78SpO2 %2 sSpO2 86 % < 88 for 1 min/);
    });

    it('fold to the worst one and say how many more there are', async () => {
      const { container } = show([
        inventedAlert(1),
        inventedAlert(3, { parameter: 'rate', priority: 'medium' }),
        inventedAlert(2, { patientId: 2 }),
      ]);
      expect(lines()).toHaveLength(1);
      await userEvent.click(screen.getByRole('button', { name: '+1 alert' }));
      expect(lines().map(({ dataset }) => dataset.alert)).toEqual(['1', '3']);
      await expect(axeViolations(container)).resolves.toEqual([]);
    });

    it('hold still under the pointer, and say that another one has come', async () => {
      const { poll } = show([inventedAlert(1, { priority: 'medium' })]);
      fireEvent.pointerMove(lines()[0] ?? document.body);
      poll([inventedAlert(3, { parameter: 'rate' }), inventedAlert(1, { priority: 'medium' })]);
      expect(lines().map(({ dataset }) => dataset.alert)).toEqual(['1']);
      await userEvent.click(screen.getByRole('button', { name: '+1 new alert' }));
      expect(lines()[0]?.dataset.alert).toBe('3');
    });
  });
});

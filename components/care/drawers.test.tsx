import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { downloadPatientFile } from '../../lib/browser/downloadPatientFile';
import type { Chart, EntryStatus } from '../../lib/chart/schema';
import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import type { HeldValues as Held } from '../../lib/patients/heldCalls';
import { permissionsOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedChart } from '../../test/inventedChart';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { CheckInLinksDrawer } from './CheckInLinksDrawer';
import { ExportDrawer } from './ExportDrawer';
import { HeldValues } from './HeldValues';
import { PatientDevicesDrawer } from './PatientDevicesDrawer';
import { ReleaseDrawer } from './ReleaseDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../lib/browser/downloadPatientFile');
jest.mock('../../hooks/useNow', () => ({ useNow: () => wardNow }));

describe('CheckInLinksDrawer', () => {
  const sam = inventedPatient(1);
  const someone = inventedUser();
  const user = { ...someone, site: { ...someone.site, timeZone: 'Europe/London', emergencyNumber: '112' } };
  const link: CheckInLink = {
    id: 5,
    patientId: sam.id,
    for: 'proxy',
    createdAt: '2026-05-01T09:00:00Z',
    createdBy: { id: 3, name: 'Nia Newcomer' },
    expiresAt: '2026-05-31T09:00:00Z',
    state: 'active',
    revokedAt: null,
    revokedBy: null,
    lockedAt: null,
    wrongTries: 0,
    openedAt: null,
    lastOpenedAt: null,
    openedOn: null,
  };
  const address = `https://ward.example/check_in#${'s'.repeat(43)}`;
  const calls = {
    createCheckInLink: callMock<'createCheckInLink'>(),
    revokeCheckInLink: callMock<'revokeCheckInLink'>(),
  };
  const onClose = jest.fn();

  beforeEach(() => {
    onClose.mockReset();
    calls.createCheckInLink.mockReset().mockResolvedValue({ link, secret: 's'.repeat(43), address });
    calls.revokeCheckInLink.mockReset().mockResolvedValue({ ...link, state: 'revoked' });
    setCalls(calls);
    setReads({ listCheckInLinks: answered({ patientId: sam.id, items: [], outOfHoursText: null }) });
  });

  const open = (as: User = user) =>
    render(<CheckInLinksDrawer patient={sam} user={as} now={wardNow} onChanged={() => {}} onClose={onClose} />);
  const idsSent = () => calls.createCheckInLink.mock.calls.map(([{ body }]) => body.clientId);
  const list = (...items: Partial<CheckInLink>[]): void =>
    setReads({
      listCheckInLinks: answered({
        patientId: sam.id,
        items: items.map((each, id) => ({ ...link, id, ...each })),
        outOfHoursText: null,
      }),
    });

  describe('the check-in links of a patient', () => {
    it('cannot be made without the site’s emergency number, and say who sets it', () => {
      open({ ...user, site: { ...user.site, emergencyNumber: null } });
      expect(screen.getByText(/this site has no emergency number/).parentElement?.textContent).toContain(
        'An administrator can set it on the page “Site”.',
      );
      expect(screen.queryByRole('button', { name: 'New link' })).toBeNull();
    });

    it('say what their page says of the ward’s hours, or that it says nothing of them', () => {
      const { unmount } = open();
      expect(screen.getByText(/^Its page does not say when the ward answers\./)).toBeTruthy();
      unmount();
      const outOfHoursText = 'The ward answers from 8 to 20. At night call 020 7946 0958.';
      setReads({ listCheckInLinks: answered({ patientId: sam.id, items: [], outOfHoursText }) });
      open();
      expect(screen.getByText(`Its page says about the ward’s hours: “${outOfHoursText}”`)).toBeTruthy();
    });

    it('are not those of another patient', () => {
      setReads({ listCheckInLinks: answered({ patientId: sam.id + 1, items: [link], outOfHoursText: null }) });
      open();
      expect(screen.queryByRole('heading', { name: /^Link of/ })).toBeNull();
    });

    it('say what became of each, for whom, by whom, and when and on what it was opened', () => {
      list(
        {},
        {
          state: 'locked',
          lockedAt: '2026-05-02T09:00:00Z',
          openedAt: '2026-05-01T10:00:00Z',
          lastOpenedAt: '2026-05-01T11:00:00Z',
          openedOn: 'phone',
          for: 'patient',
        },
        { state: 'revoked', revokedAt: '2026-05-03T09:00:00Z', revokedBy: { id: 4, name: 'Lena Leader' } },
        { state: 'expired' },
      );
      open();
      const texts = screen.getAllByRole('region').map(({ textContent }) => textContent);
      expect(texts).toEqual([
        expect.stringMatching(
          /Works until 31 May, 10:00For: a person who looks after them\. Created by Nia Newcomer\.Not op/,
        ),
        expect.stringMatching(
          /Locked 02 May, 10:00 after too many wrong years of birthFor: the patient\..*First opened 01 May/,
        ),
        expect.stringContaining('Revoked 03 May, 10:00 by Lena Leader'),
        expect.stringContaining('Ended 31 May, 10:00'),
      ]);
      expect(screen.getAllByRole('button', { name: /^Revoke the link/ })).toHaveLength(1);
    });

    it('show a new one once, with its code, and no more in the next drawer', async () => {
      const { baseElement, unmount } = open();
      await userEvent.click(screen.getByText('A person who looks after them'));
      await userEvent.click(screen.getByText('7 days'));
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      expect(calls.createCheckInLink).toHaveBeenCalledWith({
        params: { id: sam.id },
        body: { for: 'proxy', lastsDays: 7, clientId: expect.any(String) as unknown },
      });
      const shown = await screen.findByRole('region', { name: 'New link' });
      expect(within(shown).getByRole('textbox')).toHaveProperty('value', address);
      expect(shown.querySelector('svg')).toBeTruthy();
      await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
      unmount();
      open();
      expect(screen.queryByRole('region', { name: 'New link' })).toBeNull();
    });

    it('are not made twice by a second click: there is no button any more, until another one is wanted', async () => {
      open();
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      expect(document.activeElement).toBe(await screen.findByRole('textbox'));
      expect(screen.queryByRole('button', { name: 'New link' })).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Create another link' }));
      expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'The patient' }));
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      const [first, second] = idsSent();
      expect(second).not.toBe(first);
    });

    it('carry one id until the answer comes, so that an attempt after a lost one makes no second', async () => {
      calls.createCheckInLink.mockRejectedValueOnce(new ApiFailure('no_response', 'No response came.'));
      open();
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      await expect(screen.findByText(/^It is not known whether this was created/)).resolves.toBeTruthy();
      await userEvent.click(screen.getByText('7 days'));
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      const [first, second] = idsSent();
      expect(second).toBe(first);
    });

    it('show no code any more of one that was revoked', async () => {
      const { rerender } = open();
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      await screen.findByRole('region', { name: 'New link' });
      list({ id: link.id, state: 'revoked', revokedAt: '2026-05-01T09:01:00Z' });
      rerender(<CheckInLinksDrawer patient={sam} user={user} now={wardNow} onChanged={() => {}} onClose={onClose} />);
      expect(screen.queryByRole('region', { name: 'New link' })).toBeNull();
    });

    it('say why none was made', async () => {
      calls.createCheckInLink.mockRejectedValue(
        new ApiFailure('rules_off', 'The alert rules are off.', { status: 409 }),
      );
      open();
      await userEvent.click(screen.getByRole('button', { name: 'New link' }));
      await expect(screen.findByText('Not created. The alert rules are off.')).resolves.toBeTruthy();
    });

    it('are revoked after a question', async () => {
      list({});
      open();
      await userEvent.click(screen.getByRole('button', { name: 'Revoke the link of 01 May, 10:00' }));
      expect(calls.revokeCheckInLink).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
      expect(calls.revokeCheckInLink).toHaveBeenCalledWith({ params: { id: 0 } });
    });
  });
});

describe('ExportDrawer', () => {
  const confirmPassword = callMock<'confirmPassword'>();
  const download = jest.mocked(downloadPatientFile);
  const saved: string[] = [];
  const who = { type: 'physician' as const, isAdmin: false, units: [] };
  const user = inventedUser({ ...who, permissions: permissionsOf(who) });
  const sam = inventedPatient(1);
  const file = { name: 'patient-1-notes.csv', content: new Blob(['x']), rows: 3 };
  const needed = new ApiFailure('password_needed', 'Confirm your password first.', { status: 403 });

  beforeEach(() => {
    saved.length = 0;
    download.mockReset().mockResolvedValue(file);
    confirmPassword.mockReset().mockResolvedValue(user);
    setCalls({ confirmPassword });
    URL.createObjectURL = () => 'blob:file';
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe('the export of a patient', () => {
    const open = () =>
      render(<ExportDrawer patient={sam} user={user} now={wardNow} onChanged={jest.fn()} onClose={jest.fn()} />);
    const choose = async (...labels: string[]): Promise<void> => {
      for (const label of ['Vital signs', 'Notes', 'Symptoms', 'Alerts'].filter((one) => !labels.includes(one))) {
        await userEvent.click(screen.getByRole('checkbox', { name: label }));
      }
    };
    const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
    const asked = () => download.mock.calls.map(([id, query]) => [id, query]);

    it('is of nothing if nothing is chosen, and says so', async () => {
      open();
      await choose();
      await press('Export');
      expect(screen.getByText('Choose what to export.')).toBeTruthy();
      await choose('Vital signs', 'Symptoms', 'Alerts');
      await userEvent.click(screen.getByRole('radio', { name: 'Other days' }));
      expect(screen.getByText('Choose both days.')).toBeTruthy();
      expect(asked()).toEqual([]);
    });

    it('saves a file for each kind, of the stay unless days are chosen', async () => {
      const { baseElement } = open();
      await choose('Notes', 'Alerts');
      await press('Export');
      await expect(screen.findByText('2 files were given to the browser to save.')).resolves.toBeTruthy();
      expect(asked()).toEqual([
        [1, { kind: 'notes' }],
        [1, { kind: 'alerts' }],
      ]);
      expect(saved).toEqual([file.name, file.name]);
      await expect(axeViolations(baseElement)).resolves.toEqual([]);
    });

    it.each([
      [3, 0, 'Nothing was recorded in this period: alerts.'],
      [0, 0, 'Nothing was recorded in this period. 2 files were given to the browser to save. Each has only a header.'],
    ])('says of what nothing was recorded, also after a password: %j and %j rows', async (notes, alerts, words) => {
      download
        .mockResolvedValueOnce({ ...file, rows: notes })
        .mockRejectedValueOnce(needed)
        .mockResolvedValueOnce({ ...file, rows: alerts });
      open();
      await choose('Notes', 'Alerts');
      await press('Export');
      await writeInto(await screen.findByLabelText('Your password'), 'a secret of mine');
      await press('Confirm and export');
      await screen.findByText(/given to the browser/);
      expect(screen.getByRole('status').textContent).toContain(words);
      expect(
        screen
          .getAllByRole('alert')
          .map(({ textContent }) => textContent)
          .join(''),
      ).toBe('');
    });

    it('asks for the password in its place, and goes on where it was', async () => {
      download.mockResolvedValueOnce(file).mockRejectedValueOnce(needed);
      open();
      await choose('Notes', 'Symptoms', 'Alerts');
      await press('Export');
      confirmPassword.mockRejectedValueOnce(
        new ApiFailure('wrong_password', 'The password is wrong.', { status: 401 }),
      );
      await writeInto(await screen.findByLabelText('Your password'), 'a secret of mine');
      await press('Confirm and export');
      await expect(screen.findByText(/is wrong/)).resolves.toBeTruthy();
      expect(asked()).toHaveLength(2);
      await press('Confirm and export');
      await expect(screen.findByText('3 files were given to the browser to save.')).resolves.toBeTruthy();
      expect(asked().map(([, query]) => query)).toEqual([
        { kind: 'notes' },
        { kind: 'symptoms' },
        { kind: 'symptoms' },
        { kind: 'alerts' },
      ]);
    });

    it('shows how far it is, is never full too early, and ends when it is cancelled', async () => {
      let signal: AbortSignal | null = null;
      let onRows: ((rows: number, ofAbout: number | null) => void) | null = null;
      download.mockImplementation((_id, _query, following) => {
        ({ signal, onRows } = following);
        return new Promise(() => undefined);
      });
      open();
      await choose('Vital signs');
      await press('Export');
      const come = (rows: number, ofAbout: number | null): void => {
        act(() => {
          onRows?.(rows, ofAbout);
        });
      };
      come(10, null);
      expect([screen.getByText('Vital signs: 10 rows'), screen.queryByRole('progressbar')]).toEqual([
        expect.anything(),
        null,
      ]);
      come(250, 1_000);
      expect(screen.getByText('Vital signs: 250 rows of about 1,000')).toBeTruthy();
      expect(screen.getByRole('progressbar').ariaValueNow).toBe('25');
      come(1_200, 1_000);
      expect(screen.getByRole('progressbar').ariaValueNow).toBe('99');
      // Beside the other button, above all that comes and goes with each file: it never moves away from the pointer.
      expect(screen.getByRole('button', { name: 'Cancel' }).previousElementSibling?.textContent).toContain('Export');
      await press('Cancel');
      expect(document.activeElement?.textContent).toContain('Export');
      expect(signal).toMatchObject({ aborted: true });
      expect(screen.getByText('Cancelled. The unfinished file was not saved.')).toBeTruthy();
      expect(saved).toEqual([]);
    });

    it('saves nothing of a file that breaks off, and tries again from there', async () => {
      download
        .mockResolvedValueOnce(file)
        .mockRejectedValueOnce(new ApiFailure('no_response', 'The connection was lost before the server answered.'));
      open();
      await choose('Notes', 'Alerts');
      await press('Export');
      await expect(screen.findByText(/^Alerts: no file was saved\. The connection was lost/)).resolves.toBeTruthy();
      expect(saved).toHaveLength(1);
      await press('Try again from there');
      await expect(screen.findByText('2 files were given to the browser to save.')).resolves.toBeTruthy();
      expect(asked().at(-1)).toEqual([1, { kind: 'alerts' }]);
    });
  });
});

describe('HeldValues', () => {
  const releaseValues = callMock<'releaseValues'>();
  const takeBackRelease = callMock<'takeBackRelease'>();
  const onChanged = jest.fn();
  const onClose = jest.fn();
  const patient = inventedPatient(4);
  const held: Held = { bed: '7', since: secondsAgo(300), until: secondsAgo(0), releasedBy: null };
  const released: Held = { ...held, releasedBy: 'Ann Lee' };
  const show = (items: Held[], canRelease = true) => {
    setReads({ listHeldValues: answered({ patientId: 4, items }) });
    return render(<HeldValues {...{ patient, user: inventedUser(), canRelease }} initialNow={wardNow} />);
  };
  const drawer = () => render(<ReleaseDrawer {...{ held, patient, onClose }} user={inventedUser()} now={wardNow} />);

  beforeEach(() => {
    [releaseValues, takeBackRelease].forEach((mock) => mock.mockReset());
    [onChanged, onClose].forEach((mock) => mock.mockReset());
    releaseValues.mockResolvedValue({ patientId: 4, items: [released] });
    takeBackRelease.mockResolvedValue({ patientId: 4, items: [held] });
    setCalls({ releaseValues, takeBackRelease });
  });

  describe('values of a bed that are held', () => {
    it('are not mentioned where none are', () => {
      expect(show([]).container.textContent).toBe('');
    });

    it('are said to users who may not release them, without a button', () => {
      const over = { ...held, since: secondsAgo(301), until: secondsAgo(1) };
      show([held, over, { ...released, since: secondsAgo(302) }], false);
      expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
        'Values from the monitor of bed 7 have been held since 14:55: the bed has just changed.',
        'Values from the monitor of bed 7 from 14:54 to 14:59 are held: the bed had just changed.',
        'Values from the monitor of bed 7 count from 14:54 on, released by Ann Lee.',
      ]);
      expect(screen.queryByRole('button')).toBeNull();
    });

    it('are not released by a wrong pair, and what was typed stays', async () => {
      releaseValues.mockRejectedValueOnce(new ApiFailure('patient_not_matched', 'Compare both.', { status: 422 }));
      drawer();
      const mrn = screen.getByLabelText(/^MRN/);
      expect([mrn, screen.getByLabelText(/^Date of birth/)].map((field) => (field as HTMLInputElement).value)).toEqual([
        '',
        '',
      ]);
      await userEvent.type(mrn, 'M7');
      await writeInto(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
      await userEvent.click(screen.getByRole('button', { name: 'Release values' }));
      await expect(screen.findByText(/Not released. Compare both/)).resolves.toBeTruthy();
      expect(onClose).not.toHaveBeenCalled();
    });

    it('are released by both identifiers', async () => {
      const { baseElement } = drawer();
      await expect(axeViolations(baseElement)).resolves.toEqual([]);
      await userEvent.type(screen.getByLabelText(/^MRN/), 'M8');
      await writeInto(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
      await userEvent.click(screen.getByRole('button', { name: 'Release values' }));
      expect(releaseValues).toHaveBeenCalledWith({
        params: { id: 4 },
        body: { mrn: 'M8', dateOfBirth: '1950-03-07', since: held.since },
      });
      expect(onClose).toHaveBeenCalledTimes(1);
    });

    it('are held again when the release is taken back', async () => {
      show([released]);
      await userEvent.click(screen.getByRole('button', { name: 'Take back the release' }));
      await userEvent.click(await screen.findByRole('button', { name: /^Take back$/ }));
      expect(takeBackRelease).toHaveBeenCalledWith({ params: { id: 4 }, body: { since: held.since } });
    });
  });

  describe('values of a device that was on the wrong patient', () => {
    it('are withdrawn for one of the times when it was there, once that is confirmed', async () => {
      const stay = (id: number, status: EntryStatus, to: number | null): Chart['sections']['devices'][number] => ({
        ...{ id, section: 'devices', value: { deviceId: 7, name: 'Monitor' }, source: null, author: null },
        ...{ effectiveAt: secondsAgo(900), recordedAt: secondsAgo(900), replaces: null, reason: null, status },
        mark: to === null ? null : { by: null, at: secondsAgo(to), reason: null },
      });
      const devices = [stay(33, 'current', null), stay(32, 'ended', 60), stay(31, 'entered_in_error', 90)];
      setReads({
        listDevices: answered({ items: [], total: 0 }),
        readChart: answered(inventedChart(4, { devices })),
      });
      const withdrawDevice = callMock<'withdrawDevice'>().mockResolvedValue(null);
      setCalls({ withdrawDevice, assignDevice: callMock<'assignDevice'>() });
      render(<PatientDevicesDrawer {...{ patient, onChanged, onClose }} user={inventedUser()} now={wardNow} />);
      const choice = screen.getByRole('combobox', { name: /^Values of/ });
      const labels = await offeredOptions(choice);
      expect(labels).toEqual([
        expect.stringMatching(/^Monitor, .* to now$/),
        expect.stringMatching(/^Monitor, .* to .*:/),
      ]);
      await chooseOption(choice, labels[1] ?? '');
      await writeInto(screen.getByLabelText(/^Why/), 'Of bed 4');
      await userEvent.click(screen.getByRole('button', { name: 'Withdraw the values' }));
      const question = within(await screen.findByRole('tooltip'));
      expect(question.getByText(`Withdraw for good: ${labels[1]}?`)).toBeTruthy();
      expect(withdrawDevice).not.toHaveBeenCalled();
      await userEvent.click(question.getByRole('button', { name: 'Withdraw the values' }));
      const body = { patientId: 4, stayId: 32, reason: 'Of bed 4' };
      expect(withdrawDevice).toHaveBeenCalledWith({ params: { id: 7 }, body });
    });
  });
});

import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { usePatients } from '../../hooks/usePatients';
import { useServerLost } from '../../hooks/useServerLost';
import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import { ApiFailure } from '../../lib/browser/client';
import type { Patient } from '../../lib/patients/schema';
import { permissionsOf } from '../../lib/session/permissions';
import type { UserType } from '../../lib/session/userTypes';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ActionsMenu } from './ActionsMenu';
import { DischargeDrawer } from './DischargeDrawer';
import { EditPatientDrawer } from './EditPatientDrawer';
import { LimitsDrawer } from './LimitsDrawer';
import { LimitsPreview } from './LimitsPreview';
import { MoveBedDrawer } from './MoveBedDrawer';
import { sinceOf } from './SinceField';
import { StandbyDrawer } from './StandbyDrawer';
import { limitWords, readLimit } from './limitWords';
import { previewWords } from './previewWords';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/usePatients');

describe('ActionsMenu', () => {
  const calls = {
    changePatient: callMock<'changePatient'>(),
    startStandby: callMock<'startStandby'>(),
    endStandby: callMock<'endStandby'>(),
    swapBeds: callMock<'swapBeds'>(),
    changeLimits: callMock<'changeLimits'>(),
    previewLimits: callMock<'previewLimits'>(),
  };
  const error = new ApiFailure('unreachable', 'The server cannot be reached.');
  const onChanged = jest.fn();
  const onClose = jest.fn();
  const sam = inventedPatient(1);
  const other = inventedPatient(2, { version: 4 });
  const inBed = inventedPatient(3, { location: { unit: 'East', bed: 'S3' } });
  const lowLimit = {
    rule: 'spo2.low' as const,
    priority: 'high' as const,
    unit: '%',
    lowIs: 'below' as const,
    delayMs: 15_000,
    bounds: { low: { min: 80, max: 92 }, high: null },
    default: { low: 88, high: null },
    site: null,
    own: null,
    holds: { low: 88, high: null },
  };

  beforeEach(() => {
    onChanged.mockReset();
    onClose.mockReset();
    calls.changePatient.mockReset().mockResolvedValue(sam);
    calls.startStandby.mockReset();
    calls.endStandby.mockReset();
    calls.swapBeds.mockReset().mockResolvedValue({ items: [sam, other] });
    const limits = { scale: 1 as const, items: [lowLimit], history: [] };
    calls.changeLimits.mockReset().mockResolvedValue(limits);
    calls.previewLimits
      .mockReset()
      .mockRejectedValue(new ApiFailure('preview_late', 'It took too long.', { status: 503 }));
    jest.mocked(useServerLost).mockReturnValue(null);
    setCalls(calls);
    jest
      .mocked(usePatients)
      .mockReturnValue(answered({ items: [sam, inBed], total: 2, version: '1', units: [], beds: [] }));
    setReads({
      listAlerts: answered({ items: [], total: 0, version: '1' }),
      listDevices: answered({ items: [], total: 0 }),
      listUnits: answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 }),
      getStandbyLeft: answered({ minutes: 45, ofBudget: 45 }),
      getLimits: answered(limits),
      getPatient: answered({ ...other, standby: null, comfortCare: null, news2: null }),
    });
  });

  const userOf = (type: UserType) => {
    const who = { type, isAdmin: false, units: [] };
    return inventedUser({ ...who, permissions: permissionsOf(who) });
  };
  const props = (patient: Patient = sam) => ({ patient, user: userOf('ward_lead'), now: wardNow, onChanged, onClose });

  describe('the Actions of a patient', () => {
    const open = async (type: UserType, patient = sam): Promise<string[]> => {
      render(<ActionsMenu patient={patient} user={userOf(type)} now={wardNow} onChanged={onChanged} />);
      await userEvent.click(screen.getByRole('button', { name: /^Actions/ }));
      return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    };

    it('are none for a viewer, and of a discharged patient the export alone', async () => {
      const { container, rerender } = render(
        <ActionsMenu patient={sam} user={userOf('viewer')} now={wardNow} onChanged={onChanged} />,
      );
      expect(container.innerHTML).toBe('');
      const gone = { ...sam, state: 'discharged' as const };
      rerender(<ActionsMenu patient={gone} user={userOf('nurse')} now={wardNow} onChanged={onChanged} />);
      expect(container.innerHTML).toBe('');
      await expect(open('physician', gone)).resolves.toEqual(['Export']);
    });

    it('are none for a patient whom emergency access alone shows, and all of the own units’ patients', () => {
      const who = { type: 'nurse' as const, isAdmin: false, units: [{ id: 3, name: 'east' }] };
      const nurse = inventedUser({ ...who, permissions: permissionsOf(who) });
      const menu = (unit: string) => (
        <ActionsMenu
          patient={{ ...sam, location: { unit, bed: '1' } }}
          user={nurse}
          now={wardNow}
          onChanged={onChanged}
        />
      );
      const { container, rerender } = render(menu('West'));
      expect(container.innerHTML).toBe('');
      rerender(menu('East'));
      expect(screen.getByRole('button', { name: /^Actions/ })).toBeTruthy();
    });

    it('do not open while the server is out of reach, and say why', async () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      render(<ActionsMenu patient={sam} user={userOf('physician')} now={wardNow} onChanged={onChanged} />);
      const button = screen.getByRole('button', { name: /^Actions/ });
      expect([button.title, button.ariaDisabled]).toEqual(['Not reachable: nothing can be sent now', 'true']);
      await userEvent.click(button);
      expect(screen.queryByRole('menu')).toBeNull();
      expect(document.activeElement).toBe(button);
    });

    it('are only what the user may do', async () => {
      await expect(open('respiratory_therapist')).resolves.toEqual([
        'Enter symptoms',
        'Standby',
        'Limits',
        'NEWS2 does not apply',
        'Device',
      ]);
    });

    it('are all of a physician', async () => {
      const all = await open('physician');
      expect(all).toEqual([
        'Enter symptoms',
        'Standby',
        'Comfort care',
        'SpO2 target',
        'Limits',
        'NEWS2 does not apply',
        'Device',
        'Check-in link',
        'Move bed',
        'Edit',
        'Export',
        'Discharge',
      ]);
    });
  });

  describe('a discharge', () => {
    it('is not sent without the patient’s own MRN', async () => {
      render(<DischargeDrawer {...props()} />);
      await writeInto(screen.getByLabelText(/^MRN/), other.mrn);
      await userEvent.click(screen.getByRole('button', { name: 'Discharge' }));
      await expect(screen.findByText(/is not the one of this patient/)).resolves.toBeTruthy();
      expect(calls.changePatient).not.toHaveBeenCalled();
    });

    it('says what ends with it, and is sent for the version that was seen', async () => {
      const { baseElement } = render(<DischargeDrawer {...props()} />);
      expect(screen.getByText('No alerts are open')).toBeTruthy();
      expect(screen.getByText('No device is assigned')).toBeTruthy();
      await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
      await writeInto(screen.getByLabelText(/^MRN/), ` ${sam.mrn} `);
      await userEvent.click(screen.getByRole('button', { name: 'Discharge' }));
      expect(calls.changePatient).toHaveBeenCalledWith({
        params: { id: 1 },
        body: { version: 1, state: 'discharged' },
      });
      expect(onChanged).toHaveBeenCalledTimes(1);
    });
  });

  describe('a discharge whose reads fail', () => {
    it('is not offered, says so, and offers another try', async () => {
      const refresh = jest.fn<Promise<void>, []>().mockResolvedValue();
      setReads({
        listAlerts: { ...answered({ items: [], total: 0, version: '1' }), data: undefined, error, refresh },
        listDevices: answered({ items: [], total: 0 }),
      });
      const { rerender } = render(<DischargeDrawer {...props()} />);
      expect(screen.getByText(/This could not be loaded/).textContent).toBe('This could not be loaded.');
      expect(screen.queryByText(/No alerts are open|No device is assigned/)).toBeNull();
      expect(screen.queryByRole('button', { name: 'Discharge' })).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      expect(refresh).toHaveBeenCalledTimes(1);
      setReads({
        listAlerts: answered({ items: [], total: 2, version: '1' }),
        listDevices: answered({ items: [], total: 0 }, { error }),
      });
      rerender(<DischargeDrawer {...props()} />);
      expect(screen.getByText(/^Old data/)).toBeTruthy();
      expect(screen.getByText('2 more open alerts')).toBeTruthy();
    });
  });

  describe('a standby', () => {
    it('is not offered when none is left', () => {
      setReads({ getStandbyLeft: answered({ minutes: 0, ofBudget: 0 }) });
      render(<StandbyDrawer {...props()} />);
      expect(screen.getByText(/No standby is left/)).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Start standby' })).toBeNull();
    });

    it('offers no more than what is left, and is sent with its reason', async () => {
      render(<StandbyDrawer {...props()} />);
      expect(screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent)).toEqual([
        '15 min',
        '30 min',
        '45 min',
      ]);
      await userEvent.click(screen.getByText('30 min'));
      await writeInto(screen.getByLabelText(/^Reason/), 'Shower');
      await userEvent.click(screen.getByRole('button', { name: 'Start standby' }));
      expect(calls.startStandby).toHaveBeenCalledWith({ params: { id: 1 }, body: { minutes: 30, reason: 'Shower' } });
    });
  });

  describe('a move to another bed', () => {
    it('offers a swap where the bed is taken', async () => {
      calls.changePatient.mockRejectedValueOnce(
        new ApiFailure('bed_taken', 'Another patient is in this bed.', { status: 409, id: other.id }),
      );
      render(<MoveBedDrawer {...props()} />);
      await userEvent.type(screen.getByLabelText(/^Bed/), '2');
      await userEvent.click(screen.getByRole('button', { name: 'Move' }));
      await userEvent.click(await screen.findByRole('button', { name: /^Swap the beds/ }));
      expect(calls.swapBeds).toHaveBeenCalledWith({
        body: {
          patients: [
            { id: 1, version: 1 },
            { id: 2, version: 4 },
          ],
        },
      });
      expect(onClose).toHaveBeenCalledTimes(1);
    });
  });

  describe('a bed', () => {
    it('is chosen in a known unit and says who is in it, in any letter case', async () => {
      render(<MoveBedDrawer {...props({ ...sam, location: { unit: 'East', bed: '' } })} />);
      await userEvent.type(screen.getByLabelText(/^Bed/), 's3');
      await expect(screen.findByText(`Occupied by ${inBed.familyName}, ${inBed.givenName}`)).resolves.toBeTruthy();
      // No one moves into a ward that is not there, not even by a user who may add one with a patient.
      expect(screen.queryByRole('button', { name: '+ New unit' })).toBeNull();
    });
  });

  describe('an edit', () => {
    it('echoes a date of birth and sends only that, as a calendar date', async () => {
      render(<EditPatientDrawer {...props()} />);
      const field = screen.getByLabelText(/^Date of birth/);
      await userEvent.clear(field);
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await expect(screen.findByText('Enter the date of birth')).resolves.toBeTruthy();
      await writeInto(field, '11/2/1958');
      expect(screen.getByText(/^11 Feb 1958, \d+ years$/)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      expect(calls.changePatient).toHaveBeenCalledWith({
        params: { id: 1 },
        body: { version: 1, dateOfBirth: '1958-02-11' },
      });
    });
  });

  describe('the limits of a patient', () => {
    const low = () => screen.getByLabelText(/^Low limit/);

    it('are refused if they are no number, and kept while the server is away', async () => {
      calls.changeLimits.mockRejectedValueOnce(new ApiFailure('unreachable', 'The server cannot be reached.'));
      render(<LimitsDrawer {...props()} />);
      await userEvent.type(low(), 'x');
      await userEvent.click(screen.getByRole('button', { name: 'Set limits' }));
      await expect(screen.findByText('Low limit, % is neither a whole number nor off')).resolves.toBeTruthy();
      await userEvent.clear(low());
      await userEvent.type(low(), '85');
      await writeInto(screen.getByLabelText(/^Reason/), 'Usual');
      await userEvent.click(screen.getByRole('button', { name: 'Set limits' }));
      await expect(screen.findByText('Not set. The server cannot be reached.')).resolves.toBeTruthy();
      expect(low()).toHaveProperty('value', '85');
    });

    it('say that somebody else has set them meanwhile, and keep what was typed', async () => {
      render(<LimitsDrawer {...props()} />);
      await userEvent.type(low(), '85');
      await writeInto(screen.getByLabelText(/^Reason/), 'Usual');
      calls.changeLimits.mockRejectedValueOnce(
        new ApiFailure('limits_changed', 'A B has changed these limits.', { status: 409 }),
      );
      await userEvent.click(screen.getByRole('button', { name: 'Set limits' }));
      await expect(screen.findByText('Not set. A B has changed these limits.')).resolves.toBeTruthy();
      expect(low()).toHaveProperty('value', '85');
      expect(onClose).not.toHaveBeenCalled();
    });

    it('are reviewed on a day that is typed in the site’s order and shown with its month in letters', async () => {
      const shown = props();
      const user = { ...shown.user, site: { ...shown.user.site, dateOrder: 'month_first' as const } };
      render(<LimitsDrawer {...shown} user={user} />);
      await userEvent.type(low(), '85');
      await writeInto(screen.getByLabelText(/^Reason/), 'Usual');
      await writeInto(screen.getByLabelText(/^Review on/), '7/3/2027');
      await userEvent.tab();
      expect(screen.getByLabelText(/^Review on/)).toHaveProperty('value', '03 Jul 2027');
      await userEvent.click(screen.getByRole('button', { name: 'Set limits' }));
      await waitFor(() => expect(calls.changeLimits).toHaveBeenCalledTimes(1));
      expect(calls.changeLimits.mock.calls[0]?.[0].body.reviewAt).toBe('2027-07-02T23:00:00.000Z');
    });

    it('are shown beside the default and the site’s, with their bounds, and set with a reason', async () => {
      const { baseElement } = render(<LimitsDrawer {...props()} />);
      expect(screen.getByRole('row', { name: /^SpO2 low/ }).textContent).toContain('< 88––< 88');
      expect(screen.getByText('80 to 92. Empty: as the site’s')).toBeTruthy();
      await expect(axeViolations(baseElement, 'region')).resolves.toEqual([]);
      await userEvent.type(low(), '85');
      await writeInto(screen.getByLabelText(/^Reason/), 'Usual');
      await userEvent.click(screen.getByRole('button', { name: 'Set limits' }));
      expect(calls.changeLimits).toHaveBeenCalledWith({
        params: { id: 1 },
        body: { rule: 'spo2.low', values: { low: 85 }, reason: 'Usual', reviewAt: null, basedOn: null },
      });
      expect(onClose).toHaveBeenCalledTimes(1);
    });
  });
});

describe('SinceField', () => {
  const calls = { changePatient: callMock<'changePatient'>(), swapBeds: callMock<'swapBeds'>() };
  const lead = { type: 'ward_lead' as const, isAdmin: false, units: [] };
  const user = inventedUser({ ...lead, permissions: permissionsOf(lead) });
  const sam = inventedPatient(1, { location: { unit: 'East', bed: '1' } });
  const props = { patient: sam, user, now: wardNow, onChanged: jest.fn(), onClose: jest.fn() };
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
  const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
  const typed = '07 Mar 2026, 11:40';
  const since = new Date(Date.UTC(2026, 2, 7, 11, 40)).toISOString();

  beforeEach(() => {
    const refusal = new ApiFailure('bed_taken', 'Taken.', { status: 409, id: 2 });
    for (const call of Object.values(calls)) {
      call.mockReset().mockRejectedValue(refusal);
    }
    setCalls(calls);
    jest.mocked(usePatients).mockReturnValue(answered({ items: [], total: 0, version: '1', units: [], beds: [] }));
    const other = { standby: null, comfortCare: null, news2: null };
    setReads({
      listAlerts: answered({ items: [], total: 0, version: '1' }),
      listDevices: answered({ items: [], total: 0 }),
      listUnits: answered({ items: [{ id: 3, name: 'East', patients: 2, people: 1, isOpen: true }], total: 1 }),
      getPatient: answered({ ...inventedPatient(2, { location: { unit: 'East', bed: '2' } }), ...other }),
    });
  });

  it.each([
    ['', undefined],
    ['2026-03-07T11:40', since],
    ['2026-03-07T11', '2026-03-07T11'],
  ])('says when "%s" was on the clocks of the site', (text, expected) => {
    expect(sinceOf(text, { timeZone: 'Europe/London' })).toBe(expected);
  });

  it('sends when a patient was moved, also with the swap that is offered instead', async () => {
    render(<MoveBedDrawer {...props} />);
    await userEvent.type(field('Bed'), '2');
    await writeInto(field('Moved at'), typed);
    await press('Move');
    expect(calls.changePatient.mock.lastCall?.[0].body).toEqual({
      version: 1,
      location: { unit: 'East', bed: '2' },
      since,
    });
    await press(/^Swap the beds/);
    expect(calls.swapBeds.mock.lastCall?.[0].body.since).toBe(since);
  });

  it('sends when a patient was discharged', async () => {
    render(<DischargeDrawer {...props} />);
    await writeInto(field('MRN'), sam.mrn);
    await writeInto(field('Discharged at'), typed);
    await press('Discharge');
    expect(calls.changePatient.mock.lastCall?.[0].body).toEqual({ version: 1, state: 'discharged', since });
  });
});

describe('LimitsPreview', () => {
  const calls = { previewLimits: callMock<'previewLimits'>() };
  const none = { high: 0, medium: 0, low: 0 };
  const answer = (proposed: number): LimitPreview => ({
    parameter: 'spo2',
    from: '2026-05-01T10:00:00.000Z',
    to: '2026-05-02T10:00:00.000Z',
    coveredMs: 24 * 3_600_000,
    now: { ...none, high: 3 },
    proposed: { ...none, high: proposed },
    missed: none,
    milder: none,
  });
  const of = (low: number | null) => (
    <LimitsPreview patientId={1} rule="spo2.low" values={low === null ? null : { low }} />
  );
  const words = () => screen.getByRole('status').textContent;

  beforeEach(() => {
    calls.previewLimits.mockReset();
    setCalls(calls);
  });

  describe('the preview of limits', () => {
    it('says in a sentence that there is none', async () => {
      calls.previewLimits.mockRejectedValue(
        new ApiFailure('preview_late', 'The preview took too long.', { status: 503 }),
      );
      render(of(85));
      await waitFor(() => expect(words()).toBe('No preview. The preview took too long.'));
    });

    it('never shows an answer about other limits than those that are typed', async () => {
      const asked: { low: number | null | undefined; reply: (preview: LimitPreview) => void }[] = [];
      calls.previewLimits.mockImplementation(
        ({ body }) => new Promise((reply) => asked.push({ low: body.values.low, reply })),
      );
      const { rerender } = render(of(85));
      await waitFor(() => expect(asked).toHaveLength(1));
      rerender(of(86));
      expect(words()).toBe('Preview: calculating …');
      await waitFor(() => expect(asked.map(({ low }) => low)).toEqual([85, 86]));
      asked[1]?.reply(answer(2));
      await waitFor(() => expect(words()).toContain('With these limits: 2 SpO2 alerts in the last 24 h (now 3).'));
      asked[0]?.reply(answer(1));
      rerender(of(87));
      expect(words()).toBe('Preview: calculating …');
      await waitFor(() => expect(asked).toHaveLength(3));
      expect(words()).toBe('Preview: calculating …');
      rerender(of(null));
      expect(words()).toBe('Change a limit to see how many alerts it would have raised.');
    });

    it('asks once for what was typed in one go', async () => {
      calls.previewLimits.mockResolvedValue(answer(1));
      const { rerender } = render(of(8));
      rerender(of(85));
      await waitFor(() => expect(words()).toContain('1 SpO2 alert'));
      expect(calls.previewLimits.mock.calls.map(([{ body }]) => body)).toEqual([
        { rule: 'spo2.low', values: { low: 85 } },
      ]);
    });
  });
});

describe('careWords', () => {
  describe('limits in words', () => {
    const both = { lowIs: 'atMost', bounds: { low: { min: 30, max: 50 }, high: { min: 120, max: 180 } } } as const;
    const low = { lowIs: 'below', bounds: { low: { min: 80, max: 92 }, high: null } } as const;

    it.each([
      [null, both, '–'],
      [{}, both, '–'],
      [{ low: 40, high: 150 }, both, '≤ 40, ≥ 150'],
      [{ high: 150 }, both, '≥ 150'],
      [{ low: null, high: 150 }, both, 'off, ≥ 150'],
      [{ low: 88 }, low, '< 88'],
      [{ low: 88, high: null }, low, '< 88'],
      [{ low: 0 }, low, '< 0'],
    ])('are, of %j by %j, "%s"', (values, row, words) => {
      expect(limitWords(values, row)).toBe(words);
    });

    it.each([
      ['', undefined],
      ['  ', undefined],
      ['off', null],
      [' OFF ', null],
      ['0', 0],
      ['88', 88],
      ['x', NaN],
    ])('are read from "%s" as %s', (text, value) => {
      expect(readLimit(text)).toBe(value);
    });
  });

  describe('the words of a preview of limits', () => {
    const none = { high: 0, medium: 0, low: 0 };
    const day = { parameter: 'spo2' as const, from: '2026-05-01T10:00:00.000Z', to: '2026-05-02T10:00:00.000Z' };
    const preview = {
      ...day,
      coveredMs: 24 * 3_600_000,
      now: { high: 4, medium: 27, low: 0 },
      proposed: { high: 2, medium: 10, low: 0 },
      missed: none,
      milder: none,
    };

    it('name what would be missed, the most urgent first', () => {
      const words = previewWords({ ...preview, missed: { high: 2, medium: 1, low: 0 }, milder: { ...none, high: 1 } });
      expect(words.dangers).toEqual([
        '2 HIGH alerts would not have been raised.',
        '1 MEDIUM alert would not have been raised.',
        '1 HIGH alert would have had a lower priority.',
      ]);
    });

    it('say when there are no readings, or readings of a part of the day only', () => {
      expect(previewWords({ ...preview, coveredMs: 0 }).coverage).toBe('There are no readings of these 24 h.');
      expect(previewWords({ ...preview, coveredMs: 22_800_000 }).coverage).toBe(
        'Readings cover only 6 h 20 min of these 24 h.',
      );
      expect(previewWords({ ...preview, coveredMs: 7_200_000 }).coverage).toBe(
        'Readings cover only 2 h of these 24 h.',
      );
      expect(previewWords({ ...preview, coveredMs: 24 * 3_600_000 - 60_000 }).coverage).toBeNull();
    });

    it('compare the alerts with those of the present limits', () => {
      expect(previewWords(preview)).toEqual({
        sentence: 'With these limits: 12 SpO2 alerts in the last 24 h (now 31).',
        counts: 'HIGH 2 (now 4), MEDIUM 10 (now 27)',
        dangers: [],
        coverage: null,
      });
      const one = { ...preview, parameter: 'rate' as const, now: none, proposed: { ...none, low: 1 } };
      expect(previewWords(one).sentence).toBe('With these limits: 1 heart rate alert in the last 24 h (now 0).');
      expect(previewWords({ ...one, proposed: none }).counts).toBeNull();
    });
  });
});

import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import type { ReadState } from '../../../hooks/readState';
import { useChartSummary } from '../../../hooks/useChart';
import { useChartMarks } from '../../../hooks/useChartMarks';
import { useFollow } from '../../../hooks/useFollow';
import { useNeighbour } from '../../../hooks/useNeighbour';
import { useNow } from '../../../hooks/useNow';
import { useOwnNotes } from '../../../hooks/useOwnNotes';
import { usePatient } from '../../../hooks/usePatient';
import { useRead } from '../../../hooks/useRead';
import { useServerLost } from '../../../hooks/useServerLost';
import { useSymptomStrip } from '../../../hooks/useSymptomStrip';
import { useVitals } from '../../../hooks/useVitals';
import { ApiFailure, clientFailure } from '../../../lib/browser/client';
import type { ChartMarks } from '../../../lib/alerts/chartMarksSchema';
import type { Patient } from '../../../lib/patients/schema';
import type { LatestValue } from '../../../lib/vitals/schema';
import { axeViolations } from '../../../test/axeViolations';
import { inventedDeviceAlarm } from '../../../test/inventedDeviceAlarm';
import { inventedUser } from '../../../test/inventedWard';
import { PatientDetails } from './PatientDetails';

const push = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({
  __esModule: true,
  default: { events: { on: () => undefined, off: () => undefined } },
  useRouter: () => ({ push }),
}));
jest.mock('../../../hooks/useChart');
jest.mock('../../../hooks/useChartMarks');
jest.mock('../../../hooks/useFollow');
jest.mock('../../../hooks/useNeighbour');
jest.mock('../../../hooks/useNow');
jest.mock('../../../hooks/useOwnNotes');
jest.mock('../../../hooks/usePatient');
jest.mock('../../../hooks/useRead');
jest.mock('../../../hooks/useServerLost');
jest.mock('../../../hooks/useSymptomStrip');
jest.mock('../../../hooks/useVitals');
jest.mock('../../care/HeldValues', () => ({ HeldValues: () => null }));
jest.mock('../../alerts/PatientAlerts', () => ({
  PatientAlerts: ({ patientId }: { patientId: number }) => <p>Alerts of patient {patientId}</p>,
}));
jest.mock('../../notes/NotesArea', () => ({
  NotesArea: ({ patient, children }: { patient: Patient; children?: ReactNode }) => (
    <section aria-label="Notes">
      Notes of patient {patient.id} {children}
    </section>
  ),
}));
jest.mock('../../vitals/PointablePlot', () => ({
  PointablePlot: ({ summary }: { summary: string }) => <div role="img" aria-label={summary} />,
}));

// user-event looks for the group of a radio button with it, and jsdom has none.
Object.assign(window, { CSS: { escape: (text: string) => text } });

const now = Date.parse('2026-03-07T15:00:00Z');
const all = { malformed: [], overLimit: [], unknown: [] };

const ada: Patient = {
  id: 4,
  mrn: 'W-1004',
  givenName: 'Ada',
  familyName: 'Okafor',
  dateOfBirth: '1950-12-31',
  sex: 'female',
  location: { unit: 'Ward 3', bed: '12' },
  profile: 'continuous',
  spo2Scale: 2,
  news2ExemptFor: null,
  isTrial: false,
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  symptoms: null,
  deviceAlarms: [],
  alerts: [],
  latest: {},
};
const piet: Patient = {
  ...ada,
  id: 7,
  mrn: 'W-1007',
  givenName: 'Piet',
  familyName: 'Hansen',
  sex: 'male',
  location: null,
  spo2Scale: 1,
  news2ExemptFor: null,
};

function latest(value: number, unit: string, source: string): LatestValue {
  const asOf = new Date(now - 2_000).toISOString();
  return {
    value,
    unit,
    takenAt: asOf,
    receivedAt: asOf,
    asOf,
    quality: 'good',
    source,
    expectedEveryMs: 1_000,
    lastValid: null,
  };
}

function response<Data>(given: Partial<ReadState<Data>>): ReadState<Data> {
  return {
    data: undefined,
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: now,
    refresh: jest.fn(),
    ...given,
  };
}

const changeFollow = jest.fn<Promise<void>, [boolean]>();

beforeEach(() => {
  changeFollow.mockReset().mockResolvedValue(undefined);
  push.mockClear();
  jest.mocked(useNow).mockReturnValue(now);
  jest.mocked(useOwnNotes).mockReturnValue({ isKnown: true, unread: new Map([[7, 3]]), drafts: [], mentions: [] });
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useFollow).mockReturnValue({ isFollowed: false, change: changeFollow });
  jest.mocked(useChartSummary).mockReturnValue(response({ isLoading: true }));
  jest.mocked(useChartMarks).mockReturnValue(response({ isLoading: true }));
  jest.mocked(useSymptomStrip).mockReturnValue(response({ isLoading: true }));
  jest.mocked(useNeighbour).mockReturnValue(() => Promise.resolve({ reason: 'Last of your list' }));
  jest.mocked(usePatient).mockImplementation((_id, fallback) => response({ data: fallback }));
  jest.mocked(useVitals).mockImplementation(({ patientId, rangeMs }) =>
    response({
      data: {
        patientId,
        from: new Date(now - rangeMs).toISOString(),
        to: new Date(now).toISOString(),
        truncated: false,
        series: [
          {
            kind: 'spo2',
            unit: '%',
            bucketMs: 0,
            points: [{ takenAt: new Date(now - 1_000).toISOString(), value: 90 + patientId, quality: 'good' }],
          },
        ],
      },
    }),
  );
});

function Details(props: Partial<Parameters<typeof PatientDetails>[0]>) {
  return <PatientDetails patients={[ada]} notShown={all} now={now} user={inventedUser()} {...props} />;
}

describe('PatientDetails', () => {
  it('offers no Follow to those who read no notes, for a discharged patient, or before it knows', async () => {
    const button = () => screen.queryByRole('button', { name: 'Follow Okafor, Ada' });
    const { rerender } = render(<Details user={inventedUser({ type: 'viewer' })} />);
    expect(button()).toBeNull();
    rerender(<Details patients={[{ ...ada, state: 'discharged' }]} />);
    expect(button()).toBeNull();
    jest.mocked(useFollow).mockReturnValue({ isFollowed: null, change: changeFollow });
    rerender(<Details patients={[ada]} />);
    expect(button()?.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(screen.getByRole('button', { name: 'Follow Okafor, Ada' }));
    expect(changeFollow).not.toHaveBeenCalled();
  });

  it('follows a patient, or no longer, and says if that failed', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<Details />);
    const button = screen.getByRole('button', { name: 'Follow Okafor, Ada', pressed: false });
    changeFollow.mockRejectedValueOnce(clientFailure('aborted'));
    await user.click(button);
    expect(screen.getByText(/not known whether this was saved/)).toBeTruthy();
    await user.click(button);
    expect(changeFollow.mock.calls).toEqual([[true], [true]]);
    jest.mocked(useFollow).mockReturnValue({ isFollowed: true, change: changeFollow });
    rerender(<Details now={now + 1} />);
    expect(button.getAttribute('aria-pressed')).toBe('true');
    await user.click(button);
    expect(changeFollow).toHaveBeenLastCalledWith(false);
  });

  it('names what the address has and the page does not show, and shows the rest', () => {
    render(<Details notShown={{ malformed: ['x'], overLimit: [11, 12], unknown: [9] }} />);
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      "Not a patient's number: x",
      'You cannot see this patient: 9',
      'At most 8 patients are shown side by side. Not shown: 11, 12',
    ]);
    expect(screen.getByRole('heading', { name: 'Okafor, Ada' })).toBeInstanceOf(HTMLElement);
  });

  it('links to the list of patients if no patient is shown', () => {
    render(<Details patients={[]} />);
    expect(screen.getByRole('link', { name: /Choose patients in the list/ }).getAttribute('href')).toBe('/patients');
    expect(screen.queryByRole('radio')).toBeNull();
  });

  /** Of the strip and the tiles: each definition by its term. */
  const facts = (): Record<string, string> => {
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
    const definitions = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    return Object.fromEntries(terms.map((term, index) => [term, definitions[index] ?? '']));
  };
  const marksOf = (target: ChartMarks['target']) =>
    response<ChartMarks>({
      data: {
        patientId: 4,
        from: new Date(now - 3_600_000).toISOString(),
        to: new Date(now).toISOString(),
        target,
        limits: [],
        alerts: [],
        hasMoreAlerts: false,
        notes: [],
      },
    });

  it('identifies the patient by name, age, date of birth and record number, and says where', () => {
    render(<Details />);
    expect(screen.getByRole('heading', { name: 'Okafor, Ada' })).toBeTruthy();
    expect(facts()).toMatchObject({
      'Age and sex': '75 y, female, born 31 Dec 1950',
      MRN: 'W-1004',
      Place: 'Ward 3 · Bed 12',
    });
  });

  it('says the same of patients side by side, for whom there is less room', () => {
    render(<Details patients={[ada, piet]} />);
    const pane = within(screen.getByRole('region', { name: 'Okafor, Ada' }));
    expect(pane.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['75 y F, female, born 31 Dec 1950', 'W-1004', 'Ward 3 · Bed 12']),
    );
  });

  it('says no target until it is known, and whether a physician has set it', () => {
    const { rerender } = render(<Details />);
    expect(facts()['SpO2 target']).toBe('--');
    jest.mocked(useChartMarks).mockReturnValue(marksOf({ low: 86, high: 90, scale: 2, isConfirmed: true }));
    rerender(<Details />);
    expect(facts()['SpO2 target']).toBe('86-90 % (scale 2)');
    jest.mocked(useChartMarks).mockReturnValue(marksOf({ low: 94, high: 98, scale: 1, isConfirmed: false }));
    rerender(<Details />);
    expect(facts()['SpO2 target']).toBe('94-98 % default, not confirmed');
  });

  it('shows both blood pressures as one reading, and a source only if it is another one', () => {
    const read = {
      spo2: latest(97, '%', 'Oximeter 12'),
      systolic: latest(140, 'mmHg', 'manual'),
      diastolic: latest(87, 'mmHg', 'manual'),
      pulseRate: latest(61, '/min', 'Oximeter 12'),
    };
    render(<Details patients={[{ ...ada, latest: read }]} />);
    const shown = facts();
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(['SpO2', 'PR', 'BP mmHgmanual']));
    expect(shown['BP mmHgmanual']).toMatch(/^140.*\/87/);
  });

  it('says beside a value what another device shows at the same time, with its age, unless it is the same', () => {
    const asOf = new Date(now - 3_000).toISOString();
    const other = (value: number) => ({
      ...ada,
      latest: {
        spo2: {
          ...latest(97, '%', 'Oximeter 12'),
          other: { value, asOf, expectedEveryMs: 1_000, source: 'Oximeter 7' },
        },
      },
    });
    const { rerender } = render(<Details patients={[other(75)]} />);
    const note = () => screen.queryByTitle(/^Oximeter 7/);
    expect(note()?.textContent).toBe('Oximeter 7: 75, 3 s');
    expect(note()?.title).toBe('Oximeter 7: 75 %. Shown below: Oximeter 12');
    rerender(<Details patients={[other(97.2)]} />);
    expect(note()).toBeNull();
    jest.mocked(useNow).mockReturnValue(now + 600_000);
    rerender(<Details patients={[other(75)]} />);
    expect(note()).toBeNull();
  });

  it('says so of both blood pressures together, also if only the lower one differs', () => {
    const asOf = new Date(now - 3_000).toISOString();
    const pressure = (value: number, other: number) => ({
      ...latest(value, 'mmHg', 'Monitor 1'),
      other: { value: other, asOf, expectedEveryMs: 1_000, source: 'Monitor 2' },
    });
    render(<Details patients={[{ ...ada, latest: { systolic: pressure(140, 140), diastolic: pressure(87, 55) } }]} />);
    expect(screen.getByTitle(/^Monitor 2/).textContent).toBe('Monitor 2: 140/55, 3 s');
  });

  it('lists what devices report of each patient, with the device, and says that it is the device’s', () => {
    const deviceAlarms = [
      inventedDeviceAlarm({ lastSeenAt: new Date(now).toISOString() }),
      inventedDeviceAlarm({ id: 2, text: 'SpO2T No Pulse', isTechnical: true, priority: 'low' }),
    ];
    const { rerender } = render(<Details patients={[{ ...ada, deviceAlarms }, piet]} />);
    const list = within(screen.getByRole('region', { name: 'Okafor, Ada' })).getByRole('region', {
      name: 'Alarms of devices',
    });
    expect(
      within(list)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'AlarmPrioritySinceDevice',
      expect.stringMatching(/^\*\*RR 40 >30Medium14:58Monitor East 7$/),
      expect.stringMatching(/^SpO2T No Pulse.*Low, technical14:58Monitor East 7$/),
    ]);
    expect(list.textContent).toContain('no sound, no owner and no escalation');
    const mark = screen.getByRole('link', { name: 'Device alarm' });
    expect(document.querySelector(mark.getAttribute('href') ?? '')).toBe(list);
    expect(screen.getAllByRole('region', { name: 'Alarms of devices' })).toHaveLength(1);
    jest.mocked(useServerLost).mockReturnValue(now - 12_000);
    rerender(<Details patients={[{ ...ada, deviceAlarms }, piet]} />);
    expect(list.textContent).toContain('**RR 40 >30 (unknown since 15:00)');
    expect(mark.textContent).toBe('Device alarm?');
  });

  it('lists what devices reported in the last day, read only when it is opened', async () => {
    const items = [
      { ...inventedDeviceAlarm(), endedAt: new Date(now - 5_000).toISOString() },
      { ...inventedDeviceAlarm({ id: 2, text: '***Apnea', priority: 'high' }), endedAt: null },
    ];
    const refresh = jest.fn(() => Promise.resolve());
    const answer = { error: undefined, isLoading: false, isRefreshing: false, asOf: now, refresh };
    jest.mocked(useRead).mockReturnValue({ ...answer, data: { patientId: ada.id, items, hasMore: true } });
    const { container } = render(<Details patients={[ada]} />);
    expect(useRead).not.toHaveBeenCalled();
    await userEvent.click(screen.getByText('Earlier alarms of devices, 24 h'));
    expect(useRead).toHaveBeenLastCalledWith('listClosedDeviceAlarms', { params: { id: ada.id } }, { everyMs: 30_000 });
    expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'AlarmPriorityFromToDevice',
      '**RR 40 >30Medium14:5814:59Monitor East 7',
      '***ApneaHigh14:58unknown since 14:59Monitor East 7',
    ]);
    expect(container.textContent).toContain('Older alarms of this time are not shown.');
  });

  it('marks the number that an open alert is about, and no other', () => {
    const open: Patient['alerts'][number] = {
      id: 1,
      parameter: 'spo2',
      priority: 'high',
      side: 'low',
      condition: 'active',
      acknowledged: false,
      owner: null,
      raisedAt: new Date(now - 30_000).toISOString(),
      confirmBy: null,
    };
    const read = { spo2: latest(78, '%', 'Oximeter 12'), pulseRate: latest(61, '/min', 'Oximeter 12') };
    const { container } = render(<Details patients={[{ ...ada, latest: read, alerts: [open] }]} />);
    const marked = [...container.querySelectorAll('dd [data-mark]')];
    expect(marked.map((each) => [each.textContent, each.getAttribute('data-mark')])).toEqual([['78', 'filled']]);
  });

  it('goes to the next patient of the list that was left, and says so at its end', async () => {
    const { rerender } = render(<Details />);
    await userEvent.click(screen.getByRole('button', { name: 'Next patient' }));
    await expect(screen.findByText('Last of your list')).resolves.toBeTruthy();
    expect(push).not.toHaveBeenCalled();
    jest
      .mocked(useNeighbour)
      .mockReturnValue((_listing, patientId, direction) =>
        Promise.resolve(direction === 'next' ? patientId + 1 : patientId - 1),
      );
    rerender(<Details />);
    await userEvent.click(screen.getByRole('button', { name: 'Previous patient' }));
    expect(push).toHaveBeenCalledWith('/patient_details?ids=3');
    rerender(<Details patients={[ada, piet]} />);
    expect(screen.queryByRole('button', { name: 'Next patient' })).toBeNull();
  });

  it('zooms the charts of all patients at once', async () => {
    render(<Details patients={[ada, piet]} />);
    await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    const zooms = new Map(jest.mocked(useVitals).mock.calls.map(([{ patientId, zoom }]) => [patientId, zoom]));
    expect(zooms.get(4)).not.toBeNull();
    expect(zooms.get(7)).toEqual(zooms.get(4));
  });

  it('links to the chat of the care team if there is a chat and the patient is active', () => {
    const link = () => screen.queryByRole('link', { name: 'Chat with the care team' })?.getAttribute('href');
    const { rerender } = render(<Details hasChat />);
    expect(link()).toBe('/chat?patient=4');
    rerender(<Details />);
    expect(link()).toBeUndefined();
    rerender(<Details hasChat user={inventedUser({ type: 'display' })} />);
    expect(link()).toBeUndefined();
    rerender(<Details hasChat patients={[{ ...ada, state: 'discharged' }]} />);
    expect(link()).toBeUndefined();
  });

  it.each([
    ['nothing but looking for a patient of another unit, whom emergency access shows', 'West', 0],
    ['the same for a patient of an own unit as without units', 'East', 1],
  ])('offers %s', (_, unit, count) => {
    const until = new Date(now + 600_000).toISOString();
    const patient = { ...ada, location: { unit, bed: '1' }, standby: { until } };
    render(<Details patients={[patient]} user={inventedUser({ units: [{ id: 3, name: 'East' }] })} />);
    expect(screen.getByText(/^Standby: new alerts held back/)).toBeTruthy();
    for (const name of [/^Actions/, /^NEWS2/, /^End standby/]) {
      expect(screen.queryAllByRole('button', { name })).toHaveLength(count);
    }
  });

  it('names the silent gateway that carries the values of a patient, and since when', () => {
    const silentGateway = { name: 'North gateway', since: new Date(now - 120_000).toISOString() };
    const { rerender } = render(<Details patients={[{ ...ada, silentGateway }, piet]} />);
    const mark = within(screen.getByRole('region', { name: 'Okafor, Ada' })).getByText(/^Gateway silent/);
    expect(mark.textContent).toBe('Gateway silent since 14:58: North gateway');
    expect(screen.getAllByText(/^Gateway silent/)).toHaveLength(1);
    rerender(<Details />);
    expect(screen.queryByText(/^Gateway silent/)).toBeNull();
  });

  it('says that a patient was discharged', () => {
    render(<Details patients={[{ ...ada, state: 'discharged' }]} />);
    expect(screen.getByText('Discharged')).toBeInstanceOf(HTMLElement);
  });

  it('shows SpO2 and heart rate as missing rather than not at all', () => {
    render(<Details />);
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
    expect(terms).toEqual(expect.arrayContaining(['SpO2', 'HR']));
    const missing = screen.getAllByText('--').filter((each) => each.closest('[data-vital]') !== null);
    expect(missing).toHaveLength(2);
  });

  it('shows a pulse rate under its own name when no heart rate has come', () => {
    render(
      <Details
        patients={[
          { ...ada, latest: { spo2: latest(97, '%', 'Oximeter 12'), pulseRate: latest(61, '/min', 'Oximeter 12') } },
        ]}
      />,
    );
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
    expect(terms).toEqual(expect.arrayContaining(['SpO2', 'PR']));
    expect(terms.some((term) => term.startsWith('HR'))).toBe(false);
  });

  it('never draws one patient under the name of another', async () => {
    render(<Details patients={[ada, piet]} />);
    for (const [patient, value] of [
      [ada, 94],
      [piet, 97],
    ] as const) {
      const pane = within(screen.getByRole('region', { name: `${patient.familyName}, ${patient.givenName}` }));
      expect(pane.getByText(patient.mrn)).toBeInstanceOf(HTMLElement);
      const drawing = await pane.findByRole('img', { name: /SpO2 lowest/ });
      expect(drawing.getAttribute('aria-label')).toContain(
        `Oxygen saturation of ${patient.familyName}, ${patient.givenName}.`,
      );
      expect(drawing.getAttribute('aria-label')).toContain(`last ${value} %`);
    }
  });

  it('has the notes of one patient beside the charts, and of several those of the chosen pane', async () => {
    const { rerender } = render(<Details />);
    expect(screen.getByRole('region', { name: 'Notes' }).textContent).toContain('Notes of patient 4');
    rerender(<Details patients={[ada, piet]} />);
    expect(screen.queryByRole('region', { name: 'Notes' })).toBeNull();
    for (const [name, id, unread] of [
      ['Hansen, Piet', 7, ' (3 unread)'],
      ['Okafor, Ada', 4, ''],
    ] as const) {
      await userEvent.click(screen.getByRole('button', { name: `Add notes${unread} about ${name}` }));
      expect(screen.getAllByRole('region', { name: 'Notes' })).toHaveLength(1);
      const pane = within(screen.getByRole('region', { name }));
      expect(pane.getByRole('region', { name: 'Notes' }).textContent).toContain(`Notes of patient ${id}`);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Close notes' }));
    expect(screen.queryByRole('region', { name: 'Notes' })).toBeNull();
  });

  it('shows no notes to a user who reads none', () => {
    render(<Details user={inventedUser({ type: 'viewer' })} />);
    expect(screen.queryByRole('region', { name: /^Notes/ })).toBeNull();
  });

  it('has the open alerts of each patient in their own pane', () => {
    render(<Details patients={[ada, piet]} />);
    for (const { id, familyName, givenName } of [ada, piet]) {
      const pane = within(screen.getByRole('region', { name: `${familyName}, ${givenName}` }));
      expect(pane.getByText(`Alerts of patient ${id}`)).toBeTruthy();
    }
  });

  it('renders a new pane for another patient', () => {
    const { rerender } = render(<Details patients={[ada]} />);
    const before = screen.getByRole('region', { name: 'Okafor, Ada' });
    rerender(<Details patients={[piet]} />);
    expect(before.isConnected).toBe(false);
  });

  it('keeps the patient and marks it old when a refresh fails', () => {
    jest.mocked(usePatient).mockReturnValue(response({ data: ada, error: clientFailure('unreachable') }));
    render(<Details />);
    expect(screen.getByText('Old data: as it was at 15:00:00.')).toBeInstanceOf(HTMLElement);
    expect(screen.getByText('W-1004')).toBeInstanceOf(HTMLElement);
  });

  it.each([
    ['both fail', true, true],
    ['only the patient fails', true, false],
    ['only the charts fail', false, true],
  ])('tells a failure once when %s, and tries both again', async (_name, patientFails, chartsFail) => {
    const error = clientFailure('unreachable');
    const [patient, vitals] = [jest.fn(), jest.fn()];
    const charts = jest.mocked(useVitals).getMockImplementation();
    jest
      .mocked(usePatient)
      .mockReturnValue(response({ data: ada, error: patientFails ? error : undefined, refresh: patient }));
    jest.mocked(useVitals).mockImplementation((asked) => ({
      ...response<never>({}),
      ...charts?.(asked),
      error: chartsFail ? error : undefined,
      refresh: vitals,
    }));
    const { container } = render(<Details />);
    expect(screen.getAllByText(/^Old data/)).toHaveLength(1);
    expect(container.querySelectorAll('[data-old]')).toHaveLength(Number(patientFails) + Number(chartsFail));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect([patient, vitals].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it.each([
    ['the patient', true],
    ['only the charts', false],
  ])(
    'shows nothing of a patient who left the reach of the user, as soon as %s cannot be read',
    (_name, patientFails) => {
      const gone = new ApiFailure('not_found', 'There is nothing at this address.', { status: 404 });
      const read = jest.mocked(usePatient).getMockImplementation();
      const charts = jest.mocked(useVitals).getMockImplementation();
      jest
        .mocked(usePatient)
        .mockImplementation((id, fallback) =>
          id === ada.id && patientFails ? response({ error: gone }) : (read?.(id, fallback) ?? response({})),
        );
      jest
        .mocked(useVitals)
        .mockImplementation((asked) =>
          asked.patientId === ada.id ? response({ error: gone }) : (charts?.(asked) ?? response({})),
        );
      const withValue = { ...ada, latest: { spo2: latest(77, '%', 'Oximeter 12') } };
      render(<Details patients={[withValue, piet]} />);
      const pane = within(screen.getByRole('region', { name: 'Okafor, Ada' }));
      expect(pane.getByRole('alert').textContent).toBe(
        'Okafor, AdaYou can no longer see this patient. They were moved out of your units, or your access ended. ' +
          'No values and no alerts of this patient are shown here.Back to the patients',
      );
      expect(pane.getByRole('link', { name: 'Back to the patients' }).getAttribute('href')).toBe('/patients');
      expect(pane.queryByText(/77|W-1004|Ward 3|Actions|nothing at this address/)).toBeNull();
      expect(within(screen.getByRole('region', { name: 'Hansen, Piet' })).getByText('W-1007')).toBeInstanceOf(
        HTMLElement,
      );
    },
  );

  it('shows all patients over the range chosen last', async () => {
    render(<Details patients={[ada, piet]} />);
    await userEvent.click(screen.getByRole('radio', { name: '12 hours' }));
    const asked = new Map(
      jest.mocked(useVitals).mock.calls.map(([{ patientId, rangeMs }]) => [patientId, rangeMs / 3_600_000]),
    );
    expect(Object.fromEntries(asked)).toEqual({ 4: 12, 7: 12 });
  });

  it.each([
    ['an hour for a monitored patient', 'continuous', '1 hour'],
    ['14 days for a patient at home', 'home', '14 days'],
  ] as const)('starts with %s', (_name, profile, chosen) => {
    render(<Details patients={[{ ...ada, profile }]} />);
    expect(screen.getByRole('radio', { name: chosen, checked: true })).toBeInstanceOf(HTMLElement);
  });

  it('goes back to the patients when done', async () => {
    render(<Details />);
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(push).toHaveBeenCalledWith('/patients');
  });

  it('has no fault that axe finds', async () => {
    const { container } = render(<Details patients={[ada, piet]} notShown={{ ...all, unknown: [9] }} />);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
